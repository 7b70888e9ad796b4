"""`chingoo policy diff`, `new`, `case` and `hits` as an editor uses them, by words and exit codes."""

import re
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import DECISION, Editor, OnDisk


def other(folder: Path, tmp: Path) -> Path:
    shutil.copytree(folder, tmp, ignore=shutil.ignore_patterns("other"))
    return tmp


def test_diff_tells_what_changed_and_what_flips(editor: Editor) -> None:
    before = other(editor.folder, editor.folder / "other")
    editor.edit(
        "policies/routing.yaml", "when: {fact: harassment, is: true}", "when: {fact: has_personal_pronoun, is: true}"
    )
    over = editor.folder / "messages.jsonl"
    over.write_text('"i like tea"\n{"text": "hello", "age_band": "13-17"}\n\n', "utf-8")
    code, out, _ = editor("diff", str(before), str(editor.folder), "--over", str(over), "--budget", "refusals=+1%")
    assert code == 1
    assert "rule routing.harassment: tightened" in out
    assert "1 of 2 messages are decided otherwise (50.00 %)" in out
    assert "over the budget: refusals" in out


@pytest.mark.soak
def test_diff_over_ordinary_talk_of_equal_policies(editor: Editor) -> None:
    for path in (editor.folder / "policies" / "corpus").glob("*.txt"):
        path.write_text("hello there\n", "utf-8")
    before = other(editor.folder, editor.folder / "other")
    code, out, _ = editor("diff", str(before), str(editor.folder), "--budget", "refusals=+0%")
    assert code == 0
    assert out == "nothing changed\n\n0 of 24 messages are decided otherwise (0.00 %)\nwithin the budget\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [("{", "line 1: this is no JSON"), ('{"txt": "x"}', "line 1: "), ('{"text": "x", "age_band": "9"}', "line 1: ")],
)
def test_diff_over_lines_that_are_none(editor: Editor, line: str, said: str) -> None:
    over = editor.folder / "messages.jsonl"
    over.write_text(line, "utf-8")
    code, _, err = editor("diff", str(editor.folder), str(editor.folder), "--over", str(over))
    assert code == 2
    assert said in err


def test_diff_with_a_budget_of_nothing(editor: Editor) -> None:
    code, _, err = editor("diff", "a", "b", "--budget", "refusals")
    assert code == 2
    assert "write for example refusals=+0.2%" in err


@pytest.mark.parametrize(
    ("kind", "name", "wanted"),
    [
        ("rule", "spam", {"not-written"}),
        ("reply", "refusal.spam", {"not-written", "reply-unused"}),
        ("topic", "TRAVEL", {"not-written"}),
    ],
)
def test_new_begins_something_that_check_wants_finished(editor: Editor, kind: str, name: str, wanted: set[str]) -> None:
    code, out, _ = editor("new", kind, name)
    assert code == 0
    assert out.startswith("written:\n  policies/")
    code, found, _ = editor("check", "--today", "2026-11-22")
    assert code == 1
    assert set(re.findall(r"error\[([a-z-]+)\]", found)) == wanted


def test_new_persona_takes_the_place_of_another(editor: Editor) -> None:
    (editor.folder / "persona_library" / "PT07.yaml").unlink()
    code, out, _ = editor("new", "persona", "PT07", "--like", "PT03")
    assert (code, "persona_library/PT07.yaml" in out) == (0, True)
    assert "error[persona-clone]" in editor("check")[1]


def test_a_verdict_becomes_a_case(editor: Editor) -> None:
    code, out, _ = editor("case", "from-decision", str(DECISION))
    assert code == 0
    assert "written:\n  policies/routing.cases.yaml:" in out
    text = (editor.folder / "policies" / "routing.cases.yaml").read_text("utf-8")
    assert text.endswith(
        f"recorded:\n  - id: recorded.{DECISION}\n"
        "    facts: {user_state: ACTIVE, age_band: 25-34, threat: true}\n"
        "    not_rule: routing.threat\n"
        '    note: "false_alarm, decided 2026-11-20; a \\"joke\\""\n'
    )
    code, out, _ = editor("test", "--no-corpus")
    assert code == 1
    assert f"`recorded.{DECISION}`: routing.threat decides again" in out
    assert "is a case already" in editor("case", "from-decision", str(DECISION))[2]


@pytest.mark.soak
def test_a_right_decision_stays_as_it_is(editor: Editor) -> None:
    assert editor("case", "from-decision", str(DECISION), "--verdict", "right")[0] == 0
    assert editor("test", "--no-corpus")[0] == 0
    editor.edit("policies/routing.cases.yaml", "25-34, threat: true}", "25-34, threats: true}")
    out = editor("test", "--no-corpus")[1]
    assert "there is no fact `threats`" in out
    assert "did you mean `threat`?" in out


def test_a_decision_that_nobody_judged(editor: Editor) -> None:
    editor.parts = OnDisk(verdict=None)
    code, _, err = editor("case", "from-decision", str(DECISION))
    assert code == 2
    assert "say --verdict right, false_alarm, missed" in err


def test_hits_of_all_dead_and_noisy_words(editor: Editor) -> None:
    out = editor("hits", "--since", "2026-11-01")[1]
    assert "      40     75 %  2026-11-20  idiot | idiots  (safety.insults, en; policies/safety.yaml:12:9)" in out
    assert "       0           never       parliament  (topics.politics, en; policies/topics.yaml:33:19)" in out
    assert out.endswith("3 words looked for since 2026-11-01; 1 were never seen\n")
    assert "idiot" not in editor("hits", "--dead")[1]
    assert "election" not in editor("hits", "--noisy", "50")[1]
    assert "… and 2 more; --most shows more" in editor("hits", "--most", "1")[1]
