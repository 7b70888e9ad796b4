"""The one normaliser (NORM-01…06): the log form, the punctuation-free form, and the form that words are matched on."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from chingoo.text.forms import Forms

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
_MOST_KEPT = 4096  # characters of which is remembered what they are
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
_ASCII_MARKS = "".join(filter(str.isascii, _PUNCTUATION)).encode()
_BLANK_SYMBOLS = frozenset({"Sm", "Sc", "Sk"})
_SYMBOLS = "$+<=>^`|~"
_ASCII_SYMBOLS = str.maketrans(_SYMBOLS, " " * len(_SYMBOLS))
_MARKS_BLANK = bytes.maketrans(_ASCII_MARKS, b" " * len(_ASCII_MARKS))
_SYMBOLS_BLANK = bytes.maketrans(_SYMBOLS.encode(), b" " * len(_SYMBOLS))
_SIGNS_BLANK = _MARKS_BLANK.translate(_SYMBOLS_BLANK)
"""UTF-8 is translated byte by byte, which costs next to nothing and leaves every letter beyond ASCII as it is."""
_SEEN_APOSTROPHES = re.compile(f"[{APOSTROPHES}]")
_SEEN_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_ODD = re.compile(f"[{INVISIBLE}{APOSTROPHES}\ufe00-\ufe0f]")
_SEEN_VARIATION = re.compile("[\ufe00-\ufe0f]")
_LETTER_VARIATIONS = re.compile("(?<=[^\\W\\d_])[\ufe00-\ufe0f]+")
MARKS = "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
ARABIC_MARKS = re.compile(f"[{MARKS}]")
_KINDS: dict[str, Callable[[str], object]] = {
    "apostrophe": re.compile(f"['{APOSTROPHES}]").match,
    "variation": _SEEN_VARIATION.match,
    "invisible": _SEEN_INVISIBLE.match,
    "mark": _PUNCTUATION.__contains__,
    "sign": re.compile(f"[{re.escape(_SYMBOLS)}]").match,
    "vowel": re.compile("[\u1161-\u1175]").match,
    "point": re.compile("[\u064b-\u0652\u0670]").match,
}
"""Kinds of characters for `Forms`: those that are neither told by their category nor by their matching form."""
_DIGITS = "0123456789"
_SPELLINGS = dict(zip("ёأإآٱىیکةؤئ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", f"еااااييكهوي{_DIGITS}{_DIGITS}", strict=True))
_CONTEXTUAL = "Σ"  # lower case by what stands beside it
_FEW_LETTERS = 64
"""Up to how many different letters are each put into lower case alone."""


_LETTERS_BEYOND_ASCII = "àâäáãåæçéèêëîïìíôöòóõøœùûúüñßа-я가-힣ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
_NORMAL_LETTERS = f"a-z0-9{_LETTERS_BEYOND_ASCII}"
_NORMAL = re.compile(f"[{_NORMAL_LETTERS}]+(?:[ '][{_NORMAL_LETTERS}]+)*").fullmatch
"""Texts that are in matching form already, as most are: looking is ten times faster than normalising."""

_UNUSUAL = re.compile(f"[^\\t\\n\\r -~{_LETTERS_BEYOND_ASCII}]")
"""What needs a closer look; texts without any are lowered and parted as bytes."""


@dataclass(frozen=True)
class NormalisedText:
    """A text and its forms.

    `user_text_norm` keeps punctuation and is for logs and queries (NORM-02); in `norm_no_punct` punctuation is a space
    (NORM-03). `match` is `norm_no_punct` with every script in lower case, spelling variants of Arabic and Russian and
    the digits of Arabic and Persian folded, and apostrophes only inside words: what lists are matched on. No form but
    `raw` has runs of spaces.
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
    forms = FORMS.read(text)
    return NormalisedText(text, *(forms if forms is not None else forms_in_steps(text)))


def forms_in_steps(text: str) -> tuple[str, str, str]:
    """The log form, that without punctuation, and the matching form of any text: the long way."""
    norm = log_form(text)
    logged = norm.encode("utf-8", "surrogatepass")
    unusual = unusual_in(norm)
    spaced, parted = norm, logged.translate(_MARKS_BLANK)
    if parted != logged:
        spaced = _single_spaced(parted).decode("utf-8", "surrogatepass")
    marks = unusual & _PUNCTUATION
    if marks:
        spaced = " ".join(_with_blanks(spaced, marks).split())
    match = _matched(spaced, unusual - marks, symbols=parted.translate(_SYMBOLS_BLANK) != parted)
    return norm, spaced, match


