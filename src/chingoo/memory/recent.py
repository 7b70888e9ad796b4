"""Who and what was named last, so that pronouns can be understood, within a message and over a few (HEXT-09)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Recent:
    """Names, the newest last. Of earlier messages only a few are kept; nothing of it is stored."""

    persons: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    things: tuple[str, ...] = ()

    @property
    def person(self) -> str | None:
        """What *he* and *she* mean."""
        return self.persons[-1] if self.persons else None

    @property
    def group(self) -> str | None:
        """What *they* means: the last ones named together, else the last person."""
        return self.groups[-1] if self.groups else self.person

    @property
    def thing(self) -> str | None:
        """What *it* means: never a person."""
        return self.things[-1] if self.things else None

    def with_person(self, name: str) -> "Recent":
        """The same, and somebody named."""
        return replace(self, persons=_last(self.persons, name))

    def with_group(self, name: str) -> "Recent":
        """The same, and some people named together."""
        return replace(self, groups=_last(self.groups, name))

    def with_thing(self, name: str) -> "Recent":
        """The same, and a thing named."""
        return replace(self, things=_last(self.things, name))

    def at_most(self, names: int) -> "Recent":
        """The last names of each kind, for the next message."""
        kept = (tuple(kind[max(0, len(kind) - names) :]) for kind in (self.persons, self.groups, self.things))
        return Recent(*kept)


def _last(names: Iterable[str], name: str) -> tuple[str, ...]:
    return (*(one for one in names if one != name), name)
