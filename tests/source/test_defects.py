"""Kinds of mistakes in one file: each is found with its code and place, and its text reads as the golden file says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from chingoo.source.findings import Finding
from chingoo.source.reader import read
from chingoo.source.render import render_text
from chingoo.source.schema import Schemas

SCHEMA = """{
  "type": "object", "additionalProperties": false, "required": ["because"],
  "properties": {
    "because": {"$ref": "common.schema.json#/$defs/because"},
    "lists": {"$ref": "common.schema.json#/$defs/lists"},
    "seen": {"$ref": "common.schema.json#/$defs/sight"},
    "topic": {"$ref": "common.schema.json#/$defs/topic"},
    "topics": {"$ref": "common.schema.json#/$defs/topics"},
    "review_by": {"$ref": "common.schema.json#/$defs/date"},
    "minutes": {"$ref": "common.schema.json#/$defs/positive"},
    "share": {"$ref": "common.schema.json#/$defs/share"},
    "locked": {"type": "boolean", "description": "Whether it is locked."},
    "level": {"const": "HIGH"},
    "names": {
      "type": "object", "propertyNames": {"enum": ["openai", "anthropic"]}, "additionalProperties": {"type": "string"}
    },
    "when": {"$ref": "#/$defs/condition"}
  },
  "$defs": {
    "condition": {
      "anyOf": [
        {"type": "object", "additionalProperties": false, "required": ["all"],
         "properties": {"all": {"type": "array", "items": {"$ref": "#/$defs/condition"}}}},
        {"type": "object", "additionalProperties": false, "required": ["fact", "gte"],
         "properties": {"fact": {"type": "string"}, "gte": {"type": "integer"}}},
        {"type": "object", "additionalProperties": false, "required": ["fact", "is"],
         "properties": {"fact": {"type": "string"}, "is": {"type": "boolean"}}}
      ]
    }
  }
}"""
END = "because: x\n"


@dataclass(frozen=True)
class Defect:
    """A kind of mistake, a file that has it, and the (code, line, column) of what is found."""

    kind: str
    text: str
    found: tuple[tuple[str, int, int], ...]


def one(kind: str, text: str, code: str, line: int, column: int) -> Defect:
    """A mistake that is one finding."""
    return Defect(kind, text, ((code, line, column),))


DEFECTS = (
    # how the file is written
    one("colon in a text", "because: she said: stop\n", "yaml-syntax", 1, 18),
    one("list not closed", "because: x\ntopics: [TRAVEL, FAMILY\nminutes: 1\n", "yaml-syntax", 2, 9),
    one("brace not closed", "because: x\nseen: {any: []\n", "yaml-syntax", 2, 7),
    one("quote not closed", 'because: "no sexual content\nminutes: 5\n', "yaml-syntax", 1, 10),
    one("unknown escape", 'because: "\\d+"\n', "yaml-syntax", 1, 11),
    one("key without colon", "because: x\nminutes 5\ntopic: TRAVEL\n", "yaml-syntax", 2, 1),
    one("line indented too little", "lists:\n  a.b:\n      entries: {}\n    note: x\n" + END, "yaml-syntax", 4, 5),
    one("item without dash", "topics:\n  - TRAVEL\n  FAMILY\n" + END, "yaml-syntax", 3, 3),
    one("item farther left than the next", "topics:\n  - TRAVEL\n    - FAMILY | X\n" + END, "yaml-run-together", 2, 5),
    one("first item without dash", "topics:\n  TRAVEL\n  - FAMILY\n" + END, "yaml-run-together", 2, 3),
    one("first dash without a space", "topics:\n  -TRAVEL\n  - FAMILY\n" + END, "yaml-run-together", 2, 3),
    one("dash without a space", "topics:\n  - TRAVEL\n  -FAMILY\n" + END, "yaml-syntax", 3, 3),
    one("apostrophe in single quotes", "topics:\n  - 'that's it'\n" + END, "yaml-syntax", 2, 11),
    one("quotation marks in double quotes", 'because: "she said "stop" twice"\n', "yaml-syntax", 1, 21),
    one("slot at the start of a text", "because: {name}: {contact}\n", "yaml-syntax", 1, 16),
    one("slot at the start of an item", "topics:\n  - {name}: {contact}\n", "yaml-complex-key", 2, 5),
    one("text starts with an at sign", "because: @all\n", "yaml-syntax", 1, 10),
    one("text starts with a star", "because: *hugs*\n", "yaml-syntax", 1, 10),
    one("reference to another place", "because: *hugs\n", "yaml-alias", 1, 10),
    one("place named for reuse", "because: &b x\n", "yaml-anchor", 1, 10),
    one("text starts with an exclamation mark", "because: !important x\n", "yaml-tag", 1, 10),
    one("brace in a text of a list", "because: x\ntopics: [TRAVEL, FAMILY | {x} y]\n", "yaml-syntax", 2, 27),
    one("comma missing", "because: x\ntopics: [\"TRAVEL\" FAMILY]\n", "yaml-syntax", 2, 9),
    one("merge key", "<<: {because: x}\n", "yaml-merge-key", 1, 1),
    one("list as a key", "[because]: x\n", "yaml-complex-key", 1, 1),
    one("key missing", 'because: x\n"": y\n', "yaml-empty-key", 2, 1),
    one("second document", "because: x\n---\nbecause: y\n", "yaml-many-documents", 2, 1),
    one("directive", "%YAML 1.2\n---\nbecause: x\n", "yaml-directive", 1, 1),
    one("empty file", "# nothing yet\n", "yaml-empty", 1, 1),
    one("key twice", "because: x\nminutes: 1\nbecause: y\n", "yaml-duplicate-key", 3, 1),
    one("too many brackets", "because: " + "[" * 60 + "\n", "yaml-too-deep", 1, 49),
    # characters
    one("tab for indenting", "lists:\n\ta.b:\n", "yaml-tab", 2, 1),
    one("tab in a text", "because: a\tb\n", "yaml-tab", 1, 11),
    one("zero width space in a word", END + 'review_by: "2026-01-01"\u200b\n', "yaml-invisible-character", 2, 24),
    one("writing direction in a word", "because: ab\u202ecd\n", "yaml-invisible-character", 1, 12),
    one("byte order mark inside", "because: 한\ufeff글\n", "yaml-invisible-character", 1, 11),
    one("no-break space", "because: a\u00a0b\n", "yaml-odd-space", 1, 11),
    one("line separator", "because: a\u2028minutes: 1\n", "yaml-odd-line-break", 1, 11),
    one("lost character", "because: caf\ufffd\n", "yaml-broken-character", 1, 13),
    one("null character", "because: a\x00\n", "yaml-control-character", 1, 11),
    one("another encoding", "because: caf\udce9\n", "yaml-not-utf8", 1, 13),
    # keys and values
    one("misspelt key", "becuase: x\n", "schema-unknown-key", 1, 1),
    one("unknown key", END + "severity: high\n", "schema-unknown-key", 2, 1),
    one("misspelt key in a list", END + "lists:\n  a.b:\n    entrys: {en: [x]}\n", "schema-unknown-key", 4, 5),
    one("unknown language", END + "lists:\n  a.b:\n    entries:\n      jp: [x]\n", "schema-unknown-key", 5, 7),
    one("key that names nothing known", END + "names: {openay: x}\n", "schema-unknown-key", 2, 9),
    one("missing key", "minutes: 1\n", "schema-missing-key", 1, 1),
    one("missing key of a named group", END + "lists:\n  a.b:\n    note: x\n", "schema-missing-key", 3, 3),
    one("number among words", END + "lists: {a.b: {entries: {en: [weed, 420]}}}\n", "schema-type", 2, 36),
    one("truth value among words", END + "lists: {a.b: {entries: {en: [true, weed]}}}\n", "schema-type", 2, 30),
    one("empty item", END + "lists:\n  a.b:\n    entries:\n      en:\n        -\n        - x\n", "schema-type", 6, 10),
    one("text for a number", END + "minutes: five\n", "schema-type", 2, 10),
    one("number in quotes", END + 'minutes: "5"\n', "schema-type", 2, 10),
    one("decimal comma", END + "share: 0,7\n", "schema-type", 2, 8),
    one("fraction for a whole number", END + "minutes: 5.0\n", "schema-type", 2, 10),
    one("yes for true", END + "locked: yes\n", "schema-type", 2, 9),
    one("one word for a list", END + "topics: TRAVEL\n", "schema-type", 2, 9),
    one("list for a text", "because: [x]\n", "schema-type", 1, 1),
    one("value left out", END + "topic:\n", "schema-type", 2, 1),
    one("misspelt choice", END + "topic: POLITCS\n", "schema-choice", 2, 8),
    one("choice in small letters", END + "topics: [travel]\n", "schema-choice", 2, 10),
    one("choice like nothing known", END + "topic: WEATHER\n", "schema-choice", 2, 8),
    one("another fixed value", END + "level: LOW\n", "schema-choice", 2, 8),
    one("item twice", END + "topics: [TRAVEL, FAMILY, TRAVEL]\n", "schema-repeated-item", 2, 26),
    one("date in another order", END + "review_by: 31.03.2026\n", "schema-pattern", 2, 12),
    one("space in a name", END + "lists:\n  my list: {entries: {}}\n", "schema-pattern", 3, 3),
    one("number too small", END + "minutes: 0\n", "schema-range", 2, 10),
    one("number too large", END + "share: 70\n", "schema-range", 2, 8),
    one("text too short", 'because: ""\n', "schema-length", 1, 10),
    one("list too short", END + "seen: {any: []}\n", "schema-length", 2, 8),
    # conditions, where one of several shapes must fit
    one("misspelt key of a condition", END + "when: {all: [{fcat: a, gte: 1}]}\n", "schema-unknown-key", 2, 15),
    one("text where a condition has a number", END + "when: {all: [{fact: a, gte: many}]}\n", "schema-type", 2, 29),
    one("condition without a comparison", END + "when: {fact: a}\n", "schema-missing-key", 2, 1),
    one("text for a condition", END + "when: always\n", "schema-type", 2, 7),
)  # fmt: skip


@pytest.fixture(scope="module")
def schemas(policy_schemas: Mapping[str, str]) -> Schemas:
    return Schemas({"common.schema.json": policy_schemas["common.schema.json"], "test.schema.json": SCHEMA})


def findings_of(text: str, schemas: Schemas) -> tuple[Finding, ...]:
    result = read(text, "policies/test.yaml")
    return result.findings + (schemas.check("test.schema.json", result.tree) if result.tree else ())


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.kind)
def test_each_kind_is_found_at_its_place(defect: Defect, schemas: Schemas) -> None:
    found = findings_of(defect.text, schemas)
    assert tuple((f.code, f.place.line, f.place.column) for f in found) == defect.found


def test_the_texts_read_as_agreed(schemas: Schemas, golden: Callable[[str, str], None]) -> None:
    parts = []
    for defect in DEFECTS:
        shown = render_text(findings_of(defect.text, schemas), {"policies/test.yaml": defect.text})
        parts.append(f"=== {defect.kind}\n{shown}\n")
    golden("defects.txt", "\n".join(parts).encode("utf-8", "replace").decode())


def test_every_kind_is_another() -> None:
    assert len({defect.kind for defect in DEFECTS}) == len(DEFECTS)
