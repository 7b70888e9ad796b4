"""PRODUCT.md and the policies say the same, in both directions: what differs is told with both places (MIR-01…05)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from chingoo.policy.documents.base import Place
from chingoo.proof.promises import PRODUCT, Line, MirroredPart, Promises, mirror_document, promised_lines
from chingoo.source.findings import Finding, OtherPlace, Severity, sorted_findings
from chingoo.source.tree import Node

_HEADING = re.compile(r"#{2,6} ([0-9]+(?:\.[0-9]+)*)\.? ")
_MARKERS = ("|", "* ", "```")
_ALIKE = 0.5
_SHOWN = 48
_HINT = 200
_FOLDED = str.maketrans({"\u2013": "-"})


@dataclass(frozen=True, slots=True)
class _Section:
    """A section of PRODUCT.md: its number, the line of its heading, and the lines below it, each with its number."""

    number: str
    heading: int
    lines: tuple[tuple[int, str], ...]


def mirror_findings(promises: Promises, files: Mapping[str, str], trees: Mapping[str, Node]) -> tuple[Finding, ...]:
    """Every difference between PRODUCT.md and the policies. Dashes of ranges are folded (C-75)."""
    if promises.product is None:
        message = "there is no PRODUCT.md beside the policies; whether they keep its promises was not checked"
        place = Place(PRODUCT, 1, 1)
        return (Finding("product-missing", message, place, severity=Severity.WARNING),)
    sections = {section.number: section for section in _sections(promises.product)}
    found: list[Finding] = []
    for part in mirror_document(promises.mirror).parts:
        wanted = promised_lines(part, files, trees)
        if wanted:
            section = sections.get(part.section)
            found += _missing_section(part, wanted[0]) if section is None else _compared(part, wanted, section)
    return sorted_findings(found)


def _sections(text: str) -> Iterator[_Section]:
    number, heading = "", 1
    lines: list[tuple[int, str]] = []
    for at, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        match = _HEADING.match(line)
        if match is None:
            lines.append((at, line))
            continue
        yield _Section(number, heading, tuple(lines))
        number, heading, lines = match[1], at, []
    yield _Section(number, heading, tuple(lines))


def _missing_section(part: MirroredPart, first: Line) -> Iterator[Finding]:
    message = f"PRODUCT.md has no section {part.section}, which must say what is said here in {first.near.file}"
    others = (OtherPlace(first.near, "what it must say begins here"),)
    hint = f"write its heading as `### {part.section} …`, and below it: {first.text}"
    yield Finding("product-section-missing", message, Place(PRODUCT, 1, 1), hint=hint, others=others)


def _compared(part: MirroredPart, wanted: tuple[Line, ...], section: _Section) -> Iterator[Finding]:
    """The differences of one section, line by line."""
    block = _block(wanted, section)
    said, must = [_folded(line) for _, line in block], [_folded(line.text) for line in wanted]
    if said == must:
        return
    last = section.heading
    for how, i1, i2, j1, j2 in SequenceMatcher(None, said, must, autojunk=False).get_opcodes():
        if how != "equal":
            pairs, extra, lacking = _paired(said[i1:i2], must[j1:j2])
            for i, j in pairs:
                yield _differs(part, wanted[j1 + j], *block[i1 + i])
            for i in extra:
                yield _extra(part, wanted[min(j1, len(wanted) - 1)], *block[i1 + i])
            for j in lacking:
                after = [block[i1 + i][0] for i, k in pairs if k < j]
                yield _lacking(part, wanted[j1 + j], after[-1] if after else last)
        last = block[i2 - 1][0] if i2 > i1 else last


def _block(wanted: tuple[Line, ...], section: _Section) -> list[tuple[int, str]]:
    """The lines of a section that are mirrored: from the first to the last that is one of them, or looks like one."""
    texts = {_folded(line.text) for line in wanted if line.text}
    at = [index for index, (_, line) in enumerate(section.lines) if _folded(line) in texts or line.startswith(_MARKERS)]
    if not at:
        return []
    first, last = at[0], at[-1]
    while first > 0 and section.lines[first - 1][1]:
        first -= 1
    while last + 1 < len(section.lines) and section.lines[last + 1][1]:
        last += 1
    return list(section.lines[first : last + 1])


def _paired(said: list[str], must: list[str]) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """(pairs of lines that are alike, lines only said, lines only wanted), by their numbers and in order."""
    if len(said) == len(must):
        return [(number, number) for number in range(len(said))], [], []
    pairs: list[tuple[int, int]] = []
    start = 0
    for j, line in enumerate(must):
        for i in range(start, len(said)):
            if SequenceMatcher(None, said[i], line, autojunk=False).ratio() >= _ALIKE:
                pairs.append((i, j))
                start = i + 1
                break
    taken, found = {i for i, _ in pairs}, {j for _, j in pairs}
    extra = [i for i in range(len(said)) if i not in taken]
    return pairs, extra, [j for j in range(len(must)) if j not in found]


def _differs(part: MirroredPart, wanted: Line, number: int, line: str) -> Finding:
    said, must = _folded(line), _folded(wanted.text)
    column = next((i for i, (a, b) in enumerate(zip(said, must, strict=False)) if a != b), min(len(said), len(must)))
    here, there = _told(_excerpt(said, must), _excerpt(must, said))
    sources = wanted.sources(column)
    files = ", ".join(dict.fromkeys(place.file for place in sources))
    message = f"PRODUCT.md §{part.section} says {here}, {files} says {there}"
    place = Place(PRODUCT, number, min(column, len(line)) + 1)
    hint = "change one of the two, so that both say the same; by the policies this line is: " + _cut(wanted.text)
    return Finding("product-differs", message, place, hint=hint, others=_others(sources, column, wanted))


def _others(sources: tuple[Place, ...], column: int, wanted: Line) -> tuple[OtherPlace, ...]:
    """The other places; in a file that is mirrored word for word, at the column that differs."""
    if len(wanted.segments) == 1 and sources[0].column == 1 and wanted.segments[0].source is not None:
        sources = (Place(sources[0].file, sources[0].line, min(column, len(wanted.text)) + 1),)
    return tuple(OtherPlace(place, "the policies say it here") for place in sources)


def _extra(part: MirroredPart, wanted: Line, number: int, line: str) -> Finding:
    message = f"PRODUCT.md §{part.section} says `{_cut(line, _SHOWN)}`, which no policy says"
    others = (OtherPlace(wanted.near, "the policies speak of it here"),)
    hint = "delete the line, or say it in the policies too"
    return Finding("product-line-extra", message, Place(PRODUCT, number, 1), max(1, len(line)), hint, others)


def _lacking(part: MirroredPart, wanted: Line, after: int) -> Finding:
    message = f"PRODUCT.md §{part.section} lacks a line that {wanted.near.file} makes necessary"
    others = (OtherPlace(place, "the policies say it here") for place in wanted.sources(0))
    hint = f"write after this line: {_cut(wanted.text)}"
    return Finding("product-line-missing", message, Place(PRODUCT, after, 1), hint=hint, others=tuple(others))


def _excerpt(text: str, other: str) -> str:
    """The words of a line in which it differs from another."""
    start = next((i for i, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
    tail = 0
    while tail < min(len(text), len(other)) - start and text[-1 - tail] == other[-1 - tail]:
        tail += 1
    end = len(text) - tail
    while start > 0 and text[start - 1] not in " |":
        start -= 1
    while end < len(text) and text[end] not in " |":
        end += 1
    return text[start:end].strip(" `")


def _told(here: str, there: str) -> tuple[str, str]:
    """Both excerpts in quotation marks, without punctuation at their ends where that is not what differs."""
    bare = here.rstrip(".,;"), there.rstrip(".,;")
    shown = bare if bare[0] != bare[1] else (here, there)
    first, second = (f"`{_cut(text, _SHOWN)}`" if text else "nothing" for text in shown)
    return first, second


def _cut(text: str, most: int = _HINT) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _folded(line: str) -> str:
    return line.translate(_FOLDED)
