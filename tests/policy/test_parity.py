"""Schemas and typed documents say the same: the same keys, needed and not, and the same choices."""

import json
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from jsonschema import Draft202012Validator

from chingoo.policy.answers import of_files
from chingoo.policy.areas import AREAS, Area
from chingoo.policy.documents.base import Entry
from chingoo.policy.parse import is_required, yaml_key
from chingoo.proof.judging import JUDGING

SCALARS: Mapping[Any, set[str]] = {str: {"string"}, int: {"integer"}, float: {"number"}, bool: {"boolean"}}


class Parity:
    """Walks a type and a schema side by side and tells where they part."""

    def __init__(self, schemas: Mapping[str, Any]) -> None:
        self.schemas = schemas
        self.seen: set[tuple[str, str]] = set()

    def differences(self, wanted: Any, schema: Any, file: str, where: str) -> Iterator[str]:
        schema, file = self.resolved(schema, file)
        origin, args = get_origin(wanted), get_args(wanted)
        if origin in (Union, types.UnionType):
            options = [arg for arg in args if arg is not type(None)]
            if len(options) == 1:
                yield from self.differences(options[0], schema, file, where)
        elif wanted is Entry:
            if schema != self.schemas["common.schema.json"]["$defs"]["entry"]:
                yield f"{where}: entries are $defs/entry of common.schema.json"
        elif origin is tuple:
            yield from self.items(args[0], schema, file, where)
        elif origin is Mapping:
            yield from self.mapping(args[0], args[1], schema, file, where)
        elif is_dataclass(wanted):
            yield from self.group(wanted, schema, file, where)
        elif origin is Literal or (isinstance(wanted, type) and issubclass(wanted, StrEnum)):
            members = set(args) if origin is Literal else {member.value for member in wanted}
            if set(schema.get("enum", [schema.get("const")])) != members:
                yield f"{where}: choices are {sorted(members)}"
        elif not (set(self.types(schema)) & (SCALARS[wanted] | ({"integer"} if wanted is float else set()))):
            yield f"{where}: must be {SCALARS[wanted]}"

    def resolved(self, schema: Any, file: str) -> tuple[Any, str]:
        while "$ref" in schema:
            name, _, pointer = schema["$ref"].partition("#")
            file = name or file
            target = self.schemas[file]
            for step in pointer.strip("/").split("/") if pointer.strip("/") else ():
                target = target[step]
            schema = target
        return schema, file

    def types(self, schema: Any) -> list[str]:
        written = schema.get("type", [])
        return [written] if isinstance(written, str) else list(written)

    def items(self, item: Any, schema: Any, file: str, where: str) -> Iterator[str]:
        if "array" not in self.types(schema) or "items" not in schema:
            yield f"{where}: must be an array with items"
        else:
            yield from self.differences(item, schema["items"], file, f"{where}[]")

    def mapping(self, key: Any, value: Any, schema: Any, file: str, where: str) -> Iterator[str]:
        named, others = schema.get("properties", {}), schema.get("additionalProperties")
        if others is False and not named and not schema.get("patternProperties"):
            yield f"{where}: no key is possible"
        values = [*named.values(), *schema.get("patternProperties", {}).values()]
        for child in [*values, *([others] if isinstance(others, dict) else [])]:
            yield from self.differences(value, child, file, f"{where}.*")
        if isinstance(key, type) and issubclass(key, StrEnum):
            members = {member.value for member in key}
            names, _ = self.resolved(schema.get("propertyNames", {}), file)
            if set(names.get("enum", named)) != members:
                yield f"{where}: keys are {sorted(members)}"

    def group(self, document: Any, schema: Any, file: str, where: str) -> Iterator[str]:
        mark = (document.__qualname__, json.dumps(schema, sort_keys=True))
        if mark in self.seen:
            return
        self.seen.add(mark)
        shapes = [self.resolved(shape, file)[0] for shape in schema.get("anyOf", schema.get("oneOf", ()))]
        shapes = [shape for shape in [schema, *shapes] if "properties" in shape]
        properties = {name: part for shape in shapes for name, part in shape["properties"].items()}
        required = set.intersection(*(set(shape.get("required", ())) for shape in shapes)) if shapes else set()
        hints = get_type_hints(document)
        written = {yaml_key(f.name): f for f in fields(document) if f.name != "place"}
        if properties.keys() != written.keys():
            yield f"{where}: keys differ: {sorted(properties.keys() ^ written.keys())}"
        needed = {name for name, field in written.items() if is_required(field)}
        if not needed <= required and len(shapes) <= 1:
            yield f"{where}: these keys are needed: {sorted(needed - required)}"
        if any(shape.get("additionalProperties") is not False for shape in shapes):
            yield f"{where}: additionalProperties must be false"
        for name in properties.keys() & written.keys():
            yield from self.differences(hints[written[name].name], properties[name], file, f"{where}.{name}")


@pytest.mark.parametrize("area", [*AREAS, *JUDGING], ids=lambda area: area.field)
def test_schema_and_document_agree(area: Area, policy_schemas: Mapping[str, str]) -> None:
    contents = {name: json.loads(text) for name, text in policy_schemas.items()}
    root = {"$ref": area.schema}
    assert list(Parity(contents).differences(area.document, root, area.schema, area.field)) == []


def test_every_schema_is_one_of_draft_2020_12(policy_schemas: Mapping[str, str]) -> None:
    for text in policy_schemas.values():
        schema = json.loads(text)
        Draft202012Validator.check_schema(schema)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_every_key_is_described_for_those_who_write_it(policy_schemas: Mapping[str, str]) -> None:
    bare = [
        f"{file}: {name}"
        for file, text in policy_schemas.items()
        for name, part in properties_in(json.loads(text))
        if "description" not in part and "$ref" not in part
    ]
    assert bare == []


def properties_in(schema: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            yield from properties.items()
        for part in schema.values():
            yield from properties_in(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from properties_in(part)


def test_every_schema_of_files_belongs_to_an_area(policy_schemas: Mapping[str, str]) -> None:
    assert set(of_files(policy_schemas)) == {area.schema for area in (*AREAS, *JUDGING)} | {"common.schema.json"}
