"""policies/facts.yaml: the closed record that routing rules see."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class FactDecl:
    """One fact. `members` only for an enum; `at_most` bounds an integer, which starts at 0 and is cut off there."""

    place: Place
    type: Literal["boolean", "integer", "enum"]
    description: str
    members: tuple[str, ...] = ()
    at_most: int | None = None


@dataclass(frozen=True, slots=True)
class FactsDocument:
    """All facts by name. Each is in every record and never null."""

    place: Place
    facts: Mapping[str, FactDecl]
