"""Users, friends, turns, histories and memories, as the API answers them."""

from datetime import datetime
from uuid import UUID

import msgspec

from chingoo.model.enums import (
    AgeBand,
    CoreArchetype,
    Directness,
    EmojiFreq,
    ExtractedFrom,
    FollowupRate,
    FriendEnergy,
    HumorMode,
    IntimatePersona,
    Length,
    LexiconBias,
    MemoryStatus,
    Mode,
    RelationshipStage,
    ReplyOrigin,
    Role,
    TopicID,
    UserState,
)
from chingoo.web.answers.engine import PolicyNamed, Routing, SignalsSeen


class ReplySaid(msgspec.Struct):
    """The friend's words. `surfaced_memory_ids` stand in the order of their first mention."""

    message_id: UUID
    text: str
    surfaced_memory_ids: list[UUID]
    origin: ReplyOrigin
    rewritten: bool


class Notice(msgspec.Struct):
    """What the client shows apart: it is not the friend who says it."""

    kind: str
    text: str


class RelationshipNow(msgspec.Struct):
    """The relationship after the turn; `delta` is the new score minus the old one."""

    relationship_stage: RelationshipStage
    rapport_score: int
    sessions_count: int
    delta: int


class MemoryNamed(msgspec.Struct):
    """A memory the turn changed."""

    memory_id: UUID
    memory_key: str
    memory_value: str


class MemoryChanges(msgspec.Struct):
    """What the turn did to memory."""

    created: list[MemoryNamed]
    confirmed: list[MemoryNamed]
    superseded: list[MemoryNamed]
    invalidated: list[MemoryNamed]
    disputed: list[MemoryNamed]


class TurnAnswer(msgspec.Struct):
    """A turn, answered. `reply` is null only while onboarding answers or the persona are missing."""

    trace_id: UUID
    message_id: UUID
    replayed: bool
    user_state: UserState
    routing: Routing
    signals: SignalsSeen
    missing_onboarding: list[str]
    reply: ReplySaid | None
    notices: list[Notice]
    relationship: RelationshipNow | None
    memory: MemoryChanges
    policy: PolicyNamed
    timings_ms: dict[str, float]


class PendingTurn(msgspec.Struct):
    """A message that is still being answered."""

    message_id: UUID
    status: str


class UserMade(msgspec.Struct):
    """A user, made or found."""

    user_id: UUID
    user_state: UserState


class ControlsNow(msgspec.Struct):
    """The controls in force (TURN-08)."""

    proactive_messages_enabled: bool
    mute_until: datetime | None
    suppressed_topics: list[TopicID]
    suppressed_memory_keys: list[str]
    intimate_mode: bool
    intimate_persona: IntimatePersona


class AnswersGiven(msgspec.Struct):
    """The onboarding answers; null is not answered yet. `age_band` is the effective one (S-15)."""

    preferred_name: str | None
    age_band: AgeBand | None
    country_or_region: str | None
    occupation_category: str | None
    client_timezone: str | None
    proactive_messages_enabled: bool
    suppressed_topics: list[TopicID]


class OnboardingNow(msgspec.Struct):
    """The answers, and the names of those that are missing."""

    answers: AnswersGiven
    missing: list[str]


class UserNow(msgspec.Struct):
    """A user."""

    user_id: UUID
    user_state: UserState
    onboarding: OnboardingNow
    controls: ControlsNow


class OnboardingTaken(msgspec.Struct):
    """Where the user stands after the answers."""

    user_state: UserState
    missing: list[str]


class StyleFrozen(msgspec.Struct):
    """The friend's frozen style (TURN-05)."""

    msg_length_pref: Length
    emoji_freq: EmojiFreq
    humor_mode: HumorMode
    directness_level: Directness
    followup_question_rate: FollowupRate
    lexicon_bias: LexiconBias
    punctuation_quirks: int


class Combo(msgspec.Struct):
    """What the anti-cloning cap counts (PERS-12)."""

    core_archetype: CoreArchetype
    humor_mode: HumorMode
    friend_energy: FriendEnergy


class FriendMade(msgspec.Struct):
    """A friend. `fallback`: the anti-cloning cap could not be kept (PERS-16)."""

    ai_friend_id: UUID
    conversation_id: UUID
    name: str | None
    persona_template_id: str
    persona_seed: int
    stable_style_params: StyleFrozen
    combo_key: Combo
    fallback: bool
    assigned_at: datetime


class RelationshipState(msgspec.Struct):
    """The relationship (TURN-06)."""

    relationship_stage: RelationshipStage
    rapport_score: int
    sessions_count: int
    last_interaction_at: datetime | None
    last_session_at: datetime | None
    last_stage_promotion_at: datetime | None


class FriendNow(FriendMade):
    """A friend and the relationship."""

    relationship: RelationshipState


class FriendList(msgspec.Struct):
    """All friends of a user, oldest first."""

    items: list[FriendNow]


class Message(msgspec.Struct):
    """A message of the history; `text` is null for a forgotten one."""

    message_id: UUID
    role: Role
    mode: Mode
    text: str | None
    created_at: datetime
    origin: ReplyOrigin | None
    surfaced_memory_ids: list[UUID]
    extracted_memory_candidate_ids: list[UUID]
    is_forgotten: bool


class MessagePage(msgspec.Struct):
    """A page, oldest first within it; `next` leads to older ones."""

    items: list[Message]
    next: str | None


class MemoryRecord(msgspec.Struct):
    """One remembered thing (TURN-07)."""

    memory_id: UUID
    ai_friend_id: UUID
    type: str
    memory_key: str
    memory_value: str
    confidence: float
    status: MemoryStatus
    superseded_by: UUID | None
    invalid_reason: str | None
    is_disputed: bool
    expires_at: datetime | None
    extracted_from: ExtractedFrom
    evidence_message_ids: list[UUID]
    context_message_ids: list[UUID]
    created_at: datetime
    last_confirmed_at: datetime


class MemoryList(msgspec.Struct):
    """The memories, oldest first."""

    items: list[MemoryRecord]
