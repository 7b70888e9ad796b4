"""What of a message is listened to apart: the whole, and its sentences, for a harmless one beside it drowns nothing."""

import re
from itertools import pairwise
from typing import Final

from chingoo.text.sentences import sentence_ends

LONGEST_WHOLE: Final = 600
"""In characters. A longer message is heard in parts alone: as a whole it says a bit of everything."""

LONGEST_PART: Final = 300
MOST_PARTS: Final = 24
"""A message of more sentences is heard in so many parts, of several each: what it costs stays bounded."""

_WORD: Final = re.compile(r"[^\W_]")


def parts_of(text: str) -> list[str]:
    """The message, if it is not too long, and then its sentences, where these are several."""
    whole = text.strip()
    sentences = [part for sentence in _sentences(whole) for part in _short(sentence)]
    if len(sentences) > MOST_PARTS:
        sentences = _joined(sentences, -(-len(sentences) // MOST_PARTS))
    if len(whole) > LONGEST_WHOLE:
        return sentences
    return [whole, *sentences] if len(sentences) > 1 else [whole]


def _sentences(text: str) -> list[str]:
    ends = [0, *sentence_ends(text), len(text)]
    parts = (text[start:end].strip() for start, end in pairwise(ends))
    return [part for part in parts if _WORD.search(part)]


def _short(sentence: str) -> list[str]:
    """A sentence, cut between words where it is too long; a word that is too long is cut wherever it is."""
    parts = []
    while len(sentence) > LONGEST_PART:
        blank = sentence.rfind(" ", 1, LONGEST_PART + 1)
        end = blank if blank > 0 else LONGEST_PART
        parts.append(sentence[:end].strip())
        sentence = sentence[end:].strip()
    return [*parts, sentence]


def _joined(sentences: list[str], several: int) -> list[str]:
    return [" ".join(sentences[start : start + several]) for start in range(0, len(sentences), several)]
