"""What the mechanics model answers: read by its schema as a whole, or nothing at all (BATCH-05, C-59)."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from chingoo.adapters.policy_files import read_schemas
from chingoo.memory.deltas import EXTRACTION, Delta, Op, asked_deltas, read_deltas
from chingoo.memory.validate import SUBJECT
from chingoo.policy.answers import answer_shapes
from chingoo.policy.bundle import Bundle
from chingoo.source.schema import BrokenSchemaError

SHAPE = answer_shapes(read_schemas(Path(__file__).parents[2]))[EXTRACTION]
ONE = UUID(int=1)
WHOLE = """{"op": "ADD", "knowledge_type": "FACT", "knowledge_key": "fact:major", "value": "geology",
    "knowledge_id": null, "evidence_message_ids": ["00000000-0000-0000-0000-000000000001"], "subject": "user",
    "confidence": 0.9}"""
MAJOR = Delta(Op.ADD, "FACT", "fact:major", "geology", None, (ONE,), "user", 0.9)
NAMES = {
    "op": "op",
    "knowledge_type": "knowledge_type",
    "knowledge_key": "knowledge_key",
    "value": "value",
    "knowledge_id": "knowledge_id",
    "evidence": "evidence_message_ids",
    "subject": "subject",
    "confidence": "confidence",
    "expires_at": "expires_at",
}


def proposed(**parts: Any) -> dict[str, Any]:
    return json.loads(WHOLE) | parts  # type: ignore[no-any-return]


def read(*deltas: Any) -> tuple[Delta, ...] | None:
    return read_deltas(SHAPE, json.dumps({"deltas": deltas}))


@pytest.mark.parametrize("around", ['{"deltas": [%s]}', '```json\n{"deltas": [%s]}\n```', 'Sure: {"deltas":[%s]} ok'])
def test_an_answer_is_read_through_what_stands_around_it(around: str) -> None:
    assert read_deltas(SHAPE, around % WHOLE) == (MAJOR,)


def test_what_more_is_said_changes_nothing() -> None:
    assert read(proposed(reason="said so", expires_at=None)) == (MAJOR,)
    assert read_deltas(SHAPE, '{"deltas": [], "thoughts": "nothing new"}') == ()


@pytest.mark.parametrize("answer", ["", "this is not JSON", "{}", "[]", "null", '{"deltas": {}}', "[" * 100_000])
def test_what_is_no_answer_says_nothing(answer: str) -> None:
    assert read_deltas(SHAPE, answer) is None


@pytest.mark.parametrize(
    "broken",
    [
        "nonsense",
        {},
        proposed(op="MERGE"),
        proposed(subject="friend"),
        proposed(confidence=True),
        proposed(confidence=1.2),
        proposed(confidence=float("nan")),
        proposed(confidence="high"),
        proposed(evidence_message_ids=["m1"]),
        proposed(evidence_message_ids=None),
        proposed(knowledge_id="m1"),
        proposed(knowledge_type=None),
        proposed(value=["geology"]),
        proposed(value="\ud800"),
        proposed(expires_at="soon"),
        proposed(expires_at="2026-03-10T12:00:00"),
        proposed(expires_at="2026-02-30T12:00:00Z"),
        {name: value for name, value in proposed().items() if name != "evidence_message_ids"},
    ],
)
def test_an_answer_that_breaks_the_schema_anywhere_says_nothing(broken: Any) -> None:
    """Its good parts neither: the whole answer is asked for again."""
    assert read(proposed()) == (MAJOR,)
    assert read(proposed(), broken, proposed()) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@settings(suppress_health_check=[HealthCheck.too_slow])  # the tables of Unicode are made with the first text
@given(st.dictionaries(st.sampled_from(sorted(proposed())), JSON))
def test_any_answer_is_read_or_says_nothing(parts: dict[str, Any]) -> None:
    deltas = read(proposed(**parts))
    assert deltas is None or (len(deltas) == 1 and isinstance(deltas[0], Delta))


def test_schema_and_delta_agree() -> None:
    """Every field is a property, and the other way round; choices are the same."""
    properties = SHAPE.schema["properties"]["deltas"]["items"]["properties"]
    assert {NAMES[field.name] for field in fields(Delta)} == set(properties)
    assert properties["op"]["enum"] == list(Op)
    assert SUBJECT in properties["subject"]["enum"]


def test_a_provider_is_asked_for_everything_and_the_families_there_are(bundle: Bundle) -> None:
    """What providers with structured output refuse is left out; the answer is judged by the whole schema anyway."""
    asked = asked_deltas(SHAPE, bundle.memory.families)
    delta = asked["properties"]["deltas"]["items"]
    assert delta["required"] == list(delta["properties"]) == list(NAMES.values())
    assert delta["additionalProperties"] is asked["additionalProperties"] is False
    assert delta["properties"]["knowledge_type"]["enum"] == list(bundle.memory.families)
    assert not {"minimum", "maximum", "pattern", "$id"}.intersection(json.dumps(asked).replace('"', " ").split())
    Draft202012Validator.check_schema(asked)
    Draft202012Validator(asked).validate({"deltas": [proposed(expires_at=None)]})


def test_the_bundle_carries_the_shapes(bundle: Bundle) -> None:
    assert bundle.answers[EXTRACTION] == SHAPE


def test_a_schema_that_is_no_json_is_a_fault_of_ours() -> None:
    with pytest.raises(BrokenSchemaError, match="mechanics/x"):
        answer_shapes({"mechanics/x.schema.json": "{"})
