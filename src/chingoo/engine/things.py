"""Lists of things: `nuts, wool and nickel` is three, each under the name that all languages share (INST-09…11)."""

from collections.abc import Iterator
from typing import NamedTuple

from chingoo.engine.glimpse import Glimpse
from chingoo.engine.utterance import Utterance
from chingoo.engine.vocabulary import Vocabulary, Words
from chingoo.text.slug import slug


class Known(NamedTuple):
    """What a word stands for: the canonical name, and its kind."""

    name: str
    kind: str


class Thing(NamedTuple):
    """One thing of a list: its name in memory keys, where it stands, and whether a synonym names it."""

    name: str
    start: int
    stop: int
    listed: bool


class ThingWords(NamedTuple):
    """Small words of one language around things; see SpeechWords."""

    joins: Vocabulary[str]
    breaks: Vocabulary[str]
    fillers: Vocabulary[str]
    links: Vocabulary[str]
    stops: Vocabulary[str]
    specific: Vocabulary[str]
    empty: Vocabulary[str]
    leads: Vocabulary[str]


_Seen = tuple[Known, int, int]
_NO_WORDS: frozenset[str] = frozenset()
_LONGEST_JOIN = 4  # letters of what is written together with a word in front (وال)


class ThingReader:
    """Reads the things of one slot."""

    def __init__(self, known: Vocabulary[Known], order: tuple[str, ...], *, unlisted: int, joined: bool) -> None:
        """`known` are the things that fit. `unlisted`: so many words at most make a thing that is not listed.

        `joined`: neighbours of different kinds are one thing, named in the `order` of kinds (leather_jacket), and a
        thing beside words that nobody knows is none.
        """
        self._known = known
        self._rank = {kind: rank for rank, kind in enumerate(order)}
        self._unlisted = unlisted
        self._joined = joined

    def may_be_in(self, glimpse: Glimpse) -> bool:
        """Whether a text may name a thing at all."""
        return self._unlisted > 0 or glimpse.may_hold(self._known)

    def after(
        self, said: Utterance, index: int, words: ThingWords, until: int | None = None
    ) -> tuple[list[Thing], int]:
        """The things from `index` on, and where the list ends; with `until`, nothing else may stand before that."""
        stop = self._stop(said, index, words) if until is None else until
        things: list[Thing] = []
        end = index
        pieces = list(_items(said, index, stop, words.joins))
        last_joined = max((number for number, (_, _, joined) in enumerate(pieces) if joined), default=0)
        for number, (start, finish, _) in enumerate(pieces):
            unlisted = number <= last_joined
            found = self._item(said, start, finish, words, unlisted=unlisted, later=number > 0, whole=until is not None)
            if not found:
                if until is not None:
                    return [], index
                break
            things += found
            end = finish
        return things, end

    def before(self, said: Utterance, index: int, words: ThingWords) -> list[Thing]:
        """The things that end before `index`, as in languages whose verb comes last."""
        start, first = index, said.sentence(index)[0]
        while start > first and not self._breaks_before(said, start - 1, words):
            start -= 1
        pieces = list(_items(said, start, index, words.joins))
        things: list[Thing] = []
        for number in range(len(pieces) - 1, -1, -1):
            first, finish, _ = pieces[number]
            found = self._item(said, first, finish, words, unlisted=number == len(pieces) - 1, later=False, whole=False)
            if not found:
                break
            things = [*found, *things]
        return things

    def _breaks_before(self, said: Utterance, index: int, words: ThingWords) -> bool:
        return words.breaks.at(said.texts, index, index + 1) is not None

    def _stop(self, said: Utterance, index: int, words: ThingWords) -> int:
        """Where the clause of the list ends at the latest."""
        last = said.sentence(index)[1] if index < said.size else index
        breaks = words.breaks
        return next((at for at in breaks.places(said.texts, index, last) if breaks.at(said.texts, at, said.size)), last)

    def _item(
        self, said: Utterance, start: int, stop: int, words: ThingWords, *, unlisted: bool, later: bool, whole: bool
    ) -> list[Thing]:
        """The things of one item; none where it is no thing, or nobody could say which.

        `later`: it is not the first. `whole`: no other words may stand around the thing.
        """
        while start < stop:
            if words.specific.at(said.texts, start, stop) is not None:
                return []
            skipped = _either(said, start, stop, words.fillers, words.links, words.leads)
            if skipped is None:
                break
            start = skipped
        if start == stop:
            return []
        hits: list[_Seen] = []
        loose: list[int] = []
        position = start
        while position < stop:
            found = self._known.at(said.texts, position, stop)
            if found is not None:
                hits.append((found[0], position, found[1]))
                position = found[1]
            elif hits and (skipped := _either(said, position, stop, words.fillers, words.links)):
                position = skipped
            else:
                loose.append(position)
                position += 1
        if not hits:
            unknown = self._unknown(said, start, stop, words) if unlisted and self._unlisted else []
            return unknown if not whole or all(thing.stop == stop for thing in unknown) else []
        if loose and (whole or self._joined or (later and self._says_more(said, hits, loose, words.stops))):
            return []
        return self._named(said, hits, words.joins)

    def _says_more(self, said: Utterance, hits: list[_Seen], loose: list[int], stops: Vocabulary[str]) -> bool:
        """Whether words around things begin another statement (`nickel, and I like wool`)."""
        return loose[0] < hits[0][1] or any(stops.at(said.texts, at, at + 1) is not None for at in loose)

    def _named(self, said: Utterance, hits: list[_Seen], joins: Vocabulary[str]) -> list[Thing]:
        """Listed things, with neighbours that are one thing together."""
        groups: list[list[_Seen]] = []
        for hit in hits:
            last = groups[-1] if groups and self._joined else None
            if (
                last is None
                or any(hit[0].kind == other[0].kind for other in last)
                or self._is_joined(said.texts[last[-1][2] - 1], said.texts[hit[1]], joins)
            ):
                groups.append([hit])
            else:
                last.append(hit)
        return [self._thing(group) for group in groups]

    def _is_joined(self, word: str, following: str, joins: Vocabulary[str]) -> bool:
        """Whether an `and` is written together with one of two words, as in Korean or Arabic."""
        if any(word.endswith(tail) for tail in joins.glued):
            return True
        heads = (following[:length] for length in range(1, min(_LONGEST_JOIN, len(following) - 1)))
        return any(joins.at(Words([head], _NO_WORDS, _NO_WORDS), 0, 1) for head in heads)

    def _thing(self, group: list[_Seen]) -> Thing:
        ordered = sorted(group, key=lambda hit: self._rank.get(hit[0].kind, len(self._rank)))
        name = slug("_".join(hit[0].name for hit in ordered))
        return Thing(name, group[0][1], group[-1][2], True)

    def _unknown(self, said: Utterance, start: int, stop: int, words: ThingWords) -> list[Thing]:
        """A thing that is not listed: the few words before anything else is said."""
        end = start
        while end < stop and words.stops.at(said.texts, end, stop) is None:
            if words.fillers.at(said.texts, end, stop) is not None:
                break
            end += 1
        name = slug(" ".join(said.texts[start:end]))
        if (
            not 0 < end - start <= self._unlisted
            or words.empty.has(said.texts, start, end)
            or not name.strip("_0123456789")
        ):
            return []
        return [Thing(name, start, end, False)]


def _items(said: Utterance, start: int, stop: int, joins: Vocabulary[str]) -> Iterator[tuple[int, int, bool]]:
    """The pieces between pauses and joining words, and whether one of these words stands before each."""
    first, joined, position = start, False, start
    while position < stop:
        found = joins.at(said.texts, position, stop)
        pause = position > start and said.pauses[position] > 0
        if found is not None or pause:
            if position > first:
                yield first, position, joined
                joined = False
            first = position
        if found is not None:
            joined = True
            first = position = found[1]
            continue
        position += 1
    if first < stop:
        yield first, stop, joined


def _either(said: Utterance, index: int, stop: int, *words: Vocabulary[str]) -> int | None:
    for vocabulary in words:
        found = vocabulary.at(said.texts, index, stop)
        if found is not None:
            return found[1]
    return None
