"""Where the tokens of the matching form stand in the log form, for whoever goes back from one to the other."""

import re

from chingoo.text.normalise import (
    ARABIC_MARKS,
    MARKS,
    ascii_to_spaces,
    is_blank_symbol,
    is_own_token,
    is_punctuation,
    unusual_in,
)

_RUN = re.compile(r"\S+")
_LONE_APOSTROPHES = re.compile(r"(?<!\S)'+(?!\S)")
_KEPT = re.compile(f"[^'{MARKS}]")


def match_runs(norm: str) -> list[tuple[int, int]]:
    """Where each token of the matching form stands in `norm`, the `user_text_norm` it was made from."""
    return runs_of(*blanked(norm))


def runs_of(blank: str, apart: set[str]) -> list[tuple[int, int]]:
    """The same for what `blanked` made of it."""
    runs = [found.span() for found in _RUN.finditer(blank)]
    if apart:
        runs = [piece for start, end in runs for piece in _pieces(blank, start, end, apart)]
    if may_drop_words(blank) or (apart and "'" in blank):
        runs = [(start, end) for start, end in runs if _is_kept(blank[start:end])]
    return runs


def blanked(norm: str) -> tuple[str, set[str]]:
    """`norm` with a blank for each character that parts words, and its characters that are tokens of their own."""
    blank = ascii_to_spaces(norm)
    apart: set[str] = set()
    if not blank.isascii():
        for char in unusual_in(blank):
            if is_own_token(char):
                apart.add(char)
            elif is_punctuation(char) or is_blank_symbol(char):
                blank = blank.replace(char, " ")
    return blank, apart


def may_drop_words(blank: str) -> bool:
    """Whether nothing may be left in the matching form of one of the words of a `blanked` text."""
    if "'" in blank and _LONE_APOSTROPHES.search(blank):
        return True
    return not blank.isascii() and ARABIC_MARKS.search(blank) is not None


def _is_kept(run: str) -> bool:
    """Whether anything of a run is in the matching form."""
    return _KEPT.search(run) is not None


def _pieces(text: str, start: int, end: int, apart: set[str]) -> list[tuple[int, int]]:
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
