"""A person with a friend, a store that is a fake and a model that is scripted: what tests of turns begin with."""

from dataclasses import dataclass
from uuid import UUID

import pytest

from chingoo.engine.engine import Engine
from chingoo.errors import LlmError
from chingoo.flow.compiled import CompiledPolicy
from chingoo.memory.reader import MemoryReader, build_reader
from chingoo.model.people import Memory, MemoryChange, Window
from chingoo.model.turn import TurnRequest
from chingoo.persona.assignment import assign
from chingoo.policy.bundle import Bundle
from chingoo.ports.people import AnswersPatch
from chingoo.service.policies import PolicyHolder
from chingoo.service.turn import TurnService, TurnSettings
from chingoo.service.voice import VoiceSettings
from chingoo.testing.clock import FakeClock, SequentialIds
from chingoo.testing.llm import Late, ScriptedLlm
from chingoo.testing.metrics import RecordingMetrics
from chingoo.testing.scenes import ANSWERS, DAY, Scene
from chingoo.testing.store.fake import FakeStore

SETTINGS = TurnSettings(
    deadline_s=45,
    lease_margin_s=15,
    patience_s=5,
    reap_after_s=600,
    voice=VoiceSettings(voice_model="voice", mechanics_model="mechanics", call_timeout_s=15),
)


@dataclass
class World:
    """Everything of one scenario. The fake clock stands still, so waiting has to be told."""

    bundle: Bundle
    store: FakeStore
    clock: FakeClock
    ids: SequentialIds
    holder: PolicyHolder
    metrics: RecordingMetrics
    user: UUID
    friend: UUID
    conversation: UUID

    def service(self, *script: str | Late | LlmError, offline: bool = False) -> TurnService:
        self.llm = ScriptedLlm(script)
        return TurnService(
            self.store, self.holder, None if offline else self.llm, self.clock, self.ids, self.metrics, SETTINGS
        )

    @property
    def scene(self) -> Scene:
        return Scene(self.store, self.ids, self.user, self.friend, self.conversation)

    async def remember(self, **values: str) -> dict[str, Memory]:
        """Memories with these values, by the last part of their keys, as an earlier turn would have made them."""
        kinds = {"size": ("body_params", "body_params:size"), "nickel": ("allergy", "allergy:nickel")}
        made = {}
        for name, value in values.items():
            if "|" in value:
                kind, key = "PREFERENCE", f"pref:food:{name}"
            else:
                kind, key = kinds.get(name, ("FACT", f"fact:{name}"))
            made[name] = self.scene.memory(key, value, type=kind)
        await self.scene.say(memory_changes=tuple(MemoryChange("insert", memory) for memory in made.values()))
        return made

    async def memory(self, memory: Memory) -> Memory:
        """How a memory stands now."""
        known = await self.store.memories(self.user, include_inactive=True)
        return next(one for one in known if one.memory_id == memory.memory_id)

    async def active(self) -> dict[str, str]:
        """What is ACTIVE: values by key."""
        known = await self.store.memories(self.user, include_inactive=False)
        return {one.memory_key: one.memory_value for one in known}

    def request(self, text: str, **changes: object) -> TurnRequest:
        given = {
            "message_id": UUID(int=self.ids.uuid().int + (1 << 64)),
            "user_id": self.user,
            "ai_friend_id": self.friend,
            "conversation_id": self.conversation,
            "text": text,
            "received_at": self.clock.now(),
        }
        return TurnRequest(**(given | changes))  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def reader(bundle: Bundle) -> MemoryReader:
    """What reads memories, made once."""
    return build_reader(bundle)


@pytest.fixture
async def world(bundle: Bundle, engine: Engine, reader: MemoryReader) -> World:
    """A person who has answered everything, with a friend whose bands the bland replies fit."""
    clock, ids = FakeClock(), SequentialIds()
    store = FakeStore(clock)
    user, _ = await store.create_user(ids.uuid(), clock.now())
    await store.patch_onboarding(user.user_id, AnswersPatch(ANSWERS), clock.now())
    template = _friend_for_bland_replies(bundle)
    friend, _ = await store.create_friend(
        user.user_id,
        ids.uuid(),
        ids.uuid(),
        "Nabi",
        clock.now(),
        bundle.onboarding.required,
        DAY,
        lambda window: assign(bundle.personas, bundle.planning.assignment, template, window),
    )
    holder = PolicyHolder(CompiledPolicy(bundle, engine, reader), clock.now())
    return World(
        bundle, store, clock, ids, holder, RecordingMetrics(), user.user_id, friend.ai_friend_id, friend.conversation_id
    )


def _friend_for_bland_replies(bundle: Bundle) -> int:
    """The first seed of a friend who writes medium messages without needing emoji."""
    for seed in range(200):
        style = assign(bundle.personas, bundle.planning.assignment, seed, Window(0, {})).stable_style_params
        if style.msg_length_pref == "medium" and style.emoji_freq != "frequent":
            return seed
    raise AssertionError("no such friend within 200 seeds")
