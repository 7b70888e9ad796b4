"""`chingoo policy explain`: why a message is decided as it is, and why not otherwise."""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from chingoo.cli.parts import Parts
from chingoo.cli.policies import sound
from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate, may_be_arabizi, may_be_of_ours
from chingoo.engine.weighing import HARASSMENT
from chingoo.errors import InvalidInputError
from chingoo.flow.compiled import compile_policy
from chingoo.model.decision import Decision, EvaluationInput, FactRecord, FactValue
from chingoo.model.enums import AgeBand, Mode, TopicID, UserState
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.base import Sight
from chingoo.policy.documents.facts import FactDecl
from chingoo.proof.checks.topics_reach_their_threshold import words_needed
from chingoo.proof.explain import why, why_not, why_unseen
from chingoo.proof.records import neutral_record, told
from chingoo.source.suggest import did_you_mean
from chingoo.text.language import detect_language
from chingoo.text.normalise import normalise

_AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
_NEARLY = 100  # hundredths below the bound from which on it is told what a message weighs
_HEAVIEST = 8  # so many lists and words are told one by one; a message touches fifty lists
_PLAIN: tuple[FactValue, ...] = (False, 0, "none")


def explained(parts: Parts, root: Path, given: Namespace) -> str:
    """The explanation. `given` has text, age_band, mode, user_state, facts and why_not."""
    if given.text is None and not given.facts:
        raise InvalidInputError("give a message, or facts with --facts name=value")
    bundle = sound(parts, root)[1]
    overridden = facts_from(given.facts or "", bundle.facts.facts)
    compiled = compile_policy(bundle)
    try:
        return "\n".join(_lines(bundle, compiled.engine, given, overridden))
    finally:
        compiled.close()


def facts_from(written: str, facts: Mapping[str, FactDecl]) -> FactRecord:
    """`age_band=13-17,sexual=1` as facts. InvalidInputError names what is not known."""
    record: FactRecord = {}
    for item in filter(None, (part.strip() for part in written.split(","))):
        name, _, value = (part.strip() for part in item.partition("="))
        if name not in facts:
            offer = did_you_mean(name, facts)
            hint = f"did you mean `{offer}`?" if offer else f"known are {', '.join(facts)}"
            raise InvalidInputError(f"--facts: there is no fact `{name}`; {hint}")
        record = {**record, name: _value(name, value, facts[name])}
    return record


def _value(name: str, written: str, fact: FactDecl) -> FactValue:
    if fact.type == "boolean" and written in ("true", "false"):
        return written == "true"
    if fact.type == "integer" and written.isdigit():
        return int(written)
    if fact.type == "enum" and written in fact.members:
        return written
    wanted = {"boolean": "true or false", "integer": "a whole number"}.get(fact.type, ", ".join(fact.members))
    raise InvalidInputError(f"--facts: `{name}` is {wanted}, not `{written}`")


def _lines(bundle: Bundle, engine: Engine, given: Namespace, overridden: FactRecord) -> Iterator[str]:
    decision = evaluate(engine, _input(given), explain=True)
    if given.text is None:
        record = {**neutral_record(bundle.facts.facts, {"user_state": given.user_state}), **overridden}
    else:
        record = {**decision.facts_record, **overridden}
    answer = why(bundle.routing, record)
    then = answer.rule.then
    yield f"{then.pipeline}, {then.safety_policy}"
    yield answer.told()
    yield f"  ({answer.rule.place})"
    if given.text is not None:
        yield from _seen(decision)
        yield from _weighed(engine, given.text)
        yield from (
            f"  it leaves {fact.memory_key} in memory: {fact.memory_value}"
            + (f", until {fact.expires_at.date()}" if fact.expires_at is not None else "")
            for fact in decision.facts
        )
    yield f"facts: {told({name: value for name, value in record.items() if value not in _PLAIN})}"
    for name in given.why_not or ():
        yield ""
        yield from _why_not(bundle, engine, record, decision, given.text or "", name)


def _input(given: Namespace) -> EvaluationInput:
    return EvaluationInput(
        text=given.text or "",
        received_at=_AT,
        user_state=UserState(given.user_state),
        age_band=AgeBand(given.age_band),
        mode=Mode(given.mode),
    )


