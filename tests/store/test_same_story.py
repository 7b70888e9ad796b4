"""Whatever happens to two conversations of a person, in any order: the fake store and PostgreSQL tell the same."""

from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chingoo.adapters.clock import RandomIds
from chingoo.adapters.postgres.store import PostgresStore
from chingoo.model.enums import Mode
from chingoo.model.people import MemoryChange
from chingoo.model.turn import Known, TurnRequest
from chingoo.ports.store import Store
from chingoo.testing.clock import FakeClock, SequentialIds
from chingoo.testing.scenes import START, Scene, befriend, meet
from chingoo.testing.store import FakeStore

MESSAGES = st.tuples(st.integers(0, 1), st.integers(0, 2))
"""A conversation and a message of it."""

EVENTS = st.one_of(
    st.tuples(st.just("admit"), MESSAGES, st.sampled_from([0.0, 3600.0]), st.integers(0, 3)),
    st.tuples(st.just("settle"), MESSAGES, st.sampled_from(["plain", "remembers"])),
    st.tuples(st.just("release"), MESSAGES),
    st.tuples(st.just("reread"), MESSAGES),
    st.tuples(st.just("switch"), st.booleans()),
)


@dataclass
class Told:
    """One store's side of the story. A lease of no seconds has run out as soon as it is given."""

    scenes: tuple[Scene, Scene]
    ids: SequentialIds
    requests: dict[tuple[int, int], TurnRequest] = field(default_factory=dict)
    held: dict[tuple[int, int], tuple[Known, UUID]] = field(default_factory=dict)
    lines: list[object] = field(default_factory=list)

    async def tell(self, event: tuple[object, ...]) -> None:
        match event:
            case ("admit", key, float(lease), int(hours)):
                await self._admit(key, lease, hours)  # type: ignore[arg-type]
            case ("settle", key, how):
                await self._settle(key, how == "remembers")  # type: ignore[arg-type]
            case ("release", key) if key in self.held:
                await self._scene(key).store.release(self.requests[key], self.held[key][1])  # type: ignore[index,arg-type]
            case ("reread", key) if key in self.held:
                known = await self._scene(key).store.reread(self.requests[key], self.held[key][1])  # type: ignore[index,arg-type]
                self.lines.append(known and self._seen(known))
                if known is not None:
                    self.held[key] = (known, self.held[key][1])  # type: ignore[index]
            case ("switch", on):
                scene = self.scenes[0]
                self.lines.append(await scene.store.patch_controls(scene.user_id, {"intimate_mode": on}, START))

    async def _admit(self, key: tuple[int, int], lease: float, hours: int) -> None:
        scene = self._scene(key)
        if key not in self.requests:
            mode = Mode.INTIMATE if key[1] == 2 else Mode.FRIEND
            received_at = START + timedelta(hours=hours)
            self.requests[key] = scene.request(f"message {key}", received_at=received_at, mode=mode)
        admitted, token = await scene.admit(self.requests[key], lease_seconds=lease)
        self.lines.append((admitted.outcome, admitted.answer, admitted.known and self._seen(admitted.known)))
        if admitted.known is not None:
            self.held[key] = (admitted.known, token)

    async def _settle(self, key: tuple[int, int], remembers: bool) -> None:
        scene = self._scene(key)
        if key not in self.held:
            return
        known, token = self.held[key]
        taken = {memory.memory_key for memory in known.memories}
        memory = scene.memory(f"fact:of_{key[1]}")
        changes = (MemoryChange("insert", memory),) if remembers and memory.memory_key not in taken else ()
        settlement = scene.settlement(self.requests[key], known, token, memory_changes=changes, answer={"key": key[1]})
        self.lines.append(await scene.store.settle(settlement))

    def _scene(self, key: object) -> Scene:
        return self.scenes[key[0]]  # type: ignore[index,no-any-return]

    def _seen(self, known: Known) -> object:
        """What is known, without the ids that differ."""
        return (
            known.user.state,
            known.user.mem_version,
            known.activated,
            known.controls,
            known.received_at,
            known.relationship,
            [(line.role, line.mode, line.text, line.created_at) for line in known.history],
            known.recent_replies,
            [(memory.memory_key, memory.status) for memory in known.memories],
            known.turn_seq,
        )

    async def end(self) -> list[object]:
        """All that is left in the end."""
        for scene in self.scenes:
            page, _ = await scene.store.messages(scene.user_id, scene.conversation_id, 200, None)
            self.lines.append([(line.role, line.text, line.created_at) for line in page])
            self.lines.append((await scene.store.friend(scene.user_id, scene.ai_friend_id))[1])
        stuck = await self.scenes[0].store.stuck_turns(-1, 100, [self.scenes[0].user_id])
        self.lines.append(sorted((request.text, request.received_at, request.mode) for request in stuck))
        memories = await self.scenes[0].store.memories(self.scenes[0].user_id, include_inactive=True)
        self.lines.append(sorted((memory.memory_key, memory.status) for memory in memories))
        return self.lines


async def told_by(store: Store, events: list[tuple[object, ...]]) -> list[object]:
    """The story as a store tells it."""
    scene = await meet(store, RandomIds(), active=False)
    told = Told((scene, await befriend(store, scene.ids, scene.user_id)), SequentialIds())
    for event in events:
        await told.tell(event)
    return await told.end()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=st.lists(EVENTS, max_size=25))
async def test_both_stores_tell_the_same_story(postgres: PostgresStore, events: list[tuple[object, ...]]) -> None:
    assert await told_by(FakeStore(FakeClock()), events) == await told_by(postgres, events)
