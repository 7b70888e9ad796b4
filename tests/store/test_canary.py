"""A canary: a random string, told and learned in every way there is, forgotten, and looked for everywhere (C-68)."""

import json
import logging
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

import psycopg
import pytest
import structlog
from tests.store.conftest import EmbeddedPostgres
from tests.store.test_forgetting_contract import tell
from tests.store.test_migrations import database

from chingoo.adapters.cipher import AesCipher
from chingoo.adapters.clock import RandomIds
from chingoo.adapters.postgres.migrations import upgrade
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.adapters.postgres.vault import Vault
from chingoo.engine.engine import Engine
from chingoo.errors import ConflictError, NotFoundError
from chingoo.flow.compiled import CompiledPolicy
from chingoo.memory.reader import build_reader
from chingoo.model.enums import ExtractedFrom, MemoryStatus
from chingoo.model.people import Memory
from chingoo.model.turn import TurnRequest
from chingoo.policy.bundle import Bundle
from chingoo.ports.people import AnswersPatch
from chingoo.service.batch_extraction import BatchExtraction
from chingoo.service.jobs import JobService
from chingoo.service.memories import MemoryService
from chingoo.service.people import PeopleService
from chingoo.service.policies import PolicyHolder
from chingoo.service.turn import TurnService, TurnSettings
from chingoo.service.voice import VoiceSettings
from chingoo.testing.clock import FakeClock
from chingoo.testing.llm import ScriptedLlm
from chingoo.testing.metrics import RecordingMetrics
from chingoo.testing.openai_server import bland_reply
from chingoo.testing.scenes import ANSWERS, START, Scene, befriend

SETTINGS = TurnSettings(45, 15, 5, 600, VoiceSettings("voice", "mechanics", 15))
TOMORROW = START + timedelta(hours=25)
SAID = (
    "I'm allergic to {}.",
    "I live in {} and I work at {}.",
    "I really like {} cake, and never suggest {} again",
    "My name is {}, remember {}!",
    "My wedding with {} is in 3 weeks",
    "Yesterday {} happened. It was great!",
)


@dataclass
class Place:
    """A running service over a database of its own, and everything that left it."""

    url: str
    canary: str
    store: PostgresStore
    scene: Scene
    holder: PolicyHolder
    llm: ScriptedLlm
    clock: FakeClock

    def restarted(self, store: PostgresStore) -> "Place":
        """The same over new connections."""
        return replace(self, store=store, scene=replace(self.scene, store=store))

    @property
    def turns(self) -> TurnService:
        return TurnService(self.store, self.holder, self.llm, self.clock, RandomIds(), RecordingMetrics(), SETTINGS)

    @property
    def memories(self) -> MemoryService:
        return MemoryService(self.store, self.holder, self.clock, RandomIds(), RecordingMetrics())

    async def run_all_jobs(self) -> None:
        """Every job there is, as of tomorrow, and the after-turn job."""
        metrics = RecordingMetrics()
        batches = BatchExtraction(self.store, self.holder, self.llm, self.clock, RandomIds(), metrics, SETTINGS.voice)
        jobs = JobService(self.store, self.holder, self.turns, batches, self.store, self.clock, metrics)
        for name in jobs.names:
            await jobs.run(name, TOMORROW, None)
        await jobs.after_turn(self.scene.user_id)
        await jobs.sweep()

    def found(self, *, but: tuple[str, ...] = ()) -> list[str]:
        """Where the canary is: every row of every table as text, the job queue's too."""
        with psycopg.connect(self.url) as connection:
            tables = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
            return [
                f"{table}: {row[0]}"
                for (table,) in tables
                if table not in but
                for row in connection.execute(f"select t::text from {table} t").fetchall()  # type: ignore[arg-type]
                if self.canary in row[0].lower()
            ]


@pytest.fixture(scope="module")
def url(server: EmbeddedPostgres) -> Iterator[str]:
    with database(server.url, f"canary_{os.getpid()}") as made:
        upgrade(made)
        yield made


