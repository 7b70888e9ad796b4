"""Every gate has its place in the order of gates, once (C-28)."""

from collections.abc import Iterator

from chingoo.policy.documents.gates import GateID
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every gate that is not in the order; nothing would enforce it."""
    bundle = subject.bundle
    ordered = {rule.id for rule in bundle.gates.order}
    for gate in GateID:
        if gate not in ordered:
            message = f"the gate `{gate}` is not in the order; nothing would enforce it"
            yield Finding("gate-missing", message, bundle.gates.place, about="order")
