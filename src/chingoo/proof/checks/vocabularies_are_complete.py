"""Everything that is said for each member of a closed vocabulary is said for all of them (TOPIC-01 and the like)."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import StrEnum

from chingoo.policy.documents.corrections import CorrectionsDocument
from chingoo.policy.documents.gates import GatesDocument
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding

_MAY_LACK = ((GatesDocument, "lower_bound_share"), (CorrectionsDocument, "phrases"))
"""Where a member that is left out has a meaning: the bound is not shared out; nobody mixes languages to say that."""


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for every group of keys from a vocabulary that lacks some: of the nineteen topics, stages, modes."""
    for part in subject.parts:
        for field in fields(part):
            value = getattr(part, field.name)
            first = next(iter(value), None) if isinstance(value, Mapping) else None
            if (type(part), field.name) in _MAY_LACK:
                continue
            if isinstance(first, StrEnum):
                lacking = [member.value for member in type(first) if member not in value]
                if lacking:
                    message = f"`{field.name}` lacks {', '.join(lacking)}"
                    yield Finding("choice-missing", message, part.place, hint="add the missing keys", about=field.name)
