"""Runs ordinary talk over every refusal and crisis rule, which must leave it alone."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import Decision, EvaluationInput
from chingoo.model.enums import AgeBand, Mode, Pipeline
from chingoo.policy.documents.base import Place
from chingoo.policy.documents.cases import Excused
from chingoo.source.findings import Finding, Severity
from chingoo.source.suggest import did_you_mean

REMARK = "#"
_AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
_GROWN_UP = EvaluationInput("", _AT, age_band=AgeBand.B25_34)
SPEAKERS: Mapping[str, EvaluationInput] = {
    "a grown-up": _GROWN_UP,
    "a minor": replace(_GROWN_UP, age_band=AgeBand.B13_17),
    "a grown-up in intimate mode": replace(_GROWN_UP, mode=Mode.INTIMATE),
}
"""Whoever may have said a line: rules differ by age and mode."""


@dataclass(frozen=True, slots=True)
class CorpusHit:
    """A line that a refusal or crisis rule touches: who said it, the rule, and the words that led to it."""

    line: int
    text: str
    speaker: str
    rule: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CorpusReport:
    """What became of the ordinary talk of one file, which is named for its language.

    `hits` are the lines touched without excuse, each told once for the first speaker it happens to; `excused` those
    with one; `idle` the excuses that no line needed.
    """

    language: str
    lines: int
    hits: tuple[CorpusHit, ...]
    excused: tuple[CorpusHit, ...]
    idle: tuple[Excused, ...]

    def findings(self, file: str, severity: Severity = Severity.WARNING) -> tuple[Finding, ...]:
        """A finding for each hit, and for each excuse that no line needs. `file` is where the lines stand."""
        told = [
            Finding(
                "corpus-hit",
                f"ordinary talk by {hit.speaker} meets {hit.rule} because of {_quoted(hit.words)}",
                Place(file, hit.line, 1),
                width=len(hit.text),
                hint="make the words narrower, or list the line in policies/corpus/exceptions.yaml with a reason",
                severity=severity,
            )
            for hit in self.hits
        ]
        told += [
            Finding("corpus-excuse-idle", "no line of ordinary talk needs this exception", one.place, severity=severity)
            for one in self.idle
        ]
        return tuple(told)


def run_corpus(engine: Engine, lines: Sequence[str], language: str, exceptions: Sequence[Excused] = ()) -> CorpusReport:
    """Decide every line for every speaker. Empty lines, and lines that start with `#`, are remarks."""
    excuses = {one.text: one for one in exceptions if one.language == language}
    spoken = [(number, line.strip()) for number, line in enumerate(lines, 1)]
    spoken = [(number, text) for number, text in spoken if text and not text.startswith(REMARK)]
    found = [hit for number, text in spoken for hit in _hits(engine, number, text)]
    needed = {hit.text for hit in found}
    return CorpusReport(
        language=language,
        lines=len(spoken),
        hits=tuple(hit for hit in found if hit.text not in excuses),
        excused=tuple(hit for hit in found if hit.text in excuses),
        idle=tuple(one for text, one in excuses.items() if text not in needed),
    )


def without_talk(
    exceptions: Sequence[Excused], languages: Collection[str], severity: Severity = Severity.WARNING
) -> tuple[Finding, ...]:
    """A finding for each exception whose language is none of those that there are files of."""
    return tuple(
        Finding(
            "corpus-excuse-idle",
            f"there is no policies/corpus/{one.language}.txt",
            one.place,
            hint=None if offer is None else f"did you mean {offer}?",
            severity=severity,
        )
        for one in exceptions
        if one.language not in languages
        for offer in (did_you_mean(one.language, languages),)
    )


def _hits(engine: Engine, number: int, text: str) -> Iterator[CorpusHit]:
    """The first speaker for whom a line is touched, if any."""
    for speaker, given in SPEAKERS.items():
        said = replace(given, text=text)
        if _touched(evaluate(engine, said)):
            decision = evaluate(engine, said, explain=True)
            words = dict.fromkeys(matched.entry for matched in decision.trace[0].matched)
            yield CorpusHit(number, text, speaker, decision.rules[0], tuple(words))
            return


def _touched(decision: Decision) -> bool:
    return decision.routing.pipeline is Pipeline.REFUSAL or decision.signals.crisis.detected


def _quoted(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words) or "its facts"
