"""Makes schema checks quick without changing what they find: references written out, quick tests."""

import re
from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

_REMARKS = {"description", "title", "default", "examples", "$comment"}
_OF_TEXTS = frozenset(("minLength", "pattern"))
_OF_NUMBERS = frozenset(("minimum", "maximum", "exclusiveMinimum"))
_OF_LISTS = frozenset(("items", "minItems", "maxItems", "uniqueItems"))
_OF_OBJECTS = frozenset(("properties", "required", "additionalProperties", "propertyNames", "minProperties"))
_OF_KINDS = _OF_TEXTS | _OF_NUMBERS | _OF_LISTS | _OF_OBJECTS
_KNOWN = _REMARKS | _OF_KINDS | {"type", "enum", "anyOf", "$ref", "$defs", "format", "x-sorted"}
"""What quick tests know; `format` and `x-sorted` are looked at elsewhere."""
_SCALARS = (str, int, float, bool)

Test = Callable[[Any], bool]


def written_out(contents: Mapping[str, Any]) -> dict[str, Any]:
    """The schemas with every reference replaced by what it refers to; those that lead back to themselves stay."""
    return {name: _inlined(content, contents, ()) for name, content in contents.items()}


def _inlined(part: Any, contents: Mapping[str, Any], within: tuple[str, ...]) -> Any:
    if isinstance(part, list):
        return [_inlined(item, contents, within) for item in part]
    if not isinstance(part, dict):
        return part
    reference = part.get("$ref")
    beside = {key: _inlined(value, contents, within) for key, value in part.items() if key != "$ref"}
    if not isinstance(reference, str):
        return beside if reference is None else {**beside, "$ref": reference}
    target = _target(reference, contents)
    if target is None or reference in within or not beside.keys() <= _REMARKS:
        return {**beside, "$ref": reference}
    return {**_inlined(target, contents, (*within, reference)), **beside}


def _target(reference: str, contents: Mapping[str, Any]) -> dict[str, Any] | None:
    name, _, pointer = reference.partition("#")
    target = contents.get(name)
    for step in pointer.split("/")[1:]:
        target = target.get(step) if isinstance(target, dict) else None
    return target if isinstance(target, dict) else None


