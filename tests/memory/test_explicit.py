"""Memories corrected by hand, and what repeats a forgotten message (C-73, FORGET-03)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from chingoo.errors import ConflictError, InvalidInputError, NotFoundError
from chingoo.memory.explicit import correct_memory
from chingoo.memory.repeats import Repeats
from chingoo.model.enums import ExtractedFrom, MemoryStatus
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.people import Memory
from chingoo.policy.bundle import Bundle

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
USER, FRIEND, OLD, NEW, MESSAGE = (UUID(int=n) for n in range(1, 6))


def memory(kind: str, key: str, value: str, **changes: object) -> Memory:
    """Something remembered, from one message."""
    one = Memory(
        memory_id=OLD,
        user_id=USER,
        ai_friend_id=FRIEND,
        type=kind,
        memory_key=key,
        memory_value=value,
        confidence=0.6,
        status=MemoryStatus.ACTIVE,
        extracted_from=ExtractedFrom.HEURISTIC,
        created_at=NOW,
        last_confirmed_at=NOW,
        evidence_message_ids=(MESSAGE,),
    )
    return replace(one, **changes)  # type: ignore[arg-type]


def corrected(bundle: Bundle, known: Memory, value: str, *others: Memory) -> MemoryEdit:
    """The correction of a memory."""
    remembered = Remembered(USER, memories=(known, *others))
    return correct_memory(bundle.memory, remembered, OLD, value, NOW + timedelta(hours=1), NEW)


CORRECTIONS = [
    ("FACT", "fact:current_city", "Lisbon", "Porto", "fact:current_city", 1.0),
    ("PREFERENCE", "pref:food:sushi", "like|sushi", "like|spicy sushi", "pref:food:sushi", 1.0),
    ("PREFERENCE", "pref:food:sushi", "like|sushi", "dislike|sushi", "pref:food:sushi", 0.55),
    ("body_params", "body_params:size", "S", "M", "body_params:size", 1.0),
    ("allergy", "allergy:nickel", "nickel", "wool", "allergy:wool", 1.0),
    ("hard_ban", "hard_ban:leather", "leather", "open shoulders", "hard_ban:open_shoulders", 1.0),
]


@pytest.mark.parametrize(("kind", "key", "before", "after", "new_key", "confidence"), CORRECTIONS)
def test_the_new_record_replaces_the_old_one(
    bundle: Bundle, kind: str, key: str, before: str, after: str, new_key: str, confidence: float
) -> None:
    rows = {
        change.memory.memory_id: change.memory for change in corrected(bundle, memory(kind, key, before), after).changes
    }
    assert (rows[OLD].status, rows[OLD].superseded_by) == (MemoryStatus.SUPERSEDED, NEW)
    new = rows[NEW]
    assert (new.memory_key, new.memory_value, new.status) == (new_key, after, MemoryStatus.ACTIVE)
    assert (new.confidence, new.extracted_from, new.type) == (confidence, ExtractedFrom.EXPLICIT_INPUT, kind)
    assert new.evidence_message_ids == (MESSAGE,)


def test_an_answer_of_onboarding_stays_one(bundle: Bundle) -> None:
    """UK-10: no message stands behind it, before or after."""
    known = memory(
        "FACT", "fact:occupation", "student", evidence_message_ids=(), extracted_from=ExtractedFrom.ONBOARDING
    )
    rows = {change.memory.memory_id: change.memory for change in corrected(bundle, known, "baker").changes}
    assert (rows[NEW].extracted_from, rows[NEW].evidence_message_ids) == (ExtractedFrom.ONBOARDING, ())


def test_an_event_keeps_its_end(bundle: Bundle) -> None:
    end = NOW + timedelta(days=7)
    known = memory("life_event", "life_event:wedding", "wedding", expires_at=end)
    rows = {change.memory.memory_id: change.memory for change in corrected(bundle, known, "graduation").changes}
    assert (rows[NEW].memory_key, rows[NEW].expires_at) == ("life_event:graduation", end)


def test_the_value_it_has_is_confirmed(bundle: Bundle) -> None:
    known = memory("FACT", "fact:current_city", "Lisbon", is_disputed=True)
    [change] = corrected(bundle, known, "lisbon").changes
    assert (change.op, change.memory.memory_id, change.memory.is_disputed) == ("update", OLD, False)


def test_the_value_another_record_has_takes_its_place(bundle: Bundle) -> None:
    """Nickel was wool all along, and wool is known: one record of it."""
    wool = memory("allergy", "allergy:wool", "wool", memory_id=UUID(int=9))
    rows = {
        change.memory.memory_id: change.memory
        for change in corrected(bundle, memory("allergy", "allergy:nickel", "nickel"), "wool", wool).changes
    }
    assert (rows[OLD].status, rows[OLD].superseded_by) == (MemoryStatus.SUPERSEDED, UUID(int=9))
    assert NEW not in rows


REFUSED = [
    ("PREFERENCE", "pref:food:sushi", "like|sushi", "sushi", "`like|…` or `dislike|…`"),
    ("PREFERENCE", "pref:food:sushi", "like|sushi", "like|", "`like|…` or `dislike|…`"),
    ("FACT", "fact:current_city", "Lisbon", "   ", "say something"),
    ("allergy", "allergy:nickel", "nickel", "!!!", "say something"),
]


@pytest.mark.parametrize(("kind", "key", "before", "after", "said"), REFUSED)
def test_what_is_no_value_is_refused(bundle: Bundle, kind: str, key: str, before: str, after: str, said: str) -> None:
    with pytest.raises(InvalidInputError) as error:
        corrected(bundle, memory(kind, key, before), after)
    assert said in error.value.detail
    assert [fault.pointer for fault in error.value.errors] == ["/memory_value"]


def test_only_what_holds_can_be_corrected(bundle: Bundle) -> None:
    with pytest.raises(ConflictError, match="SUPERSEDED"):
        corrected(bundle, memory("FACT", "fact:major", "law", status=MemoryStatus.SUPERSEDED), "art")
    with pytest.raises(NotFoundError):
        correct_memory(bundle.memory, Remembered(USER), OLD, "art", NOW, NEW)


REPEATS = [
    ("Yesterday a heron landed on our balcony.", "A heron landed on ours too", True),
    ("Yesterday a heron landed on our balcony.", "Yesterday was nice", False),
    ("Yesterday a heron landed on our balcony.", "LANDED ON OUR!", True),
    ("I met Zarathustra", "zarathustra, really?", True),
    ("I met Zarathustra again yesterday", "Yesterday?", False),
    ("The weather is fine", "Fine weather", False),
    ("어제 발코니에 왜가리가 앉았어", "어제 발코니에 왜가리가 왔구나", True),
    ("", "anything", False),
]


@pytest.mark.parametrize(("told", "said", "repeated"), REPEATS)
def test_what_repeats_a_message(bundle: Bundle, told: str, said: str, repeated: bool) -> None:
    """Words in a row, or a long word that the person says nowhere else."""
    assert Repeats(bundle.memory.forgetting, told, ["I was at work yesterday"]).within(said) is repeated
