"""The shipped policies keep every law."""

from collections.abc import Mapping
from pkgutil import iter_modules

import pytest

from chingoo.proof import checks
from chingoo.proof.run import BUILDING, CHECKS, check_files
from chingoo.source.render import render_text


def test_there_is_no_finding_at_all(policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]) -> None:
    findings = check_files(policy_files, policy_schemas).findings
    if findings:
        pytest.fail(render_text(findings, policy_files), pytrace=False)


def test_every_law_that_is_written_is_asked() -> None:
    asked = {check.__module__.rpartition(".")[2] for check in (*CHECKS, *BUILDING)}
    assert {module.name for module in iter_modules(checks.__path__)} <= asked
