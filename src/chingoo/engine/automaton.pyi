from collections.abc import Callable
from typing import Generic, TypeVar

from chingoo.engine.automata import Meaning
from chingoo.engine.keys import Rule
from chingoo.engine.scan import Found, Target
from chingoo.policy.documents.base import View

T = TypeVar("T")

class Automaton(Generic[T]):
    def __init__(self, held: dict[str, T]) -> None: ...
    def hits(self, text: str) -> list[tuple[int, int, T]]: ...
    def ruled(self: Automaton[Meaning], text: str) -> list[tuple[int, int, Rule, tuple[Target, ...]]]: ...
    def is_in(self, text: str) -> bool: ...
    def gather(
        self: Automaton[Meaning],
        padded: str,
        found: dict[str, list[Found]],
        view: View,
        fits: Callable[[str, int, int, Rule], int],
    ) -> None: ...
    def values(self) -> tuple[T, ...]: ...
    @property
    def size(self) -> int: ...
