"""Deterministic repairs, tried before any rewrite: small, sure changes that keep the meaning (C-28)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from chingoo.engine.engine import Engine
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.gates import GateID, GatesDocument
from chingoo.reply.emoji_repair import tidy, with_one_emoji, without_surplus_emoji
from chingoo.reply.gates import check
from chingoo.reply.gates.leaked_mechanics import leaks
from chingoo.reply.gates.look import abbreviations_of, is_question
from chingoo.reply.gates.report import GateInput, GateReport, Violation
from chingoo.reply.patterns import compiled
from chingoo.reply.sentence_cut import cut_after_sentences
from chingoo.text.normalise import normalise

_SENTENCE = re.compile(r".*[.!?…。！？؟؛][\"'”’»)\]}]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Repaired:
    """A reply after repairs, and what the gates still say of it. `changed` is False where nothing could be done."""

    reply: str
    report: GateReport
    changed: bool


@dataclass(frozen=True, slots=True)
class _Case:
    """One violation to mend. `pieces` are the reply's sentences, which join to the reply."""

    policy: GatesDocument
    engine: Engine
    given: GateInput
    violation: Violation
    pieces: list[str]
    palette: tuple[str, ...]


def repair(bundle: Bundle, engine: Engine, given: GateInput, palette: tuple[str, ...] = ()) -> Repaired:
    """Repair what can be repaired without a model, then judge again.

    A repair is kept only if it takes a violation away and brings none, so this ends. `palette` are the friend's emoji.
    """
    report = check(bundle, engine, given)
    original = given.reply
    while (better := _improved(bundle, engine, given, report, palette)) is not None:
        given, report = better
    return Repaired(given.reply, report, given.reply != original)


def _improved(
    bundle: Bundle, engine: Engine, given: GateInput, report: GateReport, palette: tuple[str, ...]
) -> tuple[GateInput, GateReport] | None:
    """The first repair that helps; None if none does."""
    for violation in report.violations:
        mend = _REPAIRS.get(violation.gate)
        if mend is None:
            continue
        pieces = cut_after_sentences(given.reply, abbreviations_of(bundle, report.language))
        for text in mend(_Case(bundle.gates, engine, given, violation, pieces, palette)):
            if not text or text == given.reply:
                continue
            tried = replace(given, reply=text)
            verdict = check(bundle, engine, tried)
            if _gates(verdict) < _gates(report):
                return tried, verdict
    return None


def _gates(report: GateReport) -> frozenset[GateID]:
    return frozenset(violation.gate for violation in report.violations)


def _emoji(case: _Case) -> Iterator[str]:
    """Surplus emoji go; a missing one comes from the friend's palette, the same for the same reply."""
    frequency, count = case.given.targets.emoji, case.violation.measured
    if frequency is None or not isinstance(count, int):
        return
    band = case.policy.emoji[frequency]
    if count > band.max:
        yield without_surplus_emoji(case.given.reply, band.max)
    elif count < band.min:
        yield with_one_emoji(case.given.reply, case.palette or case.policy.repairs.emoji)


def _opener(case: _Case) -> Iterator[str]:
    """The repeated first sentence goes; whether what is left stays in band is what the check says."""
    yield "".join(case.pieces[1:]).strip()


def _questions(case: _Case) -> Iterator[str]:
    """Surplus questions go: all but the last, or all."""
    asking = [index for index, piece in enumerate(case.pieces) if is_question(_words_of(piece))]
    for dropped in (asking[:-1], asking):
        yield "".join(piece for index, piece in enumerate(case.pieces) if index not in dropped).strip()


def _words_of(piece: str) -> str:
    """A piece without what hangs behind its sentence."""
    sentences = _SENTENCE.match(piece)
    return piece if sentences is None else sentences.group()


def _mechanics(case: _Case) -> Iterator[str]:
    """Tags are cut out; a sentence with an id, a date or a score goes as a whole."""
    given = case.given
    kept = []
    for piece in case.pieces:
        text = piece
        for leak in case.engine.leaks:
            if leak.repair == "cut" and leak.pattern is not None:
                text = compiled(leak.pattern).sub("", text)
        scan = case.engine.output_matcher.scan(normalise(text))
        drops = (leak for leak in case.engine.leaks if leak.repair == "drop_sentence")
        if not any(leaks(leak, text, given.user_text, scan) for leak in drops):
            kept.append(text)
    yield tidy("".join(kept))


def _quirks(case: _Case) -> Iterator[str]:
    """Foreign punctuation habits become ordinary punctuation; those without a replacement are left to the rewrite."""
    shown = case.violation.measured if isinstance(case.violation.measured, list) else []
    names = [str(name) for name in shown]
    if case.given.targets.quirk_names is None:
        names = names[case.given.targets.quirks or 0 :]
    text = case.given.reply
    for name in names:
        for mend in case.policy.quirks[name].repairs:
            text = compiled(mend.pattern).sub(mend.replace, text)
    yield tidy(text)


_REPAIRS: Mapping[GateID, Callable[[_Case], Iterator[str]]] = {
    GateID.EMOJI_BAND: _emoji,
    GateID.OPENER_REPEAT: _opener,
    GateID.FOLLOWUP_RATE: _questions,
    GateID.LEAKED_MECHANICS: _mechanics,
    GateID.PUNCTUATION_QUIRKS: _quirks,
}
