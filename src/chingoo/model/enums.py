"""The closed vocabularies of the specification, spelled as on the wire, in YAML and in the tables."""

from enum import StrEnum


class UserState(StrEnum):
    """Where a user stands between sign-up and chat (ONB-01…04)."""

    CREATED = "CREATED"
    ONBOARDING = "ONBOARDING"
    ACTIVE = "ACTIVE"


class Source(StrEnum):
    """Who started the turn (TURN-01)."""

    CHAT = "chat"
    RETENTION = "retention"


class Mode(StrEnum):
    """The register of a message: the friend, or the opt-in, adults-only, non-explicit intimate voice."""

    FRIEND = "friend"
    INTIMATE = "intimate"


class AgeBand(StrEnum):
    """Canonical age bands with an ASCII hyphen (C-75); UNKNOWN is never an answer, only its absence."""

    B13_17 = "13-17"
    B18_24 = "18-24"
    B25_34 = "25-34"
    B35_44 = "35-44"
    B45_UP = "45+"
    UNKNOWN = "unknown"

    @property
    def is_adult(self) -> bool:
        """True for a known adult band; unknown age counts as a minor wherever age matters (SAFE-07)."""
        return self not in (AgeBand.B13_17, AgeBand.UNKNOWN)


class Pipeline(StrEnum):
    """What kind of turn this is (TURN-02)."""

    ONBOARDING_CHAT = "ONBOARDING_CHAT"
    FRIEND_CHAT = "FRIEND_CHAT"
    EMOTIONAL_SUPPORT = "EMOTIONAL_SUPPORT"
    INFO_QA = "INFO_QA"
    REFUSAL = "REFUSAL"


class SafetyPolicy(StrEnum):
    """How the turn stands to safety (TURN-02)."""

    ALLOW = "ALLOW"
    SOFT_REFUSE = "SOFT_REFUSE"
    HARD_REFUSE = "HARD_REFUSE"


class MemoryReadPolicy(StrEnum):
    """How much of what is known may be read (TURN-02)."""

    NONE = "NONE"
    LIGHT = "LIGHT"
    FULL = "FULL"


class VectorSearchPolicy(StrEnum):
    """Whether similarity search may run; ALWAYS does not exist (TURN-03)."""

    OFF = "OFF"
    ON_DEMAND = "ON_DEMAND"


class MemoryWritePolicy(StrEnum):
    """Whether the turn may write memories (TURN-02)."""

    NONE = "NONE"
    SELECTIVE = "SELECTIVE"


class Switch(StrEnum):
    """ON or OFF, of `relationship_update_policy` (TURN-02)."""

    ON = "ON"
    OFF = "OFF"


class TopicID(StrEnum):
    """The nineteen topics; every control and taboo list uses these ids (TOPIC-01)."""

    POLITICS = "POLITICS"
    RELIGION = "RELIGION"
    SEXUAL_CONTENT = "SEXUAL_CONTENT"
    SEXUAL_JOKES = "SEXUAL_JOKES"
    MENTAL_HEALTH = "MENTAL_HEALTH"
    SELF_HARM = "SELF_HARM"
    SUBSTANCES = "SUBSTANCES"
    GAMBLING = "GAMBLING"
    VIOLENCE = "VIOLENCE"
    ILLEGAL_ACTIVITY = "ILLEGAL_ACTIVITY"
    HATE_HARASSMENT = "HATE_HARASSMENT"
    MEDICAL_HEALTH = "MEDICAL_HEALTH"
    PERSONAL_FINANCE = "PERSONAL_FINANCE"
    RELATIONSHIPS = "RELATIONSHIPS"
    FAMILY = "FAMILY"
    WORK_SCHOOL = "WORK_SCHOOL"
    TRAVEL = "TRAVEL"
    ENTERTAINMENT = "ENTERTAINMENT"
    TECH_GAMING = "TECH_GAMING"


class CrisisLevel(StrEnum):
    """How a crisis was seen: one phrase, words in context, or somebody else at risk."""

    HIGH_RISK = "HIGH_RISK"
    CONTEXT = "CONTEXT"
    THIRD_PARTY = "THIRD_PARTY"


