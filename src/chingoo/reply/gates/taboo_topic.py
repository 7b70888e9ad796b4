"""The reply brings up no suppressed, sensitive or taboo topic that was not raised now (POL-06, POL-07, C-04)."""

from chingoo.engine.engine import Engine
from chingoo.engine.scan import Scan
from chingoo.model.enums import TopicID
from chingoo.policy.documents.gates import GatesDocument
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding, Shown


def judge(look: Look) -> Finding | None:
    """The guarded topics that the reply mentions, in the order of their ids."""
    guarded = look.given.taboo_guard
    topics: list[Shown] = [
        topic.value for topic in TopicID if topic in guarded and mentioned(look.policy, look.engine, look.scan, topic)
    ]
    return Finding(topics, []) if topics else None


def mentioned(policy: GatesDocument, engine: Engine, scan: Scan, topic: TopicID) -> bool:
    """Whether enough of a topic's words are seen; everyday words never do it alone."""
    rule = policy.topics
    list_id = engine.topics.list_of(topic)
    if len(scan.distinct(list_id)) < rule.words:
        return False
    everyday = {(hit.start, hit.end) for hit in scan.hits(rule.everyday)}
    return any((hit.start, hit.end) not in everyday for hit in scan.hits(list_id))