def items_checker() -> Callable[[Any, Any, Any, Any], Iterator[ValidationError]]:
    """A checker of `items` that lets those through which surely fit, and hands all others to the usual one."""
    usual = Draft202012Validator.VALIDATORS["items"]
    tests: dict[int, tuple[Any, Test | None]] = {}

    def check(validator: Any, items: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        known = tests.get(id(items))
        if known is None or known[0] is not items:
            known = tests[id(items)] = (items, surely_fits(items))
        fits = known[1]
        if fits is None or "prefixItems" in schema or not isinstance(instance, list):
            yield from usual(validator, items, instance, schema)
            return
        for index, item in enumerate(instance):
            if not fits(item):
                yield from validator.descend(item, items, path=index)

    return check


def surely_fits(schema: Any, contents: Mapping[str, Any] | None = None) -> Test | None:
    """A test that is true only for what the schema allows; None where the schema asks for more than it knows of.

    `contents` are all schemas, for references that lead back to themselves.
    """
    try:
        return _Tests(contents or {}).of(schema)
    except _UnknownError:
        return None


class _UnknownError(Exception):
    """A schema that no quick test is known for."""


class _Tests:
    """Makes tests out of schemas."""

    def __init__(self, contents: Mapping[str, Any]) -> None:
        self._contents = contents
        self._referred: dict[str, Test] = {}

    def of(self, schema: Any) -> Test:
        """The test of one schema. _UnknownError: it says something else than is known here."""
        if not isinstance(schema, dict) or not schema.keys() <= _KNOWN:
            raise _UnknownError
        tests = [*self._general(schema), *self._of_kind(schema)]
        return tests[0] if len(tests) == 1 else _all_of(tests)

    def _general(self, schema: Mapping[str, Any]) -> Iterator[Test]:
        if "$ref" in schema:
            yield self._reference(schema["$ref"])
        if "anyOf" in schema:
            yield _any_of([self.of(one) for one in schema["anyOf"]])
        if "enum" in schema:
            choices = {(type(choice), choice) for choice in schema["enum"]}
            yield lambda value: isinstance(value, _SCALARS) and (type(value), value) in choices

    def _of_kind(self, schema: Mapping[str, Any]) -> Iterator[Test]:
        """The test of the types that a schema names, with what it says of them; a pattern alone is one of texts."""
        named = schema.get("type", "string" if schema.keys() & _OF_TEXTS else None)
        if named is not None:
            kinds = [self._kind(kind, schema) for kind in ([named] if isinstance(named, str) else named)]
            yield kinds[0] if len(kinds) == 1 else _any_of(kinds)
        elif schema.keys() & _OF_KINDS:
            raise _UnknownError

    def _kind(self, kind: str, schema: Mapping[str, Any]) -> Test:
        if kind == "string":
            return _text(schema)
        if kind in ("integer", "number"):
            return _number(schema, (int,) if kind == "integer" else (int, float))
        if kind == "boolean":
            return lambda value: value is True or value is False
        if kind == "array":
            return self._list(schema)
        if kind == "object":
            return self._object(schema)
        raise _UnknownError

    def _reference(self, reference: str) -> Test:
        """The test of what is referred to, looked up when it is asked: it may refer to itself."""
        tests = self._referred
        if reference not in tests:
            target = _target(reference, self._contents)
            if target is None:
                raise _UnknownError
            tests[reference] = _nothing
            tests[reference] = self.of(target)
        return lambda value: tests[reference](value)  # noqa: PLW0108 - looked up late: it is made after this

    def _list(self, schema: Mapping[str, Any]) -> Test:
        fewest, most = schema.get("minItems", 0), schema.get("maxItems", inf)
        item = self.of(schema["items"]) if "items" in schema else _anything
        unique = schema.get("uniqueItems", False)

        def test(value: Any) -> bool:
            if not isinstance(value, list) or not fewest <= len(value) <= most:
                return False
            return all(map(item, value)) and not (unique and _may_repeat(value))

        return test

    def _object(self, schema: Mapping[str, Any]) -> Test:
        required = frozenset(schema.get("required", ()))
        fewest = schema.get("minProperties", 0)
        known = {name: self.of(one) for name, one in schema.get("properties", {}).items()}
        names = self.of(schema["propertyNames"]) if "propertyNames" in schema else _anything
        others = schema.get("additionalProperties", True)
        other = (_anything if others else _nothing) if isinstance(others, bool) else self.of(others)

        def test(value: Any) -> bool:
            if not isinstance(value, dict) or len(value) < fewest or not required <= value.keys():
                return False
            for name, one in value.items():  # noqa: SIM110 - as `_all_of`
                if not (known.get(name, other)(one) and names(name)):
                    return False
            return True

        return test


def _all_of(tests: list[Test]) -> Test:
    def test(value: Any) -> bool:
        for one in tests:  # noqa: SIM110 - a loop is twice as fast as `all`, which makes a generator for each value
            if not one(value):
                return False
        return True

    return test


def _any_of(tests: list[Test]) -> Test:
    def test(value: Any) -> bool:
        for one in tests:  # noqa: SIM110 - as above
            if one(value):
                return True
        return False

    return test


def _text(schema: Mapping[str, Any]) -> Test:
    shortest = schema.get("minLength", 0)
    pattern = re.compile(schema["pattern"]) if "pattern" in schema else None
    if pattern is None:
        return lambda value: isinstance(value, str) and len(value) >= shortest
    return lambda value: isinstance(value, str) and len(value) >= shortest and pattern.search(value) is not None


def _number(schema: Mapping[str, Any], kinds: tuple[type, ...]) -> Test:
    least, most = schema.get("minimum", -inf), schema.get("maximum", inf)
    above = schema.get("exclusiveMinimum", -inf)
    return lambda value: type(value) in kinds and least <= value <= most and value > above


def _may_repeat(values: list[Any]) -> bool:
    """Whether a list may hold something twice; sure only of texts and numbers."""
    if not all(isinstance(value, _SCALARS) for value in values):
        return True
    return len(set(values)) < len(values)


def _anything(_value: Any) -> bool:
    return True


def _nothing(_value: Any) -> bool:
    return False
