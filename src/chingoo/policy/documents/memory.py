"""policies/memory.yaml: the families of remembered things (C-73)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class MemoryFamily:
    """One family: how its keys look, how sure a new record is, and where it may be used.

    `key` is the part before the first colon; `singleton` means a new value of a key replaces the old one.
    `initial_confidence` is by how it was learned. `ttl_days` is set for families whose records expire by themselves.
    `dated` keys have a month before their last part; values of a family with `stances` begin with one (PREF-01).
    `forms` are regular expressions of values, by what follows the first colon of a key.
    """

    place: Place
    key: str
    cardinality: Literal["singleton", "multi"]
    initial_confidence: Mapping[str, float]
    guaranteed: bool
    sensitive: bool
    retention_keys: tuple[str, ...] = ()
    always_in_context: bool = False
    ttl_days: int | None = None
    keys: tuple[str, ...] = ()
    dated: bool = False
    stances: tuple[str, ...] = ()
    forms: Mapping[str, str] = field(default_factory=dict)
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Forgetting:
    """How long forgetting can be taken back, and what repeats a forgotten message (FORGET-03, S-17).

    A later reply repeats it by `echo_words` words in a row, or by one word of `echo_letters` letters that the person
    says nowhere else.
    """

    place: Place
    undo_hours: int
    echo_words: int
    echo_letters: int


@dataclass(frozen=True, slots=True)
class Hearing:
    """How sure a relation is (C-71): from a pattern, or from parsed grammar; less by `hedge` and by each `negation`.

    It is kept only where it is surer than `store_above`. Pronouns may mean one of the last `recent` names of earlier
    messages (HEXT-09).
    """

    place: Place
    relation: float
    parsed: float
    hedge: float
    negation: float
    store_above: float
    recent: int


@dataclass(frozen=True, slots=True)
class SurfacingPolicy:
    """When a reply shows a memory (S-11), and how many of them a prompt is shown.

    Words shorter than `least_characters` count only in the letters they were written in. A word's last letters may be
    any of `endings`. A full reading shows at most `full` memories, a light one `light` of those always in context.
    Asked what is known, it tells `listed`; asked whence, it quotes messages up to `quoted_characters`.
    """

    place: Place
    least_characters: int
    endings: tuple[str, ...]
    full: int
    light: int
    listed: int
    quoted_characters: int


@dataclass(frozen=True, slots=True)
class MemoryDocument:
    """All families by name, and how sure records are.

    Confidence grows by `confirmation_step` when the same is said again (PREF-02) and is at most
    `contradicted_confidence` when an older preference is contradicted (PREF-03). A model looks for memories in messages
    from `extract_from_characters` on (MEM-07).
    """

    place: Place
    families: Mapping[str, MemoryFamily]
    confirmation_step: float
    contradicted_confidence: float
    extract_from_characters: int
    forgetting: Forgetting
    hearing: Hearing
    surfacing: SurfacingPolicy
