"""The keys under which a form of an entry is looked up: its spellings, and what may stand before and after it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from chingoo.engine.entries import Form
from chingoo.text.fold import FoldTables, skeleton, unaccented
from chingoo.text.language import ENGLISH

_VOWELS = frozenset("aeiouhyàâäéèêëîïìíôöòóùûúüœæ")
_SHORTEST_COMPACT = 7
_SHORTEST_REVERSED = 7
_SHORTEST_SPACED_OUT = 5
_FIRST_SYLLABLE, _LAST_SYLLABLE = "가", "힣"
_FINALS_PER_VOWEL = 28
_VERB_FINALS = (0, 4, 8, 16, 17, 20)  # none, ㄴ, ㄹ, ㅁ, ㅂ, ㅆ: what endings put under an open syllable
_HA, _HAE = "하", "해"


@dataclass(frozen=True, slots=True)
class MatchTables:
    """What word rules of languages need: Hangul tails and Arabic heads (stacks included), elisions, evasion tables."""

    hangul_tails: frozenset[str]
    arabic_heads: frozenset[str]
    elisions: Mapping[str, tuple[str, ...]]
    fold: FoldTables


class Rule(NamedTuple):
    """What must hold around a key: `left`/`right` are padded word boundaries, `head`/`tail` are checked by table."""

    left: bool
    right: bool
    head: bool = False
    tail: bool = False
    open: bool = False


Key = tuple[str, Rule]
"""A string to look for, and its rule."""


def rule_of(text: str, form: Form) -> Rule:
    """The rule of a spelling: Hangul may take tails, Arabic heads; a glued or open form asks for nothing there."""
    if text.isascii():
        return _RULES[form.glued, form.open, False, False]
    arabic = not (form.glued or form.exact) and is_arabic(text[0])
    hangul = not (form.open or form.exact) and is_hangul(text[-1])
    return _RULES[form.glued, form.open, arabic, hangul]


_RULES: Mapping[tuple[bool, bool, bool, bool], Rule] = {
    (glued, is_open, arabic, hangul): Rule(
        not glued and not arabic, not is_open and not hangul, arabic, hangul, is_open
    )
    for glued, is_open, arabic, hangul in product((False, True), repeat=4)
}


def plain_keys(form: Form, texts: Iterable[str]) -> Iterator[Key]:
    """Keys for the matching form of a text; `texts` are the form's `spellings`, here and below."""
    for text in texts:
        yield text, rule_of(text, form)


def evasion_keys(form: Form, texts: Iterable[str]) -> Iterator[Key]:
    """Further keys for the matching form: phrases written as one word, and backwards."""
    if form.open or form.glued:
        return
    for text in texts:
        if not text.replace(" ", "").replace("'", "").isalpha() or is_hangul(text[-1]) or is_arabic(text[0]):
            continue
        together = text.replace(" ", "")
        word = Rule(left=True, right=True)
        if " " in text and len(together) >= _SHORTEST_COMPACT:
            yield together, word
        if len(together) >= _SHORTEST_REVERSED:
            yield text[::-1], word


def folded_keys(form: Form, texts: Iterable[str]) -> Iterator[Key]:
    """Keys for folded views: skeletons, also of phrases written as one word."""
    for text in texts:
        folded = skeleton(text)
        if folded:
            yield folded, rule_of(folded, form)
        if " " not in text:
            continue
        together = skeleton(text.replace(" ", ""))
        if len(together) >= _SHORTEST_SPACED_OUT:
            yield together, rule_of(together, form)


def spaced_out_keys(texts: Iterable[str]) -> Iterator[str]:
    """Strings to look for anywhere inside letters that were written apart."""
    for text in texts:
        together = skeleton(text.replace(" ", ""))
        if len(together) >= _SHORTEST_SPACED_OUT:
            yield together


def spellings(form: Form, language: str, tables: MatchTables) -> tuple[str, ...]:
    """A form as people write it: without accents, without the apostrophe, elided, as a possessive, verbs fused."""
    if is_hangul(form.text[-1]):
        return tuple(dict.fromkeys(_fused(form)))
    found = [form.text]
    plain = unaccented(form.text)
    if plain != form.text:
        found.append(plain)
    if "'" in form.text and " " in form.text:
        found += [text.replace("'", "") for text in tuple(found)]
    if form.text[0] in _VOWELS:
        found += [head + text for head in tables.elisions.get(language, ()) for text in tuple(found)]
    if language == ENGLISH and form.text.isalpha() and not (form.open or form.exact):
        found.append(f"{form.text}'s")
    return tuple(dict.fromkeys(found))


def _fused(form: Form) -> Iterator[str]:
    """A Hangul stem with what its last open syllable becomes before endings (하- is 하, 한, 할, … and 해, 했, …)."""
    yield form.text
    last = form.text[-1]
    if not form.open or (ord(last) - ord(_FIRST_SYLLABLE)) % _FINALS_PER_VOWEL:
        return
    for syllable in (last, _HAE) if last == _HA else (last,):
        for final in _VERB_FINALS:
            yield form.text[:-1] + chr(ord(syllable) + final)


def is_hangul(char: str) -> bool:
    """True for a Hangul syllable."""
    return _FIRST_SYLLABLE <= char <= _LAST_SYLLABLE


def is_arabic(char: str) -> bool:
    """True for an Arabic letter."""
    return "\u0620" <= char <= "\u064a" or "\u0671" <= char <= "\u06d3"
