"""The content guard (§8): the first category that is seen blocks, at the strictness of the mode (C-15)."""

from typing import NamedTuple

from chingoo.engine.scan import Scan
from chingoo.engine.seen import Seen
from chingoo.engine.sights import SightIndex
from chingoo.engine.together import Asked
from chingoo.policy.documents.safety import GuardCategory

GUARD = "guard"


class _Name(NamedTuple):
    """A category at one of the two strictness levels."""

    category: str
    intimate: bool


class GuardReader:
    """The categories in order of precedence."""

    def __init__(self, categories: tuple[GuardCategory, ...], asked: Asked) -> None:
        self._categories = {category.id: category for category in categories}
        sights = {_Name(one.id, intimate=False): one.always for one in categories if one.always is not None}
        sights |= {_Name(one.id, intimate=True): one.intimate for one in categories if one.intimate is not None}
        self._names = {f"{name.category}.{name.intimate}": name for name in sights}
        self._index = SightIndex({key: sights[name] for key, name in self._names.items()}, asked)

    def read(self, scan: Scan, *, intimate: bool) -> Seen | None:
        """The blocking category, as a signal whose id is `guard.<category>`, or None."""
        found = self._index.seen(scan)
        if not found:
            return None
        seen = {self._names[key]: hits for key, hits in found.items()}
        for category in self._categories.values():
            hits = seen.get(_Name(category.id, intimate=False))
            if hits is None and intimate:
                hits = seen.get(_Name(category.id, intimate=True))
            if hits is not None:
                return Seen(f"{GUARD}.{category.id}", GUARD, category.place, category.because, hits)
        return None
