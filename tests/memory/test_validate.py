"""What a model proposes is remembered with evidence, subject, anchors, independence (BATCH-05…12, C-38, C-59)."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import yaml
from tests.memory.test_deltas import SHAPE, proposed

from chingoo.memory.deltas import read_deltas
from chingoo.memory.validate import Evidence, Judged, Validator, Verdict, build_validator
from chingoo.model.enums import ExtractedFrom, MemoryStatus
from chingoo.model.people import Memory
from chingoo.policy.bundle import Bundle

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
ONE, TWO, NOBODY, TALK = (UUID(int=number) for number in (1, 2, 3, 4))
STUDIES = "Geology is what I study, from basalt to the ice ages."


@pytest.fixture(scope="module")
def validator(bundle: Bundle) -> Validator:
    return build_validator(bundle)


def said(text: str = STUDIES, message_id: UUID = ONE, number: int = 1, after: timedelta = timedelta(0)) -> Evidence:
    return Evidence(message_id, TALK, number, text, NOON + after)


def known(key: str = "fact:major", value: str = "geology") -> Memory:
    return Memory(TWO, TALK, TALK, "FACT", key, value, 0.6, MemoryStatus.ACTIVE, ExtractedFrom.HEURISTIC, NOON, NOON)


def judged(validator: Validator, delta: dict[str, Any], *messages: Evidence, active: tuple[Memory, ...] = ()) -> Judged:
    deltas = read_deltas(SHAPE, json.dumps({"deltas": [delta]}))
    assert deltas is not None
    return validator.judge(deltas, messages or (said(),), active, UTC)


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [
        ({}, Verdict.ACCEPTED),
        ({"confidence": 0.8}, Verdict.ACCEPTED),
        ({"confidence": 0.79}, Verdict.REJECTED_LOW_CONFIDENCE),
        ({"evidence_message_ids": []}, Verdict.REJECTED_MISSING_EVIDENCE),
        ({"evidence_message_ids": [str(NOBODY)]}, Verdict.REJECTED_MISSING_EVIDENCE),
        ({"evidence_message_ids": [str(ONE), str(NOBODY)]}, Verdict.REJECTED_MISSING_EVIDENCE),
        ({"subject": "other"}, Verdict.REJECTED_SUBJECT),
        ({"subject": "unknown"}, Verdict.REJECTED_SUBJECT),
        ({"knowledge_key": "fact:bicycle_color"}, Verdict.REJECTED_UNKNOWN_FAMILY),
        ({"knowledge_type": "PREFERENCE"}, Verdict.REJECTED_UNKNOWN_FAMILY),
        ({"knowledge_type": "NOTES"}, Verdict.REJECTED_UNKNOWN_FAMILY),
        ({"value": None}, Verdict.REJECTED_MALFORMED),
        ({"value": " "}, Verdict.REJECTED_MALFORMED),
        (
            {"knowledge_type": "PREFERENCE", "knowledge_key": "pref:food:tea"},
            Verdict.REJECTED_MALFORMED,
        ),
        ({"op": "REMOVE", "value": None}, Verdict.REJECTED_UNKNOWN_RECORD),
        ({"op": "UPDATE", "knowledge_id": str(NOBODY)}, Verdict.REJECTED_UNKNOWN_RECORD),
        ({"value": "chemistry"}, Verdict.REJECTED_NOT_INDEPENDENT),
    ],
)
def test_a_delta_passes_every_law_or_is_counted_by_the_one_it_breaks(
    validator: Validator, parts: dict[str, Any], verdict: Verdict
) -> None:
    result = judged(validator, proposed(**parts))
    assert result.counts == {verdict: 1}
    assert len(result.accepted) == (verdict is Verdict.ACCEPTED)


@pytest.mark.parametrize("op", ["UPDATE", "REMOVE", "CONFIRM"])
def test_without_an_id_the_active_record_of_the_key_is_meant(validator: Validator, op: str) -> None:
    """BATCH-05."""
    result = judged(validator, proposed(op=op), active=(known("fact:school"), known()))
    assert [record for _, record in result.accepted] == [known()]


def test_a_record_is_not_touched_under_another_key(validator: Validator) -> None:
    result = judged(validator, proposed(op="REMOVE", knowledge_id=str(TWO)), active=(known("fact:school"),))
    assert result.counts == {Verdict.REJECTED_UNKNOWN_RECORD: 1}


@pytest.mark.parametrize(
    ("second", "number", "after", "verdict"),
    [
        ("rocks again", 2, timedelta(minutes=2), Verdict.REJECTED_NOT_INDEPENDENT),
        ("rocks again", 2, timedelta(minutes=31), Verdict.ACCEPTED),
        ("rocks again", 4, timedelta(minutes=9), Verdict.ACCEPTED),
        ("stones all day", 4, timedelta(minutes=9), Verdict.REJECTED_NOT_INDEPENDENT),
        ("stones all day", 4, timedelta(hours=13), Verdict.ACCEPTED),
    ],
)
def test_what_is_not_said_in_so_many_words_needs_two_messages_apart(
    validator: Validator, second: str, number: int, after: timedelta, verdict: Verdict
) -> None:
    """BATCH-08, C-38: another session, another day, or other words, but never two in a row."""
    delta = proposed(evidence_message_ids=[str(ONE), str(TWO)])
    result = judged(validator, delta, said("Stones all day!"), said(second, TWO, number, after))
    assert result.counts == {verdict: 1}


@pytest.mark.parametrize(
    ("value", "text", "verdict"),
    [
        ("the minerals", STUDIES, Verdict.REJECTED_NOT_INDEPENDENT),
        ("rocks of the ice ages", STUDIES, Verdict.ACCEPTED),
        ("the arts", "The weather was fine and the bus was late.", Verdict.REJECTED_NOT_INDEPENDENT),
        ("history of art", "I major in history of art, of all things.", Verdict.ACCEPTED),
    ],
)
def test_a_small_word_in_common_declares_nothing(validator: Validator, value: str, text: str, verdict: Verdict) -> None:
    """C-38 b: most of a value's words must stand in one message; `the` alone is no evidence."""
    assert judged(validator, proposed(value=value), said(text)).counts == {verdict: 1}


