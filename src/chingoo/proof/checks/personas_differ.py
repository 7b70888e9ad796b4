"""No two persona templates share archetype, humour and energy (PERS-04), nor the words that say who they are."""

from collections.abc import Iterator

from chingoo.proof.walk import Subject, repeated
from chingoo.source.findings import Finding, OtherPlace


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every template that is another's clone."""
    templates = [template for _, template in sorted(subject.bundle.personas.items())]
    combos = (
        (f"{template.core_archetype} | {template.humor_mode} | {template.friend_energy}", template.place)
        for template in templates
    )
    for combo, place, first in repeated(combos):
        message = f"another template has the same combination: {combo}"
        others = (OtherPlace(first, "this one"),)
        yield Finding("persona-clone", message, place, hint="change humour or energy", others=others)
    voices = ((template.voice.about, template.voice.place) for template in templates)
    for about, place, first in repeated(voices):
        others = (OtherPlace(first, "this one"),)
        hint = "say who this friend is, and what it does and does not do, in words of its own"
        yield Finding("persona-clone", f"another template has the same voice: {about}", place, hint=hint, others=others)
