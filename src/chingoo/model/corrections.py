"""The closed vocabularies of correcting memories and of asking about them, as on the wire and in the tables."""

from enum import StrEnum


class InvalidReason(StrEnum):
    """Why a memory is INVALID (CORR-08): denied or no longer wanted in chat, deleted, or its message was forgotten."""

    DENIED = "denied"
    FORGOTTEN = "forgotten"
    DELETED = "deleted"
    MESSAGE_FORGOTTEN = "message_forgotten"


class CorrectionType(StrEnum):
    """What was wrong with a memory (CORR-13)."""

    USER_DENIED = "user_denied"
    WRONG_SUBJECT = "wrong_subject"
    OUTDATED = "outdated"
    AMBIGUOUS = "ambiguous"


class Heeded(StrEnum):
    """What a correction led to, as the reply should take it up (CORR-12)."""

    DENIED = "denied"
    DISPUTED = "disputed"
    UNCLEAR = "unclear"
    REPLACED = "replaced"
    CONFIRMED = "confirmed"
    FORGOTTEN = "forgotten"
    NOTHING_TO_FORGET = "nothing_to_forget"
    REMEMBERED = "remembered"
    ALLOWED = "allowed"
    TOPIC_CLOSED = "topic_closed"
    TOPIC_UNCLEAR = "topic_unclear"


class MemoryAnswer(StrEnum):
    """What is answered about memories in fixed words, and never by a model (S-17, C-25)."""

    EVERYTHING_ASKED = "everything_asked"
    EVERYTHING_FORGOTTEN = "everything_forgotten"
    CONSENT_ASKED = "consent_asked"
    KNOWN_ASKED = "known_asked"
    SOURCE_ASKED = "source_asked"


class ToldOfMemory(StrEnum):
    """The parts that such an answer is put together from, beside a line for each memory."""

    KNOWN_NOTHING = "known_nothing"
    KNOWN_MORE = "known_more"
    SOURCE_NOTHING = "source_nothing"
    SOURCE_ANSWERS = "source_answers"
    SOURCE_ELSEWHERE = "source_elsewhere"
    SOURCE_LINE = "source_line"
