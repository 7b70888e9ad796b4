"""persona_library/voices/<voice>.yaml: the four voices of intimate mode, never explicit (PERS-19…31, C-14)."""

from dataclasses import dataclass

from chingoo.model.enums import IntimatePersona
from chingoo.policy.documents.base import Place


@dataclass(frozen=True, slots=True)
class Voice:
    """One voice: a layer of tone over the friend, whose style and gates always win over it (C-32).

    `anchors` are words and turns of phrase that keep the voice from drifting (PERS-21); `instead` pairs a wording the
    voice avoids with the one it prefers.
    """

    place: Place
    id: IntimatePersona
    about: str
    rhythm: str
    anchors: tuple[str, ...]
    instead: tuple["Wording", ...]
    dos: tuple[str, ...]
    donts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """Say this, not that."""

    place: Place
    say: str
    avoid: str
