"""The one normaliser (NORM-01…06): the log form, the punctuation-free form, and the form that words are matched on."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_LAST_PUNCTUATED_PLANE = 0x1FFFF
APOSTROPHES = "\u2018\u2019\u02bc\uff07"
"""What phones type for an apostrophe; all of it folds to U+0027 (C-06)."""

_CURLY = "\u2019"
INVISIBLE = (
    "\\x00-\\x08\\x0e-\\x1b\\x7f-\\x84\\x86-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f"
    "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb"
    "\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff"
)
"""Zero-width, directional and control characters, as the inside of a character class."""


_WORDS_IN_ONE = 4  # characters that one may become before it counts as growing (ﷺ is a whole sentence)
_FREE_TO_GROW = 500  # shorter texts may grow as they like


def _growing() -> dict[str, int]:
    """The characters that stand for a word or a sentence (ﷺ), and by how much NFKC makes a text longer for each."""
    points = (chr(point) for point in range(_LAST_PUNCTUATED_PLANE + 1))
    lengths = ((char, len(unicodedata.normalize("NFKC", char))) for char in points)
    return {char: length - 1 for char, length in lengths if length >= _WORDS_IN_ONE}


def _punctuation() -> frozenset[str]:
    """Every character of category P* but the apostrophe."""
    points = (chr(point) for point in range(_LAST_PUNCTUATED_PLANE + 1))
    return frozenset(char for char in points if unicodedata.category(char)[0] == "P" and char != "'")


_GROWTH = _growing()
_GROWING = re.compile(f"[{''.join(_GROWTH)}]")
_PUNCTUATION = _punctuation()
ASCII_PUNCTUATION = str.maketrans({char: " " for char in _PUNCTUATION if char.isascii()})
_BLANK_SYMBOLS = frozenset({"Sm", "Sc", "Sk"})
_SYMBOLS = "$+<=>^`|~"
ASCII_SYMBOLS = str.maketrans(_SYMBOLS, " " * len(_SYMBOLS))
NO_WORD = re.compile(r"[^\w\s']|_")
_SEEN_APOSTROPHES = re.compile(f"[{APOSTROPHES}]")
_SEEN_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_ODD = re.compile(f"[{INVISIBLE}{APOSTROPHES}\ufe00-\ufe0f]")
_SEEN_VARIATION = re.compile("[\ufe00-\ufe0f]")
_LETTER_VARIATIONS = re.compile("(?<=[^\\W\\d_])[\ufe00-\ufe0f]+")
_ARABIC = re.compile("[\u0600-\u06ff]")
MARKS = "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
ARABIC_MARKS = re.compile(f"[{MARKS}]")
_ARABIC_LETTERS = tuple(zip("أإآٱىیکةؤئ", "ااااييكهوي", strict=True))


_NORMAL_LETTERS = "a-z0-9àâäáãåçéèêëîïìíôöòóõùûúüñßа-я가-힣ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
_NORMAL = re.compile(f"[{_NORMAL_LETTERS}]+(?: [{_NORMAL_LETTERS}]+)*").fullmatch
"""Texts that are in matching form already, as most are: looking is ten times faster than normalising."""


@dataclass(frozen=True)
class NormalisedText:
    """A text and its forms.

    `user_text_norm` keeps punctuation and is for logs and queries (NORM-02); in `norm_no_punct` punctuation is a space
    (NORM-03). `match` is `norm_no_punct` with every script in lower case, spelling variants of Arabic and Russian
    folded and apostrophes only inside words: what lists are matched on. No form but `raw` has runs of spaces.
    """

    raw: str
    user_text_norm: str
    norm_no_punct: str
    match: str

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Whitespace tokens of `norm_no_punct`."""
        return tuple(self.norm_no_punct.split())

    @property
    def token_estimate(self) -> int:
        """How many whitespace tokens there are (C-29)."""
        return self.norm_no_punct.count(" ") + 1 if self.norm_no_punct else 0


def normalise(text: str) -> NormalisedText:
    """All forms of `text`. Deterministic, never raises; `user_text_norm` of a `user_text_norm` is itself."""
    norm = log_form(text)
    if norm.isascii():
        spaced = " ".join(norm.translate(ASCII_PUNCTUATION).split())
        return NormalisedText(text, norm, spaced, match_form(spaced))
    odd = set(NO_WORD.findall(norm))
    marks = odd & _PUNCTUATION
    spaced = norm
    for mark in marks:
        spaced = spaced.replace(mark, " ")
    spaced = " ".join(spaced.split())
    return NormalisedText(text, norm, spaced, _matched(spaced, odd - marks))


def matching(text: str) -> str:
    """The matching form of a text of which no other form is asked for."""
    return text if _NORMAL(text) else normalise(text).match


