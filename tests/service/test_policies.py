"""How processes come to the policies they decide by: several lives over one database, without building anything."""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import pytest

from chingoo.adapters import policy_bundles
from chingoo.engine.engine import Engine
from chingoo.errors import DatabaseUnreachableError, NotFoundError, PolicyRefusedError
from chingoo.flow.compiled import CompiledPolicy
from chingoo.memory.reader import build_reader
from chingoo.model.policies import Judged, Process
from chingoo.policy.bundle import Bundle, bundle_files, digest_of
from chingoo.service.policies import PolicyHolder
from chingoo.service.policy_life import PolicyLife
from chingoo.service.policy_service import PolicyService
from chingoo.testing.clock import FakeClock
from chingoo.testing.metrics import RecordingMetrics
from chingoo.testing.policy_records import FakePolicyRecords

Files = dict[str, str]


def texts(words: str) -> Files:
    return {"policies/topics.yaml": words}


def digest(words: str) -> str:
    return digest_of(bundle_files(texts(words)))


class NoEngine(Engine):
    """Decides nothing; remembers that it was freed."""

    closed = False

    def __init__(self) -> None:
        pass

    def close(self) -> None:
        assert not self.closed, "freed twice"
        object.__setattr__(self, "closed", True)


@dataclass
class Shelf:
    """Files of one machine."""

    sets: dict[str, Files] = field(default_factory=dict)
    seen: str | None = None

    def read(self, digest: str) -> Files | None:
        return self.sets.get(digest)

    def write(self, digest: str, packed: bytes) -> None:
        unpacked = policy_bundles.unpack(packed, digest)
        assert unpacked is not None
        self.sets[digest] = unpacked

    def last_seen(self) -> str | None:
        return self.seen

    def note_seen(self, digest: str) -> None:
        self.seen = digest


@dataclass
class Machine:
    """A policy folder, and the files beside it."""

    disk: str
    shelf: Shelf = field(default_factory=Shelf)
    findings: tuple[object, ...] = ()

    async def judge(self) -> Judged:
        if self.findings:
            return Judged(None, self.findings)
        self.shelf.sets[digest(self.disk)] = texts(self.disk)
        return Judged(digest(self.disk), ())