@pytest.fixture
async def reopen(url: str, bundle: Bundle) -> AsyncIterator[Callable[[], object]]:
    """Opens the database, sealed; what was opened is closed in the end."""
    heads = frozenset(family.key for family in bundle.memory.families.values() if family.guaranteed)
    opened = []

    async def make() -> PostgresStore:
        vault = Vault(AesCipher([bytes(range(32))]), lambda: heads)
        opened.append(await PostgresStore.open(url, connections=3, wait_s=20.0, vault=vault))
        return opened[-1]

    yield make
    for store in opened:
        await store.aclose()


@pytest.fixture
async def place(url: str, reopen: Callable[[], object], bundle: Bundle, engine: Engine) -> Place:
    """Somebody who has told nothing yet."""
    store = await reopen()  # type: ignore[misc]
    ids, clock = RandomIds(), FakeClock(START)
    canary = f"zq{secrets.token_hex(6)}"
    user_id = ids.uuid()
    await store.create_user(user_id, START)
    await store.patch_onboarding(user_id, AnswersPatch(ANSWERS), START)
    scene = await befriend(store, ids, user_id)
    holder = PolicyHolder(CompiledPolicy(bundle, engine, build_reader(bundle)), START)
    llm = ScriptedLlm(bland_reply(n % 20) for n in range(100))
    return Place(url, canary, store, scene, holder, llm, clock)


def kinds(scene: Scene, bundle: Bundle, canary: str) -> Iterator[Memory]:
    """A memory of every family by every way it may be learned, the canary in its value, and in its key where it may."""
    for name, family in bundle.memory.families.items():
        ways = [way for way in family.initial_confidence if way != ExtractedFrom.ONBOARDING]
        for number, way in enumerate(ways):
            keys = family.keys or ("free",)
            key = f"{family.key}:{keys[number % len(keys)]}"
            if family.dated:
                key += ":2026_03"
            if family.cardinality == "multi":
                key += f":{canary}_{number}"
            expires = START + timedelta(days=30) if family.ttl_days else None
            yield scene.memory(
                key, f"like|{canary}", type=name, extracted_from=ExtractedFrom(way), expires_at=expires,
                memory_id=scene.ids.uuid(),
            )  # fmt: skip


async def told(place: Place, bundle: Bundle) -> list[TurnRequest]:
    """Tell the canary in every way; the messages that did."""
    scene, canary, said = place.scene, place.canary, []
    for line in SAID:
        request = scene.request(line.replace("{}", canary), received_at=START)
        await place.turns.take_turn(request)
        said.append(request)
    active: dict[str, Memory] = {}
    for made in kinds(scene, bundle, canary):
        memory = made
        if made.memory_key in active:
            memory = replace(made, status=MemoryStatus.SUPERSEDED, superseded_by=active[made.memory_key].memory_id)
        active.setdefault(memory.memory_key, memory)
        held = {one.memory_key for one in await scene.store.memories(scene.user_id, include_inactive=False)}
        if memory.status is MemoryStatus.ACTIVE and memory.memory_key in held:
            continue
        said.append(await tell(scene, f"so {canary}", memory, reply=f"Oh, {canary}!", received_at=START))
    one = (await scene.store.memories(scene.user_id, include_inactive=False))[-1]
    said.append(await tell(scene, "well?", reply=f"You said {canary}.", surfaced=(one.memory_id,), received_at=START))
    return said[:-1]


