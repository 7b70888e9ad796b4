"""Whatever is told, contradicted, disputed, forgotten, taken back, deleted, corrected, expired or erased, in any order
and also between admit and settle: both stores tell the same, and every invariant holds in the database."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID, uuid5

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle as Drawn,
)
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.store.conftest import EmbeddedPostgres

from chingoo.adapters.cipher import AesCipher
from chingoo.adapters.postgres.queries.register import REGISTER
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.adapters.postgres.vault import Vault
from chingoo.errors import ChingooError
from chingoo.memory.explicit import correct_memory
from chingoo.memory.forgetting import delete_memory, forget_message, unforget_message
from chingoo.memory.keys import KeyGrammar
from chingoo.memory.lifecycle import Remembering, Source
from chingoo.model.corrections import InvalidReason
from chingoo.model.decision import ExtractedFact
from chingoo.model.forgetting import MemoryEdit, Remembered
from chingoo.model.turn import Known, SettleOutcome, TurnRequest
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.memory import MemoryDocument
from chingoo.testing.clock import FakeClock
from chingoo.testing.scenes import START, Scene, meet
from chingoo.testing.store import FakeStore

KEYS = {
    "fact:current_city": ("FACT", "Lisbon", "Porto"),
    "pref:food:sushi": ("PREFERENCE", "like|sushi", "dislike|sushi"),
    "body_params:size": ("body_params", "S", "M"),
    "life_event:wedding": ("life_event", "wedding", "wedding"),
}
FACTS = st.lists(st.tuples(st.sampled_from(sorted(KEYS)), st.integers(1, 2)), min_size=1, max_size=2)
WAYS = ("learn", "learn", "learn", "dispute", "confirm", "deny", "forget")
DATA_KEY = bytes(range(32))

BROKEN = {
    "two ACTIVE records of one key": """
        select 1 from memories where user_id = %(u)s and status = 'ACTIVE'
        group by ai_friend_id, memory_key having count(*) > 1""",
    "a record without evidence": """
        select 1 from memories
        where user_id = %(u)s and evidence_message_ids = '{}' and extracted_from <> 'onboarding'""",
    "an ACTIVE record that rests on a forgotten message": """
        select 1 from memories e join forgotten_messages f on f.user_id = e.user_id
            and (f.message_id = any(e.evidence_message_ids) or f.message_id = any(e.context_message_ids))
        where e.user_id = %(u)s and e.status = 'ACTIVE'""",
    "words of a forgotten message in its place": """
        select 1 from messages where user_id = %(u)s and is_forgotten and text is not null""",
    "a message without words that is not forgotten": """
        select 1 from messages where user_id = %(u)s and not is_forgotten and text is null""",
    "a forgotten message of which nothing says why": """
        select 1 from messages m where m.user_id = %(u)s and m.is_forgotten <> exists (
            select from forgotten_messages f where f.user_id = m.user_id and f.message_id = m.message_id)""",
    "words kept of a message that is not forgotten": """
        select 1 from kept_words w join messages m on m.user_id = w.user_id and m.message_id = w.message_id
        where w.user_id = %(u)s and not m.is_forgotten""",
    "dropped evidence of a message that is not forgotten": """
        select 1 from dropped_evidence d join messages m on m.user_id = d.user_id and m.message_id = d.message_id
        where d.user_id = %(u)s and not m.is_forgotten""",
    "dropped evidence of no memory": """
        select 1 from dropped_evidence d where d.user_id = %(u)s and not exists (
            select from memories e where e.user_id = d.user_id and e.memory_id = d.memory_id)""",
    "an ACTIVE record that is to be erased": """
        select 1 from memories where user_id = %(u)s and status = 'ACTIVE' and forget_at is not null""",
    "a stored answer with words of a forgotten message": """
        select 1 from messages where user_id = %(u)s and is_forgotten and answer::text like '%%TOLD%%'""",
    "a replaced record that nothing replaced": """
        select 1 from memories e where e.user_id = %(u)s and e.superseded_by is not null and not exists (
            select from memories n where n.user_id = e.user_id and n.memory_id = e.superseded_by)""",
}

_stories = itertools.count(1)


@dataclass
class StoryIds:
    """The same ids for both stores, other ones for each story."""

    story: int
    last: int = 0

    def uuid(self) -> UUID:
        """The next id."""
        self.last += 1
        return UUID(int=(0xC0FFEE << 96) | (self.story << 32) | self.last)

    def seed(self) -> int:
        """Always the same."""
        return 7


@dataclass
class Side:
    """One store's side of the story."""

    scene: Scene
    held: tuple[Known, UUID] | None = None
    told: list[UUID] = field(default_factory=list)


@dataclass(frozen=True)
class Open:
    """A message at the door, and what it does to memories."""

    request: TurnRequest
    way: str
    facts: tuple[tuple[str, int], ...]