class World:
    """Processes over one database."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.clock, self.records, self.metrics = FakeClock(), FakePolicyRecords(), RecordingMetrics()
        self.built: list[str] = []
        self.built_in: list[int] = []  # threads
        self.unfit: set[str] = set()
        self.engines: list[NoEngine] = []

    def build(self, digest: str, files: Mapping[str, str]) -> CompiledPolicy:
        if digest in self.unfit:
            raise PolicyRefusedError("does not fit this release", ())
        assert digest_of(bundle_files(files)) == digest
        self.built.append(digest)
        self.built_in.append(threading.get_ident())
        self.engines.append(NoEngine())
        return CompiledPolicy(replace(self.bundle, digest=digest), self.engines[-1], build_reader(self.bundle))

    async def start(self, machine: Machine, name: str = "a:1") -> "Running":
        holder = PolicyHolder(self.build(digest(machine.disk), texts(machine.disk)), self.clock.now())
        life = PolicyLife(
            holder,
            self.records,
            machine,
            machine.shelf,
            policy_bundles,
            self.build,
            self.clock,
            self.metrics,
            Process(name, "api", ""),
        )
        said = await life.start(texts(machine.disk))
        return Running(holder, life, said)

    def freed(self) -> int:
        return sum(engine.closed for engine in self.engines)


@dataclass
class Running:
    """One process."""

    holder: PolicyHolder
    life: PolicyLife
    said: str | None

    @property
    def digest(self) -> str:
        return self.holder.current.bundle.digest


@pytest.fixture
def world(bundle: Bundle) -> World:
    return World(bundle)


async def reasons(world: World) -> list[tuple[str, str]]:
    return [(row["digest"][:6], row["reason"]) for row in await world.records.history(50)][::-1]


async def test_the_first_start_puts_the_disk_in_force(world: World) -> None:
    one = await world.start(Machine("one"))
    assert one.said is None
    assert await reasons(world) == [(digest("one")[:6], "start")]
    assert await world.records.bundle(digest("one")) is not None, "any machine may go back to it"


async def test_a_reload_reaches_the_other_processes(world: World) -> None:
    machine = Machine("one")
    here, there = await world.start(machine), await world.start(Machine("one"), "b:2")
    machine.disk = "two"
    await here.life.reload("editor", "new words")
    assert (here.digest, there.digest) == (digest("two"), digest("one"))
    await there.life.follow()
    assert there.digest == digest("two"), "from the database: that machine has no such file"
    assert [one.digest for one in await world.records.processes()] == [digest("two")] * 2
    assert world.freed() == 2, "nobody uses the old one any more"


async def test_all_sets_are_built_in_one_thread_beside_the_loop(world: World) -> None:
    machine = Machine("one")
    here = await world.start(machine)
    busy = [asyncio.to_thread(time.sleep, 0.05) for _ in range(4)]
    for version in ("two", "three", "four"):
        machine.disk = version
        await asyncio.gather(here.life.reload("editor", version), busy.pop())
    await busy.pop()
    at_start, *later = world.built_in
    assert len(later) == 3
    assert len({*later}) == 1
    assert at_start not in later


async def test_what_is_in_force_is_not_switched_to_again(world: World) -> None:
    here = await world.start(Machine("one"))
    built = len(world.built)
    await here.life.reload("editor", "nothing new")
    await here.life.activate(digest("one"), "nothing new", "editor")
    assert len(world.built) == built
    assert len(await reasons(world)) == 1


async def test_broken_policies_are_refused_and_nothing_changes(world: World) -> None:
    machine = Machine("one")
    here = await world.start(machine)
    machine.disk, machine.findings = "two", ("a finding",)
    with pytest.raises(PolicyRefusedError) as refused:
        await here.life.reload("editor", "new words")
    assert refused.value.findings == ("a finding",)
    assert here.digest == digest("one")
    assert len(await reasons(world)) == 1


async def test_any_stored_set_can_be_gone_back_to(world: World) -> None:
    machine = Machine("one")
    here = await world.start(machine)
    machine.disk = "two"
    await here.life.reload("editor", "new words")
    machine.shelf.sets.clear()
    await here.life.activate(digest("one"), "it refused jokes", "editor")
    assert here.digest == digest("one")
    assert machine.shelf.sets.keys() == {digest("one")}, "kept here for the next time"
    assert [reason for _, reason in await reasons(world)] == ["start", "new words", "it refused jokes"]
    with pytest.raises(NotFoundError):
        await here.life.activate(digest("never"), "?", "editor")
    world.unfit.add(digest("two"))
    with pytest.raises(PolicyRefusedError):
        await here.life.activate(digest("two"), "?", "editor")
    assert here.digest == digest("one")


async def test_a_database_that_goes_away_changes_nothing(world: World) -> None:
    machine = Machine("one")
    here = await world.start(machine)
    machine.disk = "two"
    world.records.away = True
    with pytest.raises(DatabaseUnreachableError):
        await here.life.reload("editor", "new words")
    with pytest.raises(DatabaseUnreachableError):
        await here.life.follow()
    assert here.digest == digest("one")
    await here.life.stop()


async def test_a_switch_that_cannot_be_followed_is_not_tried_each_second(world: World) -> None:
    machine = Machine("one")
    here, there = await world.start(machine), await world.start(Machine("one"), "b:2")
    machine.disk = "two"
    await here.life.reload("editor", "new words")
    world.unfit.add(digest("two"))
    for _ in range(3):
        await there.life.follow()
    assert there.digest == digest("one")
    assert world.metrics.counts["chingoo_policy_switches_total", (("outcome", "not_followed"),)] == 1
    machine.disk = "three"
    await here.life.reload("editor", "other words")
    await there.life.follow()
    assert there.digest == digest("three")


STARTS = [
    # what was last seen on this machine's disk, what is there now, what is in force then
    ("one", "one", "two", "a mere restart does not undo what others switched to"),
    ("one", "three", "three", "the files have changed: a deployment, or an edit"),
    ("two", "one", "one", "the files were put back"),
    (None, "one", "two", "a new machine with files that were replaced long ago"),
    (None, "three", "three", "a new machine with new files"),
]


@pytest.mark.parametrize(("seen", "disk", "in_force", "why"), STARTS)
async def test_who_wins_at_a_start(world: World, seen: str | None, disk: str, in_force: str, why: str) -> None:
    """The files were `one`, and everybody switched to `two`."""
    elsewhere = Machine("one")
    editor = await world.start(elsewhere)
    elsewhere.disk = "two"
    await editor.life.reload("editor", "new words")
    machine = Machine(disk, Shelf(seen=None if seen is None else digest(seen)))
    started = await world.start(machine, "b:2")
    assert started.digest == digest(in_force), why
    assert (await world.records.history(1))[0]["digest"] == digest(in_force)
    assert (started.said is not None) == (in_force != disk)
    assert machine.shelf.seen == digest(disk)
    await editor.life.follow()
    assert editor.digest == digest(in_force)


async def test_turns_in_flight_keep_what_they_began_with(world: World) -> None:
    machine = Machine("one")
    here = await world.start(machine)
    with here.holder.use() as mine:
        for words in ("two", "three"):
            machine.disk = words
            await here.life.reload("editor", words)
            with here.holder.use() as newer:
                assert newer.bundle.digest == digest(words)
        assert mine.bundle.digest == digest("one")
        assert not mine.engine.closed  # type: ignore[attr-defined]
        assert world.freed() == 1, "`two` has no user left"
    assert mine.engine.closed  # type: ignore[attr-defined]
    assert world.freed() == 2


async def until(holds: Callable[[], bool]) -> None:
    """Let the others work until something holds."""
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0)


async def test_the_others_are_ready_before_the_switch(world: World) -> None:
    """Told in time, a process swaps at the switch without building anything."""
    machine = Machine("one")
    here, there = await world.start(machine), await world.start(Machine("one"), "b:2")
    following = asyncio.ensure_future(there.life.run(world.records))
    await until(lambda: bool(world.records._listeners))
    await world.records.store(digest("two"), policy_bundles.pack(texts("two")), "a:1")
    await until(lambda: world.built.count(digest("two")) == 1)
    assert there.digest == digest("one")
    machine.disk = "two"
    await here.life.reload("editor", "new words")
    await until(lambda: there.digest == digest("two"))
    assert world.built.count(digest("two")) == 2, "once in each process"
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)


async def test_what_nobody_switches_to_is_freed(world: World) -> None:
    there = await world.start(Machine("one"))
    await world.records.store(digest("two"), policy_bundles.pack(texts("two")), "a:2")
    await there.life._make_ready(digest("two"))
    await there.life.follow()
    assert world.freed() == 0
    world.clock.advance(61)
    await there.life.follow()
    assert world.freed() == 1


async def test_what_is_told_about_processes(world: World) -> None:
    here = await world.start(Machine("one"))
    await world.start(Machine("one"), "b:2")
    service = PolicyService(here.holder, world.clock, here.life, world.records)
    active = await service.active()
    assert active["processes"] == [
        {"id": "a:1", "kind": "api", "digest": digest("one")},
        {"id": "b:2", "kind": "api", "digest": digest("one")},
    ]
    assert [row["reason"] for row in (await service.history(10))["items"]] == ["start"]
    await here.life.stop()
    assert [one.id for one in await world.records.processes()] == ["b:2"]