def assert_no_logs(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing that was logged holds it."""
    assert place.canary not in caplog.text.lower()


async def assert_unspoken(place: Place) -> None:
    """No prompt, no export, no list and no stored answer holds it."""
    before = len(place.llm.calls)
    await place.turns.take_turn(place.scene.request("what do you remember of me?", received_at=START))
    prompts = [message.content for call in place.llm.calls[before:] for message in call.messages]
    assert place.canary not in " ".join(prompts).lower()
    user_id = place.scene.user_id
    assert place.canary not in json.dumps(await place.store.export_user(user_id)).lower()
    assert place.canary not in json.dumps(await place.memories.memories(user_id, False, None, None)).lower()
    page, _ = await place.store.messages(user_id, place.scene.conversation_id, 200, None)
    assert place.canary not in str(page).lower()


async def test_told_and_forgotten_message_by_message(
    place: Place, reopen: Callable[[], object], bundle: Bundle, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with structlog.testing.capture_logs() as lines:
        said = await told(place, bundle)
        user_id = place.scene.user_id
        known = await place.store.memories(user_id, include_inactive=False)
        corrected = next(memory for memory in known if memory.type == "PREFERENCE")
        await place.memories.correct(user_id, corrected.memory_id, f"dislike|{place.canary}", START)
        assert place.found()
        for request in said:
            await place.memories.forget(user_id, request.message_id, START)
        # At once: nothing is left but what taking it back needs.
        await assert_unspoken(place)
        assert place.found(but=("kept_words", "memories")) == []
        await place.run_all_jobs()
        assert place.found() == []
        # Nothing brings it back: not a restart, not the same transcript again, not the jobs.
        again = place.restarted(await reopen())  # type: ignore[misc]
        for request in said:
            with pytest.raises(ConflictError):
                await again.turns.take_turn(request)
        await again.run_all_jobs()
        await assert_unspoken(again)
        assert again.found() == []
    assert place.canary not in str(lines).lower()
    assert_no_logs(place, caplog)


async def test_told_and_deleted_memory_by_memory(
    place: Place, reopen: Callable[[], object], bundle: Bundle, caplog: pytest.LogCaptureFixture
) -> None:
    """The messages themselves stay, until they are forgotten as well."""
    caplog.set_level(logging.DEBUG)
    said = await told(place, bundle)
    user_id = place.scene.user_id
    for memory in await place.store.memories(user_id, include_inactive=True):
        await place.memories.delete(user_id, memory.memory_id, START)
    assert place.canary not in json.dumps(await place.memories.memories(user_id, False, None, None)).lower()
    await place.run_all_jobs()
    left = {line.partition(":")[0] for line in place.found()}
    assert left <= {"messages", "controls"}
    assert await place.store.memories(user_id, include_inactive=True) == []
    again = place.restarted(await reopen())  # type: ignore[misc]
    for request in said[: len(SAID)]:
        assert (await again.turns.take_turn(request))["replayed"]
    assert await again.store.memories(user_id, include_inactive=True) == []
    keys = (await again.store.user(user_id))[1].suppressed_memory_keys
    assert keys
    for key in keys:
        await again.memories.unsuppress(user_id, key)
    for request in said:
        await again.memories.forget(user_id, request.message_id, START)
    await again.run_all_jobs()
    assert again.found() == []
    assert_no_logs(place, caplog)


async def test_told_and_erased(
    place: Place, reopen: Callable[[], object], bundle: Bundle, caplog: pytest.LogCaptureFixture
) -> None:
    """Everything: also the name, the friend's name, what was told before chat was open, and half a forgetting."""
    caplog.set_level(logging.DEBUG)
    scene, canary = place.scene, place.canary
    await place.store.patch_onboarding(scene.user_id, AnswersPatch({"preferred_name": canary}), START)
    said = await told(place, bundle)
    await place.memories.forget(scene.user_id, said[0].message_id, START)
    people = PeopleService(place.store, place.holder, place.clock, RandomIds())
    stranger = RandomIds().uuid()
    await place.store.create_user(stranger, START)
    request = replace(scene.request(f"hello {canary}"), user_id=stranger)
    await place.turns.take_turn(request)
    assert {line.partition(":")[0] for line in place.found()} >= {"users", "messages", "kept_words", "attempts"}
    for user_id in (scene.user_id, stranger):
        await people.erase(user_id, START)
    assert place.found() == []
    again = place.restarted(await reopen())  # type: ignore[misc]
    for late in (*said, request):
        with pytest.raises(NotFoundError):
            await again.turns.take_turn(late)
    await again.run_all_jobs()
    with pytest.raises(ConflictError):
        await again.store.create_user(scene.user_id, START)
    assert again.found() == []
    assert str(scene.user_id) not in " ".join(rows(place.url))
    assert_no_logs(place, caplog)


def rows(url: str) -> list[str]:
    """All rows there are, as text."""
    with psycopg.connect(url) as connection:
        tables = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
        return [
            row[0]
            for (table,) in tables
            for row in connection.execute(f"select t::text from {table} t").fetchall()  # type: ignore[arg-type]
        ]
