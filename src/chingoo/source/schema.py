"""Checks a located tree against a JSON Schema, and says what is wrong in the words of people who write policies."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from chingoo.errors import ChingooError
from chingoo.source import mismatch
from chingoo.source.findings import Finding, sorted_findings
from chingoo.source.shortcuts import items_checker, surely_fits, written_out
from chingoo.source.tree import Node, plain

_TYPES = Draft202012Validator.TYPE_CHECKER.redefine(
    "integer", lambda _checker, value: isinstance(value, int) and not isinstance(value, bool)
)


class BrokenSchemaError(ChingooError):
    """A schema of ours is no JSON Schema, or refers to one that is not there: a fault of the tool, not of a file."""


class Schemas:
    """All schemas, each compiled once; `texts` maps a schema's file name to its JSON text. BrokenSchemaError."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        contents = {name: _load(name, text) for name, text in sorted(texts.items())}
        self.contents: Mapping[str, Any] = contents
        self._surely_fit = {name: surely_fits(content, contents) for name, content in contents.items()}

    @cached_property
    def _validators(self) -> Mapping[str, Any]:
        """What says what is wrong. Made when a file first needs it: most sets have none that does."""
        contents = written_out(self.contents)
        resources = [(name, DRAFT202012.create_resource(content)) for name, content in contents.items()]
        registry: Registry[Any] = Registry().with_resources(resources)
        validator: Any = extend(Draft202012Validator, {"items": items_checker()}, type_checker=_TYPES)  # type: ignore[no-untyped-call]
        return {name: validator({"$ref": name}, registry=registry) for name in contents}

    def check(self, name: str, tree: Node) -> tuple[Finding, ...]:
        """Everything in the tree that the schema does not allow, by place. BrokenSchemaError: no such schema."""
        if name not in self.contents:
            raise BrokenSchemaError(f"there is no schema {name}; is the schemas folder complete?")
        value, fits = plain(tree), self._surely_fit[name]
        if fits is not None and fits(value):
            return ()
        validator = self._validators[name]

        def passes(schema: Any, value: Any) -> bool:
            return bool(validator.evolve(schema=schema).is_valid(value))

        try:
            errors: list[ValidationError] = list(validator.iter_errors(value))
            teller = mismatch.Teller(tree, passes)
            told = [item for error in errors for item in teller.tell(error)]
        except Unresolvable as error:
            raise BrokenSchemaError(f"{name} refers to {error.ref}, which is not there") from error
        if errors and not told:
            told = [mismatch.Told(Finding("schema-mismatch", "the file does not fit its schema", tree.place))]
        offered = {(item.path, item.offers) for item in told if item.offers is not None}
        return sorted_findings(item.finding for item in told if (item.path, item.misses) not in offered)


def _load(name: str, text: str) -> Any:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise BrokenSchemaError(f"{name} is no JSON: line {error.lineno}: {error.msg}") from error
    return _absolute(content, name)


def _absolute(part: Any, name: str) -> Any:
    """References within a file made whole, so that any part of a schema can be tried by itself.

    `$id` is dropped, and `$schema`, for which the library would leave our own checker for the plain one.
    """
    if isinstance(part, list):
        return [_absolute(item, name) for item in part]
    if not isinstance(part, dict):
        return part
    named = {key for key in ("$id", "$schema") if isinstance(part.get(key), str)}
    whole = {key: _absolute(value, name) for key, value in part.items() if key not in named}
    reference = whole.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        whole["$ref"] = f"{name}{reference}"
    return whole
