"""The one decision: a pure function of the bundle and the input; live turns, replays and dry runs all call it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from chingoo.engine.answering import reply_language
from chingoo.engine.conditions import facts_of
from chingoo.engine.crisis import CRISIS, CrisisFinding
from chingoo.engine.engine import Engine
from chingoo.engine.facts import FoundFact
from chingoo.engine.flags import FAREWELL, IS_PURE_FACT_QUESTION, IS_QUESTION
from chingoo.engine.guard import GUARD
from chingoo.engine.hits import Hit
from chingoo.engine.memories import read_heuristics
from chingoo.engine.scan import Scan
from chingoo.engine.seen import Seen
from chingoo.engine.valence import read_feeling
from chingoo.engine.weighing import HARASSMENT, Part
from chingoo.errors import RuleEngineError
from chingoo.model.decision import (
    CrisisSignal,
    Decision,
    EvaluationInput,
    FactRecord,
    Flags,
    GuardSignal,
    MatchedEntry,
    RoutingDecision,
    Signals,
    TraceEntry,
)
from chingoo.model.enums import AgeBand, Language, MemoryWritePolicy, Mode, Role, TopicID
from chingoo.policy.documents.routing import RoutingRule
from chingoo.text.language import ARABIZI, OTHER, Detected, detect_language
from chingoo.text.normalise import NormalisedText, normalise

_NOT_GUARDED = GuardSignal(None)
_FLAGS = (IS_QUESTION, "has_personal_pronoun", "has_distress", "asks_for_comfort", IS_PURE_FACT_QUESTION)
"""The signals that are flags, in the order of these."""

_flags = lru_cache(maxsize=2 ** len(_FLAGS))(Flags)


def evaluate(engine: Engine, given: EvaluationInput, explain: bool = False) -> Decision:
    """Decide one message. Never raises on any text; the same input and bundle give the same decision.

    `explain` adds the trace; nothing else changes.
    """
    text = normalise(given.text)
    detected = detect_language(text.match, engine.languages)
    scan = engine.matcher.scan(text, by_ear=may_be_arabizi(detected))
    parts = engine.weigher.parts(scan) if engine.weigher is not None else ()
    seen = _read_signals(engine, scan, detected, parts)
    age_band = _effective_age(given.age_band, seen)
    crisis = _read_crisis(engine, scan, given, parts)
    strict = given.mode is Mode.INTIMATE
    guarding = engine.guard.read(scan, intimate=strict)
    guard = GuardSignal(guarding.id.partition(".")[2]) if guarding is not None else _NOT_GUARDED
    record = engine.record.make(given, age_band, text.token_estimate, seen, crisis.signal, guard)
    rule, routing = route(engine, record)
    crisis = _declared(engine, rule, crisis)
    signals = _signals(engine, scan, text, detected, given, seen, crisis, guard)
    facts = _facts(engine, scan, given, routing)
    reply_id = _reply_id(engine, rule, record, crisis)
    fed = _fed(rule, seen, crisis.seen, guarding)
    told = tuple(one for one in (crisis.seen, guarding) if one is not None and one not in fed)
    return Decision(
        routing=routing,
        signals=signals,
        taboo_guard=_guarded(engine, given, signals),
        facts=tuple(one.fact for one in facts),
        reply_id=reply_id,
        reply=_reply(engine, reply_id, signals, given),
        digest=engine.digest,
        rules=(rule.id, *(one.id for one in fed)),
        facts_record=record,
        spans=_spans(engine, scan, (*fed, *told), signals, facts),
        trace=(*_trace(rule, scan, fed, _others(seen, told, fed)), *_fact_trace(scan, facts)) if explain else (),
        effective_age_band=age_band,
    )


def _read_crisis(engine: Engine, scan: Scan, given: EvaluationInput, parts: Sequence[Part]) -> CrisisFinding:
    """What the words say, or, where they say nothing, what those weigh of them that no exception excused."""
    past: list[Scan] | None = None

    def earlier() -> list[Scan]:
        nonlocal past
        if past is None:
            past = _recent_scans(engine, given, engine.crisis_history)
        return past

    crisis = engine.crisis.read(scan, earlier)
    if engine.weigher is None or crisis.signal.level is not None:
        return crisis
    if crisis.excused is not None:
        parts = engine.weigher.parts(engine.weigher.rest_of(scan, crisis.excused))
    return engine.weigher.crisis(parts, earlier) or crisis


def may_be_arabizi(detected: Detected) -> bool:
    """Whether words of Arabizi may stand in a text: not where its own words say that it is of another language."""
    return detected.guessed or not detected.sure or detected.language in (ARABIZI, Language.AR, OTHER)


def may_be_of_ours(detected: Detected) -> bool:
    """Whether a text may be in a language that the weights were learnt from: not where its script is of another one.

    A boundary is not set by words that are weighed in another language's sense; a crisis still may be.
    """
    return detected.language != OTHER or not detected.sure


def route(engine: Engine, record: FactRecord) -> tuple[RoutingRule, RoutingDecision]:
    """The rule that decides a fact record, and what it decides; replaying a stored record gives the same.

    Where the rule engine fails, the strictest outcome is decided, never a milder one.
    """
    try:
        rule = engine.rules.first_rule(record)
    except RuleEngineError as error:
        return engine.strictest, replace(engine.routings[engine.strictest.id], notes=(error.detail,))
    routing = engine.routings[rule.id]
    notes = engine.notes.read(record)
    return rule, replace(routing, notes=notes) if notes else routing


def _declared(engine: Engine, rule: RoutingRule, crisis: CrisisFinding) -> CrisisFinding:
    """A rule that speaks the words of a level of crisis says that there is one, whatever the words of the text say."""
    if crisis.signal.level is None and rule.then.reply is not None:
        level = engine.crisis_replies.get(rule.then.reply)
        if level is not None:
            return CrisisFinding(CrisisSignal(level), None)
    return crisis


def _read_signals(engine: Engine, scan: Scan, detected: Detected, parts: Sequence[Part]) -> dict[str, Seen]:
    """All signals and counts seen, by name."""
    languages = engine.spoken.around(detected.language, sure=detected.sure)
    seen = engine.signals.read(scan, languages)
    seen |= engine.safety.read(scan, languages)
    seen |= engine.counts.read(scan)
    question = engine.questions.question(scan, languages)
    if question is not None:
        seen[IS_QUESTION] = question
        pure = engine.questions.fact_question(scan, seen)
        if pure is not None:
            seen[IS_PURE_FACT_QUESTION] = pure
    if engine.weigher is not None and HARASSMENT not in seen and may_be_of_ours(detected):
        weighed = engine.weigher.harassment(parts)
        if weighed is not None:
            seen[HARASSMENT] = weighed
    farewell = engine.questions.farewell(scan)
    if farewell is not None:
        seen[FAREWELL] = farewell
    return seen


def _facts(engine: Engine, scan: Scan, given: EvaluationInput, routing: RoutingDecision) -> tuple[FoundFact, ...]:
    """What the message would store; where nothing may be written, nothing (POL-04, MEM-13)."""
    if routing.memory_write_policy is MemoryWritePolicy.NONE:
        return ()
    return engine.facts.read(scan, given.received_at, given.client_timezone)


def _effective_age(stated: AgeBand, seen: Mapping[str, Seen]) -> AgeBand:
    """A plain claim to be a minor lowers the band before any rule (S-15)."""
    return AgeBand.B13_17 if "claimed_minor" in seen or "claimed_under_13" in seen else stated


def _recent_scans(engine: Engine, given: EvaluationInput, messages: int) -> list[Scan]:
    """Scans of the user's own among the last messages of any role (C-77)."""
    recent = given.history[-messages:] if messages else ()
    return [engine.matcher.scan(normalise(one.text)) for one in recent if one.role is Role.USER]


