"""The located tree: what a YAML file says, with the place of every key and value."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chingoo.source.places import Place

ScalarValue = str | bool | int | float | None


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value. `text` is as written (quotes and escapes resolved); `value` is typed by our own rules.

    `quoted` is also true for block scalars: such a value is always text.
    """

    place: Place
    width: int
    text: str
    value: ScalarValue
    quoted: bool


@dataclass(frozen=True, slots=True)
class ListNode:
    """A list of items."""

    place: Place
    width: int
    items: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class MapNode:
    """Keys with values, in the order written; keys are always text and each is there once."""

    place: Place
    width: int
    pairs: tuple[tuple[Scalar, "Node"], ...]

    def get(self, key: str) -> "Node | None":
        """The value of a key."""
        return next((value for name, value in self.pairs if name.text == key), None)

    def key(self, key: str) -> Scalar | None:
        """The key itself, for its place."""
        return next((name for name, _ in self.pairs if name.text == key), None)


Node = Scalar | ListNode | MapNode


def plain(node: Node) -> Any:
    """The tree as dicts, lists and scalars, without places."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node.pairs}


def at(node: Node, path: Sequence[str | int]) -> Node:
    """The node that a path of keys and indices leads to. KeyError: the path leads nowhere."""
    for step in path:
        if isinstance(step, int) and isinstance(node, ListNode):
            node = node.items[step]
        elif isinstance(node, MapNode) and (child := node.get(str(step))) is not None:
            node = child
        else:
            raise KeyError(step)
    return node


def key_at(node: Node, path: Sequence[str | int]) -> Scalar | None:
    """The key under which the last step of a path stands, or None when it is an item of a list."""
    if not path:
        return None
    parent = at(node, path[:-1])
    return parent.key(str(path[-1])) if isinstance(parent, MapNode) else None
