"""The automaton finds what looking for each key everywhere finds, in one order, and lets go of what it was given."""

import sys
from gc import collect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.engine.automaton import Automaton, Edges
from chingoo.engine.found import Found, Lists
from chingoo.engine.keys import WHOLE_WORD, Rule
from chingoo.policy.documents.base import View

LETTERS = "ab 가é\ud800😀\0"
KEYS = st.lists(st.text(LETTERS, min_size=1, max_size=6), max_size=40).map(
    lambda keys: {key: f"<{key}>" for key in keys}
)
TEXTS = st.text(LETTERS + "zж\U0010ffff", max_size=60)


def naive(keys: dict[str, str], text: str) -> list[tuple[int, int, str]]:
    """By looking for every key at every end, the longest first."""
    by_size = sorted(keys, key=len, reverse=True)
    ends = range(1, len(text) + 1)
    return [(end - len(key), end, keys[key]) for end in ends for key in by_size if text[:end].endswith(key)]


@given(KEYS, st.lists(TEXTS, max_size=5))
def test_every_key_is_found_everywhere(keys: dict[str, str], texts: list[str]) -> None:
    automaton = Automaton(keys)
    assert sorted(automaton.values()) == sorted(keys.values())
    for text in [*texts, *keys, "".join(keys)]:
        assert automaton.hits(text) == naive(keys, text)
        assert automaton.is_in(text) == bool(naive(keys, text))


@given(
    st.lists(st.text("ab ", min_size=1, max_size=3), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 400), st.integers(1, 90)), max_size=20),
)
def test_keys_across_the_parts_of_a_long_text_are_found(pieces: list[str], cuts: list[tuple[int, int]]) -> None:
    text = ("".join(pieces) * 400)[:400]
    keys = {key: f"<{key}>" for key in (*pieces, *(text[start : start + size] for start, size in cuts)) if key}
    assert Automaton(keys).hits(text) == naive(keys, text)


def test_the_same_keys_in_another_order_find_the_same() -> None:
    words = [f"{one}{other}{third}" for one in "abc" for other in ("", "b", "가", "ca") for third in ("", "a", "bb")]
    text = "abbacacaba가abbcabbcaca"
    assert Automaton(dict.fromkeys(words, 1)).hits(text) == Automaton(dict.fromkeys(reversed(words), 1)).hits(text)


