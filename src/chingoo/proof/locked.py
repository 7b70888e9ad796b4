"""The product's locked defaults: a policy that departs from them needs a deliberate edit of `locked.yaml` (MIR-06)."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.policy.documents.base import Place
from chingoo.policy.parse import Parser
from chingoo.proof.promises import MirroredPart, Promises, promised_lines
from chingoo.source.findings import Finding, OtherPlace, sorted_findings
from chingoo.source.reader import read
from chingoo.source.tree import Node

LOCKED = "src/chingoo/proof/locked.yaml"


@dataclass(frozen=True, slots=True)
class LockedDefault:
    """A value of the policies, as `{area.path}`, what it must be, and why."""

    place: Place
    value: str
    is_: str
    because: str


@dataclass(frozen=True, slots=True)
class LockedDocument:
    """All of them."""

    place: Place
    locked: tuple[LockedDefault, ...]


def locked_document(text: str) -> LockedDocument:
    """`locked.yaml`, which ships with this package: it is well-formed."""
    result = read(text, LOCKED)
    parsed = None if result.tree is None else Parser().parse(LockedDocument, result.tree)
    if parsed is None or parsed.finding is not None or result.findings:
        raise ValueError("locked.yaml is broken")
    document: LockedDocument = parsed.document
    return document


def locked_findings(promises: Promises, files: Mapping[str, str], trees: Mapping[str, Node]) -> tuple[Finding, ...]:
    """A finding for every locked value that the policies say otherwise."""
    found = []
    for one in locked_document(promises.locked).locked:
        lines = promised_lines(MirroredPart(one.place, "", lines=(one.value,)), files, trees)
        if lines is None or lines[0].text == one.is_:
            continue
        (line,) = lines
        message = f"`{line.text}` must be `{one.is_}`: {one.because}"
        hint = f"write {one.is_}; if the product is really to change, change {LOCKED} too, and PRODUCT.md"
        others = (OtherPlace(one.place, "locked here"),)
        found.append(Finding("default-locked", message, line.near, max(1, len(line.text)), hint, others))
    return sorted_findings(found)
