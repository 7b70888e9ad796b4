"""What the mechanics model answers: the schemas of schemas/mechanics/, as what is asked for and what is let through."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jsonschema import Draft202012Validator

from chingoo.source.schema import BrokenSchemaError

MECHANICS: Final = "mechanics/"
"""How the names of these schemas begin; they are no schemas of policy files."""

_ENDING: Final = ".schema.json"
_REMARKS = frozenset(("$schema", "$id", "title"))
_JUDGED_HERE = frozenset(("minimum", "maximum", "pattern"))
"""What not every provider takes in a schema; the answer is judged by all of it in any case."""


@dataclass(frozen=True, slots=True)
class AnswerShape:
    """The schema of one kind of answer."""

    schema: Mapping[str, Any]

    def asked(self, choices: Mapping[str, Iterable[str]]) -> Mapping[str, Any]:
        """The schema as providers with structured output take it: everything required, nothing more.

        `choices` narrow a property of that name to what the policies in force have.
        """
        asked = _asked(self.schema, {name: list(values) for name, values in choices.items()})
        return {key: value for key, value in asked.items() if key not in _REMARKS}

    def read(self, answer: str) -> Any | None:
        """The value that an answer holds; None where it is no JSON or breaks the schema. Never raises."""
        try:
            # From the first brace to its own end: models like to put words or fences around their JSON.
            found = _DECODER.raw_decode(answer, max(0, answer.find("{")))[0]
            json.dumps(found, ensure_ascii=False).encode()  # half of a surrogate pair is no text that can be stored
        except (ValueError, RecursionError):
            return None
        return found if Draft202012Validator(self.schema).is_valid(found) else None


def of_files(texts: Mapping[str, str]) -> dict[str, str]:
    """The schema texts without those of answers: the schemas of policy files."""
    return {name: text for name, text in texts.items() if not name.startswith(MECHANICS)}


def answer_shapes(texts: Mapping[str, str]) -> dict[str, AnswerShape]:
    """The shapes by name (`extraction`) among schema texts by file name. BrokenSchemaError: one is no JSON."""
    shapes = {}
    for name, text in texts.items():
        if name.startswith(MECHANICS):
            try:
                shapes[name.removeprefix(MECHANICS).removesuffix(_ENDING)] = AnswerShape(json.loads(text))
            except json.JSONDecodeError as error:
                raise BrokenSchemaError(f"{name} is no JSON: line {error.lineno}: {error.msg}") from error
    return shapes


def _no_number(written: str) -> float:
    raise ValueError(f"{written} is no number of JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_number)


def _asked(part: Any, choices: Mapping[str, list[str]]) -> Any:
    if isinstance(part, list):
        return [_asked(one, choices) for one in part]
    if not isinstance(part, dict):
        return part
    asked = {key: _asked(value, choices) for key, value in part.items() if key not in _JUDGED_HERE}
    properties = part.get("properties")
    if isinstance(properties, dict):
        asked |= {"additionalProperties": False, "required": list(properties)}
        asked["properties"] = {
            name: {**shape, "enum": choices[name]} if name in choices else shape
            for name, shape in asked["properties"].items()
        }
    return asked
