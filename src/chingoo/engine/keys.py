"""The keys under which a form of an entry is looked up: its spellings, and what may stand before and after it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from chingoo.engine.entries import Form
from chingoo.engine.scan import Target
from chingoo.text.language import ARABIZI, ENGLISH
from chingoo.text.letters import FoldTables, skeleton, unaccented
from chingoo.text.sound import Sounds

_VOWELS = frozenset("aeiouhyàâäéèêëîïìíôöòóùûúüœæ")
_SHORTEST_COMPACT = 7
_SHORTEST_REVERSED = 7
_SHORTEST_SPACED_OUT = 5
_SHORTEST_SOUNDED = 5
_FIRST_SYLLABLE, _LAST_SYLLABLE = "가", "힣"
_FINALS_PER_VOWEL = 28
_VERB_FINALS = (0, 4, 8, 16, 17, 20)  # none, ㄴ, ㄹ, ㅁ, ㅂ, ㅆ: what endings put under an open syllable
_PAST_FINALS = (0, 20)  # none, ㅆ: all that stems which hold their ending already take
_VOWELS_PER_FIRST = 21
_CONTRACTED = (9, 14)  # ㅘ, ㅝ: 봐, 줘
_HA, _HAE = "하", "해"


@dataclass(frozen=True, slots=True)
class MatchTables:
    """What word rules of languages need: Hangul tails and Arabic heads (stacks included), elisions, evasion, sounds.

    `typed`: small words, by language, and how they are typed in chat.
    """

    hangul_tails: frozenset[str]
    arabic_heads: frozenset[str]
    elisions: Mapping[str, tuple[str, ...]]
    fold: FoldTables
    sounds: Sounds
    typed: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)


class Rule(NamedTuple):
    """What must hold around a key: `left`/`right` are padded word boundaries, `head`/`tail` are checked by table.

    `elided`: it follows an apostrophe, before which a short word of that language stands (l', qu', dell').
    """

    left: bool
    right: bool
    head: bool = False
    tail: bool = False
    open: bool = False
    elided: str = ""


Key = tuple[str, Rule, Target]
"""A string to look for, its rule, and what it stands for."""


def rule_of(text: str, form: Form) -> Rule:
    """The rule of a spelling: Hangul may take tails, Arabic heads; a glued or open form asks for nothing there."""
    _, glued, is_open, exact = form
    if text.isascii():
        return _RULES[glued, is_open, False, False] if glued or is_open else WHOLE_WORD
    arabic = not (glued or exact) and is_arabic(text[0])
    hangul = not (is_open or exact) and is_hangul(text[-1])
    return _RULES[glued, is_open, arabic, hangul]


_RULES: Mapping[tuple[bool, bool, bool, bool], Rule] = {
    (glued, is_open, arabic, hangul): Rule(
        not glued and not arabic, not is_open and not hangul, arabic, hangul, is_open
    )
    for glued, is_open, arabic, hangul in product((False, True), repeat=4)
}
WHOLE_WORD = _RULES[False, False, False, False]

Spelled = tuple[str, Form, Target]
"""One of the `spellings` of a form, the form, and the entry that it stands for."""


def plain_keys(spelled: Iterable[Spelled], elisions: Mapping[str, tuple[str, ...]]) -> Iterator[Key]:
    """Keys for the matching form of a text; once more after an apostrophe, where short words are elided before it."""
    for text, form, target in spelled:
        rule = rule_of(text, form)
        yield text, rule, target
        if text[0] in _VOWELS and target.language in elisions and rule.left and not form.exact:
            yield text, _elided(rule, target.language), target


@lru_cache(maxsize=256)
def _elided(rule: Rule, language: str) -> Rule:
    """The same rule after an apostrophe: one for all keys, as those of `rule_of` are."""
    return rule._replace(left=False, elided=language)


def with_elisions(spelled: Iterable[Spelled], elisions: Mapping[str, tuple[str, ...]]) -> Iterator[Spelled]:
    """The same, and each with every word that is elided before it: for views that hold nothing of the apostrophe.

    Phrases that are run together or written backwards stand without one.
    """
    for text, form, target in spelled:
        yield text, form, target
        if text[0] in _VOWELS and not form.exact:
            for head in elisions.get(target.language, ()):
                yield head + text, form, target


def compact_keys(spelled: Iterable[Spelled]) -> Iterator[Key]:
    """Keys for the copy of Hangul without spaces, where no boundary is left to look for."""
    for text, form, target in spelled:
        if not text.isascii() and len(text) > 1 and is_hangul(form.text[0]) and is_hangul(form.text[-1]):
            yield text.replace(" ", ""), rule_of(text, form), target


def evasion_keys(spelled: Iterable[Spelled]) -> Iterator[Key]:
    """Further keys for the matching form: phrases written as one word, and backwards."""
    for text, form, target in spelled:
        if form.open or form.glued or is_hangul(text[-1]) or is_arabic(text[0]):
            continue
        together = text.replace(" ", "")
        if not together.replace("'", "").isalpha():
            continue
        if " " in text and len(together) >= _SHORTEST_COMPACT:
            yield together, WHOLE_WORD, target
        if len(together) >= _SHORTEST_REVERSED:
            yield text[::-1], WHOLE_WORD, target


def folded_keys(skeletons: Iterable[Spelled], together: Iterable[Spelled]) -> Iterator[Key]:
    """Keys for folded views: the `skeletons` of spellings, also of phrases written as one word (`together`)."""
    for folded, form, target in skeletons:
        yield folded, rule_of(folded, form), target
    for folded, form, target in together:
        if len(folded) >= _SHORTEST_SPACED_OUT and " " in form.text:
            yield folded, rule_of(folded, form), target


def sounded_keys(spelled: Iterable[Spelled], sounds: Sounds) -> Iterator[Key]:
    """Keys of Arabizi for the copy that is made of sounds; what has few sounds would be heard everywhere."""
    for text, form, target in spelled:
        if target.language == ARABIZI:
            heard = sounds(text)
            if len(heard.replace(" ", "")) >= _SHORTEST_SOUNDED and "  " not in f" {heard} ":
                yield heard, rule_of(heard, form), target


def spaced_out_keys(together: Iterable[Spelled]) -> Iterator[tuple[str, Target]]:
    """Strings to look for anywhere inside letters that were written apart: `skeletons` without spaces."""
    for folded, _, target in together:
        if len(folded) >= _SHORTEST_SPACED_OUT:
            yield folded, target


def skeletons(spelled: Sequence[Spelled], spaces: str = " ") -> Iterator[Spelled]:
    """The same with skeletons for texts, where anything is left of them, and with other spaces than they have.

    All are folded as one text of so many lines, which is many times faster than one by one.
    """
    lines = "\n".join([text for text, _, _ in spelled]).replace(" ", spaces)
    for (_, form, target), folded in zip(spelled, skeleton(lines).split("\n"), strict=False):
        if folded:
            yield folded, form, target


def spellings(form: Form, language: str, tables: MatchTables) -> tuple[str, ...]:
    """A form as people write it: in chat, without accents or the apostrophe, as a possessive, verbs fused."""
    text = form.text
    possessive = language == ENGLISH and text.isalpha() and not (form.open or form.exact)
    phrase = " " in text
    typed = tables.typed.get(language) if phrase else None
    apostrophe = phrase and "'" in text
    if text.isascii():
        if typed is None and not apostrophe:
            return (text, f"{text}'s") if possessive else (text,)
    elif is_hangul(text[-1]):
        return tuple(dict.fromkeys(_fused(form))) if form.open else (text,)
    elif typed is None and not (apostrophe or possessive):
        bare = unaccented(text)
        return (text,) if bare == text else (text, bare)
    found = [text] if typed is None else [text, *_as_typed(text, typed)]
    if not text.isascii():
        found += [unaccented(one) for one in found]
    if apostrophe:
        found += [one.replace("'", "") for one in found]
    if possessive:
        found.append(f"{text}'s")
    return tuple(dict.fromkeys(found))


def _as_typed(text: str, typed: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """A phrase with one of its small words as it is typed in chat, everywhere; and with all of them."""
    words = text.split(" ")
    if typed.keys().isdisjoint(words):
        return
    small = [word for word in dict.fromkeys(words) if word in typed]
    for word in small:
        for short in typed[word]:
            yield " ".join([short if other == word else other for other in words])
    if len(small) > 1:
        yield " ".join([typed[word][0] if word in typed else word for word in words])


def _fused(form: Form) -> Iterator[str]:
    """A Hangul stem with what its last open syllable becomes before endings (하- is 하, 한, 할, … and 해, 했, …)."""
    yield form.text
    last = form.text[-1]
    if not form.open or (ord(last) - ord(_FIRST_SYLLABLE)) % _FINALS_PER_VOWEL:
        return
    finals = _PAST_FINALS if _vowel(last) in _CONTRACTED else _VERB_FINALS
    for syllable in (last, _HAE) if last == _HA else (last,):
        for final in finals:
            yield form.text[:-1] + chr(ord(syllable) + final)


def _vowel(syllable: str) -> int:
    """The number of the vowel of a syllable."""
    return (ord(syllable) - ord(_FIRST_SYLLABLE)) // _FINALS_PER_VOWEL % _VOWELS_PER_FIRST


def is_hangul(char: str) -> bool:
    """True for a Hangul syllable."""
    return _FIRST_SYLLABLE <= char <= _LAST_SYLLABLE


def is_arabic(char: str) -> bool:
    """True for an Arabic letter."""
    return "\u0620" <= char <= "\u064a" or "\u0671" <= char <= "\u06d3"
