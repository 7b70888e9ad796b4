"""Reads the files by which policies are judged: invariants, cases, and the exceptions of the corpus of ordinary talk.

They are no part of the bundle: what they say changes no decision, only whether a bundle is let through.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from chingoo.policy.areas import Area
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import FileReader
from chingoo.policy.documents.cases import CasesDocument, ExceptionsDocument, Excused
from chingoo.policy.documents.invariants import InvariantsDocument
from chingoo.proof.breaches import invariant_findings
from chingoo.proof.checks import conditions_have_one_shape, facts_are_known
from chingoo.proof.coverage import case_findings
from chingoo.proof.unwritten import unwritten_cases
from chingoo.proof.walk import Subject, parts
from chingoo.source.findings import Finding, has_errors, narrowed, sorted_findings
from chingoo.source.places import Place
from chingoo.source.reader import Limits, read
from chingoo.source.tree import Node

INVARIANTS = Area("invariants", "policies/invariants.yaml", InvariantsDocument, "invariants.schema.json")
CASES = Area("cases", "policies/*.cases.yaml", CasesDocument, "cases.schema.json")
PATTERN_CASES = Area("cases", "patterns/*.cases.yaml", CasesDocument, "cases.schema.json")
EXCEPTIONS = Area("exceptions", "policies/corpus/exceptions.yaml", ExceptionsDocument, "exceptions.schema.json")
JUDGING = (INVARIANTS, CASES, PATTERN_CASES, EXCEPTIONS)
"""The files that judge; only those of cases may be missing."""


@dataclass(frozen=True, slots=True)
class Judging:
    """All by which a bundle is judged. `cases` are by path."""

    invariants: InvariantsDocument
    cases: Mapping[str, CasesDocument]
    exceptions: tuple[Excused, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedJudging:
    """What was read, or None when a file is not well-formed; the findings; and the files' trees by path."""

    judging: Judging | None
    findings: tuple[Finding, ...]
    trees: Mapping[str, Node] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class _InvariantsSubject(Subject):
    """The conditions of invariants, for the laws that all conditions keep."""

    invariants: InvariantsDocument

    @cached_property
    def parts(self) -> tuple[Any, ...]:
        """Every document inside the document of invariants."""
        return tuple(parts(self.invariants))


def load_judging(
    files: Mapping[str, str],
    schemas: Mapping[str, str],
    limits: Limits | None = None,
    *,
    reader: FileReader | None = None,
) -> LoadedJudging:
    """Read what judges among all policy files (`adapters.policy_files.read_policy_files`); others are passed over.

    A `reader` of the same schemas may be given, so that they are not made ready twice.
    """
    known = reader or FileReader(schemas, limits)
    checker, parser = known.schemas, known.parser
    documents: dict[str, dict[str, Any]] = {area.field: {} for area in JUDGING}
    findings: list[Finding] = []
    trees: dict[str, Node] = {}
    for area, path in _wanted(files):
        if path not in files:
            findings.append(Finding("policy-missing-file", f"the file {path} is missing", Place(path, 1, 1)))
            continue
        result = read(files[path], path, limits)
        told = [*result.findings, *(checker.check(area.schema, result.tree) if result.tree is not None else ())]
        findings += told
        if result.tree is None or told:
            continue
        trees[path] = result.tree
        parsed = parser.parse(area.document, result.tree)
        findings += [parsed.finding] if parsed.finding is not None else []
        documents[area.field][path] = parsed.document
    if has_errors(findings):
        return LoadedJudging(None, sorted_findings(findings), trees)
    exceptions = documents[EXCEPTIONS.field].get(EXCEPTIONS.pattern)
    judging = Judging(
        documents[INVARIANTS.field][INVARIANTS.pattern],
        documents[CASES.field],
        exceptions.exceptions if exceptions is not None else (),
    )
    return LoadedJudging(judging, sorted_findings(findings), trees)


def judge(bundle: Bundle, judging: Judging, trees: Mapping[str, Node] | None = None) -> tuple[Finding, ...]:
    """Every breach of an invariant, and everything that has no case; cases themselves are run by `run_cases`.

    `trees` are those of all files, for exact places.
    """
    invariants = judging.invariants
    subject = _InvariantsSubject(bundle, invariants)
    told = [*conditions_have_one_shape.check(subject), *facts_are_known.check(subject)]
    if not told:
        told += invariant_findings(invariants, bundle.facts, bundle.routing, bundle.pipelines)
    told += [*case_findings(bundle, judging.cases), *unwritten_cases(judging.cases)]
    known = trees or {}
    return sorted_findings(narrowed(one, known[one.place.file]) if one.place.file in known else one for one in told)


def _wanted(files: Mapping[str, str]) -> Iterator[tuple[Area, str]]:
    for area in JUDGING:
        present = sorted(path for path in files if area.key(path) is not None)
        for path in present or (() if area is not INVARIANTS else (area.pattern,)):
            yield area, path
