"""Everything about memories that one bundle makes ready once: keys, listener, corrections, names, mentions."""

from dataclasses import dataclass

from chingoo.engine.engine import match_tables
from chingoo.engine.images import Matchers
from chingoo.memory.claims import Claims
from chingoo.memory.forms import forms_of
from chingoo.memory.grammar import CorrectionGrammar
from chingoo.memory.keys import KeyGrammar
from chingoo.memory.listening import Listener, build_listener
from chingoo.memory.sameness import Sameness
from chingoo.memory.surfaces import Mentions, WordRules
from chingoo.memory.targets import Names, Tails
from chingoo.memory.validate import Validator, build_validator
from chingoo.model.grammar import GrammarParser
from chingoo.policy.bundle import Bundle


@dataclass(frozen=True, slots=True)
class MemoryReader:
    """Immutable and ready."""

    keys: KeyGrammar
    listener: Listener
    corrections: CorrectionGrammar
    mentions: Mentions
    names: Names
    validator: Validator
    claims: Claims
    sameness: Sameness


def build_reader(bundle: Bundle, parser: GrammarParser | None = None, matchers: Matchers | None = None) -> MemoryReader:
    """A reader for a bundle."""
    keys = KeyGrammar(bundle.memory)
    tables = match_tables(bundle.lexicons)
    elisions = (word for words in tables.elisions.values() for word in words)
    rules = WordRules(heads=tables.arabic_heads | frozenset(elisions), tails=tables.hangul_tails)
    sameness = Sameness(bundle.synonyms.same, keys)
    mentions = Mentions(bundle.memory.surfacing, keys, rules, _synonyms(bundle, sameness))
    return MemoryReader(
        keys=keys,
        listener=build_listener(bundle, parser, matchers),
        corrections=CorrectionGrammar(bundle.corrections),
        mentions=mentions,
        names=Names(bundle.corrections.values(), keys, mentions, Tails(tables.hangul_tails, _copulas(bundle))),
        validator=build_validator(bundle, matchers),
        claims=Claims(bundle.extraction, bundle.memory, keys, sameness),
        sameness=sameness,
    )


def _copulas(bundle: Bundle) -> tuple[str, ...]:
    """What says *is* at the end of a word, in languages that write it so; the longest first."""
    written = {word for document in bundle.listening.values() for word in document.around.copulas}
    return tuple(sorted(written, key=lambda word: (-len(word), word)))


def _synonyms(bundle: Bundle, sameness: Sameness) -> dict[str, list[str]]:
    """Everything that a canonical slug, or a liked thing, is called in all languages (INST-10, NORM-10)."""
    words = {slug: list(names) for slug, names in sameness.names.items()}
    for things in bundle.synonyms.values.values():
        for name, by_language in things.items():
            entries = (entry for entries in by_language.values() for entry in entries)
            words.setdefault(name, []).extend(form for entry in entries for form in forms_of([entry.text]))
    return words
