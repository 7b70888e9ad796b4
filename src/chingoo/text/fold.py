"""Evasion views (C-17): what a text says once leet, look-alikes, stretched, spaced and dotted letters are undone.

Used for guard and crisis only. Only tokens that show signs of evasion are changed; words in any script stay words.
"""

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from chingoo.text.normalise import lower_in_place, match_form
from chingoo.text.signs import EDGES, FEWEST_SPACED_LETTERS, FOREIGN_ACCENT, LATIN, SHORTEST_WORD, STRETCHED

_LAST_LATIN = 0x024F
_DOUBLED = re.compile(r"(\w)(?=\1)")
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_NO_LETTER = re.compile(r"[^\w]|_")
_CYRILLIC = re.compile("[\u0400-\u052f]")
_LOOKALIKE = re.compile("[\u0370-\u052f\u0180-\u02af]")
_HANGUL = re.compile("[가-힣ᄀ-ᄒ]")
_NO_HANGUL = re.compile("[^가-힣ᄀ-ᇿ]")
_FINALS = dict(zip("ᄀᄁᄂᄃᄅᄆᄇᄉᄊᄋᄌᄎᄏᄐᄑᄒ", "ᆨᆩᆫᆮᆯᆷᆸᆺᆻᆼᆽᆾᆿᇀᇁᇂ", strict=True))
_OPEN_SYLLABLE_AND_CONSONANT = re.compile(f"([가-힣])([{''.join(_FINALS)}])(?![ᅡ-ᅵ])")
_MOST_UNMASKED = 8
REACH = 8
"""How many words a phrase may reach beyond a word that was disguised."""


def _latin_without_accents() -> dict[str, str]:
    """Precomposed Latin letters and the plain letter below their accents."""
    decomposed = {char: unicodedata.normalize("NFD", char)[0] for char in map(chr, range(0xC0, _LAST_LATIN + 1))}
    return {char: base for char, base in decomposed.items() if base.isascii() and base.isalpha()}


_UNACCENTED = _latin_without_accents()
_ACCENTED = re.compile(f"[{''.join(_UNACCENTED)}]")


