"""Tells one schema error as findings: the exact place, writer's words, and a hint that was tried."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema.exceptions import ValidationError

from chingoo.source.findings import Finding, OtherPlace
from chingoo.source.suggest import did_you_mean
from chingoo.source.tree import ListNode, MapNode, Node, Scalar, at, key_at, plain, typed
from chingoo.source.wording import TRUTH, WORDS, counted, description, found, listed, offer, whole

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A finding, the group of keys it is about, the key it offers instead, and the key it says is missing."""

    finding: Finding
    path: Path = ()
    offers: str | None = None
    misses: str | None = None


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells errors of one tree. `passes` tries a value against a part of a schema."""

    tree: Node
    passes: Callable[[Any, Any], bool]

    def tell(self, error: ValidationError) -> Iterator[Told]:
        """The findings of one error; choices between shapes are told for the shape that was most likely meant."""
        path: Path = tuple(error.absolute_path)
        validator = str(error.validator)
        if validator in ("anyOf", "oneOf"):
            yield from self._alternatives(error, path)
        elif "propertyNames" in error.absolute_schema_path:
            yield Told(self._key_name(error, path))
        elif validator in ("additionalProperties", "unevaluatedProperties", "None"):
            yield from self._unknown_keys(error, path)
        elif validator in ("required", "dependentRequired"):
            yield from self._missing(error, path)
        elif validator == "uniqueItems":
            yield from self._repeated(path)
        elif validator == "type":
            yield Told(self._type(path, _as_list(_told_by(error)), error.schema))
        elif validator in ("enum", "const"):
            yield from self._choice(error, path)
        else:
            yield Told(self._bound(error, path, validator))

    # choices between shapes

    def _alternatives(self, error: ValidationError, path: Path) -> Iterator[Told]:
        branches: dict[int, list[ValidationError]] = {}
        for inner in error.context or ():
            branches.setdefault(int(inner.relative_schema_path[0]), []).append(inner)
        wrong_type = {i: e for i, branch in branches.items() for e in branch if _is_own_type(e)}
        fitting = [branch for i, branch in branches.items() if i not in wrong_type]
        split = self._split_text(error, path)
        if split is not None:
            yield Told(split)
        elif not branches:
            yield Told(self._generic(error, path))
        elif not fitting:
            types = [name for e in wrong_type.values() for name in _as_list(_told_by(e))]
            yield Told(self._type(path, list(dict.fromkeys(types)), error.schema))
        else:
            yield from self._likeliest(fitting, path)

    def _split_text(self, error: ValidationError, path: Path) -> Finding | None:
        """A text that a `: ` without quotes made into a key and its value, where the text itself would do."""
        node = at(self.tree, path)
        key, value = node.pairs[0] if isinstance(node, MapNode) and len(node.pairs) == 1 else (None, None)
        if key is None or not isinstance(value, Scalar) or key.text in _keys_of(error.schema):
            return None
        text = f"{key.text}: {value.text}"
        if '"' in text or not self.passes(error.schema, text):
            return None
        message = f"the `: ` makes `{key.text}` a key"
        return self._finding("schema-type", message, key, f'put the whole text in quotes: "{text}"')

    def _likeliest(self, branches: list[list[ValidationError]], path: Path) -> Iterator[Told]:
        costs = [sum(_cost(error) for error in branch) for branch in branches]
        best = [branch for branch, cost in zip(branches, costs, strict=True) if cost == min(costs)]
        missing = [e for branch in best for e in branch if e.validator == "required" and len(branch) == 1]
        if len(best) > 1 and len(missing) == len(best):
            names = dict.fromkeys(name for e in missing for name in _told_by(e) if name not in _instance(e))
            message = f"one of these keys is missing: {listed(names)}"
            yield Told(self._finding("schema-missing-key", message, self._head(path)))
            return
        for inner in best[0]:
            yield from self.tell(inner)

    # keys

    def _key_name(self, error: ValidationError, path: Path) -> Finding:
        node = at(self.tree, path)
        key = node.key(str(_instance(error))) if isinstance(node, MapNode) else None
        where = key or node
        if error.validator == "enum":
            hint = offer(str(_instance(error)), _told_by(error)) or f"known here: {listed(_told_by(error))}"
            message = f"`{_instance(error)}` is not known here"
            return self._finding("schema-unknown-key", message, where, hint)
        message = f"`{_instance(error)}` is not a name that can stand here"
        return self._finding("schema-pattern", message, where, description(error.schema))

    def _unknown_keys(self, error: ValidationError, path: Path) -> Iterator[Told]:
        node, schema = at(self.tree, path), error.schema
        if not isinstance(node, MapNode) or not isinstance(schema, Mapping):
            where = self._head(path)
            yield Told(self._finding("schema-unknown-key", "this key is not known here", where))
            return
        known: Mapping[str, Any] = schema.get("properties", {})
        patterns = tuple(schema.get("patternProperties", {}))
        free = [name for name in known if node.get(name) is None]
        for key, _ in node.pairs:
            if key.text in known or any(re.search(pattern, key.text) for pattern in patterns):
                continue
            value = _instance(error)[key.text]
            likely = did_you_mean(key.text, (name for name in free if self.passes(known[name], value)))
            hint = f"did you mean `{likely}`?" if likely else (f"known here: {listed(known)}" if known else None)
            name, colon, rest = key.text.partition(":")
            if colon and rest and name in known:
                hint = f"put a space after the colon: `{name}: {rest}`"
            message = f"`{key.text}` is not known here"
            yield Told(self._finding("schema-unknown-key", message, key, hint), path, offers=likely)

    def _missing(self, error: ValidationError, path: Path) -> Iterator[Told]:
        wanted: Iterable[str] = _told_by(error)
        if error.validator == "dependentRequired":
            wanted = [name for key, names in _told_by(error).items() if key in _instance(error) for name in names]
        for name in wanted:
            if name not in _instance(error):
                part = error.schema.get("properties", {}).get(name, {}) if isinstance(error.schema, Mapping) else {}
                hint = description(part)
                finding = self._finding("schema-missing-key", f"`{name}` is missing", self._head(path), hint)
                yield Told(finding, path, misses=name)

    # values

    def _type(self, path: Path, types: Sequence[str], schema: Any) -> Finding:
        node = at(self.tree, path)
        wanted = " or ".join(WORDS.get(name, name) for name in types)
        message = f"{self._subject(path)} must be {wanted}, not {found(node)}"
        return self._finding("schema-type", message, self._value(path), self._type_hint(node, types, schema))

    def _type_hint(self, node: Node, types: Sequence[str], schema: Any) -> str | None:
        """What to write instead; only what the schema would take is offered."""
        if not isinstance(node, Scalar):
            return None
        text, truth = node.text, TRUTH.get(node.text.lower())
        number = typed(text.strip().replace(",", "."))
        tries = (
            ("string", text, f'put it in quotes: "{text}"', bool(text)),
            ("boolean", truth == "true", f"write {truth}", truth is not None),
            ("number", number, f"write {number}{', without quotes' if node.quoted else ''}", True),
            ("integer", whole(number), f"write {whole(number)}{', without quotes' if node.quoted else ''}", True),
            ("array", [node.value], f"write it as a list: [{text}]", bool(text)),
        )
        for name, value, hint, sensible in tries:
            if name in types and sensible and self.passes(schema, value):
                return hint
        return "write something, or delete it" if node.value is None else None

    def _choice(self, error: ValidationError, path: Path) -> Iterator[Told]:
        choices = _told_by(error) if error.validator == "enum" else [_told_by(error)]
        kind = error.schema.get("type") if isinstance(error.schema, Mapping) else None
        if kind is not None and not self.passes({"type": kind}, _instance(error)):
            return  # told as a wrong kind of value
        node = at(self.tree, path)
        written = node.text if isinstance(node, Scalar) else found(node)
        hint = offer(written, choices) or f"known here: {listed(choices)}"
        message = f"{self._subject(path)} cannot be `{written}`"
        yield Told(self._finding("schema-choice", message, self._value(path), hint))

    def _repeated(self, path: Path) -> Iterator[Told]:
        node = at(self.tree, path)
        first: dict[str, Node] = {}
        for index, item in enumerate(node.items if isinstance(node, ListNode) else ()):
            same = json.dumps(plain(item), sort_keys=True)
            if same in first:
                others = (OtherPlace(first[same].place, "first written here"),)
                message = "this item is in the list twice"
                finding = self._finding("schema-repeated-item", message, item, "delete one", others)
                yield Told(finding, (*path, index))
            first.setdefault(same, item)

    def _bound(self, error: ValidationError, path: Path, validator: str) -> Finding:
        limit = _told_by(error)
        subject = self._subject(path)
        told = {
            "minLength": ("schema-length", f"{subject} must have at least {counted(limit, 'character')}"),
            "maxLength": ("schema-length", f"{subject} may have at most {counted(limit, 'character')}"),
            "minimum": ("schema-range", f"{subject} must be {limit} or more"),
            "maximum": ("schema-range", f"{subject} must be {limit} or less"),
            "exclusiveMinimum": ("schema-range", f"{subject} must be more than {limit}"),
            "exclusiveMaximum": ("schema-range", f"{subject} must be less than {limit}"),
            "multipleOf": ("schema-range", f"{subject} must be a multiple of {limit}"),
            "minItems": ("schema-length", f"{subject} must have at least {counted(limit, 'item')}"),
            "maxItems": ("schema-length", f"{subject} may have at most {counted(limit, 'item')}"),
            "minProperties": ("schema-length", f"{subject} must have at least {counted(limit, 'key')}"),
            "maxProperties": ("schema-length", f"{subject} may have at most {counted(limit, 'key')}"),
        }.get(validator)
        if told is not None:
            return self._finding(told[0], told[1], self._value(path))
        if validator == "pattern":
            message = f"{subject} is not written as it must be: `{_instance(error)}`{_foreign(str(_instance(error)))}"
            return self._finding("schema-pattern", message, self._value(path), description(error.schema))
        return self._generic(error, path)

    def _generic(self, error: ValidationError, path: Path) -> Finding:
        message = f"{self._subject(path)} does not fit what may stand here"
        return self._finding("schema-mismatch", message, self._value(path), description(error.schema))

    # places

    def _subject(self, path: Path) -> str:
        """What a message speaks of: the key, or an item of the nearest key."""
        if path and isinstance(path[-1], str):
            return f"`{path[-1]}`"
        named = next((step for step in reversed(path) if isinstance(step, str)), None)
        return f"an item of `{named}`" if named else "the file"

    def _value(self, path: Path) -> Node:
        """The value; where nothing is written, its key."""
        node = at(self.tree, path)
        if isinstance(node, Scalar) and node.value is not None:
            return node
        return self._head(path)

    def _head(self, path: Path) -> Node:
        """The key under which a value stands, or the value itself in a list."""
        return key_at(self.tree, path) or at(self.tree, path)

    def _finding(
        self, code: str, message: str, where: Node, hint: str | None = None, others: tuple[OtherPlace, ...] = ()
    ) -> Finding:
        return Finding(code, message, where.place, where.width, hint, others)


def _is_own_type(error: ValidationError) -> bool:
    return error.validator == "type" and not error.relative_path


def _cost(error: ValidationError) -> float:
    """How unlikely an error makes it that this shape was meant: wrong keys speak loudest, depth speaks for it."""
    if error.validator == "additionalProperties" and isinstance(error.schema, Mapping):
        known = error.schema.get("properties", {})
        return 2.0 * len([key for key in _keys(_instance(error)) if key not in known])
    if error.validator == "required":
        return 2.0
    return 1.0 / (1 + len(error.relative_path))


def _told_by(error: ValidationError) -> Any:
    """What the schema says at the keyword that the error is about."""
    return error.validator_value


def _instance(error: ValidationError) -> Any:
    return error.instance


def _keys(instance: Any) -> list[str]:
    return list(instance) if isinstance(instance, dict) else []


def _keys_of(schema: Any) -> set[str]:
    """Every key that one of the shapes of a choice knows."""
    shapes = (
        [shape for name in ("anyOf", "oneOf") for shape in schema.get(name, ())] if isinstance(schema, dict) else []
    )
    return {name for shape in shapes if isinstance(shape, dict) for name in shape.get("properties", {})}


def _as_list(types: Any) -> list[str]:
    return [types] if isinstance(types, str) else list(types)


def _foreign(name: str) -> str:
    """Says which letter of a name in Latin letters only looks like one of them."""
    odd = next((letter for letter in name if not letter.isascii() and letter.isalpha()), None)
    if odd is None or not any(letter.isascii() and letter.isalpha() for letter in name):
        return ""
    return f"; the {odd} in it is a {unicodedata.name(odd, 'letter of another script').lower()}"
