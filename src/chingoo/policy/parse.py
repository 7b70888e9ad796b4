"""Turns located trees into typed documents, directed by the documents' own types."""

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from chingoo.policy.documents.base import Entry
from chingoo.source.findings import Finding
from chingoo.source.suggest import did_you_mean
from chingoo.source.tree import ListNode, MapNode, Node, Scalar

Convert = Callable[[Node], Any]

_WORDS: Mapping[type, str] = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


class _UnfitError(Exception):
    """A node that is not what the type wants; holds the finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class Parsed:
    """The document, or the finding that stopped it."""

    document: Any
    finding: Finding | None = None


class Parser:
    """Converts trees into documents. Converters are made once for each type, so one parser serves a whole run."""

    def __init__(self) -> None:
        self._converters: dict[Any, Convert] = {Entry: _entry}

    def parse(self, document: type, tree: Node) -> Parsed:
        """The document a tree says. Findings here mean that a schema allows what its document does not."""
        try:
            return Parsed(self._converter(document)(tree))
        except _UnfitError as error:
            return Parsed(None, error.finding)

    def _converter(self, wanted: Any) -> Convert:
        known = self._converters.get(wanted)
        if known is None:
            # A document may hold itself: its converter is there before its fields are looked at.
            def later(node: Node) -> Any:
                return self._converters[wanted](node)

            self._converters[wanted] = later
            known = self._converters[wanted] = self._made(wanted)
        return known

    def _made(self, wanted: Any) -> Convert:
        origin, args = get_origin(wanted), get_args(wanted)
        made: Convert | None = None
        if origin in (Union, types.UnionType):
            made = self._union(args)
        elif origin is Literal:
            made = _chosen({choice: choice for choice in args})
        elif origin is tuple:
            made = self._tuple(args)
        elif origin is Mapping:
            made = self._mapping(args[0], args[1])
        elif isinstance(wanted, type) and issubclass(wanted, StrEnum):
            made = _chosen({member.value: member for member in wanted})
        elif isinstance(wanted, type) and is_dataclass(wanted):
            made = self._document(wanted)
        elif wanted in _WORDS:
            made = _scalar(wanted)
        if made is None:
            raise TypeError(f"documents cannot have fields of type {wanted}")
        return made

    def _union(self, args: tuple[Any, ...]) -> Convert:
        options = [self._converter(arg) for arg in args if arg is not type(None)]
        optional = type(None) in args

        def convert(node: Node) -> Any:
            if optional and isinstance(node, Scalar) and node.value is None:
                return None
            failure: _UnfitError | None = None
            for option in options:
                try:
                    return option(node)
                except _UnfitError as error:
                    # Without its traceback: it would hold this frame and all above it, and with them the whole run.
                    failure = failure or error.with_traceback(None)
            raise failure or _unfit(node, "policy-type", "nothing may stand here")

        return convert

    def _tuple(self, args: tuple[Any, ...]) -> Convert:
        if len(args) == 2 and args[1] is Ellipsis:
            item = self._converter(args[0])

            def convert(node: Node) -> Any:
                if not isinstance(node, ListNode):
                    raise _unfit(node, "policy-type", "a list must stand here")
                return tuple([item(child) for child in node.items])

            return convert
        converters = [self._converter(arg) for arg in args]

        def convert_exactly(node: Node) -> Any:
            if not isinstance(node, ListNode) or len(node.items) != len(converters):
                raise _unfit(node, "policy-type", f"a list of exactly {len(converters)} items must stand here")
            return tuple(part(child) for part, child in zip(converters, node.items, strict=True))

        return convert_exactly

    def _mapping(self, key_type: Any, value_type: Any) -> Convert:
        key_of, value_of = self._converter(key_type), self._converter(value_type)

        def convert(node: Node) -> Any:
            if not isinstance(node, MapNode):
                raise _unfit(node, "policy-type", "keys with values must stand here")
            return {key_of(_as_text(key)): value_of(_named(key, value)) for key, value in node.pairs}

        return convert

    def _document(self, wanted: type) -> Convert:
        hints = get_type_hints(wanted)
        written = [f for f in fields(wanted) if f.name != "place"]
        slots = {yaml_key(f.name): (f.name, self._converter(hints[f.name])) for f in written}
        required = [yaml_key(f.name) for f in written if is_required(f)]
        placed = any(f.name == "place" for f in fields(wanted))

        def convert(node: Node) -> Any:
            if not isinstance(node, MapNode):
                raise _unfit(node, "policy-type", "keys with values must stand here")
            values: dict[str, Any] = {"place": node.place} if placed else {}
            for key, value in node.pairs:
                slot = slots.get(key.text)
                if slot is None:
                    offer = did_you_mean(key.text, slots)
                    hint = f"did you mean `{offer}`?" if offer else None
                    message = f"`{key.text}` is not known here"
                    raise _UnfitError(Finding("policy-unknown-key", message, key.place, key.width, hint))
                values[slot[0]] = slot[1](value)
            for name in required:
                if slots[name][0] not in values:
                    raise _UnfitError(Finding("policy-missing-key", f"`{name}` is missing", node.place))
            return wanted(**values)

        return convert


def yaml_key(field_name: str) -> str:
    """The YAML key of a field: its name, without the underscore that keeps Python's own words apart (`not_`, `in_`)."""
    return field_name.removesuffix("_")


def is_required(field: "Field[Any]") -> bool:
    """True when YAML has to write the field."""
    return field.default is MISSING and field.default_factory is MISSING


def _entry(node: Node) -> Entry:
    """An entry of a word list: the words alone, or `{text, requires}`."""
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return Entry(node.value, node.place)
    if isinstance(node, MapNode):
        parts = {key.text: value.value if isinstance(value, Scalar) else None for key, value in node.pairs}
        text, requires = parts.get("text"), parts.get("requires")
        if isinstance(text, str) and isinstance(requires, str | None) and parts.keys() <= {"text", "requires"}:
            return Entry(text, node.place, requires)
    raise _unfit(node, "policy-type", "words must stand here, or {text: words, requires: name of a list}")


def _scalar(wanted: type) -> Convert:
    def convert(node: Node) -> Any:
        value = node.value if isinstance(node, Scalar) else None
        if type(value) is wanted:
            return value
        if wanted is float and type(value) is int:
            return float(value)
        raise _unfit(node, "policy-type", f"{_WORDS[wanted]} must stand here")

    return convert


def _chosen(choices: Mapping[Any, Any]) -> Convert:
    def convert(node: Node) -> Any:
        value = node.value if isinstance(node, Scalar) else None
        if value in choices and type(value) is not float:
            return choices[value]
        raise _unfit(node, "policy-choice", f"one of {', '.join(map(str, choices))} must stand here")

    return convert


def _named(key: Scalar, value: Node) -> Node:
    """A group of keys that has a name stands where its name stands."""
    return MapNode(key.place, key.width, value.pairs) if isinstance(value, MapNode) else value


def _as_text(key: Scalar) -> Scalar:
    return Scalar(key.place, key.width, key.text, key.text, True)


def _unfit(node: Node, code: str, message: str) -> _UnfitError:
    return _UnfitError(Finding(code, message, node.place, node.width))