def test_midnight_within_one_exchange_parts_nothing(validator: Validator) -> None:
    """C-38: that two messages in a row are one exchange wins over the day between them."""
    delta = proposed(evidence_message_ids=[str(ONE), str(TWO)])
    before, after = timedelta(hours=11, minutes=59), timedelta(hours=12, minutes=1)
    for number, verdict in ((2, Verdict.REJECTED_NOT_INDEPENDENT), (3, Verdict.ACCEPTED)):
        messages = said("Stones all day!", after=before), said("stones all day", TWO, number, after)
        assert judged(validator, delta, *messages).counts == {verdict: 1}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("An old allergy of mine flared up as soon as the cobalt ring was on the finger.", Verdict.ACCEPTED),
        ("The cobalt ring looked too blue beside the other rings.", Verdict.REJECTED_ANCHOR),
    ],
)
def test_hard_facts_need_their_anchor(validator: Validator, text: str, verdict: Verdict) -> None:
    """BATCH-12."""
    delta = proposed(knowledge_type="allergy", knowledge_key="allergy:cobalt", value="cobalt")
    assert judged(validator, delta, said(text)).counts == {verdict: 1}


def test_anchors_know_the_words_of_instant_facts(validator: Validator, instant_cases: Any) -> None:
    """C-59: what is heard at once in a message would also pass the gate with that message as its evidence."""
    rejected = []
    for case in instant_cases:
        for key in case.get("expect", {}).get("remembers", {}):
            kind, _, name = key.partition(":")
            delta = proposed(knowledge_type=kind, knowledge_key=key, value=name)
            if judged(validator, delta, said(case["text"])).counts != {Verdict.ACCEPTED: 1}:
                rejected.append((key, case["text"]))
    assert rejected == []


@pytest.fixture(scope="module")
def instant_cases(pytestconfig: pytest.Config) -> Any:
    path = pytestconfig.rootpath / "patterns" / "instant.cases.yaml"
    return yaml.safe_load(path.read_text(encoding="utf-8"))["cases"]
