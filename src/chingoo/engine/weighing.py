"""Weighs the lists that a message touches: many words that say little alone may say enough together (CRISIS-05)."""

from collections.abc import Callable, Mapping, Sequence
from math import isqrt
from typing import Final, NamedTuple

from chingoo.engine.apart import sentence, sentences_of_tokens
from chingoo.engine.crisis import CRISIS, CrisisFinding, crisis_finding
from chingoo.engine.excused import Excused, rest_of
from chingoo.engine.hits import Hit
from chingoo.engine.pieces import Pieces
from chingoo.engine.scan import Scan
from chingoo.engine.seen import Seen
from chingoo.engine.together import Weights
from chingoo.model.decision import CrisisSignal
from chingoo.model.enums import CrisisLevel
from chingoo.policy.documents.weighing import (
    Length,
    PiecesByWeight,
    TalkWeighing,
    Weighing,
    WeighingDocument,
    weights_of,
)

HARASSMENT: Final = "harassment"
WHOLE: Final = -1
_MESSAGE, _OTHERS, _HARASSMENT = range(3)  # of the fields of Sums
_NO_PIECES: PiecesByWeight = {}
"""Of pieces a talk knows what its messages weigh by them (`OfMessage`), and none of its own."""

_SHOWN: Final = 3
"""How many of the lists that weigh most are shown as what led to a finding."""

Earlier = Callable[[], Sequence[Scan]]


WHOLE_SHARE: Final = 1000
"""What counts for all of what it is, as shares by length are told."""


