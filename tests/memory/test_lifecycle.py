"""The life of a memory through messages (MEM-08…11, PREF-01…04, C-23, C-58, C-60, UK-11…18, CORR-10)."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

import pytest

from chingoo.memory.keys import KeyGrammar
from chingoo.memory.lifecycle import Remembering, Source
from chingoo.model.corrections import InvalidReason
from chingoo.model.decision import ExtractedFact
from chingoo.model.enums import MemoryStatus
from chingoo.model.people import Memory
from chingoo.policy.bundle import Bundle

USER, FRIEND = UUID(int=1), UUID(int=2)
START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Diary:
    """All rows of one (user, friend), written by messages one after the other, as the store would."""

    def __init__(self, bundle: Bundle) -> None:
        self.policy, self.grammar = bundle.memory, KeyGrammar(bundle.memory)
        self.rows: dict[UUID, Memory] = {}
        self.messages, self.now = 0, START
        self.suppressed: set[str] = set()

    def message(self) -> Remembering:
        self.messages += 1
        said = UUID(int=100 + 2 * self.messages)
        around = (UUID(int=said.int - 1), UUID(int=said.int + 1))
        return Remembering(
            self.policy,
            self.grammar,
            Source(USER, FRIEND, self.now, (said,), around),
            self.active,
            self.suppressed,
            lambda key, number: uuid5(said, f"{key}:{number}"),
        )

    def keep(self, work: Remembering) -> None:
        for change in work.changes():
            assert (change.memory.memory_id in self.rows) is (change.op == "update")
            self.rows[change.memory.memory_id] = change.memory

    def tell(self, *facts: ExtractedFact) -> Remembering:
        work = self.message()
        for fact in facts:
            work.learn(fact)
        self.keep(work)
        return work

    @property
    def active(self) -> list[Memory]:
        return [row for row in self.rows.values() if row.status is MemoryStatus.ACTIVE]

    @property
    def only(self) -> Memory:
        (row,) = self.active
        return row


@pytest.fixture
def diary(bundle: Bundle) -> Diary:
    return Diary(bundle)


def pref(value: str, key: str = "pref:food:sushi", confidence: float = 0.6) -> ExtractedFact:
    return ExtractedFact("PREFERENCE", key, value, confidence, "heuristic")


def city(value: str) -> ExtractedFact:
    return ExtractedFact("FACT", "fact:current_city", value, 0.6, "heuristic")


def event(expires_at: datetime | None) -> ExtractedFact:
    return ExtractedFact("life_event", "life_event:move", "move", 0.85, "instant_pattern", expires_at)


def values(memories: Iterable[Memory]) -> list[str]:
    return [memory.memory_value for memory in memories]


def test_a_first_statement_is_stored_with_its_evidence(diary: Diary) -> None:
    """MEM-08, UK-10, C-33: core evidence and the messages around it stand apart."""
    work = diary.tell(pref("like|sushi"))
    made = diary.only
    assert (made.type, made.confidence, made.extracted_from) == ("PREFERENCE", 0.6, "heuristic")
    assert made.evidence_message_ids == (UUID(int=102),)
    assert made.context_message_ids == (UUID(int=101), UUID(int=103))
    assert work.account().created == (made,)


def test_repetition_raises_confidence_to_the_cap(diary: Diary) -> None:
    """MEM-09: 0.60, 0.75, 0.90, 1.0, 1.0."""
    seen = []
    for day in range(5):
        diary.now = START + timedelta(days=day)
        work = diary.tell(pref("like|sushi"))
        seen.append(diary.only.confidence)
    assert seen == [0.6, 0.75, 0.9, 1.0, 1.0]
    assert diary.only.last_confirmed_at == diary.now
    assert len(diary.only.evidence_message_ids) == 5
    assert work.account().confirmed == (diary.only,)
    assert work.account().created == ()


@pytest.mark.parametrize("again", ["Lisbon", "lisbon", "LISBON "])
def test_the_same_value_in_other_letters_is_the_same(diary: Diary, again: str) -> None:
    """C-58: equality first, and it does not depend on case."""
    diary.tell(city("Lisbon"))
    diary.tell(city(again))
    assert (diary.only.memory_value, diary.only.confidence) == ("Lisbon", 0.75)


def test_said_twice_in_one_message_is_said_once(diary: Diary) -> None:
    work = diary.tell(pref("like|sushi"), pref("like|sushi", confidence=0.75))
    assert diary.only.confidence == 0.75
    assert len(work.changes()) == 1
    assert work.account().created == (diary.only,)


def test_another_value_replaces_the_old_one(diary: Diary) -> None:
    """MEM-10, MEM-11, DATA-08."""
    diary.tell(city("Lisbon"))
    old = diary.only
    work = diary.tell(city("Porto"))
    assert (diary.only.memory_value, diary.only.confidence) == ("Porto", 0.6)
    gone = diary.rows[old.memory_id]
    assert (gone.status, gone.superseded_by) == (MemoryStatus.SUPERSEDED, diary.only.memory_id)
    assert values(work.account().superseded) == ["Lisbon"]


@pytest.mark.parametrize(
    ("first", "second", "confidence"),
    [
        ("dislike|sushi", "like|sushi", 0.55),
        ("like|sushi", "dislike|sushi", 0.55),
        ("like|sushi", "like|spicy sushi", 0.6),
    ],
)
def test_preferences_that_change(diary: Diary, first: str, second: str, confidence: float) -> None:
    """PREF-03, C-23: an opposite stance begins at 0.55; C-60: another value of the same stance pays nothing."""
    diary.tell(pref(first))
    diary.tell(pref(second))
    assert (diary.only.memory_value, diary.only.confidence) == (second, confidence)


def test_a_changed_mind_is_reconfirmed(diary: Diary) -> None:
    """PREF-04."""
    for value in ("like|tennis", "dislike|tennis", "dislike|tennis"):
        diary.tell(pref(value, "pref:sport:tennis"))
    assert (diary.only.memory_value, diary.only.confidence) == ("dislike|tennis", 0.7)


def test_a_chain_in_one_message_is_folded(diary: Diary) -> None:
    """The passing value is inserted as SUPERSEDED; each memory is in the change set once."""
    diary.tell(city("Lisbon"))
    old = diary.only
    work = diary.tell(city("Porto"), city("Faro"))
    assert [(change.op, change.memory.memory_value, change.memory.status) for change in work.changes()] == [
        ("insert", "Porto", MemoryStatus.SUPERSEDED),
        ("update", "Lisbon", MemoryStatus.SUPERSEDED),
        ("insert", "Faro", MemoryStatus.ACTIVE),
    ]
    passing = diary.rows[old.memory_id].superseded_by
    assert passing is not None
    assert diary.rows[passing].superseded_by == diary.only.memory_id
    assert values(work.account().created) == ["Faro"]


def test_back_and_forth_in_one_message(diary: Diary) -> None:
    diary.tell(city("Lisbon"), city("Porto"), city("Lisbon"))
    assert diary.only.memory_value == "Lisbon"
    assert len(diary.rows) == 3


@pytest.mark.parametrize(
    "fact",
    [
        ExtractedFact("FACT", "fact:favourite_colour", "teal", 0.6, "heuristic"),
        ExtractedFact("PREFERENCE", "pref:colour:teal", "like|teal", 0.6, "heuristic"),
        ExtractedFact("PREFERENCE", "pref:food:sushi", "sushi", 0.6, "heuristic"),
        ExtractedFact("PREFERENCE", "pref:food:Spicy Sushi", "like|sushi", 0.6, "heuristic"),
        ExtractedFact("RELATIONSHIP_EVENT", "event:school:exam", "exam", 0.6, "heuristic"),
        ExtractedFact("RELATIONSHIP_EVENT", "event:school:2026_13:exam", "exam", 0.6, "heuristic"),
        ExtractedFact("allergy", "allergy:", "nickel", 0.95, "instant_pattern"),
        ExtractedFact("note", "note:x", "x", 0.6, "heuristic"),
    ],
)
def test_what_fits_no_family_is_not_remembered(diary: Diary, fact: ExtractedFact) -> None:
    """MEM-05, PREF-01."""
    assert diary.tell(fact).changes() == ()


@pytest.mark.parametrize(
    "key",
    [
        "fact:current_city",
        "pref:movie_genre:공포",
        "event:relationship:2026_03:broke_up",
        "emotion:stress_trigger_work",
        "body_params:shoe_size",
        "budget:general",
        "allergy:nickel",
        "hard_ban:open_shoulders",
        "life_event:wedding_sister",
        "onboarding_style:minimalist",
    ],
)
def test_keys_of_every_family(bundle: Bundle, key: str) -> None:
    """MEM-01…04, UK-07."""
    assert KeyGrammar(bundle.memory).fits(key)


def test_a_suppressed_key_is_held_back(diary: Diary) -> None:
    """C-25: nothing is stored before the person agrees."""
    diary.suppressed = {"fact:current_city"}
    work = diary.tell(city("Lisbon"), city("Porto"), pref("like|sushi"))
    assert values(diary.active) == ["like|sushi"]
    assert [fact.memory_value for fact in work.held_back] == ["Porto"]


def test_a_repeated_event_lasts_longer(diary: Diary) -> None:
    """UK-13, UK-18: without a date, thirty days from the last mention."""
    diary.tell(event(None))
    assert diary.only.expires_at == START + timedelta(days=30)
    diary.now += timedelta(days=10)
    diary.tell(event(None))
    assert diary.only.expires_at == START + timedelta(days=40)


def test_a_date_that_was_said_is_not_shortened_by_a_mention_without_one(diary: Diary) -> None:
    far = START + timedelta(days=90)
    diary.tell(event(far))
    diary.tell(event(START + timedelta(days=30)))
    assert diary.only.expires_at == far
    diary.tell(event(START + timedelta(days=60)))
    assert diary.only.expires_at == START + timedelta(days=60)


def test_an_event_told_again_after_its_end_is_a_new_one(diary: Diary) -> None:
    diary.tell(event(None))
    old = diary.only
    diary.now += timedelta(days=31)
    diary.tell(event(None))
    assert diary.rows[old.memory_id].status is MemoryStatus.EXPIRED
    assert diary.only.memory_id != old.memory_id


def test_expiry_takes_only_what_is_over(diary: Diary) -> None:
    """UK-12."""
    diary.tell(event(None), city("Lisbon"))
    diary.now += timedelta(days=30)
    work = diary.message()
    work.expire()
    diary.keep(work)
    assert values(diary.active) == ["Lisbon"]


def test_a_dispute_marks_and_adds_nothing(diary: Diary) -> None:
    """CORR-10, UK-15."""
    diary.tell(city("Lisbon"))
    work = diary.message()
    work.dispute(diary.only.memory_id)
    diary.keep(work)
    assert (diary.only.is_disputed, len(diary.rows)) == (True, 1)
    assert work.account().disputed == (diary.only,)


@pytest.mark.parametrize("how", ["confirmed", "told again"])
def test_a_dispute_ends_when_it_is_confirmed(diary: Diary, how: str) -> None:
    """CORR-10."""
    diary.tell(city("Lisbon"))
    work = diary.message()
    work.dispute(diary.only.memory_id)
    diary.keep(work)
    work = diary.message()
    if how == "confirmed":
        work.confirm(diary.only.memory_id)
    else:
        work.learn(city("Lisbon"))
        work.confirm(diary.only.memory_id)
    diary.keep(work)
    assert (diary.only.is_disputed, diary.only.confidence) == (False, 0.75)


def test_what_is_denied_is_kept_as_history_only(diary: Diary) -> None:
    """MEM-11, MEM-12, CORR-08."""
    diary.tell(city("Lisbon"))
    old = diary.only
    work = diary.message()
    work.invalidate(old.memory_id, InvalidReason.DENIED)
    diary.keep(work)
    assert diary.active == []
    assert diary.rows[old.memory_id] == replace(old, status=MemoryStatus.INVALID, invalid_reason="denied")
    assert values(work.account().invalidated) == ["Lisbon"]
    diary.tell(city("Lisbon"))
    assert diary.only.memory_id != old.memory_id
