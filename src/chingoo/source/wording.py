"""How schema errors are worded: writer's words for kinds of values, lists of names, and offers."""

from collections.abc import Iterable, Mapping
from typing import Any

from chingoo.source.suggest import did_you_mean
from chingoo.source.tree import ListNode, MapNode, Node

WORDS: Mapping[str, str] = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a group of keys",
    "null": "nothing",
}
TRUTH: Mapping[str, str] = {
    "yes": "true",
    "on": "true",
    "true": "true",
    "no": "false",
    "off": "false",
    "false": "false",
}
_LISTED = 24


def whole(value: Any) -> Any:
    """A number without its empty fraction; anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def found(node: Node) -> str:
    """What stands somewhere."""
    if isinstance(node, ListNode):
        return "a list"
    if isinstance(node, MapNode):
        return "a group of keys"
    if node.value is None:
        return "nothing"
    if isinstance(node.value, bool):
        return node.text
    return f"the text `{node.text}`" if isinstance(node.value, str) else f"the number {node.text}"


def offer(written: str, choices: Iterable[Any]) -> str | None:
    """A question that offers the one choice close enough, or None."""
    likely = did_you_mean(written, (choice for choice in choices if isinstance(choice, str)))
    return f"did you mean `{likely}`?" if likely else None


def listed(names: Iterable[Any]) -> str:
    """The names, the first of many."""
    shown = [str(name) for name in names]
    return ", ".join(shown[:_LISTED]) + (f" and {len(shown) - _LISTED} more" if len(shown) > _LISTED else "")


def counted(number: Any, what: str) -> str:
    """A number of things."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def description(schema: Any) -> str | None:
    """What a part of a schema tells those who write it."""
    text = schema.get("description") if isinstance(schema, Mapping) else None
    return str(text) if text else None
