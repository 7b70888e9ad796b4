"""What is scaffolded stands in the right place, can be read, and changes nothing else."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.proof import small

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import AgeBand, Role, TopicID
from chingoo.policy.documents.cases import CasesDocument
from chingoo.policy.documents.routing import RoutingDocument
from chingoo.proof.cases import run_cases
from chingoo.proof.scaffold import ScaffoldError, new_case, new_persona, new_reply, new_rule, new_topic
from chingoo.source.reader import read
from chingoo.source.tree import plain

AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_rule_comes_before_the_last_one_with_its_cases(policy_files: dict[str, str]) -> None:
    changed = new_rule(policy_files, "puns")
    table: RoutingDocument = small.document(RoutingDocument, changed["policies/routing.yaml"], "policies/routing.yaml")
    before: RoutingDocument = small.document(
        RoutingDocument, policy_files["policies/routing.yaml"], "policies/routing.yaml"
    )
    assert [rule.id for rule in table.rules] == [
        *(rule.id for rule in before.rules[:-1]),
        "routing.puns",
        before.rules[-1].id,
    ]
    cases: CasesDocument = small.document(CasesDocument, changed["policies/routing.cases.yaml"], "x")
    assert [case.id for case in cases.cases[-2:]] == ["routing.puns", "routing.puns-near"]
    assert cases.cases[-1].near_miss_of == "routing.puns"


def test_cases_go_before_the_recorded_ones(policy_files: dict[str, str]) -> None:
    path = "policies/routing.cases.yaml"
    kept = "\n# kept\nrecorded:\n  - {id: recorded.x, facts: {hate: true}, rule: routing.hate}\n"
    changed = new_rule({**policy_files, path: policy_files[path].rstrip("\n") + "\n" + kept}, "puns")[path]
    cases: CasesDocument = small.document(CasesDocument, changed, path)
    assert cases.cases[-1].id == "routing.puns-near"
    assert [case.id for case in cases.recorded] == ["recorded.x"]
    assert changed.endswith(kept)


def test_a_rule_that_exists_is_not_written_again(policy_files: dict[str, str]) -> None:
    with pytest.raises(ScaffoldError):
        new_rule(policy_files, "routing.crisis")


def test_a_reply_is_written_in_every_language(policy_files: dict[str, str]) -> None:
    changed = new_reply(policy_files, "boundary.puns")
    assert len(changed) == 8
    for path, text in changed.items():
        result = read(text, path)
        assert result.findings == ()
        assert result.tree is not None
        before, after = plain(read(policy_files[path], path).tree or result.tree), plain(result.tree)
        assert after["replies"].pop("boundary.puns")["variants"] == ["write the words here"]
        assert after == before
    with pytest.raises(ScaffoldError):
        new_reply(policy_files, "refusal.hate")


def test_a_topic_gets_one_more_case(policy_files: dict[str, str]) -> None:
    (text,) = new_topic(policy_files, TopicID.WORK_SCHOOL).values()
    cases: CasesDocument = small.document(CasesDocument, text, "policies/topics.cases.yaml")
    assert [case.id for case in cases.cases[-2:]] == ["topics.work-school-2", "topics.work-school-2-near"]


def test_a_persona_starts_as_a_copy(policy_files: dict[str, str]) -> None:
    (text,) = new_persona(policy_files, "PT25", "PT01").values()
    assert "id: PT25\n" in text
    assert "# PT25: say here who this is" in text
    assert "# PT01" not in text, "no remark says that this is somebody else"
    with pytest.raises(ScaffoldError):
        new_persona(policy_files, "PT02", "PT01")
    with pytest.raises(ScaffoldError, match="PT01, PT02 and so on, not `kind-uncle`"):
        new_persona(policy_files, "kind-uncle", "PT01")


def test_a_file_that_cannot_be_read_is_not_touched(policy_files: dict[str, str]) -> None:
    with pytest.raises(ScaffoldError):
        new_rule({**policy_files, "policies/routing.yaml": "rules: ["}, "puns")


@pytest.mark.parametrize(
    "text", ["good morning", 'she said: "hi" # not', "죽고 싶어", "two\nlines", "a\u200db\ttab \\ end"]
)
def test_a_decision_becomes_a_case_that_passes(engine: Engine, text: str) -> None:
    given = EvaluationInput(text, AT, age_band=AgeBand.B13_17)
    spoken = replace(
        given, history=(Utterance(Role.USER, "hopeless: worthless"), Utterance(Role.ASSISTANT, "- tell me"))
    )
    for one in (given, spoken):
        (written,) = new_case({}, "policies/kept.cases.yaml", "kept.one", one, evaluate(engine, one)).values()
        cases: CasesDocument = small.document(CasesDocument, written, "policies/kept.cases.yaml")
        assert cases.cases[0].text == text
        assert run_cases(engine, {"policies/kept.cases.yaml": cases}).findings() == ()
