"""Users, their answers and controls, friends, relationships, messages and memories, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

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


@dataclass(frozen=True, slots=True)
class Answers:
    """The onboarding answers; None is "not answered yet" (ONB-05). The two with defaults live in Controls."""

    preferred_name: str | None = None
    age_band: AgeBand | None = None
    country_or_region: str | None = None
    occupation_category: str | None = None
    client_timezone: str | None = None


@dataclass(frozen=True, slots=True)
class User:
    """A user. `safety_age_band` is the effective band for safety: only ever lowered, but for an operator (S-15)."""

    user_id: UUID
    state: UserState
    answers: Answers
    safety_age_band: AgeBand
    mem_version: int
    claimed_under_13: bool = False


@dataclass(frozen=True, slots=True)
class Controls:
    """What the person switched (TURN-08). `intimate_mode` is for adults only."""

    proactive_messages_enabled: bool = False
    mute_until: datetime | None = None
    suppressed_topics: tuple[TopicID, ...] = ()
    suppressed_memory_keys: tuple[str, ...] = ()
    intimate_mode: bool = False
    intimate_persona: IntimatePersona = IntimatePersona.CARING


@dataclass(frozen=True, slots=True)
class StableStyleParams:
    """The friend's frozen style (TURN-05)."""

    msg_length_pref: Length
    emoji_freq: EmojiFreq
    humor_mode: HumorMode
    directness_level: Directness
    followup_question_rate: FollowupRate
    lexicon_bias: LexiconBias
    punctuation_quirks: int


@dataclass(frozen=True, slots=True)
class ComboKey:
    """What the anti-cloning cap counts (PERS-12), after mutation."""

    core_archetype: CoreArchetype
    humor_mode: HumorMode
    friend_energy: FriendEnergy

    def __str__(self) -> str:
        return f"{self.core_archetype}|{self.humor_mode}|{self.friend_energy}"


@dataclass(frozen=True, slots=True)
class Assignment:
    """One persona assignment (PERS-11). `fallback`: the cap could not be kept (PERS-16)."""

    persona_template_id: str
    persona_seed: int
    stable_style_params: StableStyleParams
    combo_key: ComboKey
    fallback: bool


@dataclass(frozen=True, slots=True)
class Spending:
    """What a user's model calls cost in the hours asked for, and in how many seconds the first of them drops out."""

    usd: float
    eases_in_s: float


@dataclass(frozen=True, slots=True)
class LaterAssignment:
    """An assignment whose window a late arrival falls into: what stood before it already, in all and of its key."""

    combo_key: str
    total: int
    taken: int


@dataclass(frozen=True, slots=True)
class Window:
    """Assignments in [at − window, at): the total, and the count per `str(ComboKey)` (PERS-13).

    `later` are the assignments in (at, at + window] that kept the cap; empty unless this one arrives late. Of those
    with the same key and `taken`, the one with the smallest total is enough.
    """

    total: int
    by_combo: Mapping[str, int]
    later: tuple[LaterAssignment, ...] = ()


@dataclass(frozen=True, slots=True)
class Friend:
    """An AI friend of one user."""

    user_id: UUID
    ai_friend_id: UUID
    conversation_id: UUID
    name: str | None
    assignment: Assignment
    assigned_at: datetime


@dataclass(frozen=True, slots=True)
class Relationship:
    """RelationshipState (TURN-06), and what its rules need to go on.

    `session_disengaged` counts disengaged replies of the running session (C-30). Sessions are measured from
    `last_user_message_at` (C-80); `last_interaction_at` is also set by activation (ONB-11).
    """

    relationship_stage: RelationshipStage = RelationshipStage.STRANGER
    rapport_score: int = 0
    sessions_count: int = 0
    last_interaction_at: datetime | None = None
    last_session_at: datetime | None = None
    last_stage_promotion_at: datetime | None = None
    last_user_message_at: datetime | None = None
    last_decay_at: datetime | None = None
    session_disengaged: int = 0


@dataclass(frozen=True, slots=True)
class DisclosureState:
    """When this friend last told this user what it is, and since when use has gone on without a long break."""

    last_disclosed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message of the history. `text` is None once forgotten. `origin` only for the assistant's."""

    message_id: UUID
    role: Role
    mode: Mode
    text: str | None
    created_at: datetime
    origin: ReplyOrigin | None = None
    surfaced_memory_ids: tuple[UUID, ...] = ()
    extracted_memory_candidate_ids: tuple[UUID, ...] = ()
    is_forgotten: bool = False


@dataclass(frozen=True, slots=True)
class Memory:
    """One remembered thing (TURN-07, C-73). `forget_at`: the person had it forgotten, and then it is erased (C-68)."""

    memory_id: UUID
    user_id: UUID
    ai_friend_id: UUID
    type: str
    memory_key: str
    memory_value: str
    confidence: float
    status: MemoryStatus
    extracted_from: ExtractedFrom
    created_at: datetime
    last_confirmed_at: datetime
    evidence_message_ids: tuple[UUID, ...] = ()
    context_message_ids: tuple[UUID, ...] = ()
    superseded_by: UUID | None = None
    invalid_reason: str | None = None
    is_disputed: bool = False
    expires_at: datetime | None = None
    forget_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """One row of a net change set: each memory at most once (architecture, "What holds in SQL").

    `op` is "insert" (the whole row is new) or "update" (the row exists; all mutable columns take these values).
    """

    op: str
    memory: Memory
