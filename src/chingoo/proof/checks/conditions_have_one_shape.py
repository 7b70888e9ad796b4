"""Every condition says exactly one thing: `all`, `any`, `not`, or one fact with one comparison."""

from collections.abc import Iterator

from chingoo.policy.documents.routing import Condition
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every condition that says nothing or more than one thing, and every empty `all` or `any`."""
    for part in subject.parts:
        if not isinstance(part, Condition):
            continue
        shapes = {"all": part.all, "any": part.any, "not": part.not_, "fact": part.fact}
        comparisons = {"is": part.is_, "in": part.in_, "gte": part.gte, "lte": part.lte}
        said = [name for name, value in shapes.items() if value is not None]
        compared = [name for name, value in comparisons.items() if value is not None]
        if len(said) != 1:
            message = f"a condition says one thing; this one says {', '.join(said) or 'nothing'}"
            yield Finding("condition-shape", message, part.place, hint="put several into `all: [...]` or `any: [...]`")
        elif part.fact is not None and len(compared) != 1:
            message = f"a fact is compared once; this one with {', '.join(compared) or 'nothing'}"
            yield Finding("condition-shape", message, part.place, hint="use is, in, gte or lte", about=part.fact)
        elif part.fact is None and compared:
            message = f"`{compared[0]}` belongs to a `fact`, not to `{said[0]}`"
            yield Finding("condition-shape", message, part.place, about=compared[0])
        elif () in (part.all, part.any, part.in_):
            empty = "in" if part.in_ == () else said[0]
            yield Finding("condition-shape", f"`{empty}` is empty", part.place, about=empty)
