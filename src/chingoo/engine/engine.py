"""The engine: a bundle's policies made ready once, so that evaluating a message only reads."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from itertools import product
from typing import Any

from chingoo.engine.conditions import RuleTable, RuleTableError, compile_table
from chingoo.engine.crisis import CrisisReader
from chingoo.engine.fact_tables import fact_reader, instant_lists
from chingoo.engine.facts import FactReader
from chingoo.engine.fixed import FixedWords
from chingoo.engine.flags import (
    FAREWELL,
    IS_PURE_FACT_QUESTION,
    IS_QUESTION,
    CountReader,
    QuestionReader,
    SignalReader,
    SpokenLanguages,
)
from chingoo.engine.guard import GuardReader
from chingoo.engine.images import Matchers
from chingoo.engine.keys import MatchTables, squeezed
from chingoo.engine.matcher import Matcher
from chingoo.engine.memories import heuristic_lists
from chingoo.engine.notes import NoteReader
from chingoo.engine.outcomes import full_outcome
from chingoo.engine.own_names import leaks_of
from chingoo.engine.record import RecordMaker
from chingoo.engine.rules import DurableRules
from chingoo.engine.together import Asked
from chingoo.engine.topics import TopicReader
from chingoo.engine.weighing import Weigher
from chingoo.model.decision import RoutingDecision
from chingoo.model.enums import CrisisLevel, Language
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Entry, WordList
from chingoo.policy.documents.gates import Leak
from chingoo.policy.documents.lexicons import LexiconDocument
from chingoo.policy.documents.routing import RoutingRule
from chingoo.policy.documents.signals import ValenceRule
from chingoo.text.language import ARABIZI, OTHER, LanguageTables, language_tables, warm_up
from chingoo.text.letters import fold_tables
from chingoo.text.normalise import match_form, matching
from chingoo.text.sound import Sounds

LANGUAGE_CODES = (*(language.value for language in Language), ARABIZI, OTHER)
"""What detection may say."""

SIGNALS_IN_DECISIONS = (
    "has_personal_pronoun",
    "has_distress",
    "asks_for_comfort",
    "past_reference",
    "asks_recall",
    "asks_if_ai",
    "asks_about_friend",
)
CLAIMS_IN_DECISIONS = ("claimed_minor", "claimed_under_13")


@dataclass(frozen=True, slots=True)
class Engine:
    """Everything `evaluate` needs. `matcher` is for what users write; `output_matcher` and `leaks` are for the gates.

    Close it after its last use; everything else about it is immutable. Without a `weigher` the rules decide alone, as
    where it is asked what they hold by themselves.
    """

    digest: str
    matcher: Matcher
    output_matcher: Matcher
    leaks: tuple[Leak, ...]
    languages: LanguageTables
    language_look_back: int
    language_signs: Mapping[str, Language]
    spoken: SpokenLanguages
    verb_final: frozenset[str]
    topics: TopicReader
    signals: SignalReader
    safety: SignalReader
    counts: CountReader
    questions: QuestionReader
    valence: ValenceRule
    guard: GuardReader
    crisis: CrisisReader
    weigher: Weigher | None
    crisis_history: int
    crisis_replies: Mapping[str, CrisisLevel]
    facts: FactReader
    fixed: FixedWords
    record: RecordMaker
    table: RuleTable
    rules: DurableRules
    strictest: RoutingRule
    routings: Mapping[str, RoutingDecision]
    notes: NoteReader

    def close(self) -> None:
        """Free the rule engine's memory; a second call does nothing."""
        self.rules.close()


