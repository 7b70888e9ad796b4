"""Slugs for memory keys (NORM-10): in the script they were written in, never romanised."""

import unicodedata

LONGEST = 48
"""Characters in a slug, by definition (NORM-10)."""


def slug(text: str) -> str:
    """NFKC, lower case, spaces as underscores, no punctuation or symbols, at most 48 characters; may be empty."""
    folded = unicodedata.normalize("NFKC", text).lower()
    joined = "_".join(folded.split())
    kept = joined
    if not joined.replace("_", "").isalnum():
        kept = "".join(char for char in joined if char == "_" or unicodedata.category(char)[0] in "LNM")
    return kept.strip("_")[:LONGEST].rstrip("_")