def _signals(
    engine: Engine,
    scan: Scan,
    text: NormalisedText,
    detected: Detected,
    given: EvaluationInput,
    seen: Mapping[str, Seen],
    crisis: CrisisFinding,
    guard: GuardSignal,
) -> Signals:
    """The signals as decisions carry them."""
    feeling = read_feeling(scan, engine.valence)
    return Signals(
        user_text_norm=text.user_text_norm,
        norm_no_punct=text.norm_no_punct,
        token_estimate=text.token_estimate,
        language=detected.language,
        reply_language=reply_language(engine, detected, given),
        topics=engine.topics.read(scan),
        flags=_flags(*[name in seen for name in _FLAGS]),
        heuristics=read_heuristics(scan, engine.verb_final),
        valence=feeling.valence,
        emotion_tags=feeling.tags,
        crisis=crisis.signal,
        guard=guard,
        past_reference="past_reference" in seen,
        asks_recall="asks_recall" in seen,
        claimed_minor="claimed_minor" in seen or "claimed_under_13" in seen,
        claimed_under_13="claimed_under_13" in seen,
        asks_if_ai="asks_if_ai" in seen,
        asks_about_friend="asks_about_friend" in seen,
        farewell=FAREWELL in seen,
    )


def _guarded(engine: Engine, given: EvaluationInput, signals: Signals) -> tuple[TopicID, ...]:
    """The topics the reply must not introduce."""
    raised: frozenset[TopicID] = frozenset()
    if engine.topics.needs_history:
        own = [one for one in given.history if one.role is Role.USER][-engine.topics.window :]
        scans = (engine.matcher.scan(normalise(one.text)) for one in own)
        raised = frozenset(match.topic for scan in scans for match in engine.topics.read(scan) if match.user_initiated)
    return engine.topics.guarded(signals.topics, given.suppressed_topics, given.taboo_soft_bounds, raised)


