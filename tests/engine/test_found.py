"""What is noted by the numbers of lists is told as a dictionary of places would tell it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.engine.found import Found, Group, Lists
from chingoo.engine.hits import Sight, Target
from chingoo.policy.documents.base import View

NAMES = [f"list{number}" for number in range(7)]
SIGHTS = st.lists(
    st.tuples(
        st.builds(Target, st.sampled_from(NAMES), st.none(), st.sampled_from("abc"), st.sampled_from(["en", "fr"])),
        st.integers(0, 40),
        st.integers(0, 40),
        st.sampled_from([View.COMPACT, View.EVASION]),
    ),
    max_size=200,
)


def found_of(sights: list[Sight], lists: Lists | None = None) -> Found:
    found = Found(lists or Lists(NAMES), None, View.PLAIN)
    for sight in sights:
        found.add(*sight)
    return found


def by_list(sights: list[Sight]) -> dict[str, list[Sight]]:
    noted: dict[str, list[Sight]] = {}
    for sight in sights:
        noted.setdefault(sight[0].list_id, []).append(sight)
    return noted


def told(found: Found) -> dict[str, list[Sight]]:
    return {name: found.sights(name) for name in found.names}


@given(SIGHTS)
def test_lists_come_by_their_first_places_and_sights_in_order(sights: list[Sight]) -> None:
    noted, found = by_list(sights), found_of(sights)
    assert list(told(found).items()) == list(noted.items())
    assert {name for name in NAMES if found.has(name)} == set(noted)
    assert not found.has("unknown")
    assert found.sights("unknown") == []
    assert found.none().names == ()


@given(SIGHTS, st.integers(1, 5), st.sampled_from([frozenset({"en"}), frozenset({"fr", "en"}), frozenset()]))
def test_the_first_sights_may_be_asked_for_and_those_of_languages(
    sights: list[Sight], most: int, languages: frozenset[str]
) -> None:
    found = found_of(sights)
    for name, own in by_list(sights).items():
        spoken = [sight for sight in own if sight[0].language in languages]
        assert found.sights(name, most) == own[:most]
        assert found.sights(name, most, languages) == spoken[:most]


@given(SIGHTS, st.data())
def test_only_what_is_kept_was_seen(sights: list[Sight], data: Any) -> None:
    noted, found = by_list(sights), found_of(sights)
    for name in data.draw(st.lists(st.sampled_from(NAMES), unique=True)):
        if name in noted:
            kept = [sight for sight in noted[name] if data.draw(st.booleans())]
            found.keep(name, kept)
            noted[name] = kept
    assert list(told(found).items()) == [(name, own) for name, own in noted.items() if own]


@given(SIGHTS, st.lists(st.sampled_from([*NAMES, "unknown"]), unique=True))
def test_a_group_tells_which_of_its_lists_were_seen(sights: list[Sight], wanted: list[str]) -> None:
    group, noted = Group(wanted), by_list(sights)
    for lists in (Lists(NAMES), Lists(reversed(NAMES)), Lists([*NAMES[3:], "more", *NAMES[:3]])):
        found = found_of(sights, lists)
        assert group.seen_in(found) == [name for name in noted if name in wanted]
        assert group.any_in(found) == any(name in noted for name in wanted)


def test_a_list_that_the_matcher_does_not_have_is_not_noted() -> None:
    with pytest.raises(KeyError):
        found_of([]).add(Target("unknown", None, "a", "en"), 0, 1, View.SOUND)  # type: ignore[arg-type]
