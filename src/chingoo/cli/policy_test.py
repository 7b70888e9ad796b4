"""`chingoo policy test`: every case, and ordinary talk, through the engine that serves."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from chingoo.cli.parts import Parts
from chingoo.cli.policies import FINE, FOUND, checked
from chingoo.engine.engine import Engine
from chingoo.errors import PolicyRefusedError
from chingoo.flow.compiled import compile_policy
from chingoo.proof.cases import CaseReport
from chingoo.proof.corpus import CorpusReport, run_corpus, without_talk
from chingoo.proof.judging import Judging
from chingoo.proof.whole import try_cases
from chingoo.source.findings import Finding, Severity, has_errors, sorted_findings
from chingoo.source.render import render_text


def run_tests(parts: Parts, root: Path, *, corpus: bool, strict: bool) -> tuple[str, int]:
    """The report, and the exit code: 1 when a case fails, or, `strict`, when a refusal touches ordinary talk."""
    found = checked(parts, root)
    whole = found.whole
    if whole.bundle is None or whole.judging is None:
        raise PolicyRefusedError(f"the policies in {root} have errors", whole.findings)
    compiled = compile_policy(whole.bundle)
    try:
        tried = try_cases(compiled.engine, whole.bundle, whole.judging, whole.trees)
        talk = _talk(compiled.engine, found.sources.corpus, whole.judging) if corpus else {}
    finally:
        compiled.close()
    severity = Severity.ERROR if strict else Severity.WARNING
    told = [one for path, report in talk.items() for one in report.findings(path, severity)]
    if corpus:
        told += without_talk(whole.judging.exceptions, [one.language for one in talk.values()], severity)
    findings = sorted_findings([*tried.findings, *told])
    shown = render_text(findings, found.sources.texts)
    lines = [*([shown, ""] if shown else []), *_summary(tried.report, talk, whole.findings)]
    return "\n".join(lines), FOUND if has_errors([*findings, *whole.findings]) else FINE


def _talk(engine: Engine, corpus: Mapping[str, str], judging: Judging) -> dict[str, CorpusReport]:
    reports: dict[str, CorpusReport] = {}
    for path, text in corpus.items():
        reports[path] = run_corpus(engine, text.splitlines(), PurePosixPath(path).stem, judging.exceptions)
    return reports


def _summary(cases: CaseReport, talk: dict[str, CorpusReport], findings: tuple[Finding, ...]) -> list[str]:
    failed = len(cases.results) - cases.passed
    lines = [f"{len(cases.results)} cases: " + ("all as they should be" if not failed else f"{failed} failed")]
    if talk:
        total, hits = sum(one.lines for one in talk.values()), sum(len(one.hits) for one in talk.values())
        excused = sum(len(one.excused) for one in talk.values())
        lines.append(
            f"ordinary talk: {hits} of {total} lines are refused or taken for a crisis, {excused} more excused"
        )
        lines += [f"  {one.language}: {len(one.hits)} of {one.lines}" for one in talk.values()]
    if findings:
        lines.append(f"`chingoo policy check` has something to say too ({len(findings)})")
    return lines
