"""What has evidence still yields to what the person said, put right or does not want known (C-25, C-39, C-40)."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

import pytest

from chingoo.memory.claims import Claims, Ground, Refusal
from chingoo.memory.deltas import Delta, Op
from chingoo.memory.keys import KeyGrammar
from chingoo.memory.lifecycle import Remembering, Source
from chingoo.memory.sameness import Sameness
from chingoo.memory.validate import Evidence
from chingoo.model.decision import ExtractedFact
from chingoo.model.enums import ExtractedFrom
from chingoo.model.people import Memory
from chingoo.policy.bundle import Bundle

USER, FRIEND, TALK = UUID(int=1), UUID(int=2), UUID(int=3)
START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
FIRST, SECOND, NEWEST = (UUID(int=number) for number in (101, 102, 103))
SAID = tuple(
    Evidence(message, TALK, number, text, START + timedelta(minutes=number))
    for number, (message, text) in enumerate(
        [(FIRST, "I live in Lisbon."), (SECOND, "I am in Porto now."), (NEWEST, "Geology is what I study.")]
    )
)
MAJOR = Delta(Op.ADD, "FACT", "fact:major", "geology", None, (NEWEST,), "user", 0.9)
CITY = replace(MAJOR, op=Op.UPDATE, knowledge_key="fact:current_city", value="Porto")
CHESS = replace(MAJOR, knowledge_type="PREFERENCE", knowledge_key="pref:hobby:chess", value="like|chess")
SIZE = replace(MAJOR, knowledge_type="body_params", knowledge_key="body_params:size", value="m")


def working(bundle: Bundle, message: UUID, known: Iterable[Memory] = ()) -> Remembering:
    at = next(one.said_at for one in SAID if one.message_id == message)
    source = Source(USER, FRIEND, at, (message,))
    keys = KeyGrammar(bundle.memory)
    return Remembering(bundle.memory, keys, source, known, (), lambda key, number: uuid5(message, f"{key}:{number}"))


def lisbon(bundle: Bundle, message: UUID = FIRST) -> tuple[Memory, ...]:
    work = working(bundle, message)
    work.learn(ExtractedFact("FACT", "fact:current_city", "Lisbon", 0.6, "heuristic"))
    return work.active


def taken(
    bundle: Bundle, delta: Delta, known: tuple[Memory, ...] = (), **changes: object
) -> tuple[Refusal | None, dict[str, Memory]]:
    given: dict[str, object] = {
        "said": SAID,
        "suppressed": frozenset(),
        "spent": lambda _key, _said: False,
        "source": ExtractedFrom.LLM,
    }
    work = working(bundle, NEWEST, known)
    grammar = KeyGrammar(bundle.memory)
    claims = Claims(bundle.extraction, bundle.memory, grammar, Sameness(bundle.synonyms.same, grammar))
    record = work.under(delta.knowledge_key)
    refusal = claims.take(delta, record, work, Ground(**(given | changes)))  # type: ignore[arg-type]
    return refusal, {one.memory_key: one for one in work.active}


def test_a_model_is_as_sure_as_its_source_whatever_it_says(bundle: Bundle) -> None:
    refusal, active = taken(bundle, MAJOR)
    assert refusal is None
    memory = active["fact:major"]
    assert (memory.memory_value, memory.confidence, memory.extracted_from) == ("geology", 0.75, ExtractedFrom.LLM)
    assert memory.evidence_message_ids == (NEWEST,)


@pytest.mark.parametrize(
    ("delta", "value"),
    [
        (CHESS, "like|chess"),
        (SIZE, "M"),  # in the form that its family asks for
        (replace(MAJOR, value=" geo\u200blogy\n and ice "), "geology and ice"),
    ],
)
def test_values_are_stored_in_their_form(bundle: Bundle, delta: Delta, value: str) -> None:
    _, active = taken(bundle, delta)
    assert active[delta.knowledge_key].memory_value == value


@pytest.mark.parametrize(
    ("delta", "refusal"),
    [
        (replace(MAJOR, value=" \u200b "), Refusal.MALFORMED),
        (replace(MAJOR, value="x" * 201), Refusal.MALFORMED),
        (replace(CHESS, value="like|go"), Refusal.MALFORMED),  # the key names another thing
        (replace(SIZE, value="enormous"), Refusal.MALFORMED),
        (
            replace(MAJOR, knowledge_type="onboarding_style", knowledge_key="onboarding_style:calm", value="calm"),
            Refusal.FAMILY,
        ),
    ],
)
def test_what_cannot_be_stored_is_refused(bundle: Bundle, delta: Delta, refusal: Refusal) -> None:
    assert taken(bundle, delta) == (refusal, {})


def test_the_newest_truth_wins_and_patterns_before_models(bundle: Bundle) -> None:
    refusal, active = taken(bundle, CITY, lisbon(bundle))
    assert (refusal, active["fact:current_city"].memory_value) == (None, "Porto")
    for evidence, heard in (((FIRST,), SECOND), ((SECOND,), SECOND), ((NEWEST,), NEWEST)):
        for op in (Op.ADD, Op.UPDATE, Op.REMOVE):
            refusal, active = taken(bundle, replace(CITY, op=op, evidence=evidence), lisbon(bundle, heard))
            assert (refusal, active["fact:current_city"].memory_value) == (Refusal.OUTDATED, "Lisbon")


def test_what_the_person_put_right_by_hand_is_newer_than_its_evidence(bundle: Bundle) -> None:
    (known,) = lisbon(bundle)
    by_hand = replace(known, last_confirmed_at=START + timedelta(hours=1))
    refusal, active = taken(bundle, CITY, (by_hand,))
    assert (refusal, active["fact:current_city"].memory_value) == (Refusal.OUTDATED, "Lisbon")


def test_a_record_is_confirmed_only_as_it_is(bundle: Bundle) -> None:
    confirm = replace(CITY, op=Op.CONFIRM)
    for value in ("Lisbon", "lisbon", None):
        refusal, active = taken(bundle, replace(confirm, value=value), lisbon(bundle))
        memory = active["fact:current_city"]
        assert (refusal, memory.memory_value, memory.evidence_message_ids) == (None, "Lisbon", (FIRST, NEWEST))
    assert taken(bundle, confirm, lisbon(bundle))[0] is Refusal.MALFORMED


def test_a_removal_ends_the_record(bundle: Bundle) -> None:
    assert taken(bundle, replace(CITY, op=Op.REMOVE, value=None), lisbon(bundle)) == (None, {})
    assert taken(bundle, replace(CITY, op=Op.REMOVE)) == (Refusal.OUTDATED, {})


def test_suppressed_keys_and_spent_messages_teach_nothing(bundle: Bundle) -> None:
    assert taken(bundle, MAJOR, suppressed=frozenset({"fact:major"})) == (Refusal.SUPPRESSED, {})
    spent = {"spent": lambda key, said: (key, said.message_id) == ("fact:major", NEWEST)}
    assert taken(bundle, MAJOR, **spent) == (Refusal.OUTDATED, {})
    assert taken(bundle, CHESS, **spent)[0] is None
