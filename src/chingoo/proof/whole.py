"""Everything that is asked of a set before it may decide: its files, the laws, the invariants, the cases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from chingoo.engine.engine import Engine
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import FileReader
from chingoo.proof.cases import CaseReport, run_cases
from chingoo.proof.judging import Judging, judge, load_judging
from chingoo.proof.promises import Promises
from chingoo.proof.recorded import recorded_findings
from chingoo.proof.run import check_files
from chingoo.source.findings import Finding, narrowed, sorted_findings
from chingoo.source.tree import Node


@dataclass(frozen=True, slots=True)
class Whole:
    """A set as the checks leave it. `bundle` is None when an error of its files or of a law refuses it."""

    bundle: Bundle | None
    judging: Judging | None
    findings: tuple[Finding, ...]
    trees: Mapping[str, Node] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of the cases, and a finding for each that failed."""

    report: CaseReport
    findings: tuple[Finding, ...]


def check_whole(
    files: Mapping[str, str],
    schemas: Mapping[str, str],
    *,
    promises: Promises | None = None,
    today: date | None = None,
) -> Whole:
    """Check the files, and prove the invariants if they are sound (see `check_files`)."""
    reader = FileReader(schemas)
    result = check_files(files, schemas, promises=promises, today=today, reader=reader)
    if result.bundle is None:
        return Whole(None, None, result.findings, result.trees)
    loaded = load_judging(files, schemas, reader=reader)
    trees = {**result.trees, **loaded.trees}
    told = [*result.findings, *loaded.findings]
    if loaded.judging is not None:
        told += judge(result.bundle, loaded.judging, trees)
    return Whole(result.bundle, loaded.judging, sorted_findings(told), trees)


def try_cases(engine: Engine, bundle: Bundle, judging: Judging, trees: Mapping[str, Node]) -> Tried:
    """Decide all cases by the engine that would serve, those made of recorded decisions too."""
    report = run_cases(engine, judging.cases)
    failed = (*report.findings(), *recorded_findings(engine.table, bundle, judging.cases))
    return Tried(report, sorted_findings(narrowed(one, trees[one.place.file]) for one in failed))
