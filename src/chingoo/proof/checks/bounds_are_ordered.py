"""No lower bound is above its upper bound: nothing could ever lie between the two."""

from collections.abc import Iterator
from dataclasses import fields

from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every `min` above its `max`, also of pairs such as `min_words` and `max_words`."""
    for part in subject.parts:
        names = {field.name for field in fields(part)}
        for low in sorted(name for name in names if name == "min" or name.startswith("min_")):
            high = f"max{low.removeprefix('min')}"
            if high not in names:
                continue
            least, most = getattr(part, low), getattr(part, high)
            if least is not None and most is not None and least > most:
                message = f"`{low}` is {least}, which is more than `{high}`, {most}"
                yield Finding("bounds-crossed", message, part.place, hint="swap the two, or correct one", about=low)
