"""The things that are liked or disliked: read beside the phrase that says so, with their category (MEM-02, MEM-05)."""

from collections.abc import Iterator
from typing import NamedTuple

from chingoo.engine.hits import Hit
from chingoo.memory.standing import Judge
from chingoo.text.normalise import lower_in_place

ITEM = "item."
_MOST_WORDS = 4


class Thing(NamedTuple):
    """A thing of a category, where it stands. `name` is how its language writes it first."""

    category: str
    name: str
    first: int
    last: int


class Things:
    """All things seen in one message."""

    def __init__(self, judge: Judge, languages: frozenset[str]) -> None:
        self._judge, self._saying, self._around = judge, judge.saying, judge.around
        self._starting: dict[int, Thing] = {}
        self._ending: dict[int, Thing] = {}
        self._glued: set[int] = set()
        for list_id in judge.saying.scan.lists:
            if list_id.startswith(ITEM):
                for hit in judge.saying.scan.hits(list_id):
                    if hit.language in languages:
                        name = lower_in_place(hit.name)
                        self._take(Thing(list_id.removeprefix(ITEM), name, hit.first_token, hit.last_token), hit)

    def _take(self, thing: Thing, hit: Hit) -> None:
        """Keep the longest thing at each place."""
        known = self._starting.get(thing.first)
        if known is None or known.last < thing.last:
            self._starting[thing.first] = thing
            if hit.start > self._saying.starts[hit.first_token]:
                self._glued.add(thing.first)
        known = self._ending.get(thing.last)
        if known is None or known.first > thing.first:
            self._ending[thing.last] = thing

    def after(self, index: int, last: int) -> Iterator[Thing]:
        """The things that are listed from a token on."""
        saying, around = self._saying, self._around
        at = index
        while at <= last:
            at = self._skip(at, index, last)
            if at > last or (at > index and saying.breaks(at) and not saying.comma(at)):
                return
            thing = self._starting.get(at)
            if thing is not None:
                if not self.stands_alone(thing.last + 1):
                    return
                yield thing
                at = thing.last + 1
                if at > last or not (saying.comma(at) or saying.tokens[at] in around.joins or at in self._glued):
                    return
            elif saying.words[at] and self._is_listed_apart(at, last) and saying.tokens[at] not in around.stops:
                at += 1
            else:
                return

    def _skip(self, at: int, index: int, last: int) -> int:
        """Past words that may stand before a thing."""
        saying, around = self._saying, self._around
        while at <= last and at not in self._starting:
            if at > index and saying.breaks(at) and not saying.comma(at):
                break
            if saying.tokens[at] not in around.fillers and saying.tokens[at] not in around.joins:
                break
            at += 1
        return at

    def _is_listed_apart(self, at: int, last: int) -> bool:
        """Whether an unknown word is one of a list, with another one behind it."""
        saying = self._saying
        return at < last and (saying.comma(at + 1) or saying.tokens[at + 1] in self._around.joins)

    def stands_alone(self, at: int) -> bool:
        """Whether nothing at a token makes the thing before it part of something else (`coffee shop`)."""
        saying, around = self._saying, self._around
        if at >= len(saying.tokens) or saying.breaks(at) or at in self._glued:
            return True
        token = saying.tokens[at]
        if token in around.negations:
            return True
        return token in around.followers if around.strict else token not in around.binders

    def before(self, index: int, first: int) -> Iterator[Thing]:
        """The things that are listed up to a token, the last one first."""
        saying, around = self._saying, self._around
        at = index
        while at >= first and at not in self._ending and saying.tokens[at] in around.fillers:
            if saying.breaks(at):
                return
            at -= 1
        while at >= first:
            thing = self._ending.get(at)
            if thing is None:
                return
            yield thing
            at = thing.first - 1
            if at < first:
                return
            if saying.tokens[at] in around.joins:
                at -= 1
            elif not saying.comma(thing.first) and not (
                around.companions and saying.tokens[at].endswith(around.companions)
            ):
                return

    def favourite(self, category: str, index: int, last: int) -> Iterator[Thing]:
        """The favourites named from a token on; a thing of no list is taken as it is said."""
        known = [Thing(category, thing.name, thing.first, thing.last) for thing in self.after(index, last)]
        if known:
            yield from known
            return
        at = index
        while at <= last and self._saying.tokens[at] in self._around.fillers and not self._saying.breaks(at + 1):
            at += 1
        end = self.words_to_end(at, last)
        if end is not None:
            name = lower_in_place(" ".join(self._saying.tokens[at : end + 1]))
            yield Thing(category, self._without_tail(name), at, end)

    def words_to_end(self, at: int, last: int, most: int = _MOST_WORDS) -> int | None:
        """The last of at most a few words up to the end of the clause, none of which may be a small word."""
        saying, around = self._saying, self._around
        end = at
        while end <= last and not (end > at and saying.breaks(end)):
            token = saying.tokens[end]
            if not saying.words[end] or token in around.stops or token in around.refused:
                break
            end += 1
        clean = end > last or saying.breaks(end) or saying.tokens[end] in around.followers
        return end - 1 if at < end <= at + most and clean else None

    def _without_tail(self, name: str) -> str:
        """A Korean word without its particle or copula."""
        return without_tail(name, self._around.copulas)


def without_tail(word: str, tails: frozenset[str]) -> str:
    """`word` without the longest of `tails` it ends with, if anything is left."""
    return next((word[:at] for at in range(1, len(word)) if word[at:] in tails), word)
