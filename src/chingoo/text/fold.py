"""Evasion views (C-17): what a text says once leet, look-alikes, stretched, spaced and dotted letters are undone.

Used for guard and crisis only. Only tokens that show signs of evasion are changed; words in any script stay words.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from chingoo.text.letters import CYRILLIC, FoldTables, folded, skeleton
from chingoo.text.normalise import lower_in_place, match_form
from chingoo.text.signs import EDGES, FEWEST_SPACED_LETTERS, FOREIGN_ACCENT, SHORTEST_WORD, STRETCHED

_MOST_UNMASKED = 8  # each is tried with every letter: no more than that for a text full of masks
_LONGEST_KEPT, _MOST_KEPT = 24, 20_000
REACH = 8
"""How many words a phrase may reach beyond a word that was disguised."""


class FoldedView(NamedTuple):
    """One reading of a text: tokens joined by single spaces, in the form of `skeleton`.

    `words` says of which whitespace tokens of `user_text_norm` each token is made (first, last), `altered` which tokens
    differ from what was written, and `joined` which were put together from spaced letters.
    """

    text: str
    words: tuple[tuple[int, int], ...]
    altered: tuple[bool, ...]
    joined: tuple[int, ...]


class Folding:
    """How disguised words are read for one set of word lists.

    `matters` says whether anybody looks for a word, so that most of them end here. People use the same words again and
    again, so the readings of those that were read before are kept.
    """

    __slots__ = ("_kept", "_matters", "_tables")

    def __init__(self, tables: FoldTables, matters: Callable[[str], bool]) -> None:
        self._tables = tables
        self._matters = matters
        self._kept: dict[str, _Reading] = {}

    def views(self, norm: str, suspects: list[int]) -> tuple[FoldedView, ...]:
        """What the suspicious words and those around them say: a reading of each stretch, or two where signs have two.

        `suspects` are what `suspicious_words` found. A phrase reaches at most `REACH` words beyond a suspicious one.
        """
        words = (norm if norm.isascii() else lower_in_place(norm)).split()
        readings = _Readings(self._tables, self._matters, self._kept)
        cores = dict.fromkeys([words[index].strip(EDGES) for index in suspects])
        worthy = [core for core in cores if len(core) < SHORTEST_WORD or readings[core].sought]
        return _views([word.strip(EDGES) for word in words], suspects, worthy, readings, self._tables) if worthy else ()


def _views(
    written: list[str], suspects: list[int], worthy: list[str], readings: "_Readings", tables: FoldTables
) -> tuple[FoldedView, ...]:
    """The readings of the stretches around suspicious words that are `worthy` of it; single letters always are."""
    views: list[FoldedView] = []
    worth = _without_repeats(suspects, written, worthy, tables)
    for start, stop in _stretches(worth, len(written)):
        for line in _lines(written[start:stop], start, readings):
            view = _view(_with_lone_letters(line, tables))
            if True in view.altered and view not in views[-1:]:
                views.append(view)
    return tuple(views)


def _without_repeats(suspects: list[int], written: list[str], worthy: list[str], tables: FoldTables) -> list[int]:
    """The suspicious words that are worth reading, without those that were there often enough."""
    left = {core: tables.most_words if len(core) >= SHORTEST_WORD else tables.most_letters for core in worthy}
    kept: list[int] = []
    for index in suspects:
        core = written[index]
        if left.get(core):
            left[core] -= 1
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


class _Line(NamedTuple):
    """The tokens of a view: what each says, the words it is made of, whether it was altered; and which were joined."""

    texts: list[str]
    words: list[tuple[int, int]]
    altered: list[bool]
    joined: list[int]

    def take(self, line: "_Line", begin: int, end: int) -> None:
        """Go on with tokens of another line, none of which was joined."""
        self.texts.extend(line.texts[begin:end])
        self.words.extend(line.words[begin:end])
        self.altered.extend(line.altered[begin:end])

    def join(self, first: int, last: int, text: str) -> None:
        """Go on with what letters say that stand in a row."""
        self.joined.append(len(self.texts))
        self.texts.append(text)
        self.words.append((first, last))
        self.altered.append(True)


def _lines(inside: list[str], start: int, readings: "_Readings") -> tuple[_Line, ...]:
    """What the words of a stretch say that begins with word `start`, without marks at their edges, in one way or two.

    Each word stands alone, but single letters in a row are put together: all of them, or all but the first.
    """
    found = [readings[word] for word in inside]
    words = [(at, at) for at in range(start, start + len(inside))]
    one = _Line([reading.text for reading in found], words, [reading.altered for reading in found], [])
    other = _Line([reading.other for reading in found], words, [reading.other_altered for reading in found], [])
    rows = _letters_in_a_row(inside)
    if not rows:
        return (one, other) if one != other else (one,)
    first, second = _Line([], [], [], []), _Line([], [], [], [])
    taken = 0
    for begin, end in rows:
        first.take(one, taken, begin)
        second.take(other, taken, begin)
        last = start + end - 1
        first.join(start + begin, last, readings.of_row(inside[begin:end])[0])
        second.take(one, begin, begin + 1)
        second.join(start + begin + 1, last, readings.of_row(inside[begin + 1 : end])[1])
        taken = end
    first.take(one, taken, len(inside))
    second.take(other, taken, len(inside))
    return first, second


def _letters_in_a_row(inside: list[str]) -> list[tuple[int, int]]:
    """Where enough single letters follow each other; marks may stand between them."""
    singles = [at for at, word in enumerate(inside) if len(word) < SHORTEST_WORD and (not word or word.isalnum())]
    rows: list[tuple[int, int]] = []
    for at in singles:
        if rows and rows[-1][1] == at:
            rows[-1] = rows[-1][0], at + 1
        else:
            rows.append((at, at + 1))
    return [row for row in rows if sum(map(len, inside[slice(*row)])) >= FEWEST_SPACED_LETTERS]


def _with_lone_letters(line: _Line, tables: FoldTables) -> _Line:
    """Single Latin letters between Cyrillic words as the Cyrillic letter they look like."""
    if not [text for text in line.texts if len(text) == 1 and text.isascii()]:
        return line
    if not any(altered and CYRILLIC.search(text) for text, altered in zip(line.texts, line.altered, strict=True)):
        return line
    return line._replace(texts=[text.translate(tables.to_cyrillic) if len(text) == 1 else text for text in line.texts])


class _Reading(NamedTuple):
    """What a word may say, in one way and in another, whether each differs from what was written, and is looked for."""

    text: str
    altered: bool
    other: str
    other_altered: bool
    sought: bool


class _Readings(dict[str, _Reading]):
    """The readings of the words of one text, each made once however often the word stands there.

    Masked words are not among those that are kept: only so many are filled in of one text.
    """

    def __init__(self, tables: FoldTables, matters: Callable[[str], bool], kept: dict[str, _Reading]) -> None:
        super().__init__()
        self._tables = tables
        self._matters = matters
        self._kept = kept
        self._unmasked = 0
        self._rows: dict[str, tuple[str, str]] = {}

    def of_row(self, letters: list[str]) -> tuple[str, str]:
        """What single letters say that stand in a row, in one way and in another."""
        row = "".join(letters)
        found = self._rows.get(row)
        if found is None:
            found = self._rows[row] = folded(row, self._tables)
        return found

    def __missing__(self, core: str) -> _Reading:
        reading = self._kept.get(core)
        if reading is None:
            reading = self._read(core)
        self[core] = reading
        return reading

    def _read(self, core: str) -> _Reading:
        """A word that was not read before."""
        masks = self._tables.masks.intersection(core[1:-1])
        mask = next((sign for sign in core[1:-1] if sign in masks), None) if masks else None
        if mask is not None and core.count(mask) == 1 and self._unmasked < _MOST_UNMASKED:
            self._unmasked += 1
            filled_in = self._filled_in(core, mask)
            if filled_in is not None:
                return filled_in
        reading = _read(core, self._tables, self._matters)
        if mask is None and len(core) <= _LONGEST_KEPT:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[core] = reading
        return reading

    def _filled_in(self, core: str, mask: str) -> _Reading | None:
        """A word with its one masked letter (su*cide), if a letter makes it one that somebody looks for."""
        tried = (folded(core.replace(mask, letter), self._tables)[0] for letter in self._tables.masked)
        word = next((word for word in tried if self._matters(word)), None)
        return None if word is None else _Reading(word, True, word, True, True)


def _read(core: str, tables: FoldTables, matters: Callable[[str], bool]) -> _Reading:
    """The two readings of a word; mostly it is what it is."""
    stretched = STRETCHED.search(core) is not None or FOREIGN_ACCENT.search(core) is not None
    plain = skeleton(core if core.isascii() else match_form(core))
    if core.isascii() and core.isalpha():
        return _Reading(plain, stretched, plain, stretched, matters(plain))
    one, other = folded(core, tables)
    sought = matters(one) or (other != one and matters(other))
    return _Reading(one, stretched or one != plain, other, stretched or other != plain, sought)


def _view(line: _Line) -> FoldedView:
    """A view of the tokens that are not empty."""
    texts, words, altered, joined = line
    if "" in texts:
        kept = {index: place for place, index in enumerate(index for index, text in enumerate(texts) if text)}
        texts, words, altered = [texts[at] for at in kept], [words[at] for at in kept], [altered[at] for at in kept]
        joined = [kept[at] for at in joined if at in kept]
    return FoldedView(" ".join(texts), tuple(words), tuple(altered), tuple(joined))
