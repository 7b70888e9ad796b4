"""A signal that was seen, wherever it is declared: its id, its place and reason in the policy, and the words for it."""

from typing import NamedTuple

from chingoo.engine.hits import Hit
from chingoo.policy.documents.base import Place


class Seen(NamedTuple):
    """One signal; `fact` is the fact it makes true."""

    id: str
    fact: str
    place: Place
    because: str
    hits: tuple[Hit, ...]
