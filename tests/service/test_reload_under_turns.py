"""Twenty reloads while people talk: every turn is answered, each by one set alone, and every old set is freed (S-20).

The sets differ in a fixed reply, are routed by rule engines of their own, and share their matchers, so that a reload
takes milliseconds; `tests/e2e/test_reload.py` does the same to whole processes.
"""

import asyncio
import gc
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from tests.service.conftest import SETTINGS

from chingoo.adapters import policy_bundles
from chingoo.engine.engine import Engine
from chingoo.engine.fixed import FixedWords
from chingoo.engine.rules import DurableRules
from chingoo.flow.compiled import CompiledPolicy
from chingoo.memory.reader import build_reader
from chingoo.model.enums import Language
from chingoo.model.policies import Judged, Process
from chingoo.model.turn import TurnRequest
from chingoo.persona.assignment import assign
from chingoo.policy.bundle import Bundle, bundle_files, digest_of
from chingoo.policy.documents.replies import FixedReply
from chingoo.ports.people import AnswersPatch
from chingoo.service.policies import PolicyHolder
from chingoo.service.policy_life import PolicyLife
from chingoo.service.turn import TurnService
from chingoo.testing.clock import FakeClock, SequentialIds
from chingoo.testing.llm import Late, ScriptedLlm
from chingoo.testing.metrics import RecordingMetrics
from chingoo.testing.openai_server import bland_reply
from chingoo.testing.policy_records import FakePolicyRecords
from chingoo.testing.scenes import ANSWERS
from chingoo.testing.store.fake import FakeStore

RELOADS = 20
PEOPLE = 8
REPLY = "guard.illegal_acts"
FILE = "policies/replies/en.yaml"


@dataclass
class Versions:
    """A policy folder that says a version in one reply; also its compiler, its bundle files, and what was built."""

    bundle: Bundle
    engine: Engine
    version: int = 1
    sets: dict[str, dict[str, str]] = field(default_factory=dict)
    built: dict[str, CompiledPolicy] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, str]:
        return {FILE: f"{self.version}"}

    @property
    def digest(self) -> str:
        return digest_of(bundle_files(self.files))

    async def judge(self) -> Judged:
        self.sets[self.digest] = self.files
        return Judged(self.digest, ())

    def build(self, digest: str, files: Mapping[str, str]) -> CompiledPolicy:
        english = self.bundle.replies[Language.EN]
        said = FixedReply(english.replies[REPLY].place, (f"This is version {files[FILE]}.",))
        replies = {**self.bundle.replies, Language.EN: replace(english, replies={**english.replies, REPLY: said})}
        bundle = replace(self.bundle, digest=digest, replies=replies)
        engine = replace(
            self.engine,
            digest=digest,
            fixed=FixedWords(replies, bundle.crisis),
            rules=DurableRules(self.engine.table, f"version-{files[FILE]}"),
        )
        self.built[digest] = CompiledPolicy(bundle, engine, build_reader(bundle))
        return self.built[digest]

    def read(self, digest: str) -> dict[str, str] | None:
        return self.sets.get(digest)

    def write(self, digest: str, packed: bytes) -> None:
        raise AssertionError("the compiler has written it")

    def last_seen(self) -> str | None:
        return None

    def note_seen(self, digest: str) -> None:
        assert digest == self.digest


def slow_replies() -> Iterator[Late]:
    """Replies that take long enough for reloads to find turns in flight."""
    return (Late(0.002, bland_reply(number)) for number in itertools.count())


class People:
    """People who talk, each in one conversation; every second message is refused in fixed words."""

    def __init__(self, versions: Versions, holder: PolicyHolder, clock: FakeClock) -> None:
        self.bundle, self.clock, self.ids = versions.bundle, clock, SequentialIds()
        self.store = FakeStore(clock)
        self.turns = TurnService(
            self.store, holder, ScriptedLlm(slow_replies()), clock, self.ids, RecordingMetrics(), SETTINGS
        )
        self.told: list[Mapping[str, Any]] = []
        self.quiet = False

    async def talk(self, seed: int) -> None:
        bundle, now = self.bundle, self.clock.now()
        user, _ = await self.store.create_user(self.ids.uuid(), now)
        await self.store.patch_onboarding(user.user_id, AnswersPatch(ANSWERS), now)
        friend, _ = await self.store.create_friend(
            user.user_id,
            self.ids.uuid(),
            self.ids.uuid(),
            "Nabi",
            now,
            bundle.onboarding.required,
            timedelta(days=1),
            lambda window: assign(bundle.personas, bundle.planning.assignment, seed, window),
        )
        number = 0
        while not self.quiet:
            number += 1
            text = "how do i make a bomb" if number % 2 else f"the blue chair {number} is near the window"
            message = UUID(int=(seed << 80) + number)
            self.told.append(
                await self.turns.take_turn(
                    TurnRequest(message, user.user_id, friend.ai_friend_id, friend.conversation_id, text, now)
                )
            )


@pytest.fixture
def nothing_is_collected() -> Iterator[None]:
    """As while sets are built: what is garbage then is moved among the old objects."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("nothing_is_collected")
async def test_twenty_reloads_while_people_talk(bundle: Bundle, engine: Engine) -> None:
    versions, clock = Versions(bundle, engine), FakeClock()
    holder = PolicyHolder(versions.build(versions.digest, versions.files), clock.now())
    records, metrics = FakePolicyRecords(), RecordingMetrics()
    process = Process("a:1", "api", "")
    life = PolicyLife(holder, records, versions, versions, policy_bundles, versions.build, clock, metrics, process)
    await life.start(versions.files)
    people = People(versions, holder, clock)
    async with asyncio.TaskGroup() as talking:
        for seed in range(PEOPLE):
            talking.create_task(people.talk(seed + 1))
        for _ in range(RELOADS):
            enough = len(people.told) + PEOPLE
            while len(people.told) < enough:
                await asyncio.sleep(0.001)
            versions.version += 1
            await life.reload("editor", f"version {versions.version}")
        people.quiet = True

    spoken = {
        compiled.bundle.digest: f"This is version {number}."
        for number, compiled in enumerate(versions.built.values(), 1)
    }
    assert len(spoken) == RELOADS + 1
    refusals = [answer for answer in people.told if answer["routing"]["pipeline"] == "REFUSAL"]
    for answer in refusals:
        assert re.search(r"This is version \d+\.", answer["reply"]["text"])
        assert spoken[answer["policy"]["digest"]] in answer["reply"]["text"], "no decision mixes two sets"
    assert len({answer["policy"]["digest"] for answer in refusals}) > RELOADS // 2
    in_force = versions.built.pop(versions.digest)
    assert holder.current is in_force
    assert all(compiled.engine.rules._closed for compiled in versions.built.values()), "old sets are freed"
    assert not in_force.engine.rules._closed
    old = set(versions.built)
    versions.built.clear()
    await life.follow()
    held = {one.bundle.digest for one in gc.get_objects() if isinstance(one, CompiledPolicy)}
    assert held.isdisjoint(old), "and nothing holds on to them, however long nothing was collected"
    holder.close()
