"""Memories that batches made and people look at: what is drawn, and what they say of it (BATCH-13, TEL-12)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class ReviewVerdict(StrEnum):
    """What a reviewer says of a memory that a model made of somebody's words."""

    CORRECT = "correct"
    WRONG_SUBJECT = "wrong_subject"
    FALSE_FACT = "false_fact"
    MISSED_SARCASM = "missed_sarcasm"


@dataclass(frozen=True, slots=True)
class Sample:
    """A memory that is drawn. `revision` names the prompt and the model that made it; `language` is its evidence's."""

    memory_id: UUID
    language: str
    revision: str


@dataclass(frozen=True, slots=True)
class JudgedSample:
    """When a reviewer judged a sample, and whether it was wrong."""

    given_at: datetime
    wrong: bool


@dataclass(frozen=True, slots=True)
class Review:
    """What a reviewer says. `example` is a sentence of the reviewer's own that would be taken wrongly, or rightly."""

    verdict: ReviewVerdict
    note: str | None
    example: str | None
    who: str
    given_at: datetime


@dataclass(frozen=True, slots=True)
class SampleRow:
    """A sample as reviewers see it: ids, no words. `review` None: nobody has looked at it yet."""

    user_id: UUID
    memory_id: UUID
    type: str
    language: str
    sampled_at: datetime
    review: Review | None = None
