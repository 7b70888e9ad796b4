"""The schema check says something exactly when the schema does not allow it, and offers only what it would allow."""

import json
import re
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from chingoo.policy.answers import of_files
from chingoo.source.reader import read
from chingoo.source.schema import BrokenSchemaError, Schemas
from chingoo.source.shortcuts import surely_fits
from chingoo.source.tree import plain

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": False,
    "required": ["id"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z]+$"},
        "level": {"type": "integer", "enum": [1, 2]},
        "share": {"type": "number", "minimum": 0, "maximum": 1},
        "flags": {"type": "array", "uniqueItems": True, "maxItems": 3, "items": {"type": ["boolean", "integer"]}},
        "names": {"type": "object", "propertyNames": {"enum": ["a", "b"]}, "additionalProperties": {"type": "string"}},
        "when": {"$ref": "#/$defs/when"},
        "note": {"type": ["string", "null"]},
        "never": False,
    },
    "$defs": {
        "when": {
            "oneOf": [
                {"type": "object", "additionalProperties": False, "required": ["all"],
                 "properties": {"all": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/when"}}}},
                {"type": "object", "additionalProperties": False, "required": ["fact", "is"],
                 "properties": {"fact": {"type": "string"}, "is": {"type": "boolean"}}},
                {"type": "string", "const": "always"},
            ]
        }
    },
}  # fmt: skip

SURE: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id"],
    "properties": {
        **{key: SCHEMA["properties"][key] for key in ("id", "level", "share", "flags")},
        "names": {"type": "object", "minProperties": 1, "propertyNames": {"pattern": "^[ab]$"},
                  "additionalProperties": {"type": "string", "minLength": 1}},
        "when": {"$ref": "#/$defs/when"},
        "note": {"anyOf": [{"type": "string"}, {"type": ["number", "boolean"], "exclusiveMinimum": 1}]},
    },
    "$defs": {
        "when": {"type": "object", "additionalProperties": False, "minProperties": 1,
                 "properties": {"all": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/when"}},
                                "fact": {"type": "string"}, "is": {"type": ["boolean", "integer"]}}},
    },
}  # fmt: skip
"""What quick tests know all of."""

KEYS = st.sampled_from([*SCHEMA["properties"], "all", "fact", "is", "a", "b", "other"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 3),
    st.sampled_from([0.5, 2.5]),
    st.sampled_from(["", "x", "always", "7"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda v: st.lists(v.filter(lambda item: item is not None), max_size=4) | st.dictionaries(KEYS, v, max_size=4),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def schemas() -> Schemas:
    return Schemas({"test": json.dumps(SCHEMA)})


@settings(max_examples=300, deadline=None)
@given(value=st.dictionaries(KEYS, VALUES, min_size=1, max_size=5))
def test_something_is_said_exactly_when_the_schema_does_not_allow_it(schemas: Schemas, value: dict[str, Any]) -> None:
    text = json.dumps(value).replace("null", "")
    tree = read(text, "f.yaml").tree
    assert tree is not None
    allowed = Draft202012Validator(SCHEMA).is_valid(plain(tree))
    findings = schemas.check("test", tree)
    assert (findings == ()) is allowed
    assert all(finding.place.line == 1 and 1 <= finding.place.column <= len(text) for finding in findings)


@settings(max_examples=300, deadline=None)
@given(value=st.dictionaries(KEYS, VALUES, min_size=1, max_size=5).map(lambda value: {"id": "x", **value}))
def test_what_a_quick_test_lets_through_is_allowed(value: dict[str, Any]) -> None:
    contents = {"test": json.loads(json.dumps(SURE).replace("#/", "test#/"))}
    fits = surely_fits(contents["test"], contents)
    assert fits is not None
    allowed = Draft202012Validator(SURE).is_valid(value)
    assert allowed or not fits(value)
    event(f"allowed {allowed}, let through {fits(value)}")


def test_a_quick_test_lets_through_what_is_written_well() -> None:
    contents = {"test": json.loads(json.dumps(SURE).replace("#/", "test#/"))}
    fits = surely_fits(contents["test"], contents)
    assert fits is not None
    when = {"all": [{"fact": "a", "is": True}, {"all": [{"is": 1}]}]}
    assert fits({"id": "x", "level": 2, "share": 0.5, "flags": [1, 2], "names": {"a": "b"}, "when": when, "note": 7})


def test_there_is_a_quick_test_for_every_schema(policy_schemas: dict[str, str]) -> None:
    """Else judging the policies would take longer by a quarter without anybody noticing."""
    contents = Schemas(of_files(policy_schemas)).contents
    assert [name for name, content in contents.items() if surely_fits(content, contents) is None] == []


@pytest.mark.parametrize(
    "text",
    [
        "idd: x\n",
        "id: true\n",
        "id: x\nlevel: '2'\n",
        "id: x\nlevel: 2.0\n",
        "id: x\nshare: 0,5\n",
        "id: x\nflags: true\n",
        "id: x\nwhen: {fact: a, is: no}\n",
        "id: x\nwhen: {fcat: a, is: true}\n",
        "id: x\nnames: {A: x}\n",
        "id: x\nwhen: alway\n",
    ],
)
def test_what_a_hint_says_would_pass(text: str, schemas: Schemas) -> None:
    tree = read(text, "f.yaml").tree
    assert tree is not None
    (finding,) = schemas.check("test", tree)
    assert finding.hint is not None
    offer = re.fullmatch(
        r"(?:did you mean `(.+)`\?|(?:put it in quotes: |write it as a list: |write )([^,]+).*)", finding.hint
    )
    assert offer is not None
    lines = text.splitlines()
    line, start = lines[finding.place.line - 1], finding.place.column - 1
    lines[finding.place.line - 1] = line[:start] + (offer[1] or offer[2]) + line[start + finding.width :]
    mended = read("\n".join(lines) + "\n", "f.yaml").tree
    assert mended is not None
    assert schemas.check("test", mended) == ()


def test_a_misspelt_needed_key_is_one_finding(schemas: Schemas) -> None:
    tree = read("idd: x\nlevel: 1\n", "f.yaml").tree
    assert tree is not None
    assert [finding.code for finding in schemas.check("test", tree)] == ["schema-unknown-key"]


def test_a_key_that_would_not_pass_is_not_offered(schemas: Schemas) -> None:
    tree = read("id: x\nlevl: seven\n", "f.yaml").tree
    assert tree is not None
    (finding,) = schemas.check("test", tree)
    assert finding.hint is not None
    assert finding.hint.startswith("known here: ")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"test": "{"}, "test is no JSON"),
        ({"other": "{}"}, "there is no schema test"),
        ({"test": '{"$ref": "gone.schema.json"}'}, "is not there"),
    ],
)
def test_a_broken_schema_is_a_fault_of_the_tool(texts: dict[str, str], said: str) -> None:
    tree = read("id: x\n", "f.yaml").tree
    assert tree is not None
    with pytest.raises(BrokenSchemaError, match=said):
        Schemas(texts).check("test", tree)


def test_a_letter_that_only_looks_like_a_latin_one_is_named() -> None:
    from chingoo.source.mismatch import _foreign

    assert _foreign("rоuting.threat") == "; the о in it is a cyrillic small letter o"
    assert _foreign("31.03.2026") == ""
    assert _foreign("한글") == ""
