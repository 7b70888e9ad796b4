"""policies/minimums.yaml: the words that the product promises and no editor may take away (TOPIC-10)."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.model.enums import TopicID
from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class MinimumWords:
    """The words of one topic by language; policies/topics.yaml may have more, never fewer."""

    place: Place
    words: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class MinimumsDocument:
    """The minimum words of every topic."""

    place: Place
    topics: Mapping[TopicID, MinimumWords]
