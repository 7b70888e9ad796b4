"""Small word lists and matchers for tests of the engine."""

from collections.abc import Iterable, Mapping

from chingoo.engine.keys import MatchTables
from chingoo.engine.matcher import Matcher, compile_matcher
from chingoo.engine.scan import Scan
from chingoo.policy.documents.base import Entry, Near, Place, Sight, View, WordList
from chingoo.text.letters import fold_tables
from chingoo.text.normalise import normalise
from chingoo.text.sound import Sounds

HERE = Place("policies/test.yaml", 1, 1)
TABLES = MatchTables(
    hangul_tails=frozenset({"을", "은", "이", "에서", "한테", "만", "한테만", "님", "님을", "이야", "입니다", "도"}),
    hangul_sounds="".join(map(chr, (0x110F, 0x1112, 0x116E, 0x1172))),
    arabic_heads=frozenset({"و", "ب", "ال", "وال"}),
    elisions={"fr": ("l'", "d'"), "it": ("dell'",)},
    fold=fold_tables(
        {"0": "o", "1": "i", "3": "e", "@": "a", "$": "s", "!": "i"}, {"1": "l"}, {"е": "e", "а": "a"}, {"e": "е"}
    ),
    typed={"it": {"non": ("nn",)}, "es": {"que": ("q", "k"), "por": ("x",)}},
    letters={"de": ({"ä": "ae", "ö": "oe", "ü": "ue"}, {"ß": "ss"}), "fr": ({"œ": "oe"},)},
    sounds=Sounds({"ou": "u", "oo": "u", "o": "u", "e": "a", "i": "a", "7": "h", "2": "", "^y": "ja", "^ye": "ja"}),
    misheard=frozenset({"bade mot"}),
)


def words(entries: Mapping[str, Iterable[str]] | Iterable[str], views: tuple[View, ...] = (View.PLAIN,)) -> WordList:
    """A list of English entries, or of entries by language."""
    by_language = entries if isinstance(entries, Mapping) else {"en": entries}
    return WordList(
        HERE, {code: tuple(Entry(text, HERE) for text in texts) for code, texts in by_language.items()}, views
    )


def matcher(**lists: WordList) -> Matcher:
    """A matcher of these lists."""
    return compile_matcher(lists, TABLES)


def scan(text: str, **lists: WordList) -> Scan:
    """What these lists see in a text."""
    return matcher(**lists).scan(normalise(text))


def near(
    *lists: str, within: int | None = None, ordered: bool = False, unless: tuple[str, ...] = (), beside: int = 0
) -> Near:
    """A Near of these lists."""
    return Near(HERE, lists, within, ordered, unless, beside)


def sight(*alternatives: Near, none: tuple[str, ...] = ()) -> Sight:
    """A Sight of these alternatives."""
    return Sight(HERE, alternatives, none)
