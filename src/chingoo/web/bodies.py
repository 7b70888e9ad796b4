"""What clients send in a body: strict structs. Unknown fields and coerced types are refused."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from chingoo.model.enums import (
    Directness,
    EmojiFreq,
    FollowupRate,
    HumorMode,
    IntimatePersona,
    Length,
    LexiconBias,
    Mode,
    RelationshipStage,
    ReplyOrigin,
    Role,
    Source,
    TopicID,
    UserState,
)
from chingoo.model.policies import Verdict
from chingoo.model.reviews import ReviewVerdict
from chingoo.web.choices import AgeAnswer, AgeGiven, Country, Digest, Instant, Locale, Zone
from chingoo.web.texts import (
    EarlierReply,
    EarlierText,
    MemoryValue,
    MessageText,
    Note,
    PersonName,
    PlainText,
    Reason,
    ReplyText,
    SpokenText,
)


class Occupation(StrEnum):
    """What a person does (ONB-05)."""

    STUDENT = "student"
    WORKING = "working"
    BETWEEN_JOBS = "between_jobs"
    OTHER = "other"


Seed = Annotated[int, Meta(ge=0, le=2**32 - 1, description="0 to 2³²−1 (PERS-11)")]
Topics = Annotated[list[TopicID], Meta(max_length=100)]


class Body(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Base of all bodies and queries."""


class Nothing(Body):
    """A body or query without fields."""


class NewUser(Body):
    """`user_id` may be the client's own; the same one again changes nothing."""

    user_id: UUID | None = None


class Onboarding(Body):
    """Any subset of the answers (ONB-05). `null` clears an answer before the user is ACTIVE, and is 409 after."""

    preferred_name: PersonName | UnsetType | None = UNSET
    age_band: AgeAnswer | UnsetType | None = UNSET
    country_or_region: Country | UnsetType | None = UNSET
    occupation_category: Occupation | UnsetType | None = UNSET
    client_timezone: Zone | UnsetType | None = UNSET
    proactive_messages_enabled: bool | UnsetType = UNSET
    suppressed_topics: Topics | UnsetType = UNSET


class NewFriend(Body):
    """A friend to be assigned. `assigned_at` is the instant the anti-cloning window looks back from."""

    ai_friend_id: UUID | None = None
    name: PersonName | None = None
    persona_seed: Seed | None = None
    assigned_at: Instant | None = None


class ControlsChange(Body):
    """Any subset of the controls (TURN-08). Only `mute_until` may be null."""

    proactive_messages_enabled: bool | UnsetType = UNSET
    mute_until: Instant | UnsetType | None = UNSET
    suppressed_topics: Topics | UnsetType = UNSET
    suppressed_memory_keys: Annotated[list[PlainText], Meta(max_length=1000)] | UnsetType = UNSET
    intimate_mode: bool | UnsetType = UNSET
    intimate_persona: IntimatePersona | UnsetType = UNSET
    now: Instant | None = None


class Turn(Body):
    """One message of the user. `message_id` is the idempotency key (LIFE-01)."""

    message_id: UUID
    user_id: UUID
    ai_friend_id: UUID
    conversation_id: UUID
    text: MessageText
    mode: Mode = Mode.FRIEND
    client_locale: Locale | None = None
    client_timezone: Zone | None = None
    received_at: Instant | None = None


class Earlier(Body):
    """An earlier message of the conversation."""

    role: Role
    text: EarlierText


class Evaluation(Body):
    """What to decide upon. Only `text` is required: the rest is an ACTIVE friend-mode user of unknown age."""

    text: SpokenText
    user_state: UserState = UserState.ACTIVE
    age_band: AgeGiven | None = None
    mode: Mode = Mode.FRIEND
    source: Source = Source.CHAT
    country: Country | None = None
    client_locale: Locale | None = None
    client_timezone: Zone | None = None
    history: Annotated[list[Earlier], Meta(max_length=200, description="oldest first, without the message")] = []
    suppressed_topics: Topics = []
    persona_template_id: PlainText | None = None
    received_at: Instant | None = None
    explain: bool = False


class Style(Body):
    """The friend's frozen style (TURN-05); what is left out comes from the template, else its gates are skipped."""

    msg_length_pref: Length | UnsetType = UNSET
    emoji_freq: EmojiFreq | UnsetType = UNSET
    humor_mode: HumorMode | UnsetType = UNSET
    directness_level: Directness | UnsetType = UNSET
    followup_question_rate: FollowupRate | UnsetType = UNSET
    lexicon_bias: LexiconBias | UnsetType = UNSET
    punctuation_quirks: Annotated[int, Meta(ge=0, le=2)] | UnsetType = UNSET


class SurfacedMemory(Body):
    """A memory that the reply mentions."""

    memory_id: UUID
    memory_key: PlainText


class ReplyCheck(Body):
    """A reply and what the gates judge it by. Only `reply` is required."""

    reply: ReplyText
    user_text: EarlierText | UnsetType = UNSET
    persona_template_id: PlainText | None = None
    stable_style_params: Style | None = None
    relationship_stage: RelationshipStage = RelationshipStage.STRANGER
    mode: Mode = Mode.FRIEND
    origin: ReplyOrigin = ReplyOrigin.LLM
    suppressed_topics: Topics = []
    previous_replies: Annotated[list[EarlierReply], Meta(max_length=100, description="oldest first")] = []
    surfaced_memories: Annotated[list[SurfacedMemory], Meta(max_length=100)] = []
    source: Source = Source.CHAT


class JobRun(Body):
    """As of which instant, and for whom (default: now, everybody)."""

    now: Instant | None = None
    user_ids: Annotated[list[UUID], Meta(max_length=1000)] | None = None


class PolicyReload(Body):
    """Why, for the history."""

    reason: Reason | None = None


class PolicyActivation(Body):
    """Which stored bundle is to be in force, and why."""

    digest: Digest
    reason: Reason


class VerdictGiven(Body):
    """What an editor says of a decision. A later verdict replaces an earlier one."""

    verdict: Verdict
    note: Note | None = None


class ReviewGiven(Body):
    """What an editor says of a memory that a batch made. A later verdict replaces an earlier one."""

    verdict: ReviewVerdict
    note: Note | None = None
    example: Note | None = None


class AsOf(Body):
    """As of which instant (default: now)."""

    now: Instant | None = None


class MemoryCorrection(Body):
    """The value that is right, in the form of the memory's family."""

    memory_value: MemoryValue
    now: Instant | None = None
