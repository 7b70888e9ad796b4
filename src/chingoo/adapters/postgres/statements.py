"""A statement with named parameters, numbered once for PostgreSQL instead of by the driver at every execution."""

import re
from collections.abc import Mapping
from typing import Any

_NAMED = re.compile(r"%\((\w+)\)s")


class Statement:
    """SQL whose parameters are written `%(name)s`, as everywhere in Python.

    The driver would take the text apart again for every execution, which costs more than all the rest of its work for
    statements as long as ours.
    """

    __slots__ = ("_names", "text")

    def __init__(self, sql: str) -> None:
        names: dict[str, int] = {}
        numbered = _NAMED.sub(lambda found: f"${names.setdefault(found[1], len(names) + 1)}", sql)
        self.text = numbered.encode()
        self._names = tuple(names)

    def bind(self, parameters: Mapping[str, Any]) -> tuple[Any, ...]:
        """The values in the order of their numbers; KeyError if one is missing."""
        return tuple([parameters[name] for name in self._names])