def build_engine(bundle: Bundle, matchers: Matchers | None = None) -> Engine:
    """An engine for a bundle. EntryError, RuleTableError: the bundle says something that cannot be done."""
    made = matchers or Matchers()
    written = lists_of(bundle)
    heard = {**heuristic_lists(bundle.heuristics), **instant_lists(bundle.instant, bundle.synonyms)}
    lists = {**written, **heard}
    tables = match_tables(bundle.lexicons)
    shown = _only(lists, _named_in((bundle.gates, bundle.topics.topics), lists))
    replies_only = lists_in(bundle.gates).keys()
    asked = _named_in(tuple(getattr(bundle, part.name) for part in fields(bundle)), written) - replies_only
    languages = _language_tables(bundle.lexicons["languages"])
    warm_up(languages)
    fixed = FixedWords(bundle.replies, bundle.crisis)
    _check_names(bundle, fixed)
    together = Asked()
    table = compile_table(bundle.routing, bundle.facts)
    signals = frozenset((*bundle.signals.signals, *bundle.safety.signals, IS_QUESTION, IS_PURE_FACT_QUESTION, FAREWELL))
    return Engine(
        digest=bundle.digest,
        matcher=made.matcher("heard", {**_only(written, asked), **heard}, tables, lists),
        output_matcher=made.matcher("shown", shown, tables, lists),
        leaks=leaks_of(bundle),
        languages=languages,
        language_look_back=int(bundle.lexicons["languages"].numbers["look_back"]),
        language_signs=_language_signs(bundle.lexicons["languages"]),
        spoken=SpokenLanguages(frozenset(bundle.lexicons["languages"].sets["alone"]), LANGUAGE_CODES),
        verb_final=frozenset(language for language, one in bundle.heuristics.items() if one.object == "before"),
        topics=TopicReader(bundle.topics),
        signals=SignalReader("signals", bundle.signals.signals, together),
        safety=SignalReader("safety", bundle.safety.signals, together),
        counts=CountReader("safety", bundle.safety.counts),
        questions=QuestionReader(bundle.signals, lists, together),
        valence=bundle.signals.valence,
        guard=GuardReader(bundle.safety.guard, together),
        crisis=CrisisReader(bundle.crisis, together),
        weigher=Weigher(bundle.weighing),
        crisis_history=bundle.crisis.context.history_messages,
        crisis_replies={fixed.crisis_reply(level): level for level in CrisisLevel},
        fixed=fixed,
        facts=fact_reader(bundle.instant, bundle.synonyms, bundle.anchors, bundle.memory, tables),
        record=RecordMaker(bundle.facts, signals, frozenset(bundle.safety.counts)),
        table=table,
        rules=DurableRules(table, f"chingoo-{bundle.digest[:16]}"),
        strictest=bundle.routing.strictest,
        routings={
            rule.id: full_outcome(rule, bundle.pipelines).routing()
            for rule in (*bundle.routing.rules, bundle.routing.strictest)
        },
        notes=NoteReader(bundle.routing.notes),
    )


def _only(lists: Mapping[str, WordList], wanted: frozenset[str]) -> dict[str, WordList]:
    """Some of the lists in the order of all: what is found first must be the same in every process."""
    return {list_id: words for list_id, words in lists.items() if list_id in wanted}


def lists_of(bundle: Bundle) -> dict[str, WordList]:
    """Every word list of a bundle, by id."""
    lists: dict[str, WordList] = {}
    for part in fields(bundle):
        lists |= lists_in(getattr(bundle, part.name))
    return lists


def _named_in(document: Any, lists: Mapping[str, WordList]) -> frozenset[str]:
    """The word lists that a document, or a part of one, asks for; what only fills slots of others is none of them."""
    named: set[str] = set()
    parts = [document]
    while parts:
        part = parts.pop()
        if isinstance(part, str):
            if part in lists:
                named.add(part)
        elif isinstance(part, tuple):
            parts += part
        elif isinstance(part, Entry):
            parts += filter(None, (part.requires,))
        elif isinstance(part, WordList):
            for entries in part.entries.values():
                parts += {entry.requires for entry in entries if entry.requires is not None}
        elif isinstance(part, Mapping):
            parts += part.values()
            parts += (key for key, value in part.items() if not isinstance(value, WordList))
        else:
            parts += [getattr(part, name) for name in _field_names(type(part))]
    return frozenset(named)


_FIELDS: dict[type, tuple[str, ...]] = {}
"""What `_field_names` has worked out."""


