"""A piece of a word has one weight in each part of weighing.yaml: of two the engine would take but one."""

from collections import Counter
from collections.abc import Iterator

from chingoo.policy.documents.base import Place
from chingoo.policy.documents.weighing import PiecesByWeight
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every piece that stands twice in one part."""
    document = subject.bundle.weighing
    yield from _twice("message.pieces", document.message.pieces, document.message.place)
    yield from _twice("others.pieces", document.others.pieces, document.others.place)
    yield from _twice("harassment.pieces", document.harassment.pieces, document.harassment.place)


def _twice(name: str, pieces: PiecesByWeight, place: Place) -> Iterator[Finding]:
    times = Counter(piece for lines in pieces.values() for line in lines for piece in line.split())
    for piece, count in times.items():
        if count > 1:
            weights = [weight for weight, lines in pieces.items() if any(piece in line.split() for line in lines)]
            message = f"the piece `{piece}` stands {count} times in `{name}`, under {' and '.join(weights)}"
            yield Finding("piece-twice", message, place, hint="leave one of them")
