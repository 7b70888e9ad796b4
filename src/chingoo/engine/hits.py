"""What word lists say was seen in a text: an entry, and where it stands."""

from typing import NamedTuple

from chingoo.policy.documents.base import Entry, View


class Target(NamedTuple):
    """What a key stands for: an entry of a list."""

    list_id: str
    entry: Entry
    name: str
    language: str


class Hit(NamedTuple):
    """An entry seen in a text: on which tokens of the matching form, and where in it (half-open)."""

    list_id: str
    entry: Entry
    first_token: int
    last_token: int
    start: int
    end: int
    view: View
    name: str
    language: str


Sight = tuple[Target, int, int, View]
"""What was seen, from where to where in the matching form, and in which view."""
