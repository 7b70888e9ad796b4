"""Where something is written."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something is written: a path relative to the policy folder's root, 1-based line and column.

    Columns count code points, as editors do for a caret; a byte order mark at the start of a file counts for nothing.
    """

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
