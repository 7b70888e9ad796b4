"""Emoji as people see them: grapheme clusters, so that a family, a flag or a skin tone counts once (C-26)."""

import regex

_MAYBE = regex.compile(r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20e3]")
_EMOJI = r"(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3)"
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"
_SIGNS = frozenset("©®™")  # pictographic by their property, but shown as text unless asked for as emoji
_IS_EMOJI = regex.compile(_EMOJI)
_CLUSTER = regex.compile(r"\X")


def _is_emoji(cluster: str) -> bool:
    """Whether a grapheme cluster is shown as an emoji; digits, # and * alone are not."""
    if cluster[0] in _SIGNS and _EMOJI_STYLE not in cluster:
        return False
    return _IS_EMOJI.match(cluster) is not None and _TEXT_STYLE not in cluster


def count_emoji(text: str) -> int:
    """How many emoji `text` shows (GATE-10)."""
    if text.isascii() or not _MAYBE.search(text):
        return 0
    return sum(_is_emoji(cluster) for cluster in _CLUSTER.findall(text))


def strip_leading_emoji(text: str) -> str:
    """`text` from its first cluster that is neither an emoji nor a space."""
    if text.isascii() or not _MAYBE.search(text):
        return text.lstrip()
    position = 0
    for cluster in _CLUSTER.findall(text):
        if not cluster.isspace() and not _is_emoji(cluster):
            break
        position += len(cluster)
    return text[position:]
