"""No two persona templates share archetype, humour and energy (PERS-04)."""

from collections.abc import Iterator

from chingoo.proof.walk import Subject, repeated
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every template that is another's clone."""
    bundle = subject.bundle
    combos = (
        (f"{template.core_archetype} | {template.humor_mode} | {template.friend_energy}", template.place)
        for _, template in sorted(bundle.personas.items())
    )
    for combo, place, first in repeated(combos):
        message = f"another template has the same combination: {combo}"
        others = (OtherPlace(first, "this one"),)
        yield Finding("persona-clone", message, place, hint="change humour or energy", others=others)
