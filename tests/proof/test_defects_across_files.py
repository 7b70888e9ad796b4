"""Mistakes over several files, and between the policies and what the product promises: each found at its places.

The mistakes are in defects_across_files.yaml; what the findings say is read in golden/defects_across_files.txt.
"""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.proof.test_seeded_defects import DEFECTS as SINGLE
from tests.proof.test_seeded_defects import said, seeded

from chingoo.adapters.policy_files import read_promises
from chingoo.policy.compile import FileReader
from chingoo.proof.promises import PRODUCT, Promises
from chingoo.proof.run import CheckResult, check_files

pytestmark = pytest.mark.xdist_group("defects across files")
HERE = Path(__file__).parent
DEFECTS = yaml.safe_load((HERE / "defects_across_files.yaml").read_text("utf-8"))
PROMISES = read_promises(HERE.parents[1])
TODAY = date(2026, 11, 22)
Defect = Mapping[str, Any]
Judge = Callable[[Defect], CheckResult]


def texts(files: Mapping[str, str]) -> dict[str, str]:
    """The files and PRODUCT.md."""
    return {**files, PRODUCT: PROMISES.product or ""}


@pytest.fixture(scope="session")
def judge(policy_files: Mapping[str, str], policy_schemas: Mapping[str, str], policy_reader: FileReader) -> Judge:
    judged: dict[str, CheckResult] = {}

    def once(defect: Defect) -> CheckResult:
        if defect["kind"] not in judged:
            files = seeded(defect, texts(policy_files))[0]
            promises = Promises(files.pop(PRODUCT, None), PROMISES.mirror, PROMISES.locked)
            today = defect.get("today", TODAY)
            judged[defect["kind"]] = check_files(
                files, policy_schemas, promises=promises, today=today, reader=policy_reader
            )
        return judged[defect["kind"]]

    return once


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect["kind"])
def test_each_kind_is_found_at_its_places(defect: Defect, policy_files: Mapping[str, str], judge: Judge) -> None:
    marked = seeded(defect, texts(policy_files))[1]
    result = judge(defect)
    assert (result.bundle is not None) == defect.get("warns", False)
    found = [one for one in result.findings if one.code == defect.get("instead", defect["code"])]
    at = [one for one in found if marked is None or str(one.place) == marked]
    assert at, [f"{one.code} {one.place}" for one in result.findings]
    if "other" in defect:
        assert any(other.place.file == defect["other"] for one in at for other in one.others), at


def test_the_texts_read_as_agreed(
    policy_files: Mapping[str, str], judge: Judge, golden: Callable[[str, str], None]
) -> None:
    before = {finding.message for finding in judge({"kind": "none", "edits": ()}).findings}
    parts = []
    for defect in DEFECTS:
        found = [finding for finding in judge(defect).findings if finding.message not in before]
        if "today" in defect:
            found = [finding for finding in found if str(finding.place) == seeded(defect, texts(policy_files))[1]]
        told = [said(finding) for finding in found]
        parts.append("\n".join([f"=== {defect['kind']}", *told]) + "\n")
    golden("defects_across_files.txt", "\n".join(parts))


def test_without_a_mistake_nothing_is_found(judge: Judge) -> None:
    assert judge({"kind": "none", "edits": ()}).findings == ()


def test_every_kind_is_another() -> None:
    kinds = [defect["kind"] for defect in (*SINGLE, *DEFECTS)]
    assert len(set(kinds)) == len(kinds)
    assert len(DEFECTS) >= 30
