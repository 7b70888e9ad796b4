"""A change of the policies: where, what, and which case would notice it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from chingoo.policy.bundle import Bundle
from chingoo.source.places import Place

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Part = TypeVar("Part", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class Mutant:
    """The policies with one change.

    `wanted` says which message would notice it. Only where all lists of `needs` are seen can it make a difference.
    """

    area: str
    place: Place
    what: str
    wanted: str
    bundle: Bundle
    needs: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.place.file}:{self.place.line}: {self.what}"


def altered(part: Part, **values: Any) -> Part:
    """A document with some fields changed."""
    return replace(part, **values)
