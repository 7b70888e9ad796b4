"""policies/gates.yaml: what a reply may not say or be, in the order in which it matters (§14)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from chingoo.model.enums import (
    EmojiFreq,
    FollowupRate,
    Language,
    Length,
    RelationshipStage,
    ReplyOrigin,
    TopicID,
)
from chingoo.policy.documents.base import Place, Sight, WordList
from chingoo.policy.documents.planning import Tone


class GateID(StrEnum):
    """The fifteen gates, as the API names them."""

    SAFETY = "safety"
    EMOJI_BAND = "emoji_band"
    SENTENCE_BAND = "sentence_band"
    LEXICON = "lexicon"
    PUNCTUATION_QUIRKS = "punctuation_quirks"
    INTIMACY_CAP = "intimacy_cap"
    OPENER_REPEAT = "opener_repeat"
    SIMILARITY = "similarity"
    PERSONAL_FACTS = "personal_facts"
    SENSITIVE_MEMORY = "sensitive_memory"
    TABOO_TOPIC = "taboo_topic"
    DEPENDENCY = "dependency"
    AI_DENIAL = "ai_denial"
    LEAKED_MECHANICS = "leaked_mechanics"
    FOLLOWUP_RATE = "followup_rate"


@dataclass(frozen=True, slots=True)
class GateRule:
    """One gate: what a violation is called, and what the rewrite is asked for. `{measured}` and `{allowed}` are filled.

    `exempt` names origins of replies that the gate lets pass (C-26, C-27, C-78).
    """

    place: Place
    id: GateID
    detail: str
    rewrite: str
    exempt: tuple[ReplyOrigin, ...] = ()


@dataclass(frozen=True, slots=True)
class CountBand:
    """From `min` to `max`, both allowed."""

    place: Place
    min: int
    max: int


@dataclass(frozen=True, slots=True)
class SentenceBand:
    """Sentences, and words a sentence on average, each from its `min` to its `max`; an open end is empty (GATE-12)."""

    place: Place
    min_sentences: int
    max_sentences: int
    min_words: float | None = None
    max_words: float | None = None


@dataclass(frozen=True, slots=True)
class Repetition:
    """Openers and similarity are compared with the last `window` replies (GATE-08, GATE-09)."""

    place: Place
    window: int
    similarity_from: float


@dataclass(frozen=True, slots=True)
class FactLimit:
    """Most distinct memories one reply may show, in chat and in a proactive message (GATE-05, GATE-06)."""

    place: Place
    chat: int
    retention: int


@dataclass(frozen=True, slots=True)
class SensitiveKey:
    """Memories whose key begins with `prefix` belong to a sensitive topic (SAFE-11)."""

    place: Place
    prefix: str
    topic: TopicID


@dataclass(frozen=True, slots=True)
class SensitiveMemories:
    """What is sensitive in chat, and the only keys a proactive message may use (MEM-14)."""

    place: Place
    keys: tuple[SensitiveKey, ...]
    retention_prefixes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LexiconLimits:
    """Lists that make slang and shorthand; `slang_per_sentence` bounds a slang friend (C-72)."""

    place: Place
    slang: tuple[str, ...]
    shorthand: tuple[str, ...]
    slang_per_sentence: int


@dataclass(frozen=True, slots=True)
class Replacement:
    """A pattern, and what stands in its place afterwards."""

    place: Place
    pattern: str
    replace: str


@dataclass(frozen=True, slots=True)
class Quirk:
    """A named punctuation habit: how it is seen, and how a repair takes it out (no repairs: only a rewrite helps)."""

    place: Place
    pattern: str
    repairs: tuple[Replacement, ...] = ()
    note: str | None = None


@dataclass(frozen=True, slots=True)
class IntimacyLevel:
    """Words that need closeness: from which stage on, in each mode; empty means at no stage (REL-14)."""

    place: Place
    id: str
    seen: Sight
    friend_from: RelationshipStage | None = None
    intimate_from: RelationshipStage | None = None


@dataclass(frozen=True, slots=True)
class QuestionWindow:
    """At most `questions` in the last `replies` replies, the one being judged included (C-72)."""

    place: Place
    questions: int
    replies: int


@dataclass(frozen=True, slots=True)
class QuestionLimits:
    """Follow-up questions: by the friend's rate, and never more than `per_reply` in one reply."""

    place: Place
    per_reply: int
    by_rate: Mapping[FollowupRate, QuestionWindow]


@dataclass(frozen=True, slots=True)
class Leak:
    """Inner mechanics that no reply may show (C-69): a pattern over the reply as written, or a sight over lists.

    A pattern may ask for names of the policies in braces (`engine.own_names`), and is only tried where the reply has
    one of the characters it `needs`. `echo_allowed`: what it finds is fine where the user wrote the very same.
    `repair`: cut what the pattern finds, drop the whole sentence, or leave it to the rewrite.
    """

    place: Place
    id: str
    repair: Literal["cut", "drop_sentence", "none"]
    pattern: str | None = None
    seen: Sight | None = None
    needs: str | None = None
    echo_allowed: bool = False


@dataclass(frozen=True, slots=True)
class LogFormPattern:
    """A regular expression over the log form of a reply, where punctuation matters."""

    place: Place
    pattern: str


@dataclass(frozen=True, slots=True)
class SeenAs:
    """Something a reply may not be: a sight over lists, or one of the patterns.

    With `after_goodbye`, only in answer to a closing goodbye, where else harmless words would hold somebody back; with
    `when_asked`, only in answer to the question whether the friend is an AI.
    """

    place: Place
    id: str
    seen: Sight | None = None
    patterns: tuple[LogFormPattern, ...] = ()
    after_goodbye: bool = False
    when_asked: bool = False


@dataclass(frozen=True, slots=True)
class Goodbyes:
    """A goodbye is answered with `closing` words or, where nothing is asked, with a `kind` wish at least."""

    place: Place
    id: str
    closing: Sight
    kind: Sight


@dataclass(frozen=True, slots=True)
class TopicMentions:
    """How many distinct words of a guarded topic make a mention; `everyday` words never do so alone."""

    place: Place
    words: int
    everyday: str


@dataclass(frozen=True, slots=True)
class Repairs:
    """What repairs and the composer take from: quiet emoji, and the tones in which only those are used."""

    place: Place
    emoji: tuple[str, ...]
    quiet_tones: tuple[Tone, ...]


@dataclass(frozen=True, slots=True)
class ShownTexts:
    """How numbers are put into the texts of gates; `names` says what each measure counts."""

    place: Place
    between: str
    at_least: str
    at_most: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GatesDocument:
    """All gates; `order` is their priority, the most important first (C-28).

    `unsaid` is what a reply is called that was asked whether it is an AI, and neither denies it nor says so.
    """

    place: Place
    order: tuple[GateRule, ...]
    shown: ShownTexts
    emoji: Mapping[EmojiFreq, CountBand]
    sentences: Mapping[Length, SentenceBand]
    retention_sentences: SentenceBand
    lower_bound_share: Mapping[Language, float]
    repetition: Repetition
    personal_facts: FactLimit
    sensitive: SensitiveMemories
    lexicon: LexiconLimits
    quirks: Mapping[str, Quirk]
    intimacy: tuple[IntimacyLevel, ...]
    questions: QuestionLimits
    leaks: tuple[Leak, ...]
    topics: TopicMentions
    safety: tuple[SeenAs, ...]
    dependency: tuple[SeenAs, ...]
    goodbyes: Goodbyes
    ai_denial: tuple[SeenAs, ...]
    says_ai: Sight
    unsaid: str
    repairs: Repairs
    lists: Mapping[str, WordList]
