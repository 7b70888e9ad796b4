"""Which language a message is in: script first, then listed function words, then a guess for Latin script."""

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import exp, sqrt
from struct import Struct
from typing import Any, NamedTuple

ENGLISH = "en"
ARABIZI = "arabizi"
OTHER = "other"
_MODEL = "data/model.npz.xz"


class _Script(NamedTuple):
    """The language that is written in a script, its letters, and whatever is neither these nor ASCII."""

    language: str
    letters: re.Pattern[str]
    foreign: re.Pattern[str]


_SCRIPTS = tuple(
    _Script(language, re.compile(f"[{letters}]+"), re.compile(f"[^\\x00-\\x7f{letters}]"))
    for language, letters in {
        "ko": "가-힣ᄀ-ᇿㄱ-ㆎ",
        "ru": "\u0400-\u052f",
        "ar": "\u0600-\u06ff\u0750-\u077f",
        OTHER: (
            "\u0370-\u03ff\u0530-\u05ff\u0700-\u074f\u0780-\u10ff\u1200-\u137f\u1780-\u17ff\u3040-\u30ff"
            "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
        ),
    }.items()
)
_BEYOND_LATIN = re.compile("[\u0370-\u1dff\u3040-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")
_NOT_RUSSIAN = re.compile("[іїєґўђћџљњқғүұһәө]")
_LETTER = re.compile(r"[^\W\d_]")
_DIGITS = "235679"
_CHUNK = re.compile(r"[\w']+")
_LETTERS_AND_DIGITS = re.compile("[a-z235679]+")
_WORD_AND_DIGIT = re.compile("[a-z]+[235679]")
_UNIQUE, _SHARED = 3, 1
_FIELD = 32
"""Wide enough for millions of words in one text."""


class Detected(NamedTuple):
    """A language code (of model.Language, `arabizi` or `other`), whether that is sure, and whether it was guessed."""

    language: str
    sure: bool
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class LanguageTables:
    """What Latin-script languages are told apart by.

    `weights` gives each listed word how much it speaks for each of `languages`, in one number: the weight for the nth
    one stands in its nth field of bits, so that a text is weighed by adding. Words with an elided vowel are looked up
    by what stands before their apostrophe (`j'`). `enough` is the weight that decides. `least_confidence` is what the
    statistical guess must reach among `guessable` languages, by the first `guessed_by` characters. Arabizi, which can
    be told by its digits alone, is the last of the languages.
    """

    weights: Mapping[str, int]
    languages: tuple[str, ...]
    fields: Struct
    enough: int
    guessable: tuple[str, ...]
    least_confidence: float
    guessed_by: int


def language_tables(
    words: Mapping[str, Iterable[str]],
    enough: int,
    guessable: tuple[str, ...],
    least_confidence: float,
    guessed_by: int,
) -> LanguageTables:
    """Tables from function words by language; a word of one language weighs more than one of several."""
    spoken_in: dict[str, list[str]] = {}
    for language, listed in words.items():
        for word in dict.fromkeys(listed):
            spoken_in.setdefault(word, []).append(language)
    languages = (*(language for language in words if language != ARABIZI), ARABIZI)
    weighed = {
        spoken: sum((_UNIQUE if len(spoken) == 1 else _SHARED) << _FIELD * languages.index(one) for one in spoken)
        for spoken in set(map(tuple, spoken_in.values()))
    }
    weights = {word: weighed[tuple(spoken)] for word, spoken in spoken_in.items()}
    fields = Struct(f"<{len(languages)}I")
    return LanguageTables(weights, languages, fields, enough, guessable, least_confidence, guessed_by)


def detect_language(match: str, tables: LanguageTables) -> Detected:
    """The language of a text in matching form. English where nothing decides, and then not sure."""
    if not match.isascii():
        script = _script(match)
        if script is not None:
            return Detected(script, sure=True)
    if not _LETTER.search(match):
        return Detected(OTHER, sure=False)
    scores = _scores(match, tables)
    best = max(scores)
    if best >= tables.enough and scores.count(best) == 1:
        return Detected(tables.languages[scores.index(best)], sure=True)
    return _guess(match, tables, scores)


def _script(match: str) -> str | None:
    """The language of the script most letters are in, or None for Latin script."""
    first = _BEYOND_LATIN.search(match)
    if first is None:
        return None
    plain = len(match.encode("ascii", "ignore"))
    only = next((script for script in _SCRIPTS if script.letters.match(first[0])), None)
    if only is not None and only.foreign.search(match) is None:
        count, language = len(match) - plain, only.language  # as nearly always, the only one beside ASCII
    else:
        found = list(_counted(match))
        if not found:
            return None
        count, language = max(found)
    latin = plain - match.count(" ")
    dense = 2 if language in ("ko", OTHER) else 1
    if count * dense < latin:
        return None
    if language == "ru" and _NOT_RUSSIAN.search(match):
        return OTHER
    return language


