"""Everything a reply must pass before it leaves: one gate a file, judged together in the order of the policy (§14)."""

from collections.abc import Callable, Mapping

from chingoo.engine.engine import Engine
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.gates import GateID, GateRule, GatesDocument, ShownTexts
from chingoo.reply.gates import (
    ai_denial,
    dependency,
    emoji_band,
    followup_rate,
    intimacy_cap,
    leaked_mechanics,
    lexicon,
    opener_repeat,
    personal_facts,
    punctuation_quirks,
    safety,
    sensitive_memory,
    sentence_band,
    similarity,
    taboo_topic,
)
from chingoo.reply.gates.look import Look, look_at
from chingoo.reply.gates.report import Finding, GateInput, GateReport, Shown, Violation

JUDGES: Mapping[GateID, Callable[[Look], Finding | None]] = {
    GateID.SAFETY: safety.judge,
    GateID.AI_DENIAL: ai_denial.judge,
    GateID.DEPENDENCY: dependency.judge,
    GateID.INTIMACY_CAP: intimacy_cap.judge,
    GateID.SENSITIVE_MEMORY: sensitive_memory.judge,
    GateID.LEAKED_MECHANICS: leaked_mechanics.judge,
    GateID.PERSONAL_FACTS: personal_facts.judge,
    GateID.TABOO_TOPIC: taboo_topic.judge,
    GateID.OPENER_REPEAT: opener_repeat.judge,
    GateID.SIMILARITY: similarity.judge,
    GateID.FOLLOWUP_RATE: followup_rate.judge,
    GateID.EMOJI_BAND: emoji_band.judge,
    GateID.SENTENCE_BAND: sentence_band.judge,
    GateID.LEXICON: lexicon.judge,
    GateID.PUNCTUATION_QUIRKS: punctuation_quirks.judge,
}


def check(bundle: Bundle, engine: Engine, given: GateInput) -> GateReport:
    """Judge a reply by every gate that its origin is not exempt from (C-26, C-27, C-78). Pure; never raises."""
    look = look_at(bundle, engine, given)
    violations = []
    for rule in bundle.gates.order:
        if given.origin in rule.exempt:
            continue
        finding = JUDGES[rule.id](look)
        if finding is not None:
            violations.append(_violation(bundle.gates, rule, finding))
    return GateReport(tuple(violations), look.measures, look.language)


def _violation(policy: GatesDocument, rule: GateRule, finding: Finding) -> Violation:
    measured, allowed = in_words(policy.shown, finding.measured), in_words(policy.shown, finding.allowed)
    return Violation(
        gate=rule.id,
        detail=rule.detail.replace("{measured}", measured).replace("{allowed}", allowed),
        rewrite=rule.rewrite.replace("{measured}", measured).replace("{allowed}", allowed),
        measured=finding.measured,
        allowed=finding.allowed,
    )


def in_words(shown: ShownTexts, value: Shown) -> str:
    """A measured or allowed value as a text: `[0, 2]` is "0 to 2", `{sentence_count: 3}` is "3 sentences"."""
    if isinstance(value, dict):
        return ", ".join(f"{in_words(shown, part)} {shown.names.get(name, name)}" for name, part in value.items())
    if isinstance(value, list):
        low, high = (value[0], value[1]) if len(value) == 2 else (None, None)
        if isinstance(low, int | float | None) and isinstance(high, int | float | None) and value:
            return _band(shown, low, high)
        return ", ".join(in_words(shown, part) for part in value)
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


def _band(shown: ShownTexts, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        only = low if high is None else high
        text = shown.at_least if high is None else shown.at_most
        return "" if only is None else text.replace("{low}", f"{only:g}").replace("{high}", f"{only:g}")
    return f"{low:g}" if low == high else shown.between.replace("{low}", f"{low:g}").replace("{high}", f"{high:g}")


__all__ = ["JUDGES", "GateInput", "GateReport", "Violation", "check"]
