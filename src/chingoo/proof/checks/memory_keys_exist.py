"""Every memory key that a policy names belongs to a family of policies/memory.yaml."""

from collections.abc import Iterator

from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Place
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every key that no family has: it could never be remembered."""
    bundle = subject.bundle
    families = bundle.memory.families.values()
    heads = {family.key for family in families}
    singles = {f"{family.key}:{key}" for family in families if family.cardinality == "singleton" for key in family.keys}
    for key, place in _named(bundle):
        head = key.partition(":")[0]
        if head not in heads:
            closest = did_you_mean(head, heads)
            hint = f"did you mean `{closest}:…`?" if closest else f"known here: {', '.join(sorted(heads))}"
            yield Finding("memory-key-unknown", f"no family remembers `{key}`", place, hint=hint, about=key)
        elif key not in singles and any(single.startswith(f"{head}:") for single in singles):
            offer = did_you_mean(key, singles)
            hint = f"did you mean `{offer}`?" if offer else f"known here: {', '.join(sorted(singles))}"
            yield Finding("memory-key-unknown", f"no family remembers `{key}`", place, hint=hint, about=key)


def _named(bundle: Bundle) -> Iterator[tuple[str, Place]]:
    for answer in bundle.onboarding.answers:
        if answer.remember_as is not None:
            yield answer.remember_as, answer.place
    for family in bundle.memory.families.values():
        for key in family.retention_keys:
            yield key, family.place
