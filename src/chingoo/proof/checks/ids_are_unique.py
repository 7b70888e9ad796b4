"""What has a name has it alone: rules, notes, guard categories, exceptions, gates and the like."""

from collections.abc import Iterable, Iterator
from typing import Any

from chingoo.policy.documents.base import Place
from chingoo.proof.walk import Subject, repeated
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every name that another thing of its kind has already."""
    bundle = subject.bundle
    kinds: dict[str, Iterable[Any]] = {
        "rule": (*bundle.routing.rules, bundle.routing.strictest),
        "note": bundle.routing.notes,
        "guard category": bundle.safety.guard,
        "exception": bundle.crisis.exceptions,
        "gate": bundle.gates.order,
        "intimacy level": bundle.gates.intimacy,
        "leak": bundle.gates.leaks,
        "plan rule": bundle.planning.plan,
        "answer": bundle.onboarding.answers,
        "pattern": [one for document in bundle.instant.values() for one in document.patterns],
        "persona": bundle.personas.values(),
    }
    for kind, things in kinds.items():
        named: list[tuple[str, Place]] = [(str(thing.id), thing.place) for thing in things]
        for name, place, first in repeated(named):
            message = f"two have the name `{name}` ({kind}); the first is in line {first.line}"
            others = (OtherPlace(first, "first used here"),)
            yield Finding("id-twice", message, place, hint="rename one of them", others=others, about=name)