@dataclass(frozen=True, slots=True)
class FoldTables:
    """Tables for `str.translate`: two readings of leet (1 is i, or l), look-alikes into Latin, Cyrillic and jamo.

    `masks` are signs that hide a letter (su*cide), `masked` the letters they are tried for. A text that repeats itself
    is looked through for `most_words` of the same disguised word, and for `most_letters` of the same letter standing
    alone; what it says is said by then.
    """

    leet: Mapping[int, str]
    leet_other: Mapping[int, str]
    to_latin: Mapping[int, str]
    to_cyrillic: Mapping[int, str]
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
    masks: Iterable[str] = (),
    masked: Iterable[str] = (),
    most_words: int = sys.maxsize,
    most_letters: int = sys.maxsize,
) -> FoldTables:
    """Tables from single characters to letters; `other` holds only what its reading changes."""
    return FoldTables(
        str.maketrans(dict(leet)),
        str.maketrans({**leet, **other}),
        str.maketrans(dict(to_latin)),
        str.maketrans(dict(to_cyrillic)),
        str.maketrans(dict(to_hangul or {})),
        frozenset(masks),
        tuple(masked),
        most_words,
        most_letters,
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
    return text if text.isascii() else _ACCENTED.sub(lambda letter: _UNACCENTED[letter[0]], text)


def folded_views(
    norm: str, suspects: list[int], tables: FoldTables, matters: Callable[[str], bool]
) -> tuple[FoldedView, ...]:
    """What the suspicious words and those around them say: one reading of each stretch, or two where signs have two.

    `suspects` are what `suspicious_words` found; `matters` says whether anybody looks for a word, so that most of them
    end here. A phrase reaches at most `REACH` words beyond a suspicious one.
    """
    words = (norm if norm.isascii() else lower_in_place(norm)).split()
    views: list[FoldedView] = []
    readings = _Readings(tables, matters)
    cores = dict.fromkeys(words[index].strip(EDGES) for index in suspects)
    worthy = {core for core in cores if _is_worth_reading(core, readings, matters)}
    if not worthy:
        return ()
    written = [word.strip(EDGES) for word in words]
    worth = _without_repeats((index for index in suspects if written[index] in worthy), written, tables)
    for start, stop in _stretches(worth, len(written)):
        first: list[_Piece] = []
        second: list[_Piece] = []
        for position, end in _groups(written, start, stop):
            if end - position > 1:
                first.append(_joined(written, position, end, tables, other=False))
                second.append(_piece(readings[written[position]], position))
                second.append(_joined(written, position + 1, end, tables, other=True))
            else:
                reading = readings[written[position]]
                first.append(_piece(reading, position))
                second.append(_piece(reading, position, other=True))
        for pieces in (first, second) if first != second else (first,):
            view = _view(_with_lone_letters(pieces, tables))
            if any(view.altered) and view not in views[-1:]:
                views.append(view)
    return tuple(views)


def _is_worth_reading(core: str, readings: "_Readings", matters: Callable[[str], bool]) -> bool:
    """Whether a reading of a word is looked for by anybody; single letters may become anything."""
    if len(core) < SHORTEST_WORD:
        return True
    reading = readings[core]
    return matters(reading.text) or (reading.other != reading.text and matters(reading.other))


def _without_repeats(suspects: Iterable[int], written: list[str], tables: FoldTables) -> list[int]:
    """The suspicious words without those that were there often enough."""
    kept: list[int] = []
    times: dict[str, int] = {}
    for index in suspects:
        core = written[index]
        before = times.get(core, 0)
        if before < (tables.most_words if len(core) >= SHORTEST_WORD else tables.most_letters):
            times[core] = before + 1
            kept.append(index)
    return kept


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


def _with_lone_letters(pieces: list[_Piece], tables: FoldTables) -> list[_Piece]:
    """Single Latin letters between Cyrillic words as the Cyrillic letter they look like."""
    if not any(len(piece.text) == 1 and piece.text.isascii() for piece in pieces):
        return pieces
    if not any(piece.altered and _CYRILLIC.search(piece.text) for piece in pieces):
        return pieces
    return [
        piece._replace(text=piece.text.translate(tables.to_cyrillic)) if len(piece.text) == 1 else piece
        for piece in pieces
    ]


def _groups(written: list[str], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Each word, without marks at its edges, alone; but single letters in a row together, if there are enough."""
    position = start
    while position < stop:
        end, letters = position, 0
        while end < stop and len(core := written[end]) < SHORTEST_WORD and (not core or core.isalnum()):
            letters += len(core)
            end += 1
        if letters >= FEWEST_SPACED_LETTERS:
            yield position, end
        else:
            end = max(end, position + 1)
            yield from ((index, index + 1) for index in range(position, end))
        position = end


def _joined(written: list[str], start: int, stop: int, tables: FoldTables, *, other: bool) -> _Piece:
    """Spaced letters put together."""
    folded = _fold_both("".join(written[start:stop]), tables)
    return _Piece(folded[other], start, stop - 1, altered=True, joined=True)


class _Reading(NamedTuple):
    """What a word may say, in one way and in another, and whether each differs from what was written."""

    text: str
    altered: bool
    other: str
    other_altered: bool


class _Readings(dict[str, _Reading]):
    """The readings of the words of one text, each made once however often the word stands there."""

    def __init__(self, tables: FoldTables, matters: Callable[[str], bool]) -> None:
        super().__init__()
        self._tables = tables
        self._matters = matters
        self._unmasked = 0

    def __missing__(self, core: str) -> _Reading:
        reading = _read(core, self._tables)
        mask = next((sign for sign in core[1:-1] if sign in self._tables.masks), None)
        if mask is not None and core.count(mask) == 1 and self._unmasked < _MOST_UNMASKED:
            self._unmasked += 1
            reading = self._filled_in(core, mask) or reading
        self[core] = reading
        return reading

    def _filled_in(self, core: str, mask: str) -> _Reading | None:
        """A word with its one masked letter (su*cide), if a letter makes it one that somebody looks for."""
        tried = (_fold_both(core.replace(mask, letter), self._tables)[0] for letter in self._tables.masked)
        word = next((word for word in tried if self._matters(word)), None)
        return None if word is None else _Reading(word, True, word, True)


def _read(core: str, tables: FoldTables) -> _Reading:
    """The two readings of a word; mostly it is what it is."""
    stretched = STRETCHED.search(core) is not None or FOREIGN_ACCENT.search(core) is not None
    plain = skeleton(core if core.isascii() else match_form(core))
    if core.isascii() and core.isalpha():
        return _Reading(plain, stretched, plain, stretched)
    folded, other = _fold_both(core, tables)
    return _Reading(folded, stretched or folded != plain, other, stretched or other != plain)


def _piece(reading: _Reading, index: int, *, other: bool = False) -> _Piece:
    """A word of the text in one of its readings."""
    if other:
        return _Piece(reading.other, index, index, reading.other_altered)
    return _Piece(reading.text, index, index, reading.altered)


def _fold_both(core: str, tables: FoldTables) -> tuple[str, str]:
    """What a token says, as a skeleton, by both readings of signs that stand for letters."""
    if core.isascii():
        letters = core
    elif _HANGUL.search(core):
        folded = _collapse(_fold_hangul(core.translate(tables.to_hangul)))
        return folded, folded
    else:
        letters = _in_one_script(unaccented(_MARKS.sub("", core)), tables)
    if letters.isalpha():
        folded = _skeletal(letters)
        return folded, folded
    if _CYRILLIC.search(letters):
        folded = _skeletal(_NO_LETTER.sub("", letters.translate(tables.to_cyrillic)))
        return folded, folded
    if not LATIN.search(letters):
        folded = _skeletal(_NO_LETTER.sub("", letters))
        return folded, folded
    one, other = letters.translate(tables.leet), letters.translate(tables.leet_other)
    folded = _skeletal(_NO_LETTER.sub("", one))
    return folded, folded if one == other else _skeletal(_NO_LETTER.sub("", other))


def _skeletal(letters: str) -> str:
    """Letters without spelling variants and without doubles."""
    return _collapse(letters if letters.isascii() else match_form(letters))


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


def _collapse(text: str) -> str:
    """`text` with each run of one letter as a single one."""
    return _DOUBLED.sub("", text)


def _view(pieces: list[_Piece]) -> FoldedView:
    """A view of the pieces that are not empty."""
    kept = [piece for piece in pieces if piece.text]
    return FoldedView(
        " ".join([piece.text for piece in kept]),
        tuple([(piece.first, piece.last) for piece in kept]),
        tuple([piece.altered for piece in kept]),
        tuple([index for index, piece in enumerate(kept) if piece.joined]),
    )
