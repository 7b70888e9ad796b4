"""How a phrase stands in its message: who says it of whom, and whether it is meant (HEXT-08, HEXT-10, HEXT-11)."""

from collections.abc import Iterable
from dataclasses import dataclass

from chingoo.engine.hits import Hit
from chingoo.memory.frames import Around, Frame, How
from chingoo.memory.saying import Saying


@dataclass(frozen=True, slots=True)
class Head:
    """A phrase that announces something, where it was seen."""

    frame: Frame
    hit: Hit

    @property
    def place(self) -> tuple[int, int]:
        """First and last token."""
        return self.hit.first_token, self.hit.last_token


@dataclass(frozen=True, slots=True)
class Standing:
    """`first` and `last` bound the part of the sentence the phrase belongs to; reading goes on at `after`."""

    first: int
    last: int
    after: int
    negations: int
    hedged: bool

    @property
    def negated(self) -> bool:
        """True when the phrase is turned around once."""
        return self.negations == 1


class Judge:
    """Judges the phrases of one message in one language."""

    def __init__(self, saying: Saying, language: str, around: Around) -> None:
        self.saying, self.language, self.around = saying, language, around
        self._selves_said: set[int] = set()
        self._plain = [hit[2:4] for hit in self.spoken("plain")]

    def spoken(self, name: str) -> Iterable[Hit]:
        """The hits of one of the lists around statements, in the language of the message."""
        return (hit for hit in self.saying.scan.hits(f"around.{name}") if hit.language == self.language)

    def judge(self, head: Head) -> Standing | None:
        """How the phrase stands, or None when it is not said plainly of the speaker."""
        saying, (first_token, last_token) = self.saying, head.place
        if saying.quoted[first_token] or self._seen("neither", first_token, last_token) or self._joking():
            return None
        sentence = saying.sentence(first_token)
        first, last = self._part(first_token, *sentence)
        if self._unmeant(head, first, last) or self._asks(first_token, sentence[1]):
            return None
        negations, speaker = self._left(head, first)
        if not speaker:
            return None
        after, more = self._right(last_token, last)
        self._selves_said.add(saying.sentences[first_token])
        return Standing(first, last, after, negations + more, self._hedged(first, last))

    def _part(self, index: int, first: int, last: int) -> tuple[int, int]:
        """The part of the sentence between words like *but*."""
        buts = [at for at in range(first, last + 1) if self.saying.tokens[at] in self.around.buts]
        before = [at + 1 for at in buts if at < index]
        behind = [at - 1 for at in buts if at > index]
        return (before or [first])[-1], (behind or [last])[0]

    def _unmeant(self, head: Head, first: int, last: int) -> bool:
        """Whether the phrase is supposed, reported, past or asked, or said of somebody else."""
        at = head.hit.first_token
        closing = head.frame.how is How.CLOSING
        stop = last if closing else at - 1
        named = ("supposed", "reported", "past", "asking")
        if any(self._seen(name, first, stop) for name in named) or self._seen(
            "past", first, self._clause_end(at, last)
        ):
            return True
        if self.around.unmarked and self._follows_a_name(at, first):
            return True
        return (closing or self.around.unmarked) and self._of_others(at, first)

    def _follows_a_name(self, at: int, first: int) -> bool:
        """Whether an unknown word stands right before the phrase, which may be who acts (languages without endings)."""
        saying, around = self.saying, self.around
        if around.subjects:
            return False
        while at > first and not saying.breaks(at):
            at -= 1
            token = saying.tokens[at]
            if token not in around.adverbs and token not in around.negations:
                return token not in around.selves | around.stops | around.fillers | around.joins
        return False

    def _of_others(self, at: int, first: int) -> bool:
        """Whether somebody else is what the clause before the phrase is about (languages with the verb at the end)."""
        around, saying = self.around, self.saying
        while at > first and not saying.breaks(at):
            at -= 1
            token = saying.tokens[at]
            if token in around.selves:
                return False
            if token.endswith(around.companions) and around.companions:
                continue
            if self._seen("others", at, at):
                return True
            marked = bool(around.subjects) and token.endswith(around.subjects) and len(token) > 1
            if marked and token not in around.fillers and not self._is_thing(at):
                return True
        return False

    def _is_thing(self, index: int) -> bool:
        scan = self.saying.scan
        return any(
            spot[0] <= index <= spot[1]
            for list_id in scan.lists
            if list_id.startswith(("item.", "thing."))
            for spot in scan.spots(list_id)
        )

    def _asks(self, index: int, last: int) -> bool:
        """Whether the sentence is a question, and not a statement with a question back."""
        if self.saying.sentences[index] not in self.saying.asked:
            return False
        back = [hit.first_token for hit in self.spoken("asking_back") if index < hit.first_token <= last]
        return not any(self.saying.breaks(at) or self.saying.tokens[at - 1] in self.around.joins for at in back)

    def _joking(self) -> bool:
        return any(True for _ in self.spoken("joking"))

    def _hedged(self, first: int, last: int) -> bool:
        return self._seen("hedges", first, last)

    def _seen(self, name: str, first: int, last: int) -> bool:
        """Whether a list was seen between two tokens, outside of phrases that mean nothing of the kind."""
        return any(
            hit.first_token <= last and hit.last_token >= first and not self._is_plain(hit) for hit in self.spoken(name)
        )

    def _is_plain(self, hit: Hit) -> bool:
        return any(first <= hit.first_token and hit.last_token <= last for first, last in self._plain)

    def _left(self, head: Head, first: int) -> tuple[int, bool]:
        """How often the phrase is negated from before, and whether it is the speaker who does it."""
        saying, around = self.saying, self.around
        negations, at = 0, head.hit.first_token
        while at > first and not saying.breaks(at):
            token = saying.tokens[at - 1]
            if token in around.negations:
                negations += 1
            elif token not in around.adverbs:
                break
            at -= 1
        if head.frame.how is not How.VERB:
            return negations, True
        if at > first and not saying.breaks(at):
            token = saying.tokens[at - 1]
            return negations, token in around.selves or (token in around.joins and self._goes_on(at))
        return negations, False

    def _goes_on(self, index: int) -> bool:
        """Whether the speaker was the one who did something earlier in the sentence."""
        return self.saying.sentences[index] in self._selves_said

    def _right(self, index: int, last: int) -> tuple[int, int]:
        """Where reading goes on after a phrase, and how often it is negated from there (`mag keinen`, `aime pas`)."""
        saying, around = self.saying, self.around
        at, negations = index + 1, 0
        while at <= last and not saying.breaks(at):
            token = saying.tokens[at]
            if token in around.negations:
                negations += 1
            elif token not in around.adverbs:
                break
            at += 1
        return at, negations

    def negated_at_end(self, index: int, last: int) -> bool:
        """Whether the clause ends with a negation that begins at `index` (`mag Kaffee gar nicht`)."""
        after, negations = self._right(index - 1, last)
        return negations == 1 and (after > last or self.saying.breaks(after))

    def _clause_end(self, index: int, last: int) -> int:
        while index < last and not self.saying.breaks(index + 1):
            index += 1
        return index

    def clause(self, index: int, first: int, last: int) -> tuple[int, int]:
        """First and last token of the clause around a token."""
        end = self._clause_end(index, last)
        while index > first and not self.saying.breaks(index):
            index -= 1
        return index, end
