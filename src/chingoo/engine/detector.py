"""What a detector said, as a value of the fact `detector`: the policy's thresholds over the scores of its answer."""

from collections.abc import Mapping
from typing import Final

from chingoo.policy.documents.detector import DetectorDocument

DETECTOR: Final = "detector"
OFF: Final = "off"
UNAVAILABLE: Final = "unavailable"
CLEAR: Final = "clear"
SILENT: Final = (OFF, UNAVAILABLE, CLEAR)
"""Not asked; asked, and no answer in time; asked, and nothing of what the policy looks for."""


def detector_says(policy: DetectorDocument, scores: Mapping[str, float]) -> str:
    """The first value of the policy that the scores (0 to 1, by category) reach, or `clear`."""
    for one in policy.says:
        if any(scores.get(category, 0.0) * 100 >= least for category, least in one.categories.items()):
            return one.fact
    return CLEAR
