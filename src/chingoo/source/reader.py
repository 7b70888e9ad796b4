"""Reads the strict YAML subset into a located tree, in one pass over the parser's events.

The C parser's events cannot overflow a stack; its `compose` can (50,000 nested brackets), and is four times slower. So
the tree is built here, and depth, size, anchors, aliases and tags are refused before anything is built from them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from chingoo.source.characters import LINE_BREAK, OddCharacter, odd_characters
from chingoo.source.findings import Finding, OtherPlace, sorted_findings
from chingoo.source.places import Place
from chingoo.source.syntax import syntax_finding
from chingoo.source.tree import MAY_BE_TYPED, ListNode, MapNode, Node, Scalar, typed

_BOM = "\ufeff"
_ITEM = "- "
_SCALAR, _LIST_END, _MAP_END = yaml.ScalarEvent, yaml.SequenceEndEvent, yaml.MappingEndEvent
_TEXT_OF_BRACES = "if it is one that begins with { or [, put the whole text in quotes"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a file may hold: `characters` of text, `depth` of nesting, `nodes` (keys and values together).

    `quoted_characters` are odd characters that are let through inside quotes (no-break spaces of French typography).
    """

    characters: int = 16_000_000
    depth: int = 40
    nodes: int = 2_000_000
    quoted_characters: frozenset[str] = frozenset("\u00a0\u202f\u3000")


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The tree, and what is wrong. `tree` is None when the file is no tree of ours at all."""

    tree: Node | None
    findings: tuple[Finding, ...]


class _RefusedError(Exception):
    """Something that stops the reading; holds the finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def read_bytes(data: bytes, file: str, limits: Limits | None = None) -> ReadResult:
    """Read UTF-8 bytes; a byte that is no UTF-8 is a finding with its place."""
    return read(data.decode("utf-8", "surrogateescape"), file, limits)


def read(text: str, file: str, limits: Limits | None = None) -> ReadResult:
    """Read a file's text. Every problem is a finding; nothing is raised, whatever the text holds.

    Bytes that were no UTF-8 may stand in the text as lone surrogates (`surrogateescape`).
    """
    limits = limits or Limits()
    text = text.removeprefix(_BOM)
    if len(text) > limits.characters:
        message = f"the file has {len(text)} characters, more than {limits.characters}"
        return ReadResult(None, (Finding("yaml-too-large", message, Place(file, 1, 1)),))
    odd = list(odd_characters(text, file))
    fatal = {character.finding.code: character.finding for character in reversed(odd) if character.fatal}
    if fatal:
        return ReadResult(None, sorted_findings(fatal.values()))
    builder = _Builder(file, limits, text)
    tree: Node | None = None
    try:
        tree = builder.document(iter(yaml.CSafeLoader(text).get_event, None))
    except _RefusedError as refusal:
        builder.findings.append(refusal.finding)
    except yaml.MarkedYAMLError as error:
        finding = syntax_finding(error, file, LINE_BREAK.split(text))
        if not any(character.finding.place.line == finding.place.line for character in odd):
            builder.findings.append(finding)
    told = [character.finding for character in odd if not _let_through(character, builder.quoted, limits)]
    first_of_line = {(finding.code, finding.place.line): finding for finding in reversed(told)}
    return ReadResult(tree if builder.sound else None, sorted_findings([*builder.findings, *first_of_line.values()]))


def _let_through(odd: OddCharacter, quoted: list[tuple[int, int]], limits: Limits) -> bool:
    return odd.character in limits.quoted_characters and any(start < odd.index < end for start, end in quoted)


