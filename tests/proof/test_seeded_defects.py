"""Mistakes made in the shipped policies, also split over files: each is found with its code, at its place.

The mistakes are in defects.yaml; what the findings say is read in golden/defects.txt.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from chingoo.policy.compile import FileReader
from chingoo.proof.run import CheckResult, check_files
from chingoo.source.findings import Finding

pytestmark = pytest.mark.xdist_group("seeded defects")
MARK = "«"
DEFECTS = yaml.safe_load((Path(__file__).parent / "defects.yaml").read_text("utf-8"))
Defect = Mapping[str, Any]
Judge = Callable[[Defect], CheckResult]


def seeded(defect: Defect, files: Mapping[str, str]) -> tuple[dict[str, str], str | None]:
    """The files with the mistake in them, and the place that is marked. Only in what an edit writes is MARK a mark."""
    made, marked = dict(files), None
    for edit in defect["edits"]:
        path, old, new = edit["file"], edit.get("old"), edit.get("new")
        if new is None:
            del made[path]
            continue
        start, rest = "", ""
        if old is not None:
            assert old in made[path], f"{path} no longer has: {old}"
            start, _, rest = made[path].partition(old)
        before, mark, after = new.partition(MARK)
        before = start + before
        made[path] = before + after + rest
        if mark:
            marked = f"{path}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
    return made, marked


@pytest.fixture(scope="session")
def judge(policy_files: Mapping[str, str], policy_schemas: Mapping[str, str], policy_reader: FileReader) -> Judge:
    judged: dict[str, CheckResult] = {}

    def once(defect: Defect) -> CheckResult:
        if defect["kind"] not in judged:
            judged[defect["kind"]] = check_files(seeded(defect, policy_files)[0], policy_schemas, reader=policy_reader)
        return judged[defect["kind"]]

    return once


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect["kind"])
def test_each_kind_is_found_at_its_place(defect: Defect, policy_files: Mapping[str, str], judge: Judge) -> None:
    marked = seeded(defect, policy_files)[1]
    result = judge(defect)
    assert result.bundle is None
    places = [str(finding.place) for finding in result.findings if finding.code == defect["code"]]
    assert marked in places if marked else places


def test_the_texts_read_as_agreed(judge: Judge, golden: Callable[[str, str], None]) -> None:
    before = {finding.message for finding in judge({"kind": "none", "edits": ()}).findings}
    parts = []
    for defect in DEFECTS:
        told = [said(finding) for finding in judge(defect).findings if finding.message not in before]
        parts.append("\n".join([f"=== {defect['kind']}", *told]) + "\n")
    golden("defects.txt", "\n".join(parts))


def said(finding: Finding) -> str:
    """A finding without the numbers that change with every edit of the policies."""
    message = re.sub(r"(?<=line )[0-9]+|(?<=\()[0-9]+(?=\))|[0-9]+(?= rules)", "N", finding.message)
    return f"{finding.code}: {message}" + (f"\n  hint: {finding.hint}" if finding.hint else "")


def test_every_kind_is_another() -> None:
    assert len({defect["kind"] for defect in DEFECTS}) == len(DEFECTS)