def _reply_id(engine: Engine, rule: RoutingRule, record: FactRecord, crisis: CrisisFinding) -> str | None:
    """The id of the fixed reply, with facts filled in; a crisis rule speaks the words of its level."""
    written = rule.then.reply
    if written is None or "{" not in written:
        return written
    if crisis.signal.level is not None and f"{{{CRISIS}}}" in written:
        return engine.fixed.crisis_reply(crisis.signal.level)
    return written.replace(f"{{{GUARD}}}", str(record[GUARD]))


def _reply(engine: Engine, reply_id: str | None, signals: Signals, given: EvaluationInput) -> str | None:
    if reply_id is None:
        return None
    return engine.fixed.say(reply_id, Language(signals.reply_language), signals.user_text_norm, given.country)


def _fed(rule: RoutingRule, seen: Mapping[str, Seen], crisis: Seen | None, guarding: Seen | None) -> tuple[Seen, ...]:
    """What was seen of the facts that a rule names, in the order it names them."""
    if rule.when is None:
        return ()
    by_fact = dict(seen)
    if crisis is not None:
        by_fact[CRISIS] = crisis
    if guarding is not None:
        by_fact[GUARD] = guarding
    return tuple(by_fact[fact] for fact in facts_of(rule.when) if fact in by_fact)


def _others(seen: Mapping[str, Seen], told: Iterable[Seen], fed: Iterable[Seen]) -> tuple[Seen, ...]:
    """What was seen beside that, in the order of its ids."""
    named = {one.id for one in fed}
    return tuple(sorted((one for one in (*seen.values(), *told) if one.id not in named), key=lambda one: one.id))


def _spans(
    engine: Engine, scan: Scan, everything: Iterable[Seen], signals: Signals, facts: Iterable[FoundFact]
) -> tuple[tuple[str, int, int], ...]:
    """Where the words stand that led to the decision, the first hit of each topic word, and what facts rest on."""
    spans = [(str(hit.entry.place), *scan.span(hit)) for one in everything for hit in one.hits]
    for match in signals.topics:
        for entry, start, end in scan.firsts(engine.topics.list_of(match.topic)):
            spans.append((str(entry.place), *scan.offsets.from_match(start, end)))
    spans += [(str(one.place), *scan.offsets.from_norm(*one.span)) for one in facts]
    return tuple(dict.fromkeys(spans))


def _trace(rule: RoutingRule, scan: Scan, fed: tuple[Seen, ...], others: tuple[Seen, ...]) -> tuple[TraceEntry, ...]:
    """The routing rule with all words that fed it, then each signal with its own, those that fed it first."""
    own = _matched(scan, (hit for one in fed for hit in one.hits))
    routing = TraceEntry(rule.id, rule.place.file, rule.place.line, rule.because, own)
    rest = (
        TraceEntry(one.id, one.place.file, one.place.line, one.because, _matched(scan, one.hits))
        for one in (*fed, *others)
    )
    return (routing, *rest)


def _fact_trace(scan: Scan, facts: Iterable[FoundFact]) -> tuple[TraceEntry, ...]:
    """Each fact by the pattern that found it, with the words it rests on."""
    return tuple(
        TraceEntry(
            one.pattern,
            one.place.file,
            one.place.line,
            f"{one.fact.memory_key} is {one.fact.memory_value}",
            (MatchedEntry(one.written, one.place.file, one.place.line, scan.offsets.from_norm(*one.span)),),
        )
        for one in facts
    )


def _matched(scan: Scan, hits: Iterable[Hit]) -> tuple[MatchedEntry, ...]:
    """Hits as the trace shows them, each once."""
    shown = (MatchedEntry(hit.name, hit.entry.place.file, hit.entry.place.line, scan.span(hit)) for hit in hits)
    return tuple(dict.fromkeys(shown))