def share_by_length(words: int, length: Length) -> int:
    """How much of what is touched counts in a text of so many words, in thousandths.

    What a text touches by chance grows with its length, and how far chance carries its sum grows with the root of it.
    """
    return isqrt(WHOLE_SHARE * WHOLE_SHARE * length.usual // max(words, length.least))


def shared_by_length(weight: int, share: int) -> int:
    """That much of a weight, rounded towards less."""
    return weight * share // WHOLE_SHARE


class Weighed(NamedTuple):
    """What one message, or a sentence of it, weighs by one rule: in hundredths, the heaviest lists and words first.

    A word weighs what the pieces in it do.
    """

    rule: str
    total: int
    at_least: int
    lists: tuple[tuple[str, int], ...]
    words: tuple[tuple[str, int], ...]


class Sums(NamedTuple):
    """What words weigh by each part of the document, without its base: brought to one length, but for `now`."""

    message: int
    others: int
    harassment: int
    now: int


class Part(NamedTuple):
    """A message (`number` is WHOLE) or one of its sentences, what it weighs, and the share by its length."""

    scan: Scan
    number: int
    sums: Sums
    share: int

    def seen(self) -> Scan:
        """What was seen in it alone."""
        return self.scan if self.number == WHOLE else sentence(self.scan, self.number)


class Weigher:
    """The weights of one bundle. All sums are of whole hundredths, so that every machine finds the same."""

    def __init__(self, document: WeighingDocument) -> None:
        self._document = document
        message, others, harassment, talk = document.message, document.others, document.harassment, document.talk
        pieces = (message.pieces, others.pieces, harassment.pieces, _NO_PIECES)
        self._lists = Weights((message.weights, others.weights, harassment.weights, talk.now))
        self._pieces = Pieces([weights_of(one) for one in pieces])

    def parts(self, scan: Scan) -> tuple[Part, ...]:
        """The message and then its sentences, where these are several; none that is too long to be weighed.

        Of a message of which nothing is left there is none: what was said before it says nothing of it.
        """
        if scan.text.token_estimate > self._document.most_tokens_apart:
            return ()
        sentences = sentences_of_tokens(scan)
        last = max(sentences)
        if last < 0:
            return ()
        apart = last + 1 if last > 0 else 0
        sums = self._pieces.sums(scan.text.match, sentences, self._lists.sums(scan, sentences, apart))
        words = (len(sentences) - sentences.count(-1), *map(sentences.count, range(apart)))
        tokens = (scan.text.token_estimate, *words[1:])
        most = self._document.most_tokens
        numbers = [n for n in range(WHOLE, apart) if tokens[n + 1] <= most]
        return tuple([self._part(scan, n, sums[n + 1], words[n + 1]) for n in numbers])

    def _part(self, scan: Scan, number: int, touched: tuple[int, ...], words: int) -> Part:
        """A part of so many words, by the sums of what it touches."""
        message, others, harassment, now = touched
        share = share_by_length(words, self._document.length)
        by_length = (
            shared_by_length(message, share),
            shared_by_length(others, share),
            shared_by_length(harassment, share),
        )
        return Part(scan, number, Sums(*by_length, now), share)

    def alone(self, scan: Scan) -> Sums:
        """What a message as a whole weighs by each part of the document, base and all; one too long weighs as one of
        which nothing is known."""
        document = self._document
        found = next((part.sums for part in self.parts(scan) if part.number == WHOLE), Sums(0, 0, 0, 0))
        return Sums(
            document.message.base + found.message,
            document.others.base + found.others,
            document.harassment.base + found.harassment,
            found.now,
        )

    def rest_of(self, scan: Scan, excused: Excused) -> Scan:
        """What of a message may weigh where exceptions excused some of it."""
        return rest_of(scan, excused, self._document.beside_excused)

    def crisis(self, parts: Sequence[Part], earlier: Earlier) -> CrisisFinding | None:
        """The level that one of the parts reaches by weight, alone or with what was said before; None if none."""
        message, others, talk = self._document.message, self._document.others, self._document.talk
        for part in parts:
            own_over = self._alone(part) - message.at_least
            others_over = others.base + part.sums.others - others.at_least
            if own_over >= 0 and own_over >= others_over:
                return self._finding(CrisisLevel.CONTEXT, part, "crisis.weighed", message, message.weights)
            if others_over >= 0:
                return self._finding(CrisisLevel.THIRD_PARTY, part, "crisis.weighed_others", others, others.weights)
        leading = [part for part in parts if self._now(part) >= talk.look_back_from]
        before = self._before(earlier()) if leading else None
        if before is not None:
            for part in leading:
                if talk.base + self._now(part) + before >= talk.at_least:
                    return self._finding(CrisisLevel.CONTEXT, part, "crisis.weighed_talk", talk, talk.now)
        return None

    def harassment(self, parts: Sequence[Part]) -> Seen | None:
        """That the friend or a group is put down, by weight, in one of the parts."""
        rule = self._document.harassment
        for part in parts:
            if rule.base + part.sums.harassment >= rule.at_least:
                hits = _heaviest(part.seen(), rule.weights)
                return Seen(f"safety.weighed_{HARASSMENT}", HARASSMENT, rule.place, rule.because, hits)
        return None

    def _now(self, part: Part) -> int:
        """What a part adds to a talk that it ends."""
        share = self._document.talk.of_message
        return part.sums.now + _shared(self._alone(part), share.now, share.most)

    def _alone(self, part: Part) -> int:
        """What a part weighs by itself."""
        return self._document.message.base + part.sums.message

    def _before(self, past: Sequence[Scan]) -> int | None:
        """What was said before adds to a talk; None where nothing was, for then there is no talk."""
        if not past:
            return None
        rule, share = self._document.talk, self._document.talk.of_message
        seen = frozenset[str]().union(*(one.seen for one in past))
        told = [self._alone(part) for one in past for part in self.parts(one)]
        heaviest = max(told, default=self._document.message.base)
        weight = sum([rule.before[list_id] for list_id in seen if list_id in rule.before])
        return weight + _shared(heaviest, share.before, share.most)

    def weighed(self, scan: Scan, rest: Scan) -> tuple[Weighed, ...]:
        """What of a message weighs most for each rule, for who wants to know why it was enough, or was not.

        `rest` is what of it may weigh as a crisis: all, or what no exception excused.
        """
        document = self._document
        rules = (
            ("crisis.weighed", document.message, rest, _MESSAGE),
            ("crisis.weighed_others", document.others, rest, _OTHERS),
            (f"safety.weighed_{HARASSMENT}", document.harassment, scan, _HARASSMENT),
        )
        told = []
        for name, rule, of, field in rules:
            heaviest = max(self.parts(of), key=lambda part: part.sums[field], default=None)
            if heaviest is not None:
                told.append(self._weighed(name, rule, heaviest, field))
        return tuple(told)

    def _finding(
        self,
        level: CrisisLevel,
        part: Part,
        rule_id: str,
        rule: Weighing | TalkWeighing,
        weights: Mapping[str, int],
    ) -> CrisisFinding:
        """A finding that shows the lists that weigh most, and, where these are few, the words that do."""
        seen = part.seen()
        hits = _heaviest(seen, weights)
        told = Seen(rule_id, CRISIS, rule.place, rule.because, ())
        found = crisis_finding(level, seen, [(hit,) for hit in hits], told)
        field = _OTHERS if level is CrisisLevel.THIRD_PARTY else _MESSAGE
        words = [word for word, weight in self._words(part, field) if weight > 0][: _SHOWN - len(hits)]
        return found._replace(signal=CrisisSignal(level, tuple(dict.fromkeys((*found.signal.phrases, *words)))))

    def _words(self, part: Part, field: int) -> tuple[tuple[str, int], ...]:
        """The words of a part with what their pieces weigh in a field of the sums, the heaviest first."""
        match, sentences = part.scan.text.match, sentences_of_tokens(part.scan)
        tokens = match.split(" ")
        nothing = (0,) * len(Sums._fields)
        _, *weighed = self._pieces.sums(match, list(range(len(tokens))), [nothing] * (len(tokens) + 1))
        weights = {
            token: weight[field]
            for token, weight, number in zip(tokens, weighed, sentences, strict=True)
            if (number >= 0 if part.number == WHOLE else number == part.number)
        }
        telling = [(token, shared_by_length(weight, part.share)) for token, weight in weights.items() if weight]
        return tuple(sorted(telling, key=lambda one: (-one[1], one[0])))

    def _weighed(self, name: str, rule: Weighing, part: Part, field: int) -> Weighed:
        weights = [(list_id, rule.weights[list_id]) for list_id in part.seen().seen if list_id in rule.weights]
        touched = [(list_id, shared_by_length(weight, part.share)) for list_id, weight in weights]
        lists = tuple(sorted(touched, key=lambda one: (-one[1], one[0])))
        return Weighed(name, rule.base + part.sums[field], rule.at_least, lists, self._words(part, field))


def _shared(weight: int, hundredths: int, most: int) -> int:
    """So many hundredths of what something weighs, up to so much."""
    return max(-most, min(most, weight)) * hundredths // 100


def _heaviest(scan: Scan, weights: Mapping[str, int]) -> tuple[Hit, ...]:
    """The first hits of the lists that weigh most, in order of appearance."""
    weighing = sorted(
        (list_id for list_id in scan.seen if weights.get(list_id, 0) > 0), key=lambda one: (-weights[one], one)
    )
    hits = (next(iter(scan.hits(list_id)), None) for list_id in weighing[:_SHOWN])
    return tuple(sorted((hit for hit in hits if hit is not None), key=lambda hit: (hit.start, hit.end)))
