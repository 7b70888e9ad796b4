"""How much of what batches learn people look at, and whether what they found lets batches go on (BATCH-13)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from chingoo.model.reviews import JudgedSample
from chingoo.policy.documents.extraction import ExtractionReview


@dataclass(frozen=True, slots=True)
class Standing:
    """Which share of new memories is drawn, and whether too much was found wrong."""

    share: float
    paused: bool = False


def standing(policy: ExtractionReview, judged: Sequence[JudgedSample], now: datetime) -> Standing:
    """Where batches stand by the verdicts on what they made, the newest first.

    What counts are the verdicts of the last days, and as many before them as are needed to conclude anything: a few
    good weeks must not make the sample so small that nothing follows from it any more.
    """
    since = now - timedelta(days=policy.days)
    counted = [one for number, one in enumerate(judged) if one.given_at >= since or number < policy.verdicts]
    if len(counted) < policy.verdicts:
        return Standing(policy.launch_share)
    wrong = sum(one.wrong for one in counted)
    if wrong > policy.pause_above * len(counted):
        return Standing(policy.launch_share, paused=True)
    steady = judged[-1].given_at <= since and wrong < policy.steady_below * len(counted)
    return Standing(policy.steady_share if steady else policy.launch_share)


def is_drawn(policy: ExtractionReview, memory_id: UUID, share: float) -> bool:
    """Whether a memory is drawn: by chance over all memories, and always the same for one of them."""
    digest = sha256(f"{policy.seed}:{memory_id}".encode()).digest()
    return int.from_bytes(digest[:8]) < share * 2**64
