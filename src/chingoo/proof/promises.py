"""What PRODUCT.md must say: its mirrored lines, written from the policies' own words and numbers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from chingoo.policy.areas import AREAS
from chingoo.policy.documents.base import Place
from chingoo.policy.parse import Parser
from chingoo.source.reader import lines_of, read
from chingoo.source.tree import ListNode, MapNode, Node, Scalar

PRODUCT = "PRODUCT.md"
_PLACEHOLDER = re.compile(r"\{(#?[a-z_]+(?:\.[A-Za-z0-9_]+)*)(:\+)?\}")
_SCHEMA_LINE = "# yaml-language-server:"


@dataclass(frozen=True, slots=True)
class Promises:
    """PRODUCT.md's text (None where there is none), and the two data files of this package, `mirror.yaml` and
    `locked.yaml` (`adapters.policy_files.read_promises`)."""

    product: str | None
    mirror: str
    locked: str


@dataclass(frozen=True, slots=True)
class MirroredPart:
    """The lines that one section of PRODUCT.md must hold, in one of three ways.

    `lines` with `{area.path}` where a value of a policy stands; after them `line` once for each item of the list
    `each`, with `{key}` for its values and `words` for values that are told in other words; or the files whose names
    `verbatim` fits from `first` to `last`, each fenced.
    """

    place: Place
    section: str
    lines: tuple[str, ...] = ()
    each: str | None = None
    line: str = ""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    verbatim: str | None = None
    first: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class MirrorDocument:
    """All mirrored parts."""

    place: Place
    parts: tuple[MirroredPart, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a line, and where it comes from; None for words of the mirror itself."""

    text: str
    source: Place | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it must be. `near` is where the policies speak of it, for lines without a value of their own."""

    segments: tuple[Segment, ...]
    near: Place

    @property
    def text(self) -> str:
        """The whole line."""
        return "".join(segment.text for segment in self.segments)

    def sources(self, column: int) -> tuple[Place, ...]:
        """Where the policies say what stands at a 0-based column: the value there, else all values of the line."""
        start = 0
        for segment in self.segments:
            end = start + len(segment.text)
            if segment.source is not None and start <= column < max(end, start + 1):
                return (segment.source,)
            start = end
        return tuple(dict.fromkeys(one.source for one in self.segments if one.source is not None)) or (self.near,)


def mirror_document(text: str) -> MirrorDocument:
    """`mirror.yaml`, which ships with this package: it is well-formed."""
    result = read(text, "mirror.yaml")
    parsed = None if result.tree is None else Parser().parse(MirrorDocument, result.tree)
    if parsed is None or parsed.finding is not None or result.findings:
        raise ValueError("mirror.yaml is broken")
    document: MirrorDocument = parsed.document
    return document


def promised_lines(part: MirroredPart, files: Mapping[str, str], trees: Mapping[str, Node]) -> tuple[Line, ...] | None:
    """The lines of a part; None when a file or a value that it takes is not there, which is another finding."""
    try:
        return tuple(_Writer(part, files, trees).lines())
    except KeyError:
        return None


def value_at(trees: Mapping[str, Node], path: str) -> Node:
    """The value at `area.key.key…`, items of lists by their number. KeyError: there is none."""
    area, _, rest = path.partition(".")
    file = next(one.pattern for one in AREAS if one.field == area)
    return _inside(trees[file], rest.split(".") if rest else [])


class _Writer:
    """Writes one part."""

    def __init__(self, part: MirroredPart, files: Mapping[str, str], trees: Mapping[str, Node]) -> None:
        self._part, self._files, self._trees = part, files, trees

    def lines(self) -> Iterator[Line]:
        """All lines of the part, in order."""
        part = self._part
        listed = None if part.each is None else value_at(self._trees, part.each)
        written = [self._filled(template, None) for template in part.lines]
        sources = [one.source for segments in written for one in segments if one.source is not None]
        near = listed.place if listed is not None else sources[0] if sources else part.place
        for segments in written:
            near = next((one.source for one in segments if one.source is not None), near)
            yield Line(segments, near)
        for item in listed.items if isinstance(listed, ListNode) else ():
            yield Line(self._filled(part.line, item), item.place)
        if part.verbatim is not None:
            yield from self._verbatim(part.verbatim)

    def _filled(self, template: str, item: Node | None) -> tuple[Segment, ...]:
        segments, position = [], 0
        for match in _PLACEHOLDER.finditer(template):
            segments.append(Segment(template[position : match.start()]))
            segments += self._value(match[1], item, signed=match[2] is not None)
            position = match.end()
        return tuple(one for one in (*segments, Segment(template[position:])) if one.text or one.source)

    def _value(self, path: str, item: Node | None, *, signed: bool) -> tuple[Segment, ...]:
        if path.startswith("#"):
            return (self._count(path[1:]),)
        if item is None:
            node: Node | None = value_at(self._trees, path)
        else:
            node = item.get(path) if isinstance(item, MapNode) else None
        if node is None:
            return ()
        told = self._part.words.get(path, {}).get(node.text) if isinstance(node, Scalar) else None
        if told is not None:
            filled = self._filled(told, item)
            return tuple(Segment(one.text, one.source or node.place) for one in filled)
        if isinstance(node, ListNode):
            shown = [Segment(one.text, one.place) for one in node.items if isinstance(one, Scalar)]
            return tuple(part for one in shown for part in (Segment(", "), one))[1:]
        if isinstance(node, MapNode):
            raise KeyError(path)
        return (Segment(_signed(node.text) if signed else node.text, node.place),)

    def _count(self, area: str) -> Segment:
        """How many files an area has."""
        paths = sorted(path for one in AREAS if one.field == area for path in self._files if one.key(path) is not None)
        return Segment(str(len(paths)), Place(paths[-1], 1, 1) if paths else None)

    def _verbatim(self, pattern: str) -> Iterator[Line]:
        """Each file in a fence, without the line that is for editors' plug-ins, and an empty line between two."""
        before, _, after = pattern.partition("*")
        names = sorted(
            path[len(before) : len(path) - len(after)]
            for path in self._files
            if path.startswith(before) and path.endswith(after) and "/" not in path[len(before) :]
        )
        chosen = [name for name in names if self._part.first <= name <= self._part.last]
        for name in chosen:
            path = f"{before}{name}{after}"
            if name != chosen[0]:
                yield Line((Segment(""),), Place(path, 1, 1))
            yield Line((Segment("```yaml"),), Place(path, 1, 1))
            lines = lines_of(self._files[path])
            if lines[-1] == "":
                lines.pop()
            for number, text in enumerate(lines, 1):
                if number > 1 or not text.startswith(_SCHEMA_LINE):
                    yield Line((Segment(text, Place(path, number, 1)),), Place(path, number, 1))
            yield Line((Segment("```"),), Place(path, len(lines), 1))


def _inside(node: Node, steps: list[str]) -> Node:
    for step in steps:
        if isinstance(node, ListNode) and step.isdigit() and int(step) < len(node.items):
            node = node.items[int(step)]
        elif isinstance(node, MapNode) and (child := node.get(step)) is not None:
            node = child
        else:
            raise KeyError(step)
    return node


def _signed(number: str) -> str:
    """A number of points with its sign, as it is printed."""
    return number.replace("-", "\u2212") if number.startswith("-") else f"+{number}"