def _field_names(kind: type) -> tuple[str, ...]:
    """The fields of a kind of document; none of what is no document."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()
    return _FIELDS[kind]


def lists_in(area: Any) -> dict[str, WordList]:
    """The word lists of one area: of its document, or of its documents."""
    documents = area.values() if isinstance(area, Mapping) else (area,)
    lists: dict[str, WordList] = {}
    for document in documents:
        if is_dataclass(document) and not isinstance(document, type):
            lists |= dict(getattr(document, "lists", {}))
    return lists


def match_tables(lexicons: Mapping[str, LexiconDocument]) -> MatchTables:
    """The word rules of languages, with stacks of particles and clitics spelled out."""
    korean, arabic, evasion = lexicons["korean"], lexicons["arabic"], lexicons["evasion"]
    items = [match_form(item) for item in korean.sets["tails"]]
    endings = [match_form(item) for item in korean.sets["endings"]]
    tails = {*items, *endings, *("".join(pair) for pair in product(items, (*items, *endings)))}
    return MatchTables(
        hangul_tails=frozenset(tails),
        hangul_sounds="".join(matching(sound) for sound in korean.sets["sounds"]),
        arabic_heads=frozenset(match_form(head) for head in arabic.sets["heads"]),
        elisions=dict(lexicons["elisions"].sets),
        sounds=Sounds(lexicons["arabizi"].tables["sounds"]),
        misheard=frozenset(squeezed(match_form(words)) for words in lexicons["arabizi"].sets["misheard"]),
        typed={language: _typed(table) for language, table in lexicons["elisions"].tables.items()},
        letters=_by_language(lexicons["letters"].tables),
        fold=fold_tables(
            evasion.tables["leet"],
            evasion.tables["leet_other"],
            evasion.tables["to_latin"],
            evasion.tables["to_cyrillic"],
            evasion.tables["to_hangul"],
            to_cyrillic_other=evasion.tables["to_cyrillic_other"],
            masks=evasion.sets["masks"],
            masked=evasion.sets["masked"],
            most_words=int(evasion.numbers["most_words"]),
            most_letters=int(evasion.numbers["most_letters"]),
        ),
    )


def _language_tables(document: LexiconDocument) -> LanguageTables:
    """What languages are told apart by."""
    words = {name.removeprefix("words_"): listed for name, listed in document.sets.items() if name.startswith("words_")}
    return language_tables(
        {language: [match_form(word) for word in listed] for language, listed in words.items()},
        enough=int(document.numbers["enough"]),
        guessable=document.sets["guessable"],
        least_confidence=document.numbers["least_confidence"],
        guessed_by=int(document.numbers["guessed_by"]),
    )


def _language_signs(document: LexiconDocument) -> Mapping[str, Language]:
    """Signs that only one language writes, by sign."""
    signs = {name.removeprefix("signs_"): listed for name, listed in document.sets.items() if name.startswith("signs_")}
    return {sign: Language(language) for language, listed in signs.items() for sign in listed}


def _check_names(bundle: Bundle, fixed: FixedWords) -> None:
    """RuleTableError: a signal that decisions carry is not declared, or a rule speaks words that are not written."""
    missing = [name for name in SIGNALS_IN_DECISIONS if name not in bundle.signals.signals]
    missing += [name for name in CLAIMS_IN_DECISIONS if name not in bundle.safety.signals]
    if missing:
        raise RuleTableError(f"these signals must be declared: {', '.join(missing)}", bundle.signals.place)
    replies = bundle.crisis.replies
    spoken = [replies.HIGH_RISK, replies.CONTEXT, replies.THIRD_PARTY, replies.line, replies.no_line]
    for rule in (*bundle.routing.rules, bundle.routing.strictest):
        if rule.then.reply is not None:
            spoken.append(rule.then.reply)
    unwritten = [reply for reply in spoken if "{" not in reply and not fixed.knows(reply)]
    if unwritten:
        raise RuleTableError(
            f"these replies are written nowhere: {', '.join(unwritten)}", bundle.replies[Language.EN].place
        )


def _by_language(tables: Mapping[str, Mapping[str, str]]) -> Mapping[str, tuple[dict[str, str], ...]]:
    """Tables by the language that the last part of their names tells."""
    found: dict[str, tuple[dict[str, str], ...]] = {}
    for name, table in tables.items():
        language = name.rpartition("_")[2]
        found[language] = (*found.get(language, ()), dict(table))
    return found


def _typed(table: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Small words, and the ways in which they are typed."""
    return {match_form(word): tuple(match_form(way.strip()) for way in ways.split("|")) for word, ways in table.items()}
