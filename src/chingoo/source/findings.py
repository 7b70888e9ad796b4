"""What is found wrong in a file: a stable code, a sentence, a place, and what helps to mend it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from chingoo.source.places import Place
from chingoo.source.tree import ListNode, MapNode, Node, Scalar


class Severity(StrEnum):
    """ERROR refuses the policy set; WARNING only speaks."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class OtherPlace:
    """A second place that belongs to a finding, and what is there ("first written here")."""

    place: Place
    label: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong.

    `code` is stable and has a page (`chingoo help CODE`). `message` starts in lower case and has no full stop. `width`
    is how many code points of the line are meant. `hint` says what to write instead; it was tried before it is offered.
    `about` is the text that is meant where `place` is only the group it stands in; `narrowed` finds its own place.
    """

    code: str
    message: str
    place: Place
    width: int = 1
    hint: str | None = None
    others: tuple[OtherPlace, ...] = ()
    severity: Severity = Severity.ERROR
    about: str | None = None

    def order(self) -> tuple[Place, str, str, str]:
        """The key by which findings are sorted: place first."""
        return (self.place, self.code, self.message, self.hint or "")


def narrowed(finding: Finding, tree: Node) -> Finding:
    """The finding at the exact place of what it is `about`, as far as the file's tree knows it."""
    if finding.about is None:
        return finding
    for part in _parts_at(tree, finding.place):
        for scalar in _scalars(part):
            if scalar.text == finding.about:
                return replace(finding, place=scalar.place, width=scalar.width, about=None)
    return finding


def _parts_at(node: Node, place: Place) -> Iterator[Node]:
    """Every part of the tree that stands at a place, or whose key does."""
    if node.place == place:
        yield node
    if isinstance(node, ListNode):
        for item in node.items:
            yield from _parts_at(item, place)
    elif isinstance(node, MapNode):
        for key, value in node.pairs:
            if key.place == place:
                yield from (key, value)
            yield from _parts_at(value, place)


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from _scalars(item)
    else:
        for key, value in node.pairs:
            yield key
            yield from _scalars(value)


def sorted_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """All findings by place, each said once."""
    return tuple(sorted(dict.fromkeys(findings), key=Finding.order))


def has_errors(findings: Iterable[Finding]) -> bool:
    """True when at least one finding refuses the policy set."""
    return any(finding.severity is Severity.ERROR for finding in findings)