def log_form(text: str) -> str:
    """NFKC, no zero-width characters, one kind of apostrophe, single spaces, ASCII letters in lower case (NORM-02)."""
    if not text.isascii():
        text = text.replace(_CURLY, "'")  # alone in many a text: what is left may be read the short way
    if text.isascii():
        if not text.isprintable():
            text = _SEEN_INVISIBLE.sub("", text)
        return " ".join(text.lower().split())
    text = _log_form_once(held_back(text))
    while not unicodedata.is_normalized("NFKC", text):
        text = _log_form_once(text)
    return text


def held_back(text: str) -> str:
    """`text`, but of a long one that would more than double, the characters that stand for whole words are spaces.

    A message of 4,000 ﷺ would be one of 72,000 characters, and cost as much. Nothing else is left out, wherever it
    stands, and every character stays at its place.
    """
    if len(text) <= _FREE_TO_GROW or text.isascii() or unicodedata.is_normalized("NFKC", text):
        return text
    grown = sum(map(_GROWTH.__getitem__, _GROWING.findall(text)))
    return _GROWING.sub(" ", text) if grown > len(text) else text


def _log_form_once(text: str) -> str:
    """One pass; a second one differs only where stripping or lower-casing lets characters compose."""
    text = unicodedata.normalize("NFKC", text)
    if _ODD.search(text):
        text = _SEEN_APOSTROPHES.sub("'", strip_invisible(text))
    text = " ".join(text.split())
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def strip_invisible(text: str) -> str:
    """`text` without zero-width characters, and without variation selectors on letters."""
    return _LETTER_VARIATIONS.sub("", _SEEN_INVISIBLE.sub("", text))


def punctuation_to_spaces(norm: str) -> str:
    """`norm` with each punctuation mark but the apostrophe as one space: positions stay the same."""
    if norm.isascii():
        return norm.translate(ASCII_PUNCTUATION)
    for char in _PUNCTUATION.intersection(NO_WORD.findall(norm)):  # many times faster than one large character class
        norm = norm.replace(char, " ")
    return norm


def match_form(spaced: str) -> str:
    """The matching form of a punctuation-free text."""
    if not spaced.isascii():
        return _matched(spaced, set(NO_WORD.findall(spaced)))
    if any(symbol in spaced for symbol in _SYMBOLS):
        spaced = " ".join(spaced.translate(ASCII_SYMBOLS).split())
    return _without_edge_apostrophes(spaced)


def _matched(spaced: str, symbols: Iterable[str]) -> str:
    """The matching form; `symbols` are the characters of `spaced` that are no letters, digits or spaces."""
    spaced = lower_in_place(spaced)
    if "ё" in spaced:
        spaced = spaced.replace("ё", "е")
    if _ARABIC.search(spaced):
        spaced = " ".join(without_arabic_marks(_fold_arabic_letters(spaced)).split())
    return _without_edge_apostrophes(_set_symbols_apart(spaced, symbols))


def _without_edge_apostrophes(spaced: str) -> str:
    """`spaced` with apostrophes only inside words."""
    if "'" in spaced and ("' " in spaced or " '" in spaced or spaced[0] == "'" or spaced[-1] == "'"):
        return " ".join(filter(None, (token.strip("'") for token in spaced.split())))
    return spaced


def lower_in_place(text: str) -> str:
    """Lower case in every script, character by character the same length (İ stays one character)."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def without_arabic_marks(text: str) -> str:
    """`text` without tatweel and the vowels of Arabic."""
    return ARABIC_MARKS.sub("", text)


def _fold_arabic_letters(text: str) -> str:
    for written, folded in _ARABIC_LETTERS:
        if written in text:
            text = text.replace(written, folded)
    return text


def has_symbols(text: str) -> bool:
    """Whether anything but letters, digits, spaces and apostrophes is in `text`."""
    return NO_WORD.search(text) is not None


def is_own_token(symbol: str) -> bool:
    """True for emoji and other pictures: each is a token of its own, however it is glued to words."""
    return unicodedata.category(symbol) == "So"


def is_blank_symbol(symbol: str) -> bool:
    """True for symbols that separate words when lists are matched: signs, currencies, tildes, variation selectors."""
    return unicodedata.category(symbol) in _BLANK_SYMBOLS or _SEEN_VARIATION.match(symbol) is not None


def _set_symbols_apart(text: str, symbols: Iterable[str]) -> str:
    """`text` with each picture as its own token and other symbols as spaces."""
    changed = False
    for symbol in symbols:
        if is_own_token(symbol):
            text, changed = text.replace(symbol, f" {symbol} "), True
        elif is_blank_symbol(symbol):
            text, changed = text.replace(symbol, " "), True
    return " ".join(text.split()) if changed else text
