"""A person with a friend, ready to talk, and turns with sensible contents: what tests of a store begin with."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from chingoo.model.enums import (
    CoreArchetype,
    Directness,
    EmojiFreq,
    ExtractedFrom,
    FollowupRate,
    FriendEnergy,
    HumorMode,
    Length,
    LexiconBias,
    MemoryStatus,
    Pipeline,
    ReplyOrigin,
    SafetyPolicy,
)
from chingoo.model.people import Assignment, ComboKey, Memory, StableStyleParams, Window
from chingoo.model.turn import (
    Admission,
    Admitted,
    DecisionRow,
    Known,
    ReplyRow,
    Settlement,
    SettleOutcome,
    TurnRequest,
)
from chingoo.ports.machine import Ids
from chingoo.ports.people import AnswersPatch
from chingoo.ports.store import Store

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

ANSWERS: Mapping[str, str] = {
    "preferred_name": "Sam",
    "age_band": "25-34",
    "country_or_region": "US",
    "occupation_category": "working",
    "client_timezone": "UTC",
}
REQUIRED = tuple(ANSWERS)
DAY = timedelta(hours=24)

ASSIGNMENT = Assignment(
    persona_template_id="PT01",
    persona_seed=7,
    stable_style_params=StableStyleParams(
        msg_length_pref=Length.SHORT,
        emoji_freq=EmojiFreq.LIGHT,
        humor_mode=HumorMode.DEADPAN,
        directness_level=Directness.BALANCED,
        followup_question_rate=FollowupRate.LOW,
        lexicon_bias=LexiconBias.CLEAN,
        punctuation_quirks=1,
    ),
    combo_key=ComboKey(CoreArchetype.CALM_LISTENER, HumorMode.DEADPAN, FriendEnergy.PASSIVE),
    fallback=False,
)


def assign(_: Window) -> Assignment:
    """The same persona, whatever the window."""
    return ASSIGNMENT


@dataclass(frozen=True, slots=True)
class Scene:
    """One person, one friend, their conversation, and the store that holds them."""

    store: Store
    ids: Ids
    user_id: UUID
    ai_friend_id: UUID
    conversation_id: UUID

    def request(self, text: str = "there is a blue chair", **changes: Any) -> TurnRequest:
        """A message of the person."""
        given: dict[str, Any] = {
            "message_id": self.ids.uuid(),
            "user_id": self.user_id,
            "ai_friend_id": self.ai_friend_id,
            "conversation_id": self.conversation_id,
            "text": text,
            "received_at": START,
        }
        return TurnRequest(**(given | changes))

    async def admit(self, request: TurnRequest, lease_seconds: float = 60.0, **changes: Any) -> tuple[Admitted, UUID]:
        """Bring the message to the door; what became of it, and the token."""
        admission = Admission(request, self.ids.uuid(), lease_seconds, REQUIRED, history_limit=40, reply_window=20)
        admission = replace(admission, **changes)
        return await self.store.admit(admission), admission.lease_token

    def settlement(self, request: TurnRequest, known: Known, token: UUID, **changes: Any) -> Settlement:
        """What an ordinary answer to the message leaves."""
        ordinary = Settlement(
            request=request,
            received_at=known.received_at,
            lease_token=token,
            mem_version=known.user.mem_version,
            reply=ReplyRow(self.ids.uuid(), f"About that: {request.text}", ReplyOrigin.LLM, rewritten=False),
            answer={"message_id": str(request.message_id), "replayed": False},
            decision=DecisionRow(
                decision_id=self.ids.uuid(),
                trace_id=self.ids.uuid(),
                pipeline=Pipeline.FRIEND_CHAT,
                safety_policy=SafetyPolicy.ALLOW,
                rules=("routing.default",),
                digest="digest",
                facts_record={"sexual": 0, "age_band": "25-34", "is_question": False},
                spans=(("policies/topics.yaml:12", 0, 5),),
                timings_ms={"decide": 0.2},
                language="en",
            ),
            relationship=replace(
                known.relationship,
                rapport_score=min(100, known.relationship.rapport_score + 1),
                last_interaction_at=known.received_at,
                last_user_message_at=known.received_at,
            ),
        )
        return replace(ordinary, **changes)

    async def say(self, text: str = "there is a blue chair", **changes: Any) -> tuple[TurnRequest, Known]:
        """A whole turn: admitted and settled."""
        asked = {name: changes.pop(name) for name in ("message_id", "received_at", "mode", "source") if name in changes}
        request = self.request(text, **asked)
        admitted, token = await self.admit(request)
        if admitted.known is None:
            raise AssertionError(f"not admitted: {admitted.outcome}")
        outcome = await self.store.settle(self.settlement(request, admitted.known, token, **changes))
        if outcome is not SettleOutcome.SETTLED:
            raise AssertionError(f"not settled: {outcome}")
        return request, admitted.known

    def memory(self, key: str = "fact:home_city", value: str = "Porto", **changes: Any) -> Memory:
        """Something remembered of the person."""
        remembered = Memory(
            memory_id=self.ids.uuid(),
            user_id=self.user_id,
            ai_friend_id=self.ai_friend_id,
            type="FACT",
            memory_key=key,
            memory_value=value,
            confidence=0.6,
            status=MemoryStatus.ACTIVE,
            extracted_from=ExtractedFrom.HEURISTIC,
            created_at=START,
            last_confirmed_at=START,
            evidence_message_ids=(self.ids.uuid(),),
        )
        return replace(remembered, **changes)


async def meet(
    store: Store, ids: Ids, *, active: bool = True, answers: Mapping[str, str] = ANSWERS, **friend: Any
) -> Scene:
    """A person with all answers and a friend; ACTIVE after a first, settled turn unless `active` is False."""
    user_id = ids.uuid()
    await store.create_user(user_id, START)
    await store.patch_onboarding(user_id, AnswersPatch(answers), START)
    scene = await befriend(store, ids, user_id, **friend)
    if active:
        await scene.say("hello", received_at=START - timedelta(days=1))
    return scene


async def befriend(store: Store, ids: Ids, user_id: UUID, assigned_at: datetime = START) -> Scene:
    """A further friend of a person."""
    friend, _ = await store.create_friend(user_id, ids.uuid(), ids.uuid(), "Nabi", assigned_at, REQUIRED, DAY, assign)
    return Scene(store, ids, user_id, friend.ai_friend_id, friend.conversation_id)
