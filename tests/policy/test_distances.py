"""How far words of combinations may stand apart where these do not say it themselves."""

import pytest

from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Distances, Near, Place, Sight
from chingoo.policy.documents.signals import SignalRule

AT = Place("policies/x.yaml", 1, 1)
DISTANCES = Distances(AT, pair=12, unless=8, more=16)

SAID = [
    (Near(AT, ("a", "b")), (12, None)),
    (Near(AT, ("a", "b", "c")), (16, None)),
    (Near(AT, ("a", "b"), unless=("c",)), (12, 8)),
    (Near(AT, ("a",), unless=("c",)), (None, 8)),
    (Near(AT, ("a",)), (None, None)),
    (Near(AT, ("a", "b"), within=3, unless=("c",), beside=0), (3, 0)),
]


@pytest.mark.parametrize(("near", "distances"), SAID, ids=[str(number) for number in range(len(SAID))])
def test_a_combination_has_the_distances_that_it_does_not_say(
    near: Near, distances: tuple[int | None, int | None]
) -> None:
    once = DISTANCES.of(near)
    assert (once.within, once.beside) == distances
    assert DISTANCES.of(once) == once


def test_three_lists_stand_as_near_as_two_where_nothing_else_is_said() -> None:
    assert Distances(AT, pair=9, unless=5).of(Near(AT, ("a", "b", "c"))).within == 9


def test_a_signal_gives_its_distances_to_all_its_combinations() -> None:
    rule = SignalRule(AT, "for a test", Sight(AT, (Near(AT, ("a", "b")),)), unless=(Near(AT, ("c", "d")),))
    assert rule.when.any[0].within is rule.unless[0].within is None
    rule = SignalRule(AT, "for a test", rule.when, unless=rule.unless, distances=DISTANCES)
    assert (rule.when.any[0].within, rule.unless[0].within) == (12, 12)


def test_no_combination_of_crisis_reaches_over_a_whole_message(bundle: Bundle) -> None:
    crisis = bundle.crisis
    combinations = (
        *crisis.direct.combinations,
        *(one.near for one in crisis.exceptions),
        *crisis.third_party.near,
        *crisis.third_party.signs,
        *crisis.context.combinations,
    )
    assert [near for near in combinations if len(near.lists) > 1 and near.within is None] == []
    assert [near for near in combinations if near.unless and near.beside is None] == []
