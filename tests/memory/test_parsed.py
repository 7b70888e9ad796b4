"""What a grammar parser adds to the patterns, on sentences as real models parsed them (HEXT-03, HEXT-05, C-71)."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.memory.listening import Listener, build_listener
from chingoo.model.decision import Decision, EvaluationInput
from chingoo.model.grammar import ParsedWord
from chingoo.policy.bundle import Bundle

SAID_AT = datetime(2026, 3, 10, 12, tzinfo=UTC)
SENTENCES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "parsed_sentences.json").read_text(encoding="utf-8")
)


@dataclass(frozen=True)
class Recorded:
    """A parser that knows the sentences of the file, and takes any other for a single word."""

    languages: Collection[str] = ("en", "es", "fr")

    def parse(self, text: str, language: str) -> Sequence[ParsedWord]:
        for one in SENTENCES:
            if (one["say"], one["language"]) == (text, language):
                return [
                    ParsedWord(start, end, lemma, kind, role, head, frozenset(features.split("|")))
                    for start, end, lemma, kind, role, head, features in one["words"]
                ]
        return [ParsedWord(0, len(text), text, "X", "ROOT", 0)]


@pytest.fixture(scope="module")
def patterns(bundle: Bundle) -> Listener:
    return build_listener(bundle)


@pytest.fixture(scope="module")
def parsing(bundle: Bundle) -> Listener:
    return build_listener(bundle, Recorded())


def decided(engine: Engine, text: str) -> Decision:
    return evaluate(engine, EvaluationInput(text=text, received_at=SAID_AT))


def kept(engine: Engine, listener: Listener, text: str) -> dict[str, str]:
    facts = listener.heard(text, decided(engine, text), SAID_AT, UTC)
    return {fact.memory_key: fact.memory_value for fact in facts}


@pytest.mark.parametrize("one", SENTENCES, ids=lambda one: one["say"])
def test_what_a_parser_adds(engine: Engine, patterns: Listener, parsing: Listener, one: dict[str, Any]) -> None:
    assert kept(engine, patterns, one["say"]) == one["patterns"]
    assert kept(engine, parsing, one["say"]) == one["parsed"]


def test_what_patterns_find_stays_as_it_is(engine: Engine, parsing: Listener) -> None:
    for text, value in (
        ("I live in Lisbon.", "Lisbon"),
        ("Ich wohne in Bremen.", "Bremen"),
        ("Vivo a Torino.", "Torino"),
    ):
        assert kept(engine, parsing, text) == {"fact:current_city": value}


def test_a_parsed_relation_is_surer_than_one_of_a_pattern(engine: Engine, bundle: Bundle, parsing: Listener) -> None:
    """C-71."""
    text = "i work at a brewery"
    (relation,) = parsing.relations(text, decided(engine, text))
    assert (relation.relation, relation.object, relation.confidence) == (
        "works_at",
        "brewery",
        bundle.memory.hearing.parsed,
    )


def test_no_parse_makes_it_fail(engine: Engine, bundle: Bundle) -> None:
    """A parser may cut words as it likes."""

    class Odd(Recorded):
        def parse(self, text: str, language: str) -> Sequence[ParsedWord]:
            return [ParsedWord(0, 400, "work", "VERB", "ROOT", 0, frozenset({"Person=1", "Tense=Pres"})),
                    ParsedWord(399, 400, "at", "ADP", "prep", 0), ParsedWord(0, 0, "x", "NOUN", "pobj", 1)]  # fmt: skip

    listener = build_listener(bundle, Odd())
    for text in ("work", "I work at", "…", "😀", " at "):
        kept(engine, listener, text)
