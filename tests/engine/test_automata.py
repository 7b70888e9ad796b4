"""Automata and what is told by them: which words keys are made of, and what a key of several lists stands for."""

from random import Random

import pytest

from chingoo.engine.automata import Meaning, words_of
from chingoo.engine.collected import Collected
from chingoo.engine.hits import Target
from chingoo.engine.keys import WHOLE_WORD, Rule
from chingoo.policy.documents.base import Entry, Place

KEYS = (" kill my self ", " suicid", "죽고 ", "zelf", " end it", "한번 더")
STEM = Rule(left=True, right=False, open=True)


def target(list_id: str, text: str) -> Target:
    return Target(list_id, Entry(text, Place("lists.yaml", 1, 1)), text, "en")


def hits(collected: Collected, text: str) -> list[tuple[int, int, Meaning]]:
    automaton = collected.automaton()
    assert automaton is not None
    return automaton.hits(text)


@pytest.mark.parametrize(
    "text", ["kill", "my", "self", "suicide", "살고죽고", "myzelfs", "end", "item", "첫한번", "더더", "so self so"]
)
def test_a_word_may_be_part_of_a_key(text: str) -> None:
    assert words_of(KEYS).any_in(text)


@pytest.mark.parametrize(
    "text", ["", " ", "skill", "selfs", "asuicid", "죽고살", "ends", "unite", "한번도", "\ud800", "k\ud800ill"]
)
def test_a_word_is_part_of_no_key(text: str) -> None:
    assert not words_of(KEYS).any_in(text)


def test_words_of_no_keys_are_in_nothing() -> None:
    assert not words_of(()).any_in("self")


def test_words_are_those_that_stand_between_the_ends_of_keys() -> None:
    chance = Random(7)
    keys = ["".join(chance.choice("ab ") for _ in range(chance.randint(3, 7))) for _ in range(300)]
    keys = [key for key in keys if key.strip() and "  " not in key]
    for start in range(0, len(keys), 3):
        some = keys[start : start + 3]
        words = words_of(some)
        for _ in range(40):
            text = "".join(chance.choice("abc") for _ in range(chance.randint(1, 5)))
            assert words.any_in(text) == any(piece in f" {text} " for key in some for piece in _pieces(key))


def _pieces(key: str) -> list[str]:
    """The words of a key, each with a space where it ends."""
    words = key.split()
    pieces = [f" {word} " for word in words]
    if key[0] != " ":
        pieces[0] = pieces[0][1:]
    if key[-1] != " ":
        pieces[-1] = pieces[-1][:-1]
    return pieces


def test_a_key_stands_for_all_that_take_it_and_for_each_once() -> None:
    one, other, third = target("a", "word"), target("b", "word"), target("a", "words")
    collected = Collected()
    for taken in (one, other, one, third, other):
        collected.take("word", WHOLE_WORD, taken)
    ((start, end, (lists, targets, held)),) = hits(collected, "a word ")
    assert (start, end, lists, held) == (1, 7, ("a", "b"), ())
    assert [id(found) for found in targets] == [id(one), id(other), id(third)]


def test_a_key_under_several_rules_keeps_them_apart() -> None:
    one, other, third = target("a", "word-"), target("b", "word-"), target("b", "word")
    glued = STEM._replace(left=False)
    collected = Collected(ruled=True)
    for rule, taken in ((STEM, one), (glued, other), (STEM._replace(), other), (STEM, one), (STEM, third)):
        collected.take("word", rule, taken, padded=False)
    ((start, end, (lists, targets, held)),) = hits(collected, "swords")
    assert (start, end, lists, targets) == (1, 5, (), ())
    assert [(one.rule, one.lists) for one in held] == [(STEM, ("a", "b")), (glued, ("b",))]
    assert [[id(found) for found in one.targets] for one in held] == [[id(one), id(other), id(third)], [id(other)]]
