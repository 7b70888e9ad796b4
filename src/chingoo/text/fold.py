"""Evasion views (C-17): what a text says once leet, look-alikes, stretched, spaced and dotted letters are undone.

Used for guard and crisis only. Only tokens that show signs of evasion are changed; words in any script stay words.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from chingoo.text.normalise import lower_in_place, match_form

_LAST_LATIN = 0x024F
_STRETCHED = re.compile(r"(\w)\1\1")
_DOUBLED = re.compile(r"(\w)\1+")
_EDGES = "!\"#%&'()*+,-./:;<=>?[\\]^_`{}~…¡¿«»“”„‘’、。，！？·•—–،؟؛"
_LETTER = re.compile(r"[^\W\d_]")
_MIXED = re.compile("[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]")
_CONSONANT_AFTER_SYLLABLE = re.compile("[가-힣][ᄀᄂᄅᄆᄇᄉᄌ]")
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_NO_LETTER = re.compile(r"[^\w]|_")
_LATIN = re.compile("[a-z]")
_CYRILLIC = re.compile("[\u0400-\u052f]")
_LOOKALIKE = re.compile("[\u0370-\u052f\u0180-\u02af]")
_HANGUL = re.compile("[가-힣ᄀ-ᄒ]")
_NO_HANGUL = re.compile("[^가-힣ᄀ-ᇿ]")
_OPEN_SYLLABLE_AND_CONSONANT = re.compile("([가-힣])([ᄀ-ᄒ])(?![ᅡ-ᅵ])")
_FINALS = dict(zip("ᄀᄁᄂᄃᄅᄆᄇᄉᄊᄋᄌᄎᄏᄐᄑᄒ", "ᆨᆩᆫᆮᆯᆷᆸᆺᆻᆼᆽᆾᆿᇀᇁᇂ", strict=True))
_FEWEST_SPACED_LETTERS = 3
REACH = 8
"""How many words a phrase may reach beyond a word that was disguised."""


def _latin_without_accents() -> dict[int, str]:
    """Precomposed Latin letters and the plain letter below their accents."""
    decomposed = {point: unicodedata.normalize("NFD", chr(point))[0] for point in range(0xC0, _LAST_LATIN + 1)}
    return {point: base for point, base in decomposed.items() if base.isascii() and base.isalpha()}


_UNACCENTED = _latin_without_accents()


@dataclass(frozen=True, slots=True)
class FoldTables:
    """Tables for `str.translate`: two readings of leet (1 is i, or l), and look-alikes into Latin and into Cyrillic."""

    leet: Mapping[int, str]
    leet_other: Mapping[int, str]
    to_latin: Mapping[int, str]
    to_cyrillic: Mapping[int, str]


def fold_tables(
    leet: Mapping[str, str], other: Mapping[str, str], to_latin: Mapping[str, str], to_cyrillic: Mapping[str, str]
) -> FoldTables:
    """Tables from single characters to letters; `other` holds only what its reading changes."""
    return FoldTables(
        str.maketrans(dict(leet)),
        str.maketrans({**leet, **other}),
        str.maketrans(dict(to_latin)),
        str.maketrans(dict(to_cyrillic)),
    )


@dataclass(frozen=True, slots=True)
class FoldedView:
    """One reading of a text: tokens joined by single spaces, in the form of `skeleton`.

    `words` says of which whitespace tokens of `user_text_norm` each token is made (first, last), `altered` which tokens
    differ from what was written, and `joined` which were put together from spaced letters.
    """

    text: str
    words: tuple[tuple[int, int], ...]
    altered: tuple[bool, ...]
    joined: tuple[int, ...]


def skeleton(match: str) -> str:
    """The form in which keywords and views are compared: no accents, no apostrophes, no doubled letters."""
    return _collapse(unaccented(match).replace("'", ""))


def unaccented(text: str) -> str:
    """`text` with Latin letters without their accents; other scripts stay."""
    return text if text.isascii() else text.translate(_UNACCENTED)


def suspicious_words(norm: str) -> list[int]:
    """Which whitespace tokens of `user_text_norm` show signs of evasion; mostly none."""
    of_letters = _STRETCHED.search(norm) is not None or (not norm.isascii() and _mixes_letters(norm.lower()))
    found: list[int] = []
    letters: list[int] = []
    for index, token in enumerate(norm.split()):
        if token.isalpha() and len(token) > 1:
            if not (of_letters or letters):
                continue
            core = token
        else:
            core = token.strip(_EDGES)
            if len(core) < 2:
                if core.isalnum():
                    letters.append(index)
                continue
            if not (core.isalpha() or _is_innocent(core)):
                found.append(index)
        if letters:
            found += letters if len(letters) >= _FEWEST_SPACED_LETTERS else ()
            letters = []
        if of_letters and core.isalpha() and _is_suspicious(core):
            found.append(index)
    found += letters if len(letters) >= _FEWEST_SPACED_LETTERS else ()
    return sorted(found)


def _is_suspicious(word: str) -> bool:
    """Whether a word of letters alone is stretched, or mixes scripts or jamo."""
    return _STRETCHED.search(word) is not None or (not word.isascii() and _mixes_letters(word.lower()))


def _is_innocent(core: str) -> bool:
    """True for numbers, pictures, and words with an apostrophe."""
    return core.replace("'", "").isalpha() or _LETTER.search(core) is None


def _mixes_letters(lowered: str) -> bool:
    """Whether a word mixes scripts, or syllables and jamo."""
    if _LATIN.search(lowered) and _MIXED.search(lowered):
        return True
    return _CONSONANT_AFTER_SYLLABLE.search(lowered) is not None


def folded_views(
    norm: str, suspects: list[int], tables: FoldTables, matters: Callable[[str], bool]
) -> tuple[FoldedView, ...]:
    """What the suspicious words and those around them say: one reading of each stretch, or two where signs have two.

    `suspects` are what `suspicious_words` found; `matters` says whether anybody looks for a word, so that most of them
    end here. A phrase reaches at most `REACH` words beyond a suspicious one.
    """
    written = (norm if norm.isascii() else lower_in_place(norm)).split()
    views: dict[FoldedView, None] = {}
    worth = [index for index in suspects if _is_worth_reading(written[index].strip(_EDGES), tables, matters)]
    for start, stop in _stretches(worth, len(written)):
        first: list[_Piece] = []
        second: list[_Piece] = []
        for position, end in _groups(written, start, stop):
            if end - position > 1:
                first.append(_joined(written, position, end, tables, other=False))
                second.append(_readings(written[position].strip(_EDGES), position, tables)[0])
                second.append(_joined(written, position + 1, end, tables, other=True))
            else:
                one, other = _readings(written[position].strip(_EDGES), position, tables)
                first.append(one)
                second.append(other)
        for view in (_view(first), _view(second)):
            if any(view.altered):
                views[view] = None
    return tuple(views)


def _is_worth_reading(core: str, tables: FoldTables, matters: Callable[[str], bool]) -> bool:
    """Whether a reading of a word is looked for by anybody; single letters may become anything."""
    return len(core) < 2 or any(matters(piece.text) for piece in _readings(core, 0, tables))


def _stretches(suspects: list[int], words: int) -> Iterator[tuple[int, int]]:
    """The suspicious words with their surroundings, joined where they meet."""
    start = stop = -1
    for index in suspects:
        if stop < 0 or index - REACH > stop:
            if stop >= 0:
                yield start, stop
            start = max(0, index - REACH)
        stop = min(words, index + REACH + 1)
    if stop >= 0:
        yield start, stop


class _Piece(NamedTuple):
    """A token of a view, and the words it is made of."""

    text: str
    first: int
    last: int
    altered: bool
    joined: bool = False


def _groups(written: list[str], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Each word alone, but single letters in a row together, if there are enough of them."""
    position = start
    while position < stop:
        end, letters = position, 0
        while end < stop and len(core := written[end].strip(_EDGES)) < 2 and (not core or core.isalnum()):
            letters += len(core)
            end += 1
        if letters >= _FEWEST_SPACED_LETTERS:
            yield position, end
        else:
            end = max(end, position + 1)
            yield from ((index, index + 1) for index in range(position, end))
        position = end


