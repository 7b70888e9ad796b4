"""The error of everything that turns policies into an engine."""

from chingoo.errors import ChingooError
from chingoo.source.places import Place


class UnbuildableError(ChingooError):
    """The policies say something that cannot be done: `what`, and `place` where that is known."""

    def __init__(self, what: str, place: Place | None = None) -> None:
        super().__init__(what if place is None else f"{place}: {what}")
        self.what, self.place = what, place
