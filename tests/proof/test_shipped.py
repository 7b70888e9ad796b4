"""The shipped policies keep every law, and judging them takes little work, also with many more words."""

from collections.abc import Mapping
from pkgutil import iter_modules
from time import process_time

import pytest

from chingoo.proof import checks
from chingoo.proof.run import BUILDING, CHECKS, check_files
from chingoo.source.render import render_text

TOPICS = "policies/topics.yaml"


def test_there_is_no_finding_at_all(policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]) -> None:
    findings = check_files(policy_files, policy_schemas).findings
    if findings:
        pytest.fail(render_text(findings, policy_files), pytrace=False)


def test_every_law_that_is_written_is_asked() -> None:
    asked = {check.__module__.rpartition(".")[2] for check in (*CHECKS, *BUILDING)}
    assert {module.name for module in iter_modules(checks.__path__)} <= asked


def with_words(files: Mapping[str, str], number: int) -> dict[str, str]:
    """The files, and that many further words of a topic."""
    head = "  topics.travel:\n    entries:\n      en:\n"
    assert head in files[TOPICS], f"{TOPICS} no longer has: {head}"
    words = "".join(f"        - station{index} | stations{index}\n" for index in range(number))
    return {**files, TOPICS: files[TOPICS].replace(head, head + words)}


@pytest.mark.parametrize(
    ("words", "seconds"), [(0, 1.5), (30_000, 5.0), pytest.param(100_000, 15.0, marks=pytest.mark.soak)]
)
def test_check_and_compile_end_in_time(
    words: int, seconds: float, policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]
) -> None:
    files = with_words(policy_files, words)
    took = []
    for _ in range(2):
        before = process_time()
        check_files(files, policy_schemas)
        took.append(process_time() - before)
    assert min(took) <= seconds