@pytest.mark.parametrize("children", [1, 8, 9, 200, 40_000])
def test_a_node_may_have_many_children(children: int) -> None:
    letters = [chr(0x4E00 + number) for number in range(children)]
    keys = {f"{start}{letter}": number for start in "xy" for number, letter in enumerate(letters)}
    automaton = Automaton(keys)
    for number in {0, children // 2, children - 1}:
        assert automaton.hits(f"-y{letters[number]}x{letters[number]}-") == [(1, 3, number), (3, 5, number)]
    assert not automaton.is_in("xy")


def test_a_long_key_is_found() -> None:
    long = "ab" * 50_000
    automaton = Automaton({long: 1, long[1:]: 2})
    assert automaton.size == 2 * len(long)
    assert automaton.hits(f"a{long}") == [(1, len(long) + 1, 1), (2, len(long) + 1, 2)]


def test_no_keys_are_nowhere() -> None:
    assert Automaton({}).hits("anything") == []
    assert not Automaton({}).is_in("")


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(ValueError, match="empty key"):
        Automaton({"a": 1, "": 2})


def test_more_letters_than_any_language_has_are_refused() -> None:
    with pytest.raises(ValueError, match="too many different letters"):
        Automaton(dict.fromkeys(map(chr, range(1, 70_000)), 1))


def test_values_go_with_their_automaton() -> None:
    value = object()
    before = sys.getrefcount(value)
    automaton = Automaton({"a": value, "ba": value})
    automaton.hits("a ba" * 100)
    del automaton
    collect()
    assert sys.getrefcount(value) == before


STEM = Rule(left=True, right=False, open=True)
TAIL = Rule(left=True, right=False, tail=True)
ELIDED = WHOLE_WORD._replace(left=False, elided="fr")


HEADED = WHOLE_WORD._replace(left=False, head=True)
KEUK = "\u110f"


EDGES = Edges(heads=frozenset({"وال"}), tails=frozenset("을"), elisions={"fr": ("l'",)}, sounds="\u110f\u116e")


def target(list_id: str, name: str) -> Any:
    return (list_id, None, name, "en")


def gathered(held: dict[str, Any], text: str) -> dict[str, list[tuple[str, int, int]]]:
    """By list, the names of what stands in a text, and where."""
    automaton, lists = Automaton(held), Lists("abcd")
    automaton.tell(lists, EDGES)
    found = Found(lists, automaton, View.PLAIN)
    automaton.gather(text, found, EDGES)
    return {
        list_id: [(target[2], start, end) for target, start, end, _ in found.sights(list_id)] for list_id in found.names
    }


def test_places_are_gathered_under_each_list() -> None:
    whole, short = (target("a", "whole"), target("b", "whole")), (target("b", "short"),)
    held = {
        " end it ": (("a", "b"), whole, ()),
        " it ": (("b",), short, ()),
        " end": ((), (), ((STEM, ("c",), (target("c", "open"),)),)),
        "'end ": ((), (), ((ELIDED, ("d",), (target("d", "elided"),)),)),
    }
    assert gathered(held, " ending it end it ") == {
        "c": [("open", 0, 6), ("open", 10, 13)],
        "b": [("short", 7, 9), ("whole", 10, 16), ("short", 14, 16)],
        "a": [("whole", 10, 16)],
    }


def test_a_key_is_gathered_under_each_of_its_rules() -> None:
    open_word, tailed = WHOLE_WORD._replace(right=False, open=True), WHOLE_WORD._replace(right=False, tail=True)
    held = {
        " 자살": (
            (),
            (),
            (
                (open_word, ("a", "b"), (target("a", "one"), target("b", "two"))),
                (tailed, ("a",), (target("a", "three"),)),
            ),
        ),
        " 을 ": (("c",), (target("c", "whole"),), ((WHOLE_WORD, ("d",), (target("d", "held"),)),)),
    }
    assert gathered(held, " 자살을 자살자 을 ") == {
        "a": [("one", 0, 3), ("three", 0, 2), ("one", 4, 7)],
        "b": [("two", 0, 3), ("two", 4, 7)],
        "c": [("whole", 8, 9)],
        "d": [("held", 8, 9)],
    }


def test_keys_are_not_gathered_before_their_lists_are_told() -> None:
    automaton = Automaton({" a ": (("a",), (), ())})
    with pytest.raises(ValueError, match="nobody told"):
        automaton.gather(" a ", Found(Lists("a"), automaton, View.PLAIN), EDGES)


def test_ruled_keys_are_seen_with_what_they_stand_for() -> None:
    word = WHOLE_WORD._replace(open=True)
    automaton = Automaton({"end": ((), (), ((STEM, ("c",), ("one", "two")), (word, ("d",), ("three",))))})
    assert automaton.ruled("bend end") == [
        (1, 4, STEM, ("one", "two")),
        (1, 4, word, ("three",)),
        (5, 8, STEM, ("one", "two")),
        (5, 8, word, ("three",)),
    ]


def test_a_word_after_an_apostrophe_stands_from_the_word_before_it() -> None:
    held = {"'end ": ((), (), ((ELIDED, ("d",), (target("d", "elided"),)),))}
    assert gathered(held, " so l'end ") == {"d": [("elided", 3, 8)]}


def test_a_rule_of_a_language_without_elisions_is_not_swallowed() -> None:
    unknown = ELIDED._replace(elided="it")
    with pytest.raises(KeyError):
        Automaton({"'it ": ((), (), ((unknown, ("a",), ()),))}).tell(Lists("a"), EDGES)
    with pytest.raises(KeyError):
        EDGES.end(" l'it ", 3, 5, unknown)


@pytest.mark.parametrize(
    ("text", "start", "end", "rule", "fits"),
    [
        (" 자살을 ", 1, 3, TAIL, 3),
        (" 자살을\u110f\u110f ", 1, 3, TAIL, 3),
        (" 자살\u116e\u116e ", 1, 3, TAIL, 3),
        (" 자살의 ", 1, 3, TAIL, -1),
        (" 자살을을 ", 1, 3, TAIL, -1),
        (f" 자살을{KEUK * 50} ", 1, 3, TAIL, 3),
        (f" 자살{KEUK * 50} ", 1, 3, TAIL, 3),
        (f" 자살을{KEUK * 50}가 ", 1, 3, TAIL, -1),
        (f" 자살을{KEUK * 20}가{KEUK * 20} ", 1, 3, TAIL, -1),
        (f" 자살{'하' * 50} ", 1, 3, TAIL, -1),
        (" والانتحار ", 4, 9, HEADED, 9),
        (f" {'و' * 50}الانتحار ", 53, 58, HEADED, -1),
        (" ending ", 1, 4, STEM, 7),
        (" l'end ", 3, 6, ELIDED, 6),
        (" d'end ", 3, 6, ELIDED, -1),
        ("end ", 0, 3, STEM, -1),
        (" end", 1, 4, STEM, -1),
        (" al ", 2, 3, WHOLE_WORD._replace(left=False, head=True), -1),
    ],
)
def test_edges_of_words(text: str, start: int, end: int, rule: Rule, fits: int) -> None:
    assert EDGES.end(text, start, end, rule) == fits


def test_hangul_is_seen_whatever_its_spaces_are() -> None:
    keys = {
        "자살하": ((), (), ((TAIL._replace(tail=False, open=True), ("a",), ("open",)),)),
        "자살": ((), (), ((TAIL, ("a",), ("tailed",)),)),
    }
    seen = Automaton(keys).gather_compact("안자살 자 살을 자 살하 고", EDGES)
    assert seen == [(("tailed",), 4, 7), (("open",), 9, 13)]