def _joined(written: list[str], start: int, stop: int, tables: FoldTables, *, other: bool) -> _Piece:
    """Spaced letters put together."""
    letters = "".join(word.strip(_EDGES) for word in written[start:stop])
    return _Piece(_fold(letters, tables, other=other), start, stop - 1, altered=True, joined=True)


def _readings(core: str, index: int, tables: FoldTables) -> tuple[_Piece, _Piece]:
    """The two readings of a token; mostly it is what it is."""
    stretched = _STRETCHED.search(core) is not None
    plain = skeleton(core if core.isascii() else match_form(core))
    if core.isascii() and core.isalpha():
        piece = _Piece(plain, index, index, stretched)
        return piece, piece
    folded = _fold(core, tables)
    piece = _Piece(folded, index, index, stretched or folded != plain)
    other = _fold(core, tables, other=True)
    return piece, piece if other == folded else _Piece(other, index, index, stretched or other != plain)


def _fold(core: str, tables: FoldTables, *, other: bool = False) -> str:
    """What a token says, as a skeleton."""
    if core.isascii():
        letters = core
    elif _HANGUL.search(core):
        return _collapse(_fold_hangul(core))
    else:
        letters = _in_one_script(unaccented(_MARKS.sub("", core)), tables)
    if not letters.isalpha():
        if _CYRILLIC.search(letters):
            letters = letters.translate(tables.to_cyrillic)
        elif _LATIN.search(letters):
            letters = letters.translate(tables.leet_other if other else tables.leet)
        letters = _NO_LETTER.sub("", letters)
    return _collapse(letters if letters.isascii() else match_form(letters))


