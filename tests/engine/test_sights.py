"""Conditions over lists: together, in order, within a window, unless something else is seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.words import near, scan, sight, words

from chingoo.engine.sights import SightIndex, combinations, places, seen
from chingoo.engine.together import Asked
from chingoo.policy.documents.base import Near, View

LISTS = {"a": words(["alpha"]), "b": words(["beta"]), "c": words(["gamma"]), "x": words(["never"])}


@pytest.mark.parametrize(
    ("condition", "text", "holds"),
    [
        (near("a"), "one alpha", True),
        (near("a", "b"), "beta and then, much later, alpha", True),
        (near("a", "b"), "alpha alone", False),
        (near("a", "b", within=2), "alpha beta", True),
        (near("a", "b", within=2), "alpha and beta", False),
        (near("a", "b", within=3), "beta and alpha", True),
        (near("a", "b", within=3, ordered=True), "beta and alpha", False),
        (near("a", "b", ordered=True), "beta alpha and beta", True),
        (near("a", "b", within=2, ordered=True), "alpha is far, alpha beta", True),
        (near("a", "b", "c", within=4), "gamma then alpha beta", True),
        (near("a", "b", "c", ordered=True), "alpha gamma beta", False),
        (near("a", unless=("x",)), "alpha, and it is never so", True),
        (near("a", unless=("x",), beside=1), "never alpha", False),
        (near("a", "b", within=9, ordered=True, unless=("x",)), "alpha is never beta", False),
        (near("a", "b", within=9, ordered=True, unless=("x",)), "never alpha is beta", True),
        (near("a", "b", within=9, ordered=True, unless=("x",), beside=1), "never alpha is beta", False),
        (near("a", "b", within=3, ordered=True, unless=("x",)), "alpha never beta, but alpha then beta", True),
    ],
)
def test_near(condition: Near, text: str, holds: bool) -> None:
    assert (seen(sight(condition), scan(text, **LISTS)) is not None) is holds


def test_none_calls_a_sight_off() -> None:
    condition = sight(near("a"), near("b"), none=("x",))
    assert seen(condition, scan("beta", **LISTS)) is not None
    assert seen(condition, scan("never beta", **LISTS)) is None


def test_words_of_look_alike_languages_do_not_stand_together() -> None:
    lists = {"you": words({"de": ["du"], "en": ["you"]}), "bad": words({"fr": ["nul"], "en": ["dumb"]})}
    condition = sight(near("you", "bad", within=6))
    assert seen(condition, scan("du jus, c'est nul", **lists)) is None
    assert seen(condition, scan("you are dumb", **lists)) is not None


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("kill the king", True),
        ("kill the old king", False),
        ("k.i.l.l the k.1.n.g", True),
        ("k.i.l.l the old k.1.n.g", False),
    ],
)
@pytest.mark.parametrize("ordered", [True, False])
def test_a_word_that_was_spelled_apart_is_no_farther_from_others(text: str, holds: bool, ordered: bool) -> None:
    views = (View.PLAIN, View.EVASION)
    lists = {"kill": words(["kill"], views), "king": words(["king"], views)}
    assert (seen(sight(near("kill", "king", within=3, ordered=ordered)), scan(text, **lists)) is not None) is holds


def test_a_phrase_spaced_otherwise_is_no_farther_from_others() -> None:
    lists = {"it": words({"ko": ["가슴"]}), "show": words({"ko": ["보여줘-"]}, (View.PLAIN, View.COMPACT))}
    condition = sight(near("it", "show", within=2, ordered=True))
    assert seen(condition, scan("가슴 보여 줘", **lists)) is not None
    assert seen(condition, scan("가슴 운동 보여 줘", **lists)) is None


def test_what_bars_a_place_is_of_its_own_tongue() -> None:
    """Look-alike words: the Italian "non" says nothing about a French sentence."""
    lists = {"i": words({"fr": ["je suis"]}), "person": words({"fr": ["une personne"]})}
    barred = {"not": words({"it": ["non"], "fr": ["pas"]})}
    condition = sight(near("i", "person", unless=("not",), beside=2))
    assert seen(condition, scan("non, je suis une personne", **lists, **barred)) is not None
    assert seen(condition, scan("je suis pas une personne", **lists, **barred)) is None


def test_a_long_phrase_bars_what_it_reaches_beside_short_ones_that_begin_later() -> None:
    lists = {"a": words(["alpha"]), "x": words(["not so long ago", "so"])}
    condition = sight(near("a", unless=("x",), beside=1))
    assert seen(condition, scan("not so long ago alpha", **lists)) is None
    assert seen(condition, scan("not so long ago but alpha", **lists)) is not None


def test_places_are_all_of_them() -> None:
    found = list(places(near("a", "b", within=2, ordered=True), scan("alpha beta, alpha, alpha beta", **LISTS)))
    assert [(hits[0].first_token, hits[1].first_token) for hits in found] == [(0, 1), (3, 4)]


@given(
    st.lists(st.sampled_from(["alpha", "beta", "gamma", "never", "word"]), max_size=14),
    st.integers(1, 6),
    st.booleans(),
)
def test_windows_agree_with_trying_all_pairs(tokens: list[str], within: int, ordered: bool) -> None:
    text = scan(" ".join(tokens), **LISTS)
    pairs = [
        (one, other) for one, a in enumerate(tokens) for other, b in enumerate(tokens) if (a, b) == ("alpha", "beta")
    ]
    expected = any(abs(one - other) < within and (one < other or not ordered) for one, other in pairs)
    assert (seen(sight(near("a", "b", within=within, ordered=ordered)), text) is not None) is expected


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "never"]), max_size=8))
def test_the_index_sees_what_each_sight_sees(tokens: list[str]) -> None:
    sights = {"one": sight(near("a", "b"), near("c")), "two": sight(near("b"), none=("x",)), "three": sight(near("x"))}
    text = scan(" ".join(tokens), **LISTS)
    expected = {name: hits for name, condition in sights.items() if (hits := seen(condition, text)) is not None}
    assert SightIndex(sights, Asked()).seen(text) == expected


@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "c", "x"]), min_size=1, max_size=3, unique=True), max_size=6),
    st.lists(st.sampled_from(["alpha", "beta", "gamma", "never"]), max_size=8),
)
def test_combinations_stand_where_each_of_them_does(listed: list[list[str]], tokens: list[str]) -> None:
    nears = [near(*lists, within=3) for lists in listed]
    text = scan(" ".join(tokens), **LISTS)
    assert list(combinations(nears, Asked()).places(text)) == [hits for one in nears for hits in places(one, text)]
