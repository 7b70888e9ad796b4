"""Regular expressions of the policies, compiled once each; the library's own cache costs more than a short search."""

from functools import lru_cache

import regex

_MOST_PATTERNS = 512  # a bundle has a few dozen; old ones fall out as policies are reloaded


@lru_cache(maxsize=_MOST_PATTERNS)
def compiled(pattern: str) -> "regex.Pattern[str]":
    """The compiled pattern. regex.error: it is none, which the schema check of the policies rules out."""
    return regex.compile(pattern)
