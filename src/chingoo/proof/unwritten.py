"""What `chingoo policy new` began and nobody has written yet: its words must not reach anybody."""

from collections.abc import Iterator, Mapping

from chingoo.policy.documents.cases import CasesDocument
from chingoo.policy.documents.replies import FixedReply
from chingoo.policy.documents.routing import RoutingRule
from chingoo.proof.scaffold import UNWRITTEN
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding
from chingoo.source.places import Place


def unwritten(subject: Subject) -> Iterator[Finding]:
    """A finding for every reply and reason that still says what to write."""
    for part in subject.parts:
        if isinstance(part, FixedReply):
            yield from (_left(text, part.place) for text in part.variants if text in UNWRITTEN)
        elif isinstance(part, RoutingRule) and part.because in UNWRITTEN:
            yield _left(part.because, part.place)


def unwritten_cases(documents: Mapping[str, CasesDocument]) -> Iterator[Finding]:
    """A finding for every case without a message of its own."""
    for path in sorted(documents):
        yield from (_left(case.text, case.place) for case in documents[path].cases if case.text in UNWRITTEN)


def _left(text: str, place: Place) -> Finding:
    message = f"`{text}` is still to be done"
    return Finding("not-written", message, place, hint="write it, or delete what was begun", about=text)
