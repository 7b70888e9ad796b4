"""Mistyped bounds and bases of weighing.yaml. The weights are held by the same sum, and a test of it by itself."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from chingoo.policy.bundle import Bundle
from mutation.mutant import Mutant, altered

PARTS = ("message", "others", "talk", "harassment")
NUMBERS = ("base", "at_least", "look_back_from")
SHARES = ("most", "now", "before")
WANTED = "the sum over all numbers"
_NO_LIST = "no case sees it"


def weighing_mutants(bundle: Bundle) -> Iterator[Mutant]:
    """Each number that is no weight, raised, and with the other sign."""
    for name in PARTS:
        part = getattr(bundle.weighing, name)
        for number in filter(part.__class__.__dataclass_fields__.__contains__, NUMBERS):
            for changed in (getattr(part, number) + 100, -getattr(part, number)):
                if changed != getattr(part, number):
                    yield _mutant(bundle, name, part, f"{number} becomes {changed}", number, changed)
    talk = bundle.weighing.talk
    for number in SHARES:
        for changed in (getattr(talk.of_message, number) + 10, -getattr(talk.of_message, number)):
            share = replace(talk.of_message, **{number: changed})
            yield _mutant(bundle, "talk", talk, f"{number} of of_message becomes {changed}", "of_message", share)


def _mutant(bundle: Bundle, name: str, part: Any, what: str, field: str, value: Any) -> Mutant:
    weighing = altered(bundle.weighing, **{name: altered(part, **{field: value})})
    after = replace(bundle, weighing=weighing)
    return Mutant("weighing", part.place, f"{name}: {what}", WANTED, after, frozenset({_NO_LIST}))
