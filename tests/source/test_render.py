"""Findings as people and programs see them."""

import json

import pytest

from chingoo.source.findings import Finding, OtherPlace, Severity, sorted_findings
from chingoo.source.places import Place
from chingoo.source.render import display_width, render_annotations, render_json, render_text, summary

FINDING = Finding(
    "schema-unknown-key",
    "`욕셜` is not known here",
    Place("policies/a.yaml", 2, 9),
    2,
    "did you mean `욕설`?",
    (OtherPlace(Place("policies/b.yaml", 1, 1), "declared here"),),
)
SOURCES = {"policies/a.yaml": "x: 1\n한글: {a, 욕셜: 1}\n"}


def test_the_caret_stands_under_hangul_that_takes_two_cells() -> None:
    assert render_text([FINDING], SOURCES).splitlines() == [
        "policies/a.yaml:2:9: error[schema-unknown-key]: `욕셜` is not known here",
        "  |",
        "2 | 한글: {a, 욕셜: 1}",
        "  |           ^^^^",
        "  see policies/b.yaml:1:1: declared here",
        "  hint: did you mean `욕설`?",
    ]


def test_long_lines_are_cut_around_the_caret() -> None:
    line = "en: [" + ", ".join(f"word{number}" for number in range(200)) + "]"
    column = line.index("word150") + 1
    shown = render_text([Finding("c-d", "m", Place("f", 1, column), 7)], {"f": line}).splitlines()
    assert max(map(len, shown)) < 130
    at = shown[3].index("^")
    assert shown[2][at : at + 7] == "word150"


def test_a_file_that_is_not_at_hand_is_shown_without_its_line() -> None:
    assert render_text([Finding("c-d", "m", Place("f", 9, 1))], {}) == "f:9:1: error[c-d]: m"


@pytest.mark.parametrize(
    ("text", "cells"), [("abc", 3), ("한글", 4), ("e\u0301", 1), ("👍", 2), ("ＡＢ", 4), ("가", 2)]
)
def test_display_width(text: str, cells: int) -> None:
    assert display_width(text) == cells


def test_json_has_every_part() -> None:
    (shown,) = json.loads(render_json([FINDING]))
    assert shown == {
        "code": "schema-unknown-key",
        "severity": "error",
        "message": "`욕셜` is not known here",
        "file": "policies/a.yaml",
        "line": 2,
        "column": 9,
        "width": 2,
        "hint": "did you mean `욕설`?",
        "others": [{"file": "policies/b.yaml", "line": 1, "column": 1, "label": "declared here"}],
    }


def test_annotations_escape_what_would_break_the_line() -> None:
    finding = Finding("c-d", "50% of\nit", Place("a,b.yaml", 1, 2), severity=Severity.WARNING)
    shown = render_annotations([finding])
    assert shown == "::warning file=a%2Cb.yaml,line=1,col=2,endColumn=3,title=c-d::50%25 of%0Ait"


def test_findings_are_sorted_by_place_and_said_once() -> None:
    later, earlier = Finding("a-b", "m", Place("f", 10, 1)), Finding("c-d", "m", Place("f", 9, 5))
    assert sorted_findings([later, earlier, later]) == (earlier, later)


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ([], "no findings"),
        ([FINDING], "1 error in 1 file"),
        (
            [FINDING, Finding("a-b", "m", Place("g", 1, 1), severity=Severity.WARNING)],
            "1 error and 1 warning in 2 files",
        ),
    ],
)
def test_summary(findings: list[Finding], said: str) -> None:
    assert summary(findings) == said
