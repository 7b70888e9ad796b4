"""Makes schema checks quick without changing what they find: references written out, lists of texts tried at once."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

_REMARKS = {"description", "title", "default", "examples", "$comment"}
_TEXT_KEYS = _REMARKS | {"type", "minLength", "pattern", "enum"}

TextTest = Callable[[str], bool]


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
    """A checker of `items` that lets texts through which surely fit, and hands all other items to the usual one."""
    usual = Draft202012Validator.VALIDATORS["items"]
    tests: dict[int, tuple[Any, TextTest | None]] = {}

    def check(validator: Any, items: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        known = tests.get(id(items))
        if known is None or known[0] is not items:
            known = tests[id(items)] = (items, text_test(items))
        fits = known[1]
        if fits is None or "prefixItems" in schema or not isinstance(instance, list):
            yield from usual(validator, items, instance, schema)
            return
        for index, item in enumerate(instance):
            if not (isinstance(item, str) and fits(item)):
                yield from validator.descend(item, items, path=index)

    return check


def text_test(schema: Any) -> TextTest | None:
    """A test that is true only for texts the schema allows; None where none is that simple."""
    if not isinstance(schema, dict):
        return None
    if "anyOf" in schema and schema.keys() <= _REMARKS | {"anyOf"}:
        tests = [test for test in map(text_test, schema["anyOf"]) if test is not None]
        return (lambda text: any(test(text) for test in tests)) if tests else None
    if schema.get("type") != "string" or not schema.keys() <= _TEXT_KEYS:
        return None
    shortest, choices = schema.get("minLength", 0), schema.get("enum")
    pattern = re.compile(schema["pattern"]) if "pattern" in schema else None
    return lambda text: (
        len(text) >= shortest
        and (choices is None or text in choices)
        and (pattern is None or bool(pattern.search(text)))
    )
