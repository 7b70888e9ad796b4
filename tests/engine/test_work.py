"""Work grows with the length of a text and no faster: no expression backtracks badly, no step looks again and again.

Counted, not timed: the shape of every expression, and how many functions are called for a text and for one twice as
long.
"""

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.anything import AT, DISGUISED, ODD, SAID

import chingoo
from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import EvaluationInput

PACKAGES = ("text", "engine")
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)
ALPHABET = "".join(map(chr, range(0x250))) + "абвёАؠأبـ\u0301가힣ᄀㅋあ漢💀\u200b\u2019\ufe0f\ud800"


def expressions() -> dict[str, "re.Pattern[str]"]:
    """Every expression that texts are looked at with, by where it stands."""
    found = {}
    for package in PACKAGES:
        home = importlib.import_module(f"chingoo.{package}")
        for module in pkgutil.walk_packages(home.__path__, f"chingoo.{package}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, re.Pattern):
                    found[f"{module.name.removeprefix('chingoo.')}.{name}"] = value
    return found


def unbounded(node: Any) -> bool:
    """A repeat without an end."""
    return node[0] in REPEATS and node[1][1] is _constants.MAXREPEAT


def inside(node: Any) -> Iterator[Any]:
    """The sequences that stand in a node."""
    kind, value = node
    if kind in (*REPEATS, _constants.POSSESSIVE_REPEAT):
        yield value[2]
    elif kind is _constants.SUBPATTERN:
        yield value[3]
    elif kind is _constants.BRANCH:
        yield from value[1]
    elif kind in (_constants.ASSERT, _constants.ASSERT_NOT):
        yield value[1]


def takes(sequence: Any) -> frozenset[str]:
    """The characters of the alphabet that a sequence can begin with or consist of: those it matches alone or inside."""
    taken: set[str] = set()
    for node in sequence:
        if node[0] in (_constants.IN, _constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.RANGE):
            single = _parser.SubPattern(sequence.state, [node])
            pattern = _compiler.compile(single, sequence.state.flags)
            taken |= {char for char in ALPHABET if pattern.fullmatch(char)}
        for inner in inside(node):
            taken |= takes(inner)
    return frozenset(taken)


def begins(sequence: Any) -> frozenset[str]:
    """The characters of the alphabet that a sequence can begin with."""
    first: set[str] = set()
    for node in sequence:
        if node[0] in (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT):
            continue
        parts = list(inside(node))
        for part in parts:
            first |= begins(part)
        if not parts:
            first |= takes(_parser.SubPattern(sequence.state, [node]))
        if node[0] not in REPEATS or node[1][0] > 0:
            break
    return frozenset(first)


def troubles(sequence: Any) -> Iterator[str]:
    """Repeats within repeats, and two in a row that can take the same characters with nothing else needed between."""
    open_sets: list[frozenset[str]] = []
    for node in sequence:
        if node[0] is _constants.AT or node[0] in (_constants.ASSERT, _constants.ASSERT_NOT):
            continue
        own = takes(_parser.SubPattern(sequence.state, [node]))
        if unbounded(node):
            if any(not parted(inner, node[1][2]) for inner in everything(node[1][2]) if unbounded(inner)):
                yield "a repeat within a repeat"
            if any(begins(node[1][2]) & earlier for earlier in open_sets):
                yield "two repeats that can share characters"
            open_sets.append(own)
        else:
            open_sets = [earlier & own for earlier in open_sets if earlier & own]
        for inner in inside(node):
            yield from troubles(inner)


def parted(inner: Any, body: Any) -> bool:
    """Whether each turn of a repeat needs a character that the repeat inside it cannot take."""
    own = takes(inner[1][2])
    needed = [node for node in body if node[0] not in REPEATS and node[0] is not _constants.BRANCH]
    return any(own.isdisjoint(takes(_parser.SubPattern(body.state, [node]))) for node in needed)


def everything(sequence: Any) -> Iterator[Any]:
    """All nodes below a sequence."""
    for node in sequence:
        yield node
        for inner in inside(node):
            yield from everything(inner)


EXPRESSIONS = expressions()
WHOLE_ONLY = {
    "text.language._LETTERS_AND_DIGITS",
    "text.language._WORD_AND_DIGIT",
}
"""Only asked whether they fit the whole of a piece."""


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_no_expression_backtracks_badly(name: str) -> None:
    parsed = _parser.parse(EXPRESSIONS[name].pattern, EXPRESSIONS[name].flags)
    assert list(troubles(parsed)) == []


@pytest.mark.parametrize("name", sorted(EXPRESSIONS.keys() - WHOLE_ONLY))
def test_no_search_runs_on_from_every_place(name: str) -> None:
    """What begins with a repeat and needs something else after it is tried anew from each place of a long run."""
    parsed = _parser.parse(EXPRESSIONS[name].pattern, EXPRESSIONS[name].flags)
    nodes = [node for node in parsed if node[0] not in (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT)]
    if nodes and unbounded(nodes[0]):
        run = takes(nodes[0][1][2])
        needed = [node for node in nodes[1:] if node[0] not in REPEATS or node[1][0] > 0]
        assert all(run <= takes(_parser.SubPattern(parsed.state, [node])) for node in needed)


def test_the_checks_see_what_they_look_for() -> None:
    for bad in ("(a+)+b", "(?:a*b*)*", r"\w*\d*x", "(x+x+)+y"):
        assert list(troubles(_parser.parse(bad))), bad
    for good in ("a+b+", r"\d+\.\d+", "(?:ab)+c", r"[^\W\d_]+", "x+y", r"(?:\.[\w-]+)+"):
        assert not list(troubles(_parser.parse(good))), good


def test_there_are_expressions() -> None:
    assert len(EXPRESSIONS) > 30
    assert chingoo.__version__


# --- calls ------------------------------------------------------------------------------------------------------


def calls(engine: Engine, text: str) -> int:
    """How many functions, in Python and below, a decision calls."""
    told = EvaluationInput(text, AT)
    evaluate(engine, told)
    counted = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        evaluate(engine, told)
    finally:
        sys.setprofile(None)
    return counted


def filled(piece: str, length: int) -> str:
    """A text of that length, of nothing but this."""
    return (piece * (length // len(piece) + 1))[:length]


PIECES = [
    *(f"{phrase} " for phrases in SAID.values() for phrase in phrases),
    *(piece for word in DISGUISED for piece in (word, f"{word} ")),
    *(odd for odd in ODD),
    *("a'", "2a'", "k i l l ", "e\u0301\u0323", "kіll mуsеlf ", "죽 고 싶 어 ", "not never no ", "very good "),
    *("i want to ", "my friend wants to die ", "i don't want to die ", "l'j'd'", "s-e-x-", "aab", "ㅈㅏㅅㅏㄹ "),
]
FACTS = [
    line.rsplit(" | ", 3)
    for line in (Path(__file__).parent / "facts_gold.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
NEARLY_FACTS = [
    *("nuts, wool, nickel, ", "nuts and wool ", "500 AED 20 $ ", "1,", "1 000 ", "if ", "땅콩이랑 양모 ", "ولا صوف "),
    *("my size is ", "allergic two i wear ", "in 2 weeks in March ", '"my size is m" ', "через 2 недели ", "2주 뒤에 "),
]
FEW = 4000
"""Calls that any text may cost, however short."""
FOUND_AGAIN = 30
"""Calls for each character once a hit has to be found again in the text as sent, which a shorter text may not need."""


@pytest.mark.parametrize(
    "piece", ["i want to ", "kill myself ", "a'2", "k i l l ", "죽고 싶어 ", "e\u0301", "kіll ", "5u1c1de "]
)
def test_twice_the_text_is_twice_the_work(engine: Engine, piece: str) -> None:
    assert calls(engine, filled(piece, 4000)) <= 2.2 * calls(engine, filled(piece, 2000)) + FOUND_AGAIN * 2000 + FEW


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map("".join))
def test_whatever_is_repeated_costs_no_more_each_time(engine: Engine, piece: str) -> None:
    assert calls(engine, filled(piece, 2000)) <= 2.2 * calls(engine, filled(piece, 1000)) + FOUND_AGAIN * 1000 + FEW


@pytest.mark.parametrize("language", sorted({language for language, *_ in FACTS}))
def test_twice_the_facts_are_twice_the_work(engine: Engine, language: str) -> None:
    said = [text for spoken, _, text, _ in FACTS if spoken == language]
    for piece in ("".join(f"{text} " for text in said), *(f"{text}. " for text in said[::8])):
        assert calls(engine, filled(piece, 4000)) <= 2.2 * calls(engine, filled(piece, 2000)) + FOUND_AGAIN * 2000 + FEW


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["", "i'm allergic to ", "my budget is ", "my sister's wedding ", "알레르기 "]),
    st.lists(st.sampled_from([*NEARLY_FACTS, *(f"{text} " for _, _, text, _ in FACTS)]), min_size=1, max_size=3),
)
def test_what_looks_like_facts_costs_no_more_each_time(engine: Engine, start: str, pieces: list[str]) -> None:
    text = start + filled("".join(pieces), 4000)
    assert calls(engine, text) <= 2.2 * calls(engine, text[:2000]) + FOUND_AGAIN * 2000 + FEW
    assert calls(engine, text) <= 25 * len(text) + FEW


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join))
def test_no_character_costs_more_than_some_calls(engine: Engine, piece: str) -> None:
    """A bound on all: a text of the greatest length, of whatever, with one word in three a hit."""
    text = filled(piece, 4000)
    assert calls(engine, text) <= 60 * max(len(text), len(text.encode("utf-8", "surrogatepass"))) + FEW
