"""The boolean signals of policies/signals.yaml and safety.yaml: intent flags, closeness, safety signals (§6, §7)."""

from collections.abc import Iterable, Mapping

from chingoo.engine.entries import ANY_LANGUAGE, forms_of
from chingoo.engine.found import Group
from chingoo.engine.hits import Hit
from chingoo.engine.scan import Scan
from chingoo.engine.seen import Seen
from chingoo.engine.sights import Combinations, SightIndex, barring, combinations, is_barred_in_any, places
from chingoo.engine.together import Asked
from chingoo.policy.documents.base import Near, WordList
from chingoo.policy.documents.safety import CountRule
from chingoo.policy.documents.signals import SignalRule, SignalsDocument
from chingoo.text.language import ENGLISH

IS_QUESTION = "is_question"
IS_PURE_FACT_QUESTION = "is_pure_fact_q"
FAREWELL = "farewell"
_NO_PHRASES: dict[str, set[str]] = {}


class SignalReader:
    """Named signals of one document; those marked `own_language` look at words of the message's language only."""

    def __init__(self, prefix: str, rules: Mapping[str, SignalRule], asked: Asked) -> None:
        self._rules = dict(rules)
        self._ids = {name: f"{prefix}.{name}" for name in rules}
        self._index = SightIndex({name: rule.when for name, rule in rules.items() if not rule.own_language}, asked)
        own = {name: rule.when for name, rule in rules.items() if rule.own_language}
        self._own = Combinations(((near, name) for name, sight in own.items() for near in sight.any), asked)

    def read(self, scan: Scan, languages: frozenset[str]) -> dict[str, Seen]:
        """The signals seen, by name. `languages` are those whose everyday words count."""
        seen: dict[str, Seen] = {}
        for name, found in self._index.seen(scan).items():
            unless = self._rules[name].unless
            if not unless or not any(next(places(near, scan), None) for near in unless):
                seen[name] = self._seen(name, found)
        for near, name in self._own.met(scan):
            rule = self._rules[name]
            if name in seen or any(map(scan.has, rule.when.none)):
                continue
            hits = _spoken(near, scan, languages)
            if hits is not None:
                seen[name] = self._seen(name, hits)
        return seen

    def _seen(self, name: str, hits: tuple[Hit, ...]) -> Seen:
        rule = self._rules[name]
        return Seen(self._ids[name], name, rule.place, rule.because, hits)


def _spoken(near: Near, scan: Scan, languages: frozenset[str]) -> tuple[Hit, ...] | None:
    """The first place of a Near where all words are of some languages."""
    if len(near.lists) == 1 and not near.unless:
        hit = scan.first_spoken(near.lists[0], languages)
        return (hit,) if hit is not None else None
    for hits in places(near, scan):
        if all(hit.language in languages for hit in hits):
            return hits
    return None


class CountReader:
    """Integer facts: how many distinct words of some lists are seen.

    Words of one language are often written in another (porn), so what keeps one from being counted may be of any.
    """

    def __init__(self, prefix: str, rules: Mapping[str, CountRule]) -> None:
        self._prefix = prefix
        self._rules = dict(rules)
        self._lists = Group(list_id for rule in rules.values() for list_id in rule.lists)

    def read(self, scan: Scan) -> dict[str, Seen]:
        """The counts above zero, with one hit for each distinct word."""
        counted: dict[str, Seen] = {}
        if not self._lists.any_in(scan.found):
            return counted
        for name, rule in self._rules.items():
            if not any(scan.has(list_id) for list_id in rule.lists):
                continue
            sober = [hit for list_id in rule.none for hit in scan.hits(list_id)]
            barred = barring(rule.unless, scan)
            found = [
                hit
                for list_id in rule.lists
                for hit in scan.hits(list_id)
                if not _stands_in(hit, sober) and not is_barred_in_any((hit,), barred, rule.beside)
            ]
            distinct = {hit.name: hit for hit in reversed(found)}
            hits = tuple(sorted(distinct.values(), key=lambda hit: hit.start))
            if not hits:
                continue
            counted[name] = Seen(f"{self._prefix}.{name}", name, rule.place, rule.because, hits)
        return counted


