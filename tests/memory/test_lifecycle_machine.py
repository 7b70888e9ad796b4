"""Any interleaving of what can happen to memories, against a model that knows no more than the newest word (C-73)."""

from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from tests.memory.test_lifecycle import Diary

from chingoo.memory.lifecycle import Remembering
from chingoo.model.corrections import InvalidReason
from chingoo.model.decision import ExtractedFact
from chingoo.model.enums import MemoryStatus
from chingoo.policy.bundle import Bundle

KEYS = {
    "fact:current_city": ["Lisbon", "Porto", "Faro"],
    "pref:food:sushi": ["like|sushi", "dislike|sushi"],
    "allergy:nickel": ["nickel"],
    "life_event:move": ["move"],
}
facts = st.sampled_from([(key, value) for key, values in KEYS.items() for value in values])
keys = st.sampled_from(sorted(KEYS))


class Machine(RuleBasedStateMachine):
    """The model: the value under each key, whether it is in doubt, and when it ends."""

    bundle: Bundle

    def __init__(self) -> None:
        super().__init__()
        self.diary = Diary(self.bundle)
        self.values: dict[str, str] = {}
        self.doubted: set[str] = set()
        self.ends: dict[str, object] = {}

    def work(self) -> Remembering:
        return self.diary.message()

    def under(self, work: Remembering, key: str) -> UUID | None:
        memory = work.under(key)
        return None if memory is None else memory.memory_id

    def fact(self, key: str, value: str) -> ExtractedFact:
        kind = self.diary.grammar.type_of(key)
        assert kind is not None
        return ExtractedFact(kind, key, value, 0.6, "heuristic")

    @rule(said=st.lists(facts, min_size=1, max_size=4))
    def tell(self, said: list[tuple[str, str]]) -> None:
        work = self.work()
        for key, value in said:
            work.learn(self.fact(key, value))
            if key not in self.diary.suppressed:
                self.values[key] = value
                self.doubted.discard(key)
                if key.startswith("life_event"):
                    self.ends[key] = self.diary.now + timedelta(days=30)
        self.diary.keep(work)

    @rule(key=keys)
    def dispute(self, key: str) -> None:
        work = self.work()
        memory_id = self.under(work, key)
        if memory_id is not None:
            work.dispute(memory_id)
            self.doubted.add(key)
        self.diary.keep(work)

    @rule(key=keys)
    def confirm(self, key: str) -> None:
        work = self.work()
        memory_id = self.under(work, key)
        if memory_id is not None:
            work.confirm(memory_id)
            self.doubted.discard(key)
        self.diary.keep(work)

    @rule(key=keys, reason=st.sampled_from([InvalidReason.DENIED, InvalidReason.FORGOTTEN]))
    def take_back(self, key: str, reason: InvalidReason) -> None:
        work = self.work()
        memory_id = self.under(work, key)
        if memory_id is not None:
            work.invalidate(memory_id, reason)
            self.leave(key)
            if reason is InvalidReason.FORGOTTEN:
                self.diary.suppressed.add(key)
        self.diary.keep(work)

    @rule(key=keys, value=facts)
    def correct_and_take_back_at_once(self, key: str, value: tuple[str, str]) -> None:
        work = self.work()
        work.learn(self.fact(*value))
        if value[0] not in self.diary.suppressed:
            self.values[value[0]] = value[1]
            self.doubted.discard(value[0])
            if value[0].startswith("life_event"):
                self.ends[value[0]] = self.diary.now + timedelta(days=30)
        memory_id = self.under(work, key)
        if memory_id is not None:
            work.invalidate(memory_id, InvalidReason.DENIED)
            self.leave(key)
        self.diary.keep(work)

    @rule(key=keys)
    def allow_again(self, key: str) -> None:
        self.diary.suppressed.discard(key)

    @rule(days=st.integers(1, 40))
    def time_passes(self, days: int) -> None:
        self.diary.now += timedelta(days=days)
        work = self.work()
        work.expire()
        self.diary.keep(work)
        for key in [key for key, end in self.ends.items() if end <= self.diary.now]:  # type: ignore[operator]
            self.leave(key)

    def leave(self, key: str) -> None:
        self.values.pop(key, None)
        self.doubted.discard(key)
        self.ends.pop(key, None)

    @invariant()
    def what_is_active_is_what_the_model_knows(self) -> None:
        active = self.diary.active
        assert {memory.memory_key: memory.memory_value for memory in active} == self.values
        assert len(active) == len({memory.memory_key for memory in active}), "DATA-07"
        assert {memory.memory_key for memory in active if memory.is_disputed} == self.doubted
        assert {memory.memory_key: memory.expires_at for memory in active if memory.expires_at} == self.ends

    @invariant()
    def every_row_keeps_the_laws_of_the_tables(self) -> None:
        for row in self.diary.rows.values():
            assert 0 < row.confidence <= 1
            assert row.evidence_message_ids, "UK-10"
            assert not set(row.evidence_message_ids) & set(row.context_message_ids), "C-33"
            assert (row.type == "life_event") == (row.expires_at is not None), "UK-11"
            assert (row.superseded_by is not None) == (row.status is MemoryStatus.SUPERSEDED)
            if row.superseded_by is not None:
                assert self.diary.rows[row.superseded_by].memory_key == row.memory_key, "DATA-08"
            if row.status is not MemoryStatus.ACTIVE:
                assert not row.is_disputed


@pytest.mark.parametrize("examples", [60])
def test_any_interleaving(bundle: Bundle, examples: int) -> None:
    Machine.bundle = bundle
    run_state_machine_as_test(Machine, settings=settings(max_examples=examples, deadline=None))  # type: ignore[no-untyped-call]