def changed(policy: MemoryDocument, open_: Open, known: Known) -> Remembering:
    """The pure part of a turn."""
    request = open_.request
    near = tuple(line.message_id for line in known.history[-1:])
    source = Source(request.user_id, request.ai_friend_id, known.received_at, (request.message_id,), near)
    working = Remembering(
        policy,
        KeyGrammar(policy),
        source,
        known.memories,
        known.controls.suppressed_memory_keys,
        lambda key, ordinal: uuid5(request.message_id, f"{key} {ordinal}"),
    )
    working.expire()
    for key, choice in open_.facts:
        current = working.under(key)
        kind, value = KEYS[key][0], KEYS[key][choice]
        if open_.way == "learn":
            working.learn(ExtractedFact(kind, key, value, 0.6, "heuristic"))
        elif current is not None and open_.way == "dispute":
            working.dispute(current.memory_id)
        elif current is not None and open_.way == "confirm":
            working.confirm(current.memory_id)
        elif current is not None:
            reason = InvalidReason.FORGOTTEN if open_.way == "forget" else InvalidReason.DENIED
            working.invalidate(current.memory_id, reason)
    return working


class Interleavings(RuleBasedStateMachine):
    """A person on both stores."""

    policy: ClassVar[MemoryDocument]
    real: ClassVar[PostgresStore]
    url: ClassVar[str]
    runner: ClassVar[asyncio.Runner]

    messages = Drawn("messages")

    @initialize()
    def begin(self) -> None:
        """Somebody with a friend."""
        story, self.now, self.open, self.corrected = next(_stories), START, None, 0
        fakes = FakeStore(FakeClock())
        self.sides = [Side(self.runner.run(meet(store, StoryIds(story)))) for store in (fakes, self.real)]
        self.gone: list[UUID] = []

    @property
    def user_id(self) -> UUID:
        """Who it is."""
        return self.sides[0].scene.user_id

    def both(self, act: Callable[[Side], Any]) -> Any:
        """Do the same on both sides; the outcomes, errors included, are the same."""
        outcomes = []
        for side in self.sides:
            try:
                outcomes.append(self.runner.run(act(side)))
            except ChingooError as error:
                outcomes.append((type(error), error.detail))
        assert outcomes[0] == outcomes[1]
        return outcomes[0]

    @rule(hours=st.sampled_from([1, 10, 25, 24 * 31]))
    def time_passes(self, hours: int) -> None:
        """On goes the clock."""
        self.now += timedelta(hours=hours)

    @precondition(lambda self: self.open is None)
    @rule(target=messages, facts=FACTS, way=st.sampled_from(WAYS))
    def tell(self, facts: list[tuple[str, int]], way: str) -> UUID:
        """A message comes to the door."""
        requests = [side.scene.request(f"TOLD {way} {facts}", received_at=self.now) for side in self.sides]
        assert requests[0] == requests[1]
        self.open = Open(requests[0], way, tuple(facts))

        async def act(side: Side) -> Any:
            admitted, token = await side.scene.admit(requests[0])
            assert admitted.known is not None
            side.held = (admitted.known, token)
            return admitted.outcome

        self.both(act)
        return requests[0].message_id

    @precondition(lambda self: self.open is not None)
    @rule(surfaces=st.booleans())
    def settle(self, surfaces: bool) -> None:
        """The message is settled, on what is known by then."""
        open_, self.open = self.open, None
        policy = self.policy

        async def act(side: Side) -> Any:
            assert side.held is not None
            known, token = side.held
            for _ in range(3):
                working = changed(policy, open_, known)
                shown = [row.memory_id for row in working.active][: int(surfaces)]
                settlement = side.scene.settlement(
                    open_.request,
                    known,
                    token,
                    memory_changes=working.changes(),
                    answer={"signals": {"user_text_norm": open_.request.text}, "reply": {"text": "said"}, "memory": {}},
                )
                reply = replace(settlement.reply, surfaced_memory_ids=tuple(shown), text="said")
                outcome = await side.scene.store.settle(replace(settlement, reply=reply))
                if outcome is not SettleOutcome.STALE_MEMORY:
                    return outcome
                fresh = await side.scene.store.reread(open_.request, token, 40, 20)
                if fresh is None:
                    return None
                known = fresh
            raise AssertionError("stale three times, though nobody else writes")

        self.both(act)

    @rule(message=messages)
    def forget(self, message: UUID) -> None:
        """A message is forgotten, settled or not."""
        self.edit(message, lambda known: forget_message(self.policy.forgetting, known, self.now))

    @rule(message=messages)
    def unforget(self, message: UUID) -> None:
        """The forgetting is taken back."""
        self.edit(message, lambda known: unforget_message(known, self.now))

    @rule(place=st.integers(0, 5))
    def delete(self, place: int) -> None:
        """A memory is deleted."""
        if (memory := self.memory(place)) is not None:
            self.edit(None, lambda known: delete_memory(self.policy.forgetting, known, memory, self.now))

    @rule(place=st.integers(0, 5), choice=st.integers(1, 2))
    def correct(self, place: int, choice: int) -> None:
        """A memory is corrected by hand."""
        if (memory := self.memory(place)) is None:
            return
        self.corrected += 1
        new_id = uuid5(memory, f"{self.now} {choice} {self.corrected}")

        def decide(known: Remembered) -> MemoryEdit:
            found = known.memory(memory)
            assert found is not None
            value = KEYS[found.memory_key][choice]
            return correct_memory(self.policy, known, memory, value, self.now, new_id)

        self.edit(None, decide)

    @rule()
    def unsuppress(self) -> None:
        """All keys may be learned again."""
        self.edit(None, lambda known: MemoryEdit(unsuppress=known.suppressed_memory_keys))

    @rule()
    def upkeep(self) -> None:
        """What has run out expires, and what was forgotten is erased."""

        async def act(side: Side) -> Any:
            store = side.scene.store
            return await store.expire_memories(self.now, [self.user_id]), await store.purge_forgotten(
                self.now, [self.user_id]
            )

        self.both(act)

    @rule(sure=st.integers(0, 7))
    def erase(self, sure: int) -> None:
        """Now and then the person is erased, and somebody else comes."""
        if sure:
            return

        async def act(side: Side) -> Any:
            await side.scene.store.erase_user(self.user_id, self.now)
            if self.open is not None and side.held is not None:
                known, token = side.held
                return await side.scene.store.settle(side.scene.settlement(self.open.request, known, token))
            return None

        gone = self.user_id
        assert self.both(act) in (None, SettleOutcome.STALE_MEMORY)
        with psycopg.connect(self.url) as connection:
            for holding in REGISTER:
                if holding.erase is not None and holding.table != "procrastinate_jobs":
                    query = f"select 1 from {holding.table} where user_id = %s"  # type: ignore[arg-type]
                    assert connection.execute(query, (gone,)).fetchone() is None, holding.table  # type: ignore[arg-type]
        self.begin()

    def edit(self, asked: UUID | None, decide: Callable[[Remembered], MemoryEdit]) -> None:
        """An edit on both sides."""

        async def act(side: Side) -> Any:
            _, edit = await side.scene.store.edit_memories(self.user_id, asked, decide)
            return set(edit.changes), edit.hide, set(edit.unhide), set(edit.drop), set(edit.restore), edit.suppress

        self.both(act)

    def memory(self, place: int) -> UUID | None:
        """One of the memories there are, in an order that no id decides, so that a story can be told again."""
        rows = self.runner.run(self.sides[0].scene.store.memories(self.user_id, include_inactive=True))
        rows.sort(key=lambda row: (row.created_at, row.memory_key, row.memory_value, row.status, row.confidence))
        return rows[place % len(rows)].memory_id if rows else None

    @invariant()
    def both_tell_the_same(self) -> None:
        """Memories, history, controls, and the person."""

        async def act(side: Side) -> Any:
            store, scene = side.scene.store, side.scene
            page, _ = await store.messages(scene.user_id, scene.conversation_id, 200, None)
            memories = await store.memories(scene.user_id, include_inactive=True)
            user, controls = await store.user(scene.user_id)
            return set(memories), page, user.mem_version, controls

        if hasattr(self, "sides"):
            self.both(act)

    @invariant()
    def nothing_is_broken(self) -> None:
        """Every invariant, in SQL."""
        if not hasattr(self, "sides"):
            return
        with psycopg.connect(self.url) as connection:
            for what, query in BROKEN.items():
                found = connection.execute(query, {"u": self.user_id}).fetchone()  # type: ignore[arg-type]
                assert found is None, what


def run(server: EmbeddedPostgres, bundle: Bundle, **given: int) -> None:
    """So many stories."""
    vault = Vault(AesCipher([DATA_KEY]), lambda: frozenset({"body_params", "life_event"}))
    with asyncio.Runner() as runner:
        real = runner.run(PostgresStore.open(server.url, connections=2, wait_s=20.0, vault=vault))
        Interleavings.policy, Interleavings.real = bundle.memory, real
        Interleavings.url, Interleavings.runner = server.url, runner
        try:
            run_state_machine_as_test(
                Interleavings,
                settings=settings(deadline=None, suppress_health_check=list(HealthCheck), **given),
            )
        finally:
            runner.run(real.aclose())


def test_any_interleaving(server: EmbeddedPostgres, bundle: Bundle) -> None:
    run(server, bundle, max_examples=15, stateful_step_count=25)


@pytest.mark.soak
def test_many_interleavings(server: EmbeddedPostgres, bundle: Bundle) -> None:
    run(server, bundle, max_examples=400, stateful_step_count=60)