def _in_one_script(core: str, tables: FoldTables) -> str:
    """A word of mixed scripts in the script most of it is in, if its look-alikes allow that."""
    latin = len(_LATIN.findall(core))
    if not latin or not _LOOKALIKE.search(core):
        return core
    into_latin, into_cyrillic = core.translate(tables.to_latin), core.translate(tables.to_cyrillic)
    mostly_latin = latin * 2 >= len(core)
    first, last = (into_latin, into_cyrillic) if mostly_latin else (into_cyrillic, into_latin)
    return first if not (_LATIN.search(first) and _LOOKALIKE.search(first)) else last


def _fold_hangul(core: str) -> str:
    """Syllables put together from jamo, and nothing but Hangul."""
    composed = unicodedata.normalize("NFC", _NO_HANGUL.sub("", core))
    return _OPEN_SYLLABLE_AND_CONSONANT.sub(_with_final, composed)


def _with_final(found: re.Match[str]) -> str:
    """An open syllable with the consonant after it as its final; unchanged where it has one already."""
    return unicodedata.normalize("NFC", found.group(1) + _FINALS[found.group(2)])


def _collapse(text: str) -> str:
    """`text` with each run of one letter as a single one."""
    return _DOUBLED.sub(r"\1", text) if _DOUBLED.search(text) else text


def _view(pieces: list[_Piece]) -> FoldedView:
    """A view of the pieces that are not empty."""
    kept = [piece for piece in pieces if piece.text]
    return FoldedView(
        " ".join([piece.text for piece in kept]),
        tuple([(piece.first, piece.last) for piece in kept]),
        tuple([piece.altered for piece in kept]),
        tuple([index for index, piece in enumerate(kept) if piece.joined]),
    )
