"""Sensitive memories are shown only when their topic was raised now, and proactively never (SAFE-12, MEM-14)."""

from chingoo.model.enums import Source, TopicID
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
    policy = look.policy.sensitive
    if look.given.source is Source.RETENTION:
        return not key.startswith(policy.retention_prefixes) or bool(_topics_of(look, key))
    guarded = look.given.taboo_guard
    if any(key.startswith(rule.prefix) and rule.topic in guarded for rule in policy.keys):
        return True
    return not guarded.isdisjoint(_topics_of(look, key))


def _topics_of(look: Look, key: str) -> frozenset[TopicID]:
    """Sensitive topics that the words of a key belong to (`event:work:2026_03:panic_attack`)."""
    words = key.rpartition(":")[2].replace("_", " ")
    scan = look.engine.output_matcher.scan(normalise(words))
    return frozenset(topic for topic in look.sensitive_topics if mentioned(look, scan, topic))