@dataclass(slots=True)
class _Builder:
    """Builds one tree. `sound` turns False when a part had to be left out."""

    file: str
    limits: Limits
    text: str
    findings: list[Finding] = field(default_factory=list)
    quoted: list[tuple[int, int]] = field(default_factory=list)
    sound: bool = True
    nodes: int = 0
    most: int = field(init=False)

    def __post_init__(self) -> None:
        self.most = self.limits.nodes

    def document(self, events: Iterator[Any]) -> Node | None:
        """The one document of the stream, or None for a file that says nothing."""
        root: Node | None = None
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                self._directives(event)
                if documents > 1:
                    message = "a second document starts here; one file holds one"
                    raise _RefusedError(Finding("yaml-many-documents", message, self._place(event.start_mark), width=3))
            elif isinstance(event, yaml.NodeEvent):
                root = self._node(event, events, 1)
        if root is None or (isinstance(root, Scalar) and root.value is None):
            self.findings.append(Finding("yaml-empty", "the file says nothing", Place(self.file, 1, 1)))
            self.sound = False
        return root

    def _node(self, event: Any, events: Iterator[Any], depth: int) -> Node:
        self.nodes += 1
        if self.nodes > self.most:
            message = f"the file has more than {self.most} keys and values"
            raise _RefusedError(Finding("yaml-too-large", message, self._place(event.start_mark)))
        kind = type(event)
        if kind is _SCALAR and event.anchor is None and event.tag is None:
            return self._scalar(event)
        if kind is yaml.AliasEvent:
            return self._alias(event)
        if event.anchor is not None or event.tag is not None:
            self._refuse_property(event)
        if kind is _SCALAR:
            return self._scalar(event)
        if depth > self.limits.depth:
            message = f"nested more than {self.limits.depth} levels deep"
            raise _RefusedError(Finding("yaml-too-deep", message, self._place(event.start_mark)))
        if kind is yaml.SequenceStartEvent:
            return self._list(event, events, depth)
        return self._map(event, events, depth)

    def _list(self, start: Any, events: Iterator[Any], depth: int) -> ListNode:
        items: list[Node] = []
        node, add, inner = self._node, items.append, depth + 1
        for event in events:
            if type(event) is _LIST_END:
                break
            add(node(event, events, inner))
        return ListNode(self._place(start.start_mark), 1, tuple(items))

    def _map(self, start: Any, events: Iterator[Any], depth: int) -> MapNode:
        pairs: dict[str, tuple[Scalar, Node]] = {}
        for event in events:
            if type(event) is _MAP_END:
                break
            key = self._node(event, events, depth + 1)
            value = self._node(next(events), events, depth + 1)
            name = self._key(key)
            if name is not None:
                first = pairs.setdefault(name.text, (name, value))[0]
                if first is not name:
                    self._duplicate(name, first)
        return MapNode(self._place(start.start_mark), 1, tuple(pairs.values()))

    def _scalar(self, event: Any) -> Scalar:
        start, end = event.start_mark, event.end_mark
        line, column, text = start.line, start.column, event.value
        place = Place(self.file, line + 1, column + 1)
        width = 1
        if end.line == line:
            width = end.column - column or 1
        if event.style == "":
            if end.line > line and _ITEM in text:
                self._run_together(place, self.text[start.index : end.index])
            return Scalar(place, width, text, typed(text) if text[:1] in MAY_BE_TYPED else text, False)
        self.quoted.append((start.index, end.index))
        return Scalar(place, width, text, text, True)

    def _run_together(self, place: Place, written: str) -> None:
        """Items of a list that were taken for the rest of a text, for they stand deeper than it."""
        below = [line.strip() for line in LINE_BREAK.split(written)[1:]]
        item = next((line for line in below if line.startswith(_ITEM)), None)
        if item is not None:
            message = f"`{item.partition('|')[0].strip()}`, in a line below, is read as part of this text"
            hint = "begin this line and the next in the same column, each with a dash and a space"
            self.findings.append(Finding("yaml-run-together", message, place, 1, hint))
            self.sound = False

    def _key(self, key: Node) -> Scalar | None:
        if not isinstance(key, Scalar):
            self._broken("yaml-complex-key", "a key must be a text", key, _TEXT_OF_BRACES)
        elif key.text == "<<" and not key.quoted:
            self._broken("yaml-merge-key", "merge keys (`<<`) are not part of policy files", key, "write the keys out")
        elif key.text == "":
            self._broken("yaml-empty-key", "a key is missing before the `:`", key)
        else:
            return key
        return None

    def _duplicate(self, key: Scalar, first: Scalar) -> None:
        message = f"`{key.text}` is written twice; the first is in line {first.place.line}"
        others = (OtherPlace(first.place, "first written here"),)
        hint = "put both together, or delete one"
        self.findings.append(Finding("yaml-duplicate-key", message, key.place, key.width, hint, others))

    def _alias(self, event: Any) -> Scalar:
        node = Scalar(self._place(event.start_mark), len(event.anchor) + 1, f"*{event.anchor}", None, False)
        hint = "write the value out, or put the text in quotes"
        message = f"`*{event.anchor}` refers to another place; policy files do not do that"
        self._broken("yaml-alias", message, node, hint)
        return node

    def _refuse_property(self, event: Any) -> None:
        place = self._place(event.start_mark)
        if event.anchor is not None:
            message = f"`&{event.anchor}` names a place for reuse; policy files do not do that"
            hint = "delete it, or put the text in quotes"
            self.findings.append(Finding("yaml-anchor", message, place, len(event.anchor) + 1, hint))
        if event.tag is not None:
            message = "`!` gives a value a type of its own; policy files do not do that"
            self.findings.append(Finding("yaml-tag", message, place, hint="delete it, or put the text in quotes"))
        self.sound = False

    def _directives(self, event: Any) -> None:
        if event.version is not None or event.tags:
            place = self._place(event.start_mark)
            message = "a `%` directive; policy files have none"
            self.findings.append(Finding("yaml-directive", message, place, hint="delete the line"))

    def _broken(self, code: str, message: str, node: Node, hint: str | None = None) -> None:
        self.findings.append(Finding(code, message, node.place, node.width, hint))
        self.sound = False

    def _place(self, mark: Any) -> Place:
        return Place(self.file, mark.line + 1, mark.column + 1)


def lines_of(text: str) -> list[str]:
    """The lines of a file as the reader counts them, without their line breaks."""
    return LINE_BREAK.split(text.removeprefix(_BOM))
