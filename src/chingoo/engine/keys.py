"""The rules of the keys under which a form of an entry is looked up: what may stand before and after it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from chingoo.engine.entries import Form
from chingoo.engine.hits import Target
from chingoo.text.letters import FoldTables
from chingoo.text.sound import Sounds

_FIRST_SYLLABLE, _LAST_SYLLABLE = "가", "힣"


@dataclass(frozen=True, slots=True)
class MatchTables:
    """What word rules of languages need: Hangul tails and Arabic heads (stacks included), elisions, evasion, sounds.

    `hangul_sounds`: the letters that chat has behind Hangul tails.

    `typed`: small words, by language, and how they are typed in chat.

    `letters`: tables, by language, of what people write instead of letters beyond ASCII (ä: ae).

    `misheard`: words of everyday talk, as `squeezed` leaves them, that sound like listed ones and are others.
    """

    hangul_tails: frozenset[str]
    hangul_sounds: str
    arabic_heads: frozenset[str]
    elisions: Mapping[str, tuple[str, ...]]
    fold: FoldTables
    sounds: Sounds
    typed: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    letters: Mapping[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict)
    misheard: frozenset[str] = frozenset()


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


RULES = tuple(
    Rule(not glued and not arabic, not is_open and not hangul, arabic, hangul, is_open)
    for hangul, arabic, is_open, glued in product((False, True), repeat=4)
)
"""The rules of spellings that begin as Arabic words do, end as Korean words do, and of open and glued forms."""

WHOLE_WORD = RULES[0]

_AGAIN = re.compile(r"(.)\1+")


def squeezed(words: str) -> str:
    """Words with each letter that is written several times in a row written once (allaaah, alah)."""
    return _AGAIN.sub(r"\1", words)


Spelled = tuple[str, Form, Target]
"""A form as people write it, the form, and the entry that it stands for."""


@lru_cache(maxsize=256)
def elided_rule(rule: Rule, language: str) -> Rule:
    """The same rule after an apostrophe: one for all keys."""
    return rule._replace(left=False, elided=language)


def is_hangul(char: str) -> bool:
    """True for a Hangul syllable."""
    return _FIRST_SYLLABLE <= char <= _LAST_SYLLABLE


def is_arabic(char: str) -> bool:
    """True for an Arabic letter."""
    return "\u0620" <= char <= "\u064a" or "\u0671" <= char <= "\u06d3"
