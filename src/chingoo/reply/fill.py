"""Texts of the policies with their placeholders filled."""

from collections.abc import Iterable


def filled(text: str, /, **values: str) -> str:
    """`text` with its placeholders filled; a value that itself holds braces is not filled again."""
    parts: list[str] = []
    while "{" in text:
        before, _, rest = text.partition("{")
        name, brace, after = rest.partition("}")
        if brace and name in values:
            parts += (before, values[name])
            text = after
        else:
            parts += (before, "{")
            text = rest
    return "".join((*parts, text))


def bullets(lines: Iterable[str]) -> str:
    """One line an item."""
    return "\n".join(f"- {line}" for line in lines)
