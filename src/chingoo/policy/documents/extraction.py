"""policies/extraction.yaml: when a model looks for memories, and what it is told (MEM-07, BATCH-04)."""

from dataclasses import dataclass

from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class ExtractionGate:
    """Which messages a model looks at, beside long ones (MEM-07): of strong feeling, or saying a key again."""

    place: Place
    feeling_from: float
    feelings: tuple[str, ...]
    again_within_days: int


@dataclass(frozen=True, slots=True)
class BatchTrust:
    """Batches stop where more than this share of what they learned, if it is so much, was corrected (CORR-15)."""

    place: Place
    days: int
    memories: int
    wrong_share: float


@dataclass(frozen=True, slots=True)
class ExtractionReview:
    """How much of what batches learn people look at, and what follows from their verdicts (BATCH-13).

    The verdicts of `days` count, and as many before them as make `verdicts`; fewer say nothing. Another prompt or model
    begins anew.
    """

    place: Place
    seed: str
    days: int
    verdicts: int
    launch_share: float
    steady_share: float
    steady_below: float
    pause_above: float


@dataclass(frozen=True, slots=True)
class ExtractionBatch:
    """Whether and when the job lets a model look at messages, and at how many (BATCH-02, BATCH-03).

    After each answer that cannot be read a batch is half as long; the message that is left alone in it is passed over
    after so many of them in a row.
    """

    place: Place
    on: bool
    silent_minutes: int
    waiting_messages: int
    waiting_minutes: int
    apart_minutes: int
    most_messages: int
    unreadable_tries: int
    at_a_time: int
    trust: BatchTrust
    review: ExtractionReview


@dataclass(frozen=True, slots=True)
class ExtractionPrompt:
    """The texts of the call, and how much of what is known and was said it shows (BATCH-04)."""

    place: Place
    system: str
    user: str
    family: str
    free_part: str
    month_part: str
    plain_value: str
    record: str
    person: str
    friend: str
    nothing: str
    messages: int
    message_characters: int
    records: int


@dataclass(frozen=True, slots=True)
class ExtractionDocument:
    """The gate and the words. A finished reply waits `wait_seconds` for the model's answer (LIFE-14).

    Of an answer the first `most_changes` count, and values of up to `longest_value` characters.
    """

    place: Place
    gate: ExtractionGate
    wait_seconds: float
    most_changes: int
    longest_value: int
    batch: ExtractionBatch
    prompt: ExtractionPrompt
