"""Proactive messages mention memories only that policies/memory.yaml allows, and no sensitive one (MEM-14)."""

from collections.abc import Iterator

from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every memory key with texts that is not allowed there, or that a sensitive beginning covers."""
    bundle = subject.bundle
    retention = bundle.retention
    allowed = {key: family.place for family in bundle.memory.families.values() for key in family.retention_keys}
    for language, texts in retention.texts.items():
        for key in texts.nudge:
            if key not in allowed:
                message = f"no proactive message may mention `{key}` ({language})"
                hint = f"allowed in policies/memory.yaml: {', '.join(sorted(allowed))}"
                yield Finding("retention-key", message, texts.place, hint=hint, about=key)
        for key in sorted(allowed.keys() - texts.nudge.keys()):
            message = f"there is no text for `{key}` ({language}), which a proactive message may mention"
            others = (OtherPlace(allowed[key], "allowed here"),)
            yield Finding("retention-text-missing", message, texts.place, others=others, about="nudge")
    gate = bundle.gates.sensitive
    for key, place in allowed.items():
        if not key.startswith(gate.retention_prefixes):
            message = f"`{key}` is allowed in proactive messages, but the gate in policies/gates.yaml would stop it"
            others = (OtherPlace(gate.place, "what the gate lets pass"),)
            yield Finding("retention-key", message, place, hint="allow it in both", others=others, about=key)
        for prefix in retention.sensitive_prefixes:
            if key.startswith(prefix):
                message = f"`{key}` is allowed in proactive messages, but policies/retention.yaml calls it sensitive"
                others = (OtherPlace(retention.place, f"`{prefix}` stands here"),)
                yield Finding("retention-key", message, place, hint="take it out of one", others=others, about=key)
    for passed in gate.retention_prefixes:
        for prefix in retention.sensitive_prefixes:
            if passed.startswith(prefix):
                message = f"the gate lets `{passed}` into proactive messages, but policies/retention.yaml bars it"
                others = (OtherPlace(retention.place, f"`{prefix}` stands here"),)
                hint = "take it out of one"
                yield Finding("retention-key", message, gate.place, 1, hint, others, about=passed)
