"""Where the tokens of the matching form stand in the log form, for whoever goes back from one to the other."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from chingoo.text.normalise import (
    ARABIC_MARKS,
    FORMS,
    MARKS,
    is_blank,
    is_own_token,
    signs_to_spaces,
    unusual_in,
)

_RUN = re.compile(r"\S+")
_LONE_APOSTROPHES = re.compile(r"(?<!\S)'+(?!\S)")
_LETTER, _BLANK, _PICTURE, _MARK = range(4)
_MOST_KEPT = 4096  # characters of which is remembered what they are
_NO_CHARACTERS: frozenset[str] = frozenset()
_KEPT = re.compile(f"[^'{MARKS}]")


class _Blanked(NamedTuple):
    """A log form with a blank for each character that parts words: positions stay the same.

    `apart` are its characters that are tokens of their own; `drops` says whether there may be words of which nothing is
    left in the matching form.
    """

    text: str
    apart: frozenset[str]
    drops: bool


def match_runs(norm: str) -> list[tuple[int, int]]:
    """Where each token of the matching form stands in `norm`, the `user_text_norm` it was made from."""
    known = FORMS.runs(norm)
    return known if known is not None else runs_in_steps(norm)


def runs_in_steps(norm: str) -> list[tuple[int, int]]:
    """The same the long way."""
    text, apart, drops = _blanked(norm)
    runs = [found.span() for found in _RUN.finditer(text)]
    if apart:
        runs = [piece for start, end in runs for piece in _pieces(text, start, end, apart)]
    if drops:
        runs = [(start, end) for start, end in runs if _is_kept(text[start:end])]
    return runs


def _blanked(norm: str) -> _Blanked:
    """`norm` with blanks between its words."""
    blank = signs_to_spaces(norm)
    if blank.isascii():
        return _Blanked(blank, _NO_CHARACTERS, _has_lone_apostrophes(blank, ()))
    apart: frozenset[str] = _NO_CHARACTERS
    marked = False
    for char in unusual_in(blank):
        part = _part_of(char)
        if part == _BLANK:
            blank = blank.replace(char, " ")
        elif part == _PICTURE:
            apart |= {char}
        elif part == _MARK:
            marked = True
    return _Blanked(blank, apart, marked or _has_lone_apostrophes(blank, apart))


@lru_cache(maxsize=_MOST_KEPT)
def _part_of(char: str) -> int:
    """What an unusual character is in a text."""
    if is_blank(char):
        return _BLANK
    if is_own_token(char):
        return _PICTURE
    return _MARK if ARABIC_MARKS.match(char) else _LETTER


def _has_lone_apostrophes(blank: str, apart: Iterable[str]) -> bool:
    """Whether there are apostrophes with no word beside them."""
    if " '" not in blank and not blank.startswith("'") and (not apart or "'" not in blank):
        return False
    for picture in apart:
        blank = blank.replace(picture, " ")
    return _LONE_APOSTROPHES.search(blank) is not None


def _is_kept(run: str) -> bool:
    """Whether anything of a run is in the matching form."""
    return _KEPT.search(run) is not None


def _pieces(text: str, start: int, end: int, apart: frozenset[str]) -> list[tuple[int, int]]:
    """One whitespace run of `text`, cut around the characters that are tokens of their own."""
    if apart.isdisjoint(text[start:end]):
        return [(start, end)]
    pieces: list[tuple[int, int]] = []
    since = start
    for index in range(start, end):
        if text[index] in apart:
            if since < index:
                pieces.append((since, index))
            pieces.append((index, index + 1))
            since = index + 1
    if since < end:
        pieces.append((since, end))
    return pieces


def drops_characters(run: str) -> bool:
    """Whether the matching form of a run may be shorter than the run."""
    return "'" in (run[0], run[-1]) or (not run.isascii() and ARABIC_MARKS.search(run) is not None)


def kept_by_match_form(run: str) -> list[int]:
    """For each character of the matching form of `run`, one run of `match_runs`, its index in `run`."""
    kept = [index for index, char in enumerate(run) if not ARABIC_MARKS.match(char)]
    while kept and run[kept[0]] == "'":
        kept.pop(0)
    while kept and run[kept[-1]] == "'":
        kept.pop()
    return kept
