"""policies/crisis.yaml: how a crisis is seen, and the lines that help, by country."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from chingoo.policy.documents.base import Distances, Near, Place, WordList


@dataclass(frozen=True, slots=True)
class CrisisPhrases:
    """Words that suffice by themselves: one of the `lists`, or one of the `combinations` (CRISIS-03)."""

    place: Place
    because: str
    lists: tuple[str, ...]
    combinations: tuple[Near, ...] = ()


@dataclass(frozen=True, slots=True)
class CrisisException:
    """What makes such words mean less: an idiom, a title, a negation; they fall to the second layer (C-20).

    A phrase falls when it touches a word seen in `near`, or, with `covers`, when it is itself one of the words seen in
    `near` from one of those lists. Never more than the phrases touched: another one in the same message still counts.
    With `reach`, all phrases (with `covers`, those of its lists) fall that stand at most so many words from what was
    seen and in a sentence with it, as for somebody who asks about a word. Only with `whole` do all phrases of the
    message fall, as for somebody who tells of a time that is over.
    """

    place: Place
    id: str
    because: str
    near: Near
    covers: tuple[str, ...] = ()
    reach: int | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class ThirdParty:
    """Somebody else at risk (S-08): `lists` say so alone, words of `signs` say so together; a phrase that is part of a
    `near` is about that person."""

    place: Place
    because: str
    lists: tuple[str, ...]
    near: tuple[Near, ...]
    signs: tuple[Near, ...] = ()


@dataclass(frozen=True, slots=True)
class CrisisContext:
    """The second layer (CRISIS-05, C-77): one word of `words` now and `in_history` of the user's among the last
    `history_messages`, or `distinct_now` different ones in one message. Words of `hints` count as well, but only
    together with those of other messages, and `hints_now` different ones need only one of those; words of
    `combinations` say as much together. Words of `before` count among the last messages only, and so do those of
    `burdens`, of which `burdens_for_one` count as one. With `direct_is_enough`, one of them
    that was a crisis by itself is enough. Words of `whispers`, which mean nothing in most talk, count now only, and
    only after `whispers_after` of the others among the last messages, or after one that is enough."""

    place: Place
    because: str
    words: str
    history_messages: int
    in_history: int
    distinct_now: int
    hints: str | None = None
    before: str | None = None
    hints_now: int = 2
    combinations: tuple[Near, ...] = ()
    burdens: str | None = None
    burdens_for_one: int = 2
    direct_is_enough: bool = False
    whispers: str | None = None
    whispers_after: int = 2


@dataclass(frozen=True, slots=True)
class CrisisLine:
    """One line. `verified` is false where two sources were not at hand; `last_checked` is a day."""

    place: Place
    name: str
    contact: str
    languages: tuple[str, ...]
    hours: str
    source: str
    last_checked: str
    verified: bool
    note: str | None = None


@dataclass(frozen=True, slots=True)
class CrisisReplies:
    """Ids of fixed replies: one for each level, one for a line, and one for a place without lines."""

    place: Place
    HIGH_RISK: str
    CONTEXT: str
    THIRD_PARTY: str
    line: str
    no_line: str


@dataclass(frozen=True, slots=True)
class CrisisDocument:
    """All of it. `certain` phrases suffice whatever stands around them: no exception weakens them.

    Combinations stand as far apart as `distances` say, those of exceptions as `distances_of_exceptions`, unless they
    say it themselves: once read, every one of them has its own.

    `lines` are by ISO 3166-1 alpha-2 country; the first `most_lines` are named in a reply, and each is
    checked again after `lines_review_days` at the latest.
    """

    place: Place
    distances: Distances
    distances_of_exceptions: Distances
    direct: CrisisPhrases
    exceptions: tuple[CrisisException, ...]
    third_party: ThirdParty
    context: CrisisContext
    replies: CrisisReplies
    most_lines: int
    lines_review_days: int
    lines: Mapping[str, tuple[CrisisLine, ...]]
    lists: Mapping[str, WordList]
    certain: CrisisPhrases | None = None

    def __post_init__(self) -> None:
        """Give every combination its distances."""
        of, certain = self.distances.of, self.certain
        excusing = [replace(one, near=self.distances_of_exceptions.of(one.near)) for one in self.exceptions]
        near, signs = (tuple(map(of, some)) for some in (self.third_party.near, self.third_party.signs))
        for name, part in {
            "direct": replace(self.direct, combinations=tuple(map(of, self.direct.combinations))),
            "exceptions": tuple(excusing),
            "third_party": replace(self.third_party, near=near, signs=signs),
            "context": replace(self.context, combinations=tuple(map(of, self.context.combinations))),
            "certain": certain and replace(certain, combinations=tuple(map(of, certain.combinations))),
        }.items():
            object.__setattr__(self, name, part)