def _kind_of(char: str) -> tuple[str, str, str]:
    """The kind of a character, and what it becomes in the log form and in the matching form, for `Forms`."""
    if char.isspace():
        return "blank", " ", " "
    image = unicodedata.normalize("NFKC", char)
    if len(image) != 1:
        return "hard", char, char
    logged = image.lower() if image.isascii() else image
    for kind, among in _KINDS.items():
        if among(logged):
            return kind, "'" if kind == "apostrophe" else logged, logged
    if _is_joined(logged):
        return "hard", char, char
    form = _form_of(logged)
    if len(form) == 1 and form != " ":
        return "letter", logged, form
    return {" ": "sign", "": "unmatched"}.get(form, "picture"), logged, logged


def _is_joined(char: str) -> bool:
    """Whether a character becomes something else by what stands beside it: marks, ends of Hangul syllables, Σ."""
    if "\u1176" <= char <= "\u11ff" or char == _CONTEXTUAL or (is_own_token(char) and char.isalnum()):
        return True
    return unicodedata.category(char) in ("Mn", "Mc", "Me", "Cs")


def _single_spaced(text: bytes) -> bytes:
    """`text`, in which blanks are spaces, with no space at its edges and one between words."""
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    return text.strip(b" ")


def _with_blanks(text: str, chars: Iterable[str]) -> str:
    """`text` with a space for each of some characters: many times faster than one large character class."""
    for char in chars:
        text = text.replace(char, " ")
    return text


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


def signs_to_spaces(norm: str) -> str:
    """`norm` with a space for each sign of ASCII but the apostrophe: positions stay the same."""
    return norm.encode("utf-8", "surrogatepass").translate(_SIGNS_BLANK).decode("utf-8", "surrogatepass")


def unusual_in(text: str) -> set[str]:
    """The characters of `text` that are more than a common letter, a digit or a sign of ASCII."""
    return set(_UNUSUAL.findall(text))


def match_form(spaced: str) -> str:
    """The matching form of a punctuation-free text."""
    if _NORMAL(spaced):
        return spaced
    letters: set[str] = set()
    if not spaced.isascii():
        spaced = lower_in_place(spaced)
        letters = unusual_in(spaced)
    written = spaced.encode("utf-8", "surrogatepass")
    return _matched(spaced, letters, symbols=written.translate(_SYMBOLS_BLANK) != written)


def _matched(spaced: str, letters: set[str], *, symbols: bool) -> str:
    """The matching form; `letters` are its unusual characters, `symbols` says whether there are any of ASCII."""
    if symbols:
        spaced = " ".join(spaced.translate(_ASCII_SYMBOLS).split())
    if len(letters) > _FEW_LETTERS or _CONTEXTUAL in letters:
        spaced = lower_in_place(spaced)
        letters = unusual_in(spaced)
    lengths = 0
    for letter in letters:
        form = _form_of(letter)
        if form != letter:
            spaced = spaced.replace(letter, form)
            lengths += len(form) != 1 or form == " "
    if lengths:
        spaced = " ".join(spaced.split())
    return _without_edge_apostrophes(spaced)


@lru_cache(maxsize=_MOST_KEPT)
def _form_of(letter: str) -> str:
    """An unusual character in the matching form: lower, as it is mostly spelled, with spaces around it if a picture."""
    lowered = lower_in_place(letter)
    if ARABIC_MARKS.match(lowered):
        return ""
    if lowered == letter and is_own_token(letter):
        return f" {letter} "
    if lowered == letter and _is_blank_symbol(letter):
        return " "
    return _SPELLINGS.get(lowered, lowered)


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


def is_blank(char: str) -> bool:
    """Whether an unusual character separates words when lists are matched."""
    return char in _PUNCTUATION or _is_blank_symbol(char)


def is_own_token(symbol: str) -> bool:
    """True for emoji and other pictures: each is a token of its own, however it is glued to words."""
    return unicodedata.category(symbol) == "So"


def _is_blank_symbol(symbol: str) -> bool:
    """True for symbols that separate words when lists are matched: signs, currencies, tildes, variation selectors."""
    return unicodedata.category(symbol) in _BLANK_SYMBOLS or _SEEN_VARIATION.match(symbol) is not None


FORMS = Forms(_kind_of)
"""Reads most texts in one pass; a text with marks that join letters, or odd blanks, is left to the long way."""
