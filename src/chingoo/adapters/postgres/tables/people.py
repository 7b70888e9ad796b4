"""Users, their controls, friends and relationships (ONB-05, TURN-05, TURN-06, TURN-08, PERS-11)."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    SmallInteger,
    Table,
    Text,
    Uuid,
    text,
)

from chingoo.adapters.postgres.tables.base import INSTANT, METADATA, NO, NO_TEXTS, TEXTS, all_of, key, word
from chingoo.model.enums import (
    AgeBand,
    CoreArchetype,
    Directness,
    EmojiFreq,
    FollowupRate,
    FriendEnergy,
    HumorMode,
    IntimatePersona,
    Length,
    LexiconBias,
    RelationshipStage,
    TopicID,
    UserState,
)

users = Table(
    "users",
    METADATA,
    key("user_id"),
    word("state", UserState, default=UserState.CREATED),
    Column("preferred_name", Text),
    word("age_band", AgeBand, null=True),
    Column("country_or_region", Text),
    Column("occupation_category", Text),
    Column("client_timezone", Text),
    word("safety_age_band", AgeBand, default=AgeBand.UNKNOWN),
    Column("claimed_under_13", Boolean, nullable=False, server_default=NO),
    Column("mem_version", BigInteger, nullable=False, server_default=text("0")),
    Column("created_at", INSTANT, nullable=False),
    CheckConstraint("age_band <> 'unknown'", name="age_band"),
    postgresql_with={"fillfactor": "80"},
)

controls = Table(
    "controls",
    METADATA,
    key("user_id"),
    # Null is "the person has not said": then on for adults, off for minors and while the age is unknown (ONB-05).
    Column("proactive_messages_enabled", Boolean),
    Column("mute_until", INSTANT),
    Column("suppressed_topics", TEXTS, nullable=False, server_default=NO_TEXTS),
    Column("suppressed_memory_keys", TEXTS, nullable=False, server_default=NO_TEXTS),
    Column("intimate_mode", Boolean, nullable=False, server_default=NO),
    word("intimate_persona", IntimatePersona, default=IntimatePersona.CARING),
    ForeignKeyConstraint(["user_id"], ["users.user_id"], ondelete="CASCADE"),
    all_of("suppressed_topics", TopicID),
)

friends = Table(
    "friends",
    METADATA,
    key("user_id"),
    key("ai_friend_id"),
    Column("conversation_id", Uuid, nullable=False),
    Column("name", Text),
    Column("persona_template_id", Text, nullable=False),
    Column("persona_seed", BigInteger, nullable=False),
    word("msg_length_pref", Length),
    word("emoji_freq", EmojiFreq),
    word("humor_mode", HumorMode),
    word("directness_level", Directness),
    word("followup_question_rate", FollowupRate),
    word("lexicon_bias", LexiconBias),
    Column("punctuation_quirks", SmallInteger, nullable=False),
    word("combo_archetype", CoreArchetype),
    word("combo_humor_mode", HumorMode),
    word("combo_energy", FriendEnergy),
    Column("fallback", Boolean, nullable=False),
    Column("assigned_at", INSTANT, nullable=False),
    Column("last_disclosed_at", INSTANT),
    ForeignKeyConstraint(["user_id"], ["users.user_id"], ondelete="CASCADE"),
    CheckConstraint("persona_seed between 0 and 4294967295", name="persona_seed"),
    CheckConstraint("punctuation_quirks between 0 and 2", name="punctuation_quirks"),
)

relationships = Table(
    "relationships",
    METADATA,
    key("user_id"),
    key("ai_friend_id"),
    word("relationship_stage", RelationshipStage, default=RelationshipStage.STRANGER),
    Column("rapport_score", SmallInteger, nullable=False, server_default=text("0")),
    Column("sessions_count", Integer, nullable=False, server_default=text("0")),
    Column("last_interaction_at", INSTANT),
    Column("last_session_at", INSTANT),
    Column("last_stage_promotion_at", INSTANT),
    Column("last_user_message_at", INSTANT),
    Column("last_decay_at", INSTANT),
    Column("session_disengaged", Integer, nullable=False, server_default=text("0")),
    ForeignKeyConstraint(["user_id", "ai_friend_id"], ["friends.user_id", "friends.ai_friend_id"], ondelete="CASCADE"),
    CheckConstraint("rapport_score between 0 and 100", name="rapport_score"),
    CheckConstraint("sessions_count >= 0", name="sessions_count"),
    CheckConstraint("session_disengaged >= 0", name="session_disengaged"),
    postgresql_with={"fillfactor": "80"},
)

# Whose conversation it is: a look-up for routes that name nothing else. No user leads here.
conversation_owners = Table(
    "conversation_owners",
    METADATA,
    key("conversation_id"),
    Column("user_id", Uuid, ForeignKey("users.user_id", ondelete="CASCADE"), nullable=False, index=True),
)