def _counted(match: str) -> Iterator[tuple[int, str]]:
    """How many letters there are of each script, up to one that has more than any other can."""
    for script in _SCRIPTS:
        count = len(match) - len(script.letters.sub("", match)) if script.letters.search(match) else 0
        if count:
            yield count, script.language
        if count * 2 > len(match):
            return


def _scores(match: str, tables: LanguageTables) -> list[int]:
    """How much the listed words speak for each of the languages."""
    weights, tokens = tables.weights, match.split()
    total = sum(filter(None, map(weights.get, tokens)))
    if "'" in match:
        for token in [token for token in tokens if "'" in token]:
            if token not in weights:
                total += weights.get(token[: token.index("'") + 1], 0)
    scores = list(tables.fields.unpack(total.to_bytes(tables.fields.size, "little")))
    if any(map(match.__contains__, _DIGITS)):
        odd = " ".join({token for token in tokens if not token.isalpha()})
        if any(map(_spells_with_digits, set(_CHUNK.findall(odd)))):
            scores[-1] += _SHARED
    return scores


def _spells_with_digits(chunk: str) -> bool:
    """Whether digits stand for letters, as Arabizi has it: a letter after one at the end of a word, or one at its end.

    Piece by piece between apostrophes: one expression over all of it would look again from each apostrophe on.
    """
    digit_before = False
    for piece in chunk.split("'"):
        if not piece:
            continue
        if not _LETTERS_AND_DIGITS.fullmatch(piece):
            digit_before = False
            continue
        has_digit = not piece.isalpha()
        if (has_digit or digit_before) if piece[-1].isalpha() else _WORD_AND_DIGIT.fullmatch(piece):
            return True
        digit_before = digit_before or has_digit
    return False


def _guess(match: str, tables: LanguageTables, scores: list[int]) -> Detected:
    """The statistical guess; where it is weak, the best of the listed words, and else English."""
    language, confidence = _guesser(tables.guessable).guess(match[: tables.guessed_by])
    if confidence >= tables.least_confidence:
        return Detected(language, sure=True, guessed=True)
    best = max(scores)
    return Detected(tables.languages[scores.index(best)] if best else ENGLISH, sure=False)


def warm_up(tables: LanguageTables) -> None:
    """Load the statistical guess now, so that nobody's message waits for it."""
    _guesser(tables.guessable)


class _Guesser:
    """The model of py3langid for some languages, asked in fewer steps than its own `classify` takes.

    Hardly a message comes here, so that its tables are in no cache of the processor: numbers side by side in arrays are
    fetched in a third of the time that a list of objects takes, and five scores are weighed faster without numpy.
    """

    def __init__(self, identifier: Any) -> None:
        self._languages: list[str] = identifier.nb_classes
        self._weights = identifier.nb_ptc.astype("float32", order="C")  # else the rows of each text are made so
        self._prior = identifier.nb_pc
        self._next = identifier.tk_nextmove
        self._rows = array("I", [row << 8 for row in identifier.tk_row])
        self._features = array("i", identifier.tk_output)

    def guess(self, match: str) -> tuple[str, float]:
        """The likeliest language of a text in matching form, and how likely it is among all of them."""
        import numpy as np

        written = unicodedata.normalize("NFC", match).encode("utf-8", "surrogatepass")
        seen = Counter(self._seen(written))
        if not seen:
            return self._languages[0], 1 / len(self._languages)
        counts = np.fromiter(seen.values(), dtype=np.float32, count=len(seen))
        rows = np.fromiter(seen.keys(), dtype=np.intp, count=len(seen))
        scores = (np.log1p(counts) @ self._weights[rows] + self._prior).tolist()
        best = max(scores)
        steepness = 1 / sqrt(len(written))
        others = sum([exp((score - best) * steepness) for score in scores])
        return self._languages[scores.index(best)], 1 / others

    def _seen(self, written: bytes) -> list[int]:
        """The features of a text, as often as they stand in it."""
        following, rows, features = self._next, self._rows, self._features
        state, seen = 0, []
        for letter in written:
            state = following[rows[state] + letter]
            feature = features[state]
            if feature >= 0:
                seen.append(feature)
        return seen


@cache
def _guesser(languages: tuple[str, ...]) -> _Guesser:
    """The guess among `languages`. It takes most of a second and 100 MB once, so it is made once."""
    from py3langid.langid import LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(_MODEL, norm_probs=True)
    identifier.set_languages(list(languages))
    return _Guesser(identifier)
