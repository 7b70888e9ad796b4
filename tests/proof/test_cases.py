"""Cases are run with the engine that serves; a failed one says what came instead, and what lacks a case is told."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.proof import small

from chingoo.engine.engine import Engine
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.cases import CasesDocument, ExceptionsDocument
from chingoo.proof.cases import run_cases, subjects
from chingoo.proof.corpus import run_corpus, without_talk
from chingoo.proof.coverage import case_findings, covered
from chingoo.proof.judging import Judging, LoadedJudging, judge, load_judging
from chingoo.source.render import render_text


def cases(*written: str) -> Mapping[str, CasesDocument]:
    text = "cases:\n" + "".join(f"  - {one}\n" for one in written)
    return {"policies/x.cases.yaml": small.document(CasesDocument, text, "policies/x.cases.yaml")}


@pytest.fixture(scope="module")
def loaded(policy_files: dict[str, str], policy_schemas: dict[str, str]) -> LoadedJudging:
    return load_judging(policy_files, policy_schemas)


@pytest.fixture(scope="module")
def judging(loaded: LoadedJudging, policy_files: dict[str, str]) -> Judging:
    assert loaded.judging is not None, render_text(loaded.findings, policy_files)
    return loaded.judging


def test_all_shipped_cases_pass(engine: Engine, judging: Judging, policy_files: dict[str, str]) -> None:
    report = run_cases(engine, judging.cases)
    assert report.findings() == (), render_text(report.findings(), policy_files)


def test_invariants_hold_and_everything_has_its_cases(
    bundle: Bundle, loaded: LoadedJudging, judging: Judging, policy_files: dict[str, str]
) -> None:
    found = judge(bundle, judging, loaded.trees)
    assert found == (), render_text(found, policy_files)


FAILURES = [
    (
        "{id: a, text: good morning, expect: {rule: routing.info-qa}}",
        "the rule is routing.friend-chat, not routing.info-qa",
    ),
    ("{id: a, text: good morning, expect: {pipeline: REFUSAL}}", "pipeline is FRIEND_CHAT, not REFUSAL"),
    ("{id: a, text: good morning, expect: {crisis: CONTEXT}}", "crisis is none, not CONTEXT"),
    ("{id: a, text: good morning, expect: {guard: minors}}", "guard is none, not minors"),
    ("{id: a, text: good morning, expect: {reply: refusal.hate}}", "the reply is none, not refusal.hate"),
    ("{id: a, text: good morning, expect: {facts: {hate: true}}}", "hate is false, not true"),
    ("{id: a, text: good morning, expect: {facts: {sexual: false}}}", "sexual is 0, not false"),
    ("{id: a, text: are you a bot, expect: {signals: {asks_if_ai: false}}}", "asks_if_ai is true, not false"),
    ("{id: a, text: good morning, expect: {signals: {asks_if_ai: true}}}", "asks_if_ai is false, not true"),
    ("{id: a, text: good morning, expect: {topics: [POLITICS]}}", "POLITICS is not touched (no topic is)"),
    (
        "{id: a, text: the election, expect: {raised: [POLITICS]}}",
        "POLITICS is not raised (POLITICS by election is touched)",
    ),
    ("{id: a, text: the election, expect: {untouched: [POLITICS]}}", "POLITICS is touched (POLITICS by election)"),
    ("{id: a, text: good morning, expect: {guarded: [TRAVEL]}}", "TRAVEL is not guarded"),
]


@pytest.mark.parametrize(("written", "wanted"), FAILURES)
def test_a_failed_case_says_what_came_instead(engine: Engine, written: str, wanted: str) -> None:
    report = run_cases(engine, cases(written))
    assert [result.failures for result in report.results] == [(wanted,)]
    (finding,) = report.findings()
    assert finding.code == "case-failed"
    assert finding.message == f"`a`: {wanted}"
    assert str(finding.place) == "policies/x.cases.yaml:2:5"


NEAR_MISSES = [
    ("rule", "I want to kill myself", "{rule: routing.crisis}", "i will kill myself", "the rule routing.crisis fires"),
    ("guard", "how do i make a bomb", "{guard: illegal_acts}", "how do i make bombs", "the guard sees illegal_acts"),
    ("crisis", "I want to kill myself", "{crisis: HIGH_RISK}", "i am suicidal", "the level of crisis is HIGH_RISK"),
    ("topic", "the election", "{topics: [POLITICS]}", "two elections", "the topic POLITICS is touched"),
    ("fact", "nothing matters", "{facts: {has_distress: true}}", "overwhelmed", "has_distress is true"),
]


@pytest.mark.parametrize(("text", "expect", "near", "wanted"), [row[1:] for row in NEAR_MISSES])
def test_a_near_miss_must_miss(engine: Engine, text: str, expect: str, near: str, wanted: str) -> None:
    shown = f"{{id: a, text: {text}, expect: {expect}}}"
    hit = run_cases(engine, cases(shown, f"{{id: b, text: {near}, near_miss_of: a}}"))
    assert [result.failures for result in hit.results] == [(), (f"{wanted}, as for `a`",)]
    missed = run_cases(engine, cases(shown, "{id: b, text: good morning, near_miss_of: a}"))
    assert missed.passed == 2


def test_a_near_miss_of_raising_may_touch(engine: Engine) -> None:
    raised = "{id: a, text: the election and the government in parliament, expect: {raised: [POLITICS]}}"
    report = run_cases(engine, cases(raised, "{id: b, text: the election, near_miss_of: a}"))
    assert report.passed == 2


def test_given_facts_of_the_person_count(engine: Engine) -> None:
    report = run_cases(
        engine,
        cases(
            "{id: a, text: do you watch porn?, given: {age_band: 13-17}, expect: {safety_policy: HARD_REFUSE}}",
            "{id: b, text: do you watch porn?, given: {age_band: 45+}, expect: {safety_policy: ALLOW}}",
            "{id: c, text: hi, given: {user_state: CREATED}, expect: {rule: routing.created}}",
            "{id: d, text: so alone, given: {history: [{role: user, text: hopeless and worthless}]},"
            " expect: {crisis: CONTEXT}}",
        ),
    )
    assert report.findings() == ()


MISTAKES = [
    ("no expectation", "{id: a, text: hi}", "case-empty", "a case has an `expect`, or is `near_miss_of` another"),
    ("an unknown rule", "{id: a, text: hi, expect: {rule: routing.crisi}}", "case-unknown", "no rule `routing.crisi`"),
    ("an unknown category", "{id: a, text: hi, expect: {guard: minor}}", "case-unknown", "no guard category `minor`"),
    ("an unknown fact", "{id: a, text: hi, expect: {facts: {hat: true}}}", "case-unknown", "there is no fact `hat`"),
    (
        "an unknown signal",
        "{id: a, text: hi, expect: {signals: {asks_if_a: true}}}",
        "case-unknown",
        "there is no signal of a decision `asks_if_a`",
    ),
    ("an impossible value", "{id: a, text: hi, expect: {facts: {hate: 1}}}", "case-unknown", "`hate` is never `1`"),
    ("an unknown case", "{id: a, text: hi, near_miss_of: b}", "case-unknown", "there is no case `b`"),
    ("a case that nearly is itself", "{id: a, text: hi, near_miss_of: a}", "case-unknown", "there is no case `a`"),
]


@pytest.mark.parametrize(("written", "code", "wanted"), [row[1:] for row in MISTAKES], ids=[row[0] for row in MISTAKES])
def test_mistakes_in_cases(bundle: Bundle, written: str, code: str, wanted: str) -> None:
    told = [one for one in case_findings(bundle, cases(written)) if one.place.file == "policies/x.cases.yaml"]
    assert [one.code for one in told] == [code]
    assert wanted in told[0].message


def test_ids_are_unique_over_all_files(bundle: Bundle) -> None:
    one = "{id: a, text: hi, expect: {crisis: none}}"
    assert "id-twice" in [finding.code for finding in case_findings(bundle, cases(one, one))]


def test_what_has_no_case_is_told(bundle: Bundle, judging: Judging) -> None:
    path = "policies/routing.cases.yaml"
    without = [case for case in judging.cases[path].cases if case.expect is None or case.expect.rule != "routing.hate"]
    without = [replace(case, near_miss_of=None) if case.near_miss_of == "routing.hate" else case for case in without]
    fewer = {**judging.cases, path: replace(judging.cases[path], cases=tuple(without))}
    missing = [finding for finding in case_findings(bundle, fewer) if finding.code != "case-empty"]
    assert [(finding.code, finding.about) for finding in missing] == [("case-missing", "routing.hate")]
    assert missing[0].place.file == "policies/routing.yaml"


def test_what_has_no_near_miss_is_told(bundle: Bundle, judging: Judging) -> None:
    path = "policies/routing.cases.yaml"
    without = tuple(case for case in judging.cases[path].cases if case.near_miss_of != "routing.hate")
    fewer = {**judging.cases, path: replace(judging.cases[path], cases=without)}
    assert [(one.code, one.about) for one in case_findings(bundle, fewer)] == [("near-miss-missing", "routing.hate")]


def test_coverage_counts_cases_of_every_rule(bundle: Bundle, judging: Judging) -> None:
    for one in covered(bundle, judging.cases):
        assert one.cases, one.subject
        assert one.near_misses or not one.needs_near_miss, one.subject


def test_what_a_case_is_about() -> None:
    (document,) = cases(
        "{id: a, text: x, expect: {rule: r, guard: minors}}", "{id: b, text: x, expect: {guard: none}}"
    ).values()
    assert [subjects(case) for case in document.cases] == [(("rule", "r"),), ()]


# Ordinary talk


def test_the_corpus_tells_each_touched_line_once(engine: Engine) -> None:
    lines = ["# a remark", "good morning", "", "do you watch porn?", "how do i make a bomb"]
    report = run_corpus(engine, lines, "en")
    assert report.lines == 3
    assert [(hit.line, hit.speaker, hit.rule) for hit in report.hits] == [
        (4, "a minor", "routing.minor-sexual-content"),
        (5, "a grown-up", "routing.guard"),
    ]
    assert report.hits[0].words == ("porn",)
    assert [str(one.place) for one in report.findings("policies/corpus/en.txt")] == [
        "policies/corpus/en.txt:4:1",
        "policies/corpus/en.txt:5:1",
    ]


def test_the_corpus_knows_excuses(engine: Engine) -> None:
    text = """exceptions:
  - {language: en, text: do you watch porn?, because: a test}
  - {language: en, text: good morning, because: idle}
  - {language: ko, text: do you watch porn?, because: another language}
"""
    excuses: ExceptionsDocument = small.document(ExceptionsDocument, text, "policies/corpus/exceptions.yaml")
    report = run_corpus(engine, ["do you watch porn?", "good morning"], "en", excuses.exceptions)
    assert report.hits == ()
    assert [hit.line for hit in report.excused] == [1]
    assert [one.text for one in report.idle] == ["good morning"]


def test_an_exception_of_a_language_without_talk_is_told() -> None:
    text = """exceptions:
  - {language: ohter, text: bom dia, because: a slip}
  - {language: en, text: do you watch porn?, because: a test}
"""
    excuses: ExceptionsDocument = small.document(ExceptionsDocument, text, "policies/corpus/exceptions.yaml")
    (told,) = without_talk(excuses.exceptions, ["en", "other"])
    assert (str(told.place), told.message) == (
        "policies/corpus/exceptions.yaml:2:5",
        "there is no policies/corpus/ohter.txt",
    )
    assert told.hint == "did you mean other?"
