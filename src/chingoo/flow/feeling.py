"""How strong the person's feeling is, and how it moved over the last messages (C-64, PROMPT-09)."""

from collections.abc import Sequence

from chingoo.engine.engine import Engine
from chingoo.engine.valence import read_feeling
from chingoo.policy.documents.planning import FeelingTrend, Trend
from chingoo.text.normalise import normalise


def intensity(valence: float) -> int:
    """How strong a feeling is, from 0 to 10 (C-64)."""
    return round(abs(valence) * 10)


def trend(engine: Engine, policy: FeelingTrend, before: Sequence[str], now: int) -> Trend | None:
    """How the intensity `now` stands to the person's messages `before`, oldest first; None when there are none."""
    last = before[-policy.over_messages :]
    if not last:
        return None
    scans = (engine.matcher.scan(normalise(text)) for text in last)
    mean = sum(intensity(read_feeling(scan, engine.valence).valence) for scan in scans) / len(last)
    if abs(now - mean) < policy.from_steps:
        return Trend.STEADY
    return Trend.RISING if now > mean else Trend.FALLING
