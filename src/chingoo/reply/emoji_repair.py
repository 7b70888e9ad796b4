"""Puts emoji into a reply, or takes the surplus out, without touching its words (GATE-10)."""

from collections.abc import Sequence
from zlib import crc32

import regex

from chingoo.text.emoji import count_emoji

_CLUSTER = regex.compile(r"\X")


def with_one_emoji(reply: str, palette: Sequence[str]) -> str:
    """The reply with one emoji after its last sentence; which one depends on the reply alone."""
    bare = reply.rstrip()
    return f"{bare} {palette[crc32(bare.encode('utf-8', 'surrogatepass')) % len(palette)]}"


def without_surplus_emoji(reply: str, most: int) -> str:
    """The reply with its first `most` emoji only."""
    kept: list[str] = []
    for cluster in _CLUSTER.findall(reply):
        if count_emoji(cluster):
            if most == 0:
                continue
            most -= 1
        kept.append(cluster)
    return tidy("".join(kept))


_SPACES = regex.compile(r"[ \t]{2,}")
_SPACE_BEFORE_MARK = regex.compile(r"[ \t]+(?=[.,!…。！，،؛]+(?:\s|$))")


def tidy(text: str) -> str:
    """Spaces in order after something was taken out. French keeps its space before a question mark."""
    return _SPACE_BEFORE_MARK.sub("", _SPACES.sub(" ", text)).strip()
