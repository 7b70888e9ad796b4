"""What the policies call things among themselves, for patterns that look for such names in replies (C-69).

`{families}`: the first parts of memory keys. `{keys}`: the next parts, where fixed. `{closeness}`: the stages of
a friendship. `{names}`: pipelines, policies, states and the ids of friends. A name that is added is looked for at once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import regex

from chingoo.model.enums import (
    CrisisLevel,
    MemoryReadPolicy,
    MemoryStatus,
    MemoryWritePolicy,
    Pipeline,
    RelationshipStage,
    SafetyPolicy,
    UserState,
    VectorSearchPolicy,
)
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.gates import Leak

_STATES = (
    CrisisLevel,
    MemoryReadPolicy,
    MemoryStatus,
    MemoryWritePolicy,
    Pipeline,
    SafetyPolicy,
    UserState,
    VectorSearchPolicy,
)
_SHORTEST = 5
"""Shorter states (ON, NONE) are words that anybody may write in capitals."""


def leaks_of(bundle: Bundle) -> tuple[Leak, ...]:
    """The leaks of the policies, with the names that their patterns ask for written out."""
    names = own_names(bundle)
    return tuple(
        leak if leak.pattern is None else replace(leak, pattern=with_names(leak.pattern, names))
        for leak in bundle.gates.leaks
    )


def own_names(bundle: Bundle) -> Mapping[str, str]:
    """The slots of patterns, and the part of a pattern that stands for each."""
    families = bundle.memory.families.values()
    states = (state.value for kind in _STATES for state in kind if len(state.value) >= _SHORTEST)
    return {
        "families": _any_of(family.key for family in families),
        "keys": _any_of(key for family in families for key in family.keys),
        "closeness": _any_of(stage.value for stage in RelationshipStage),
        "names": _any_of((*states, *bundle.personas)),
    }


def with_names(pattern: str, names: Mapping[str, str]) -> str:
    """The pattern with its slots filled."""
    for name, alternatives in names.items():
        pattern = pattern.replace(f"{{{name}}}", alternatives)
    return pattern


def _any_of(words: Iterable[str]) -> str:
    """One alternative for each word, the longest first."""
    return "(?:" + "|".join(regex.escape(word) for word in sorted(set(words), key=lambda one: (-len(one), one))) + ")"