class Role(StrEnum):
    """Who said a message."""

    USER = "user"
    ASSISTANT = "assistant"


class ReplyOrigin(StrEnum):
    """Where a reply's words come from: a model, policy, a fallback, or the offline composer."""

    LLM = "llm"
    FIXED = "fixed"
    SAFE = "safe"
    OFFLINE = "offline"


class Language(StrEnum):
    """Languages with fixed replies (S-30). Detection may also say `arabizi` or `other`, which are no Language."""

    EN = "en"
    KO = "ko"
    RU = "ru"
    AR = "ar"
    ES = "es"
    FR = "fr"
    DE = "de"
    IT = "it"


class RelationshipStage(StrEnum):
    """How close the two are (TURN-06); only ever moves forward, one step at a time."""

    STRANGER = "STRANGER"
    ACQUAINTANCE = "ACQUAINTANCE"
    FRIEND = "FRIEND"
    CLOSE_FRIEND = "CLOSE_FRIEND"


class CoreArchetype(StrEnum):
    """The ten archetypes of the persona library (PERS-02)."""

    CALM_LISTENER = "Calm Listener"
    WARM_CAREGIVER = "Warm Caregiver"
    BLUNT_HONEST = "Blunt Honest"
    DRY_HUMOR = "Dry Humor"
    PLAYFUL_TEASE = "Playful Tease"
    CHAOTIC_INTERNET_FRIEND = "Chaotic Internet Friend"
    GENTLE_COACH = "Gentle Coach"
    SOFT_NERD = "Soft Nerd"
    HYPE_BESTIE = "Hype Bestie"
    LOW_KEY_COMPANION = "Low-Key Companion"


class Length(StrEnum):
    """`msg_length_pref` and `sentence_length_bias` (TURN-04, TURN-05)."""

    SHORT = "short"
    MEDIUM = "medium"
    LONG = "long"


class EmojiFreq(StrEnum):
    """`emoji_freq` and `emoji_usage`."""

    NONE = "none"
    LIGHT = "light"
    FREQUENT = "frequent"


class HumorMode(StrEnum):
    """`humor_mode`."""

    NONE = "none"
    LIGHT_SARCASM = "light_sarcasm"
    FREQUENT_JOKES = "frequent_jokes"
    DEADPAN = "deadpan"


class Directness(StrEnum):
    """`directness_level`."""

    SOFT = "soft"
    BALANCED = "balanced"
    BLUNT = "blunt"


class FollowupRate(StrEnum):
    """`followup_question_rate`."""

    LOW = "low"
    MEDIUM = "medium"


class LexiconBias(StrEnum):
    """`lexicon_bias` and `language_cleanliness`."""

    CLEAN = "clean"
    SLANG = "slang"
    INTERNET_SHORTHAND = "internet_shorthand"


class FriendEnergy(StrEnum):
    """`friend_energy`."""

    PASSIVE = "passive"
    BALANCED = "balanced"
    PROACTIVE = "proactive"


class EmotionalLevel(StrEnum):
    """`emotional_expression_level`."""

    RESTRAINED = "restrained"
    NORMAL = "normal"
    EXPRESSIVE = "expressive"


class IntimatePersona(StrEnum):
    """The four voices of intimate mode (PERS-19)."""

    PLAYFUL = "playful"
    DOMINANT = "dominant"
    SHY = "shy"
    CARING = "caring"


class MemoryStatus(StrEnum):
    """Life of a memory (TURN-07, C-73)."""

    ACTIVE = "ACTIVE"
    SUPERSEDED = "SUPERSEDED"
    INVALID = "INVALID"
    EXPIRED = "EXPIRED"


class ExtractedFrom(StrEnum):
    """How a memory was learned (UK-16)."""

    ONBOARDING = "onboarding"
    INSTANT_PATTERN = "instant_pattern"
    HEURISTIC = "heuristic"
    RELATION = "relation"
    LLM = "llm"
    BATCH = "batch"
    EXPLICIT_INPUT = "explicit_input"
