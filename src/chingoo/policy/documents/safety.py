"""policies/safety.yaml: sexual content, hate, threats, harassment, age claims, and the content guard."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.policy.documents.base import Place, Sight, WordList
from chingoo.policy.documents.signals import SignalRule


@dataclass(frozen=True, slots=True)
class CountRule:
    """An integer fact: how many distinct words of `lists` are seen, outside the phrases of `none`.

    A word does not count where one of an `unless` list stands in it, or up to `beside` tokens before or after it.
    """

    place: Place
    because: str
    lists: tuple[str, ...]
    none: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    beside: int = 0


@dataclass(frozen=True, slots=True)
class GuardCategory:
    """One category of the content guard (GUARD-03). The first that is seen blocks.

    `always` holds in every mode; `intimate` also where a message is judged at intimate strictness (C-15).
    """

    place: Place
    id: str
    because: str
    always: Sight | None = None
    intimate: Sight | None = None


@dataclass(frozen=True, slots=True)
class SafetyDocument:
    """All of it. Names of `signals` and `counts` are facts of the same name; `guard` is in the order of precedence."""

    place: Place
    signals: Mapping[str, SignalRule]
    counts: Mapping[str, CountRule]
    guard: tuple[GuardCategory, ...]
    lists: Mapping[str, WordList]
