"""Changes of the policies as a typo makes them: what is tried, what tells one, and where it can make a difference."""

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.proof import small

from chingoo.policy.documents.base import Distances, Near, Place, Sight
from chingoo.policy.documents.routing import RoutingDocument
from chingoo.proof.invariants import first_breach, prove

HERE = Path(__file__).resolve()
AT = Place("policies/x.yaml", 1, 1)


@pytest.fixture
def conditions(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(HERE.parents[2] / "tools"))
    from mutation import conditions as module

    return module


TRIED = [
    (Near(AT, ("a",)), ["without a"]),
    (Near(AT, ("a", "b")), ["without a + b", "a not asked for", "b not asked for"]),
    (
        Near(AT, ("a", "b"), within=4),
        ["without a + b", "a not asked for", "b not asked for", "within 3, not 4", "within 5, not 4"],
    ),
    (Near(AT, ("a", "b"), ordered=True), ["without", "a not", "b not", "in any order", "in the other order"]),
    (Near(AT, ("a", "a"), ordered=True), ["without", "a not", "a not"]),
    (Near(AT, ("a",), unless=("c",)), ["without a", "not barred by c"]),
]


@pytest.mark.parametrize(("near", "tried"), TRIED, ids=[str(number) for number in range(len(TRIED))])
def test_every_part_of_a_combination_is_changed(near: Near, tried: list[str], conditions: Any) -> None:
    made = list(conditions.nears(near))
    assert len(made) == len(tried)
    for one, start in zip(made, tried, strict=True):
        assert one.what.startswith(start)
        assert one.near != near


def test_a_list_that_is_dropped_is_not_needed_for_the_change_to_matter(conditions: Any) -> None:
    made = {one.what: one.needs for one in conditions.nears(Near(AT, ("a", "b"), within=4))}
    assert made["a not asked for in a + b"] == {"b"}
    assert made["within 3, not 4, in a + b"] == {"a", "b"}


def test_distances_that_many_combinations_have_are_changed_once_for_all_of_them(conditions: Any) -> None:
    distances = Distances(AT, pair=12, unless=8)
    usual, own = distances.of(Near(AT, ("a", "b"), unless=("c",))), distances.of(Near(AT, ("a", "b"), within=4))
    assert [one.what for one in conditions.nears(usual, distances) if "within" in one.what or "off" in one.what] == []
    assert "within 3, not 4, in a + b" in [one.what for one in conditions.nears(own, distances)]
    made = {what: after for what, _, after in conditions.distances_changed(distances, [usual, own])}
    assert made["distances: pair 11"] == (replace(usual, within=11), own)
    assert made["distances: unless 9"] == (replace(usual, beside=9), own)
    assert len(made) == 4


def test_alternatives_and_bars_of_a_sight_are_changed(conditions: Any) -> None:
    sight = Sight(AT, (Near(AT, ("a",)), Near(AT, ("b", "c"))), none=("d",))
    made = [one.what for one in conditions.sights(sight)]
    assert made == [
        "without a",
        "without b + c",
        "b not asked for in b + c",
        "c not asked for in b + c",
        "not called off by d",
    ]


def test_the_first_breach_is_the_first_that_is_proved() -> None:
    facts, pipelines = small.facts(), small.pipelines()
    invariants = small.invariants("  - id: calm\n    because: x\n    then: {says: false}")
    for routing in small_routings(small.routing()):
        breaches = [one for verdict in prove(invariants, facts, routing, pipelines) for one in verdict.breaches]
        assert first_breach(invariants, facts, routing, pipelines) == next(iter(breaches), None)


def small_routings(routing: RoutingDocument) -> list[RoutingDocument]:
    """One table in which two rules speak, and one in which none does."""
    silent = tuple(replace(rule, then=replace(rule.then, reply=None)) for rule in routing.rules)
    return [routing, replace(routing, rules=silent)]
