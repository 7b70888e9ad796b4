"""policies/topics.yaml: the nineteen topics, how sure a match is, and what a reply must not bring up."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.model.enums import TopicID
from chingoo.policy.documents.base import Place, WordList


@dataclass(frozen=True, slots=True)
class Confidence:
    """confidence = min(1, base + step × distinct hits); from `initiated` on, the user raised the topic (TOPIC-03)."""

    place: Place
    base: float
    step: float
    initiated: float


@dataclass(frozen=True, slots=True)
class TopicRule:
    """One topic: the list whose words touch it."""

    place: Place
    words: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class TopicsDocument:
    """All topics. `sensitive` ones are guarded unless raised this turn (SAFE-11, SAFE-12).

    With `answering_is_not_introducing` off, ordinary topics are guarded too, unless the user raised them in this
    message or the `window` user messages before it (TOPIC-08, C-02).
    """

    place: Place
    confidence: Confidence
    sensitive: tuple[TopicID, ...]
    answering_is_not_introducing: bool
    window: int
    topics: Mapping[TopicID, TopicRule]
    lists: Mapping[str, WordList]
