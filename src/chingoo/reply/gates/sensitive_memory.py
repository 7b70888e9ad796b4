"""Sensitive memories are shown only when their topic was raised now, and proactively never (SAFE-12, MEM-14)."""

from collections.abc import Iterable

from chingoo.engine.engine import Engine
from chingoo.model.enums import Source, TopicID
from chingoo.policy.documents.gates import GatesDocument
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding, Shown
from chingoo.reply.gates.taboo_topic import mentioned
from chingoo.text.normalise import normalise


def judge(look: Look) -> Finding | None:
    """The keys of surfaced memories that should have stayed unsaid."""
    keys: dict[str, None] = {}
    for surfaced in look.given.surfaced:
        if _is_uninvited(look, surfaced.memory_key):
            keys[surfaced.memory_key] = None
    shown: list[Shown] = list(keys)
    return Finding(shown, []) if shown else None


def _is_uninvited(look: Look, key: str) -> bool:
    if look.given.source is Source.RETENTION:
        topics = _topics_of(look.policy, look.engine, look.sensitive_topics, key)
        return not key.startswith(look.policy.sensitive.retention_prefixes) or bool(topics)
    return is_guarded(look.policy, look.engine, look.sensitive_topics, look.given.taboo_guard, key)


def is_guarded(
    policy: GatesDocument,
    engine: Engine,
    sensitive_topics: Iterable[TopicID],
    guarded: frozenset[TopicID],
    key: str,
) -> bool:
    """Whether a memory belongs to a topic that must not be brought up now: it is neither said nor shown to a model."""
    if any(key.startswith(rule.prefix) and rule.topic in guarded for rule in policy.sensitive.keys):
        return True
    return not guarded.isdisjoint(_topics_of(policy, engine, sensitive_topics, key))


def _topics_of(
    policy: GatesDocument, engine: Engine, sensitive_topics: Iterable[TopicID], key: str
) -> frozenset[TopicID]:
    """Sensitive topics that the words of a key belong to (`event:work:2026_03:panic_attack`)."""
    words = key.rpartition(":")[2].replace("_", " ")
    scan = engine.output_matcher.scan(normalise(words))
    return frozenset(topic for topic in sensitive_topics if mentioned(policy, engine, scan, topic))
