"""Estimated model tokens for budgets (C-29); rules about behaviour count whitespace tokens instead."""

import re

_DENSE = re.compile("[\u0400-\u052f\u0600-\u06ff\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7a3]")
SPARSE_CHARACTERS = 4
DENSE_CHARACTERS = 2


def estimate_tokens(text: str) -> int:
    """ceil(characters / 4), where a character of Hangul, Cyrillic, Arabic, kana or Han counts twice."""
    dense = 0 if text.isascii() else len(_DENSE.findall(text))
    weight = len(text) + dense * (SPARSE_CHARACTERS // DENSE_CHARACTERS - 1)
    return -(-weight // SPARSE_CHARACTERS)