def _seen(decision: Decision) -> Iterator[str]:
    """The words of the message that led there, with where they are listed."""
    first, *rest = decision.trace
    shown = set()
    for entry in (*rest, first):
        for match in entry.matched:
            where = (match.entry, match.file, match.line)
            if entry is not first or where not in shown:
                yield f"  `{match.entry}` is a word for {entry.rule} ({match.file}:{match.line})"
            shown.add(where)
    for topic in decision.signals.topics:
        words = ", ".join(topic.hits)
        raised = "raised" if topic.user_initiated else "touched"
        yield f"  the topic {topic.topic} is {raised} by {words}"


def _weighed(engine: Engine, text: str) -> Iterator[str]:
    """What the words weigh together, where that is enough or nearly so."""
    if engine.weigher is None:
        return
    normalised = normalise(text)
    detected = detect_language(normalised.match, engine.languages)
    scan = engine.matcher.scan(normalised, by_ear=may_be_arabizi(detected))
    excused = engine.crisis.read(scan, lambda: ()).excused
    rest = scan
    if excused is not None:
        rest = engine.weigher.rest_of(scan, excused)
        much = "all of it" if excused.whole else "some of it"
        yield f"  {' and '.join(excused.by)} excuses {much} (crisis.yaml), which is not weighed as a crisis"
    for one in engine.weigher.weighed(scan, rest):
        if one.total >= one.at_least - _NEARLY and (may_be_of_ours(detected) or HARASSMENT not in one.rule):
            parts = [*one.lists, *((f"`{word}`", weight) for word, weight in one.words)]
            shown = sorted(parts, key=lambda weighed: (-abs(weighed[1]), weighed[0]))[:_HEAVIEST]
            told = ", ".join(f"{name} {weight / 100:+.2f}" for name, weight in shown)
            if len(shown) < len(parts):
                others = sum(weight for _, weight in parts) - sum(weight for _, weight in shown)
                told += f", and {len(parts) - len(shown)} more {others / 100:+.2f}"
            enough = f"{'enough' if one.total >= one.at_least else 'not enough'} ({one.at_least / 100:.2f})"
            yield f"  the message, or a sentence of it, weighs {one.total / 100:.2f} for {one.rule}, {enough}: {told}"


def _why_not(
    bundle: Bundle, engine: Engine, record: FactRecord, decision: Decision, text: str, name: str
) -> Iterator[str]:
    rules = [rule.id for rule in bundle.routing.rules]
    topics = [topic.value for topic in TopicID]
    signals = {**bundle.signals.signals, **bundle.safety.signals}
    if name in rules or f"routing.{name}" in rules:
        rule = name if name in rules else f"routing.{name}"
        yield why_not(bundle.routing, bundle.facts.facts, record, rule).told()
    elif name in topics:
        yield from _why_not_topic(bundle, decision, TopicID(name))
    elif name in signals:
        yield from _why_not_signal(engine, name, signals[name].when, text)
    else:
        known = [*rules, *topics, *signals]
        offer = did_you_mean(name, known)
        hint = f"did you mean `{offer}`?" if offer else "rules are in policies/routing.yaml, signals in signals.yaml"
        raise InvalidInputError(f"--why-not: there is no rule, topic or signal `{name}`; {hint}")


def _why_not_topic(bundle: Bundle, decision: Decision, topic: TopicID) -> Iterator[str]:
    needed = words_needed(bundle)
    match = next((one for one in decision.signals.topics if one.topic is topic), None)
    if match is None:
        yield f"{topic} is not touched: none of its words is in the message"
        yield f"  its words are in the list {bundle.topics.topics[topic].words}; {needed} different ones raise it"
    elif match.user_initiated:
        yield f"{topic} is raised, by {', '.join(match.hits)}"
    else:
        words = ", ".join(match.hits)
        yield f"{topic} is touched by {words}, but {needed} different words are needed to raise it"


def _why_not_signal(engine: Engine, name: str, sight: Sight, text: str) -> Iterator[str]:
    reasons = why_unseen(sight, engine.matcher.scan(normalise(text)))
    if not reasons:
        yield f"{name} is true: all that it needs is seen"
        return
    yield f"{name} is not seen:"
    yield from (f"  {reason}" for reason in reasons)
