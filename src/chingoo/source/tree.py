"""The located tree: what a YAML file says, with the place of every key and value."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from chingoo.source.places import Place

ScalarValue = str | bool | int | float | None

MAY_BE_TYPED = frozenset(("", *"-0123456789tf"))
"""How plain texts begin that may be something else than texts; for all others `typed` need not be asked."""
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?", re.ASCII)


class Scalar(Struct, frozen=True, gc=False):
    """A single value. `text` is as written (quotes and escapes resolved); `value` is typed by our own rules.

    `quoted` is also true for block scalars: such a value is always text.
    """

    place: Place
    width: int
    text: str
    value: ScalarValue
    quoted: bool


class ListNode(Struct, frozen=True, gc=False):
    """A list of items."""

    place: Place
    width: int
    items: tuple["Node", ...]


class MapNode(Struct, frozen=True, gc=False):
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


def typed(text: str) -> ScalarValue:
    """The value of a plain scalar: true and false, plain decimals, nothing; all else is text (`no`, `010`, `1e5`)."""
    if text == "":
        return None
    if text == "true":
        return True
    if text == "false":
        return False
    if (text[0].isdigit() or text[0] == "-") and _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text


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
