"""What the letters of one word say (C-17): leet, look-alikes, accents, jamo and doubled letters undone."""

import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chingoo.text.letterwise import Plainer, undoubled
from chingoo.text.normalise import match_form
from chingoo.text.signs import LATIN

_LAST_LATIN = 0x024F
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_NO_LETTER = re.compile(r"[^\w]|_")
CYRILLIC = re.compile("[\u0400-\u052f]")
_LOOKALIKE = re.compile("[\u0370-\u052f\u0180-\u02af]")
_HANGUL = re.compile("[가-힣ᄀ-ᄒ]")
_NO_HANGUL = re.compile("[^가-힣ᄀ-ᇿ]")
_FINALS = dict(zip("ᄀᄁᄂᄃᄅᄆᄇᄉᄊᄋᄌᄎᄏᄐᄑᄒ", "ᆨᆩᆫᆮᆯᆷᆸᆺᆻᆼᆽᆾᆿᇀᇁᇂ", strict=True))
_OPEN_SYLLABLE_AND_CONSONANT = re.compile(f"([가-힣])([{''.join(_FINALS)}])(?![ᅡ-ᅵ])")


def _latin_without_accents() -> dict[str, str]:
    """Precomposed Latin letters and the plain letter below their accents."""
    decomposed = {char: unicodedata.normalize("NFD", char)[0] for char in map(chr, range(0xC0, _LAST_LATIN + 1))}
    return {char: base for char, base in decomposed.items() if base.isascii() and base.isalpha()}


unaccented = Plainer(_latin_without_accents())
"""A text with Latin letters without their accents; other scripts stay."""


def rewritten(text: str, table: Mapping[str, str]) -> str:
    """A text with all letters of a table written as it says."""
    for letter, other in table.items():
        text = text.replace(letter, other)
    return text


@dataclass(frozen=True, slots=True)
class FoldTables:
    """Tables for `str.translate`: two readings of leet (1 is i, or l), look-alikes into Latin, jamo and, in two
    readings (3 is з, or е), Cyrillic.

    `masks` are signs that hide a letter (su*cide), `masked` the letters they are tried for. A text that repeats itself
    is looked through for `most_words` of the same disguised word, and for `most_letters` of the same letter standing
    alone; what it says is said by then.
    """

    leet: Mapping[int, str]
    leet_other: Mapping[int, str]
    to_latin: Mapping[int, str]
    to_cyrillic: Mapping[int, str]
    to_cyrillic_other: Mapping[int, str]
    to_hangul: Mapping[int, str]
    masks: frozenset[str]
    masked: tuple[str, ...]
    most_words: int
    most_letters: int


def fold_tables(
    leet: Mapping[str, str],
    other: Mapping[str, str],
    to_latin: Mapping[str, str],
    to_cyrillic: Mapping[str, str],
    to_hangul: Mapping[str, str] | None = None,
    *,
    to_cyrillic_other: Mapping[str, str] | None = None,
    masks: Iterable[str] = (),
    masked: Iterable[str] = (),
    most_words: int = sys.maxsize,
    most_letters: int = sys.maxsize,
) -> FoldTables:
    """Tables from single characters to letters. `other`, `to_cyrillic_other`: only what their readings change."""
    return FoldTables(
        str.maketrans(dict(leet)),
        str.maketrans({**leet, **other}),
        str.maketrans(dict(to_latin)),
        str.maketrans(dict(to_cyrillic)),
        str.maketrans({**to_cyrillic, **(to_cyrillic_other or {})}),
        str.maketrans(dict(to_hangul or {})),
        frozenset(masks),
        tuple(masked),
        most_words,
        most_letters,
    )


def skeleton(match: str) -> str:
    """The form in which keywords and views are compared: no accents, no apostrophes, no doubled letters."""
    return undoubled(unaccented(match).replace("'", ""))


def folded(core: str, tables: FoldTables) -> tuple[str, str]:
    """What a token says, as a skeleton, by both readings of signs that stand for letters."""
    if core.isascii():
        letters = core
    elif _HANGUL.search(core):
        read = undoubled(_fold_hangul(core.translate(tables.to_hangul)))
        return read, read
    else:
        letters = _in_one_script(unaccented(_MARKS.sub("", core)), tables)
    if letters.isalpha():
        read = _skeletal(letters)
        return read, read
    if CYRILLIC.search(letters):
        one, other = letters.translate(tables.to_cyrillic), letters.translate(tables.to_cyrillic_other)
    elif LATIN.search(letters):
        one, other = letters.translate(tables.leet), letters.translate(tables.leet_other)
    else:
        one = other = letters
    read = _skeletal(_NO_LETTER.sub("", one))
    return read, read if one == other else _skeletal(_NO_LETTER.sub("", other))


def _skeletal(letters: str) -> str:
    """Letters without spelling variants and without doubles."""
    return undoubled(letters if letters.isascii() else match_form(letters))


def _in_one_script(core: str, tables: FoldTables) -> str:
    """A word of mixed scripts in the script most of it is in, if its look-alikes allow that."""
    latin = len(LATIN.findall(core))
    if not latin or not _LOOKALIKE.search(core):
        return core
    into_latin, into_cyrillic = core.translate(tables.to_latin), core.translate(tables.to_cyrillic)
    mostly_latin = latin * 2 >= len(core)
    first, last = (into_latin, into_cyrillic) if mostly_latin else (into_cyrillic, into_latin)
    return first if not (LATIN.search(first) and _LOOKALIKE.search(first)) else last


def _fold_hangul(core: str) -> str:
    """Syllables put together from jamo, and nothing but Hangul."""
    composed = unicodedata.normalize("NFC", _NO_HANGUL.sub("", core))
    return _OPEN_SYLLABLE_AND_CONSONANT.sub(_with_final, composed)


def _with_final(found: re.Match[str]) -> str:
    """An open syllable with the consonant after it as its final; unchanged where it has one already."""
    return unicodedata.normalize("NFC", found.group(1) + _FINALS[found.group(2)])
