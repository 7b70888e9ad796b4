"""Which words of a text show signs of evasion: stretched, of mixed scripts, with signs for letters, or spaced out."""

import re
import string

from chingoo.text.glance import Glance
from chingoo.text.normalise import without_arabic_marks

STRETCHED = re.compile(r"(\w)\1\1")
EDGES = "!\"#%&'()*+,-./:;<=>?[\\]^_`{}~…¡¿«»“”„‘’、。，！？·•—–،؟؛"
_LETTER = re.compile(r"[^\W\d_]")
_MIXED = re.compile("[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]")
_CONSONANT_AFTER_SYLLABLE = re.compile("[가-힣][ᄀᄂᄃᄅᄆᄇᄉᄌ]|[ᄀ-ᄒ][a-z]")
FOREIGN_ACCENT = re.compile("(?![àáâäçèéêëìíîïñòóôöùúûüßæœ])[\u00e0-\u024f]")
LATIN = re.compile("[a-z]")
FEWEST_SPACED_LETTERS = 3
SHORTEST_WORD = 2
_LONGEST_KEPT, _MOST_KEPT = 24, 20_000
_NO_WORD, _LONE_LETTER, _EVASION, _NOTHING = range(4)
"""What a token may be a sign of, as `Glance` has it."""

GLANCE = Glance(
    (
        string.ascii_letters + "àáâäçèéêëìíîïñòóôöùúûüßæœÀÁÂÄÇÈÉÊËÌÍÎÏÑÒÓÔÖÙÚÛÜÆŒ",
        "".join(map(chr, (*range(0x0400, 0x0482), *range(0x048A, 0x0530)))),
        "".join(map(chr, (*range(0x0620, 0x0640), *range(0x0641, 0x0660), *range(0x066E, 0x06D4)))),
        "".join(map(chr, range(ord("가"), ord("힣") + 1))),
        "".join(map(chr, range(0x1100, 0x1200))),
    ),
    EDGES,
)
"""Knows Latin letters, Cyrillic, Arabic with its vowels, Hangul syllables and jamo: most texts hold nothing else."""


class _Signs(dict[str, int]):
    """What tokens are signs of. People use the same words again and again, so those looked at before are kept."""

    def __missing__(self, token: str) -> int:
        sign = sign_of(token.strip(EDGES))
        if len(token) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[token] = sign
        return sign


_SIGNS = _Signs()


def suspicious_words(norm: str) -> list[int]:
    """Which whitespace tokens of `user_text_norm` show signs of evasion; mostly none."""
    return GLANCE.odd_words(norm, _SIGNS.__getitem__, FEWEST_SPACED_LETTERS)


def sign_of(core: str) -> int:
    """What a token without the marks at its edges is a sign of."""
    if len(core) < SHORTEST_WORD:
        return _LONE_LETTER if core.isalnum() else _NO_WORD
    disguised = _is_suspicious(core) if core.isalpha() else not _is_innocent(core)
    return _EVASION if disguised else _NOTHING


def _is_suspicious(word: str) -> bool:
    """Whether a word of letters alone is stretched, or its letters do not belong together."""
    return STRETCHED.search(word) is not None or (not word.isascii() and _mixes_letters(word.lower()))


def _is_innocent(core: str) -> bool:
    """True for numbers, pictures, words with an apostrophe, and Arabic words with their vowels written."""
    if _LETTER.search(core) is None:
        return True
    bare = core.replace("'", "")
    return bare.isalpha() or without_arabic_marks(bare).isalpha()


def _mixes_letters(lowered: str) -> bool:
    """Whether a word mixes scripts, syllables and jamo, or has accents that no language here writes."""
    if LATIN.search(lowered) and (_MIXED.search(lowered) or FOREIGN_ACCENT.search(lowered)):
        return True
    return _CONSONANT_AFTER_SYLLABLE.search(lowered) is not None