def _stands_in(hit: Hit, phrases: Iterable[Hit]) -> bool:
    """Whether a hit shares characters with one of some phrases."""
    return any(hit.start < phrase.end and phrase.start < hit.end for phrase in phrases)


class QuestionReader:
    """Questions (ROUTE-03) and closing goodbyes, which need more than a list."""

    def __init__(self, document: SignalsDocument, lists: Mapping[str, WordList], asked: Asked) -> None:
        self._document = document
        self._without = frozenset(document.fact_question.without)
        self._farewells = combinations(document.farewell.seen.any, asked)
        self._first: dict[str, dict[str, set[str]]] = {}
        for language, entries in lists[document.question.first_words].entries.items():
            for entry in entries:
                for form in forms_of(entry, language, lists):
                    spoken = self._first.setdefault(form.text.partition(" ")[0], {})
                    spoken.setdefault(form.text, set()).add(language)

    def question(self, scan: Scan, languages: frozenset[str]) -> Seen | None:
        """Whether the message is a question: by its mark, its first word, or a phrase anywhere."""
        rule = self._document.question
        anywhere = scan.first_spoken(rule.anywhere, languages) if scan.has(rule.anywhere) else None
        marked = anywhere or any(map(scan.text.user_text_norm.__contains__, rule.marks))
        if marked or self._starts_as_question(scan, languages):
            hits = (anywhere,) if anywhere else ()
            return Seen(f"signals.{IS_QUESTION}", IS_QUESTION, rule.place, rule.because, hits)
        return None

    def fact_question(self, scan: Scan, seen: Mapping[str, Seen]) -> Seen | None:
        """Whether the message asks for a fact and nothing else (ROUTE-07)."""
        rule = self._document.fact_question
        if IS_QUESTION not in seen or scan.text.token_estimate > rule.max_tokens:
            return None
        if not self._without.isdisjoint(seen):
            return None
        return Seen(f"signals.{IS_PURE_FACT_QUESTION}", IS_PURE_FACT_QUESTION, rule.place, rule.because, ())

    def farewell(self, scan: Scan) -> Seen | None:
        """Whether the message closes with a goodbye."""
        rule = self._document.farewell
        for near, _ in self._farewells.met(scan):
            last_token = scan.text.match.count(" ")
            for hits in places(near, scan):
                if last_token - max(hit.last_token for hit in hits) < rule.last_tokens:
                    return Seen(f"signals.{FAREWELL}", FAREWELL, rule.place, rule.because, hits)
        return None

    def _starts_as_question(self, scan: Scan, languages: frozenset[str]) -> bool:
        """Whether the first tokens are a question word or phrase, the last of them up to its apostrophe."""
        first = scan.text.match.partition(" ")[0]
        phrases = self._first.get(first, _NO_PHRASES)
        if "'" in first:
            phrases = phrases | self._first.get(first.partition("'")[0], _NO_PHRASES)
        if not phrases:
            return False
        match = f"{scan.text.match} "
        return any(
            match.startswith((f"{text} ", f"{text}'")) and not languages.isdisjoint(spoken)
            for text, spoken in phrases.items()
        )


class SpokenLanguages:
    """Whose everyday words are read in a message: of its own language, and of English unless it is one of `alone`."""

    def __init__(self, alone: frozenset[str], languages: Iterable[str]) -> None:
        self._with_english = {language: frozenset((language, ENGLISH, ANY_LANGUAGE)) for language in languages}
        self._alone = {language: frozenset((language, ANY_LANGUAGE)) for language in alone}

    def around(self, language: str, *, sure: bool) -> frozenset[str]:
        """The languages whose everyday words count in a message of `language`."""
        if sure and language in self._alone:
            return self._alone[language]
        return self._with_english[language]
