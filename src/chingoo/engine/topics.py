"""Which topics a message touches, how surely, and which the reply must not bring up (§2, C-02, C-04)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from chingoo.engine.found import Group
from chingoo.engine.scan import Scan
from chingoo.model.decision import TopicMatch
from chingoo.model.enums import TopicID
from chingoo.policy.documents.topics import Confidence, TopicsDocument

_DECIMALS = 2  # facts take hundredths
_MOST_REMEMBERED = 1000


class Sureness(NamedTuple):
    """How sure a match is, and whether that is enough to say that the user raised the topic."""

    confidence: float
    user_initiated: bool


def sureness(hits: int, rule: Confidence) -> Sureness:
    """min(1, base + step × hits), without the dust of binary fractions (TOPIC-03)."""
    confidence = min(1.0, round(rule.base + rule.step * hits, _DECIMALS))
    return Sureness(confidence, confidence >= rule.initiated)


class TopicReader:
    """The topics of one bundle, made ready for reading."""

    def __init__(self, document: TopicsDocument) -> None:
        self._document = document
        self._topic_of: Mapping[str, TopicID] = {rule.words: topic for topic, rule in document.topics.items()}
        self._lists = Group(self._topic_of)
        every = tuple(TopicID)
        order = {topic: number for number, topic in enumerate(every)}
        self._order = {list_id: order[topic] for list_id, topic in self._topic_of.items()}.__getitem__
        self._sensitive = frozenset(document.sensitive)
        self._sureness = lru_cache(maxsize=_MOST_REMEMBERED)(lambda hits: sureness(hits, document.confidence))
        self._in_order = lru_cache(maxsize=_MOST_REMEMBERED)(
            lambda topics: tuple([topic for topic in every if topic in topics])
        )

    @property
    def window(self) -> int:
        """How many earlier user messages matter beside this one."""
        return self._document.window

    @property
    def needs_history(self) -> bool:
        """Whether the guard depends on earlier messages."""
        return not self._document.answering_is_not_introducing

    def list_of(self, topic: TopicID) -> str:
        """The word list of a topic."""
        return self._document.topics[topic].words

    def read(self, scan: Scan) -> tuple[TopicMatch, ...]:
        """The topics touched, in the order of their ids."""
        touched = self._lists.seen_in(scan.found)
        if not touched:
            return ()
        matches = []
        for list_id in sorted(touched, key=self._order):
            hits = scan.distinct(list_id)
            confidence, initiated = self._sureness(len(hits))
            matches.append(TopicMatch(self._topic_of[list_id], confidence, hits, initiated))
        return tuple(matches)

    def guarded(
        self,
        matches: Iterable[TopicMatch],
        suppressed: frozenset[TopicID],
        taboo: frozenset[TopicID],
        raised_before: frozenset[TopicID],
    ) -> tuple[TopicID, ...]:
        """Topics the reply must not introduce, in the order of their ids.

        `raised_before` are the topics the user raised in the window before this message; they matter to ordinary topics
        only, and only where answering counts as introducing.
        """
        raised = {match.topic for match in matches if match.user_initiated}
        guarded = self._sensitive.union(suppressed, taboo).difference(raised)
        if self.needs_history:
            guarded |= frozenset(self._document.topics) - raised - raised_before
        return self._in_order(guarded)
