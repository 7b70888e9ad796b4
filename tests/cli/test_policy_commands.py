"""`chingoo policy check`, `test`, `explain` and `fmt` as an editor uses them, by words and exit codes."""

import json
import re
from pathlib import Path
from uuid import uuid4

import pytest
from tests.cli.conftest import Editor, OnDisk

from chingoo.cli.main import main


def test_check_of_the_shipped_policies(editor: Editor) -> None:
    code, out, _ = editor("check", "--today", "2026-11-22")
    assert (code, out.count("\n")) == (0, 1)
    assert re.fullmatch(r"\d+ files, \d+ words, \d+ rules, \d+ invariants, \d+ cases: no findings\n", out)


def test_check_shows_the_line_of_the_product_contract_too(editor: Editor) -> None:
    editor.edit("PRODUCT.md", "| FRIEND from | 40 |", "| FRIEND from | 41 |")
    code, out, _ = editor("check")
    assert code == 1
    assert "| FRIEND from | 41 |\n" in out
    assert "see policies/relationship.yaml:" in out


def test_check_proves_the_invariants(editor: Editor) -> None:
    editor.edit("policies/routing.yaml", "in: [13-17, unknown]", "in: [13-17]")
    code, out, _ = editor("check")
    assert code == 1
    assert "error[invariant-broken]" in out


def test_check_warns_of_what_is_due_and_still_passes(editor: Editor) -> None:
    code, out, _ = editor("check", "--today", "2029-01-01")
    assert code == 0
    assert "warning[crisis-line-old]" in out


def test_check_for_programs(editor: Editor) -> None:
    editor.edit("policies/routing.yaml", "reply: refusal.hate}", "reply: refusal.hatred}")
    code, out, _ = editor("check", "--format", "json")
    assert code == 1
    assert json.loads(out)[0]["code"] == "reply-unknown"


def test_a_day_that_is_none(editor: Editor) -> None:
    with pytest.raises(SystemExit) as ended:
        editor("check", "--today", "soon")
    assert ended.value.code == 2
    assert "`soon` is no day; write it as 2026-03-31" in editor.capsys.readouterr().err


def test_test_runs_the_cases(editor: Editor) -> None:
    code, out, _ = editor("test", "--no-corpus")
    assert code == 0
    assert re.search(r"^\d+ cases: all as they should be$", out, re.M)


def test_test_names_what_fails_with_its_line(editor: Editor) -> None:
    editor.edit(
        "policies/routing.cases.yaml", "expect: {rule: routing.crisis, reply", "expect: {rule: routing.guard, reply"
    )
    code, out, _ = editor("test", "--no-corpus")
    assert code == 1
    assert "the rule is routing.crisis, not routing.guard" in out
    assert re.search(r"^\d+ cases: 1 failed$", out, re.M)


@pytest.mark.soak
def test_test_over_ordinary_talk(editor: Editor) -> None:
    for path in sorted((editor.folder / "policies" / "corpus").glob("*.txt")):
        path.write_text("# ordinary talk\nhello there\n", "utf-8")
    (editor.folder / "policies" / "corpus" / "en.txt").write_text("i want to kill myself\n", "utf-8")
    code, out, _ = editor("test")
    assert code == 0
    assert "policies/corpus/en.txt:1:1: warning[corpus-hit]" in out
    assert "ordinary talk: 1 of 9 lines" in out
    assert editor("test", "--strict")[0] == 1


def test_test_refuses_broken_policies(editor: Editor) -> None:
    editor.edit("policies/routing.yaml", "reply: refusal.hate}", "reply: refusal.hatred}")
    code, _, err = editor("test")
    assert code == 2
    assert "`chingoo policy check` shows the lines" in err


def test_explain_says_why_and_why_not(editor: Editor) -> None:
    asked = ("POLITICS", "threat", "routing.crisis", "TRAVEL")
    argv = [part for name in asked for part in ("--why-not", name)]
    code, out, _ = editor("explain", "the election was fun", *argv)
    assert code == 0
    assert "FRIEND_CHAT, ALLOW\nrouting.friend-chat decides:" in out
    assert "POLITICS is touched by election, but 3 different words are needed to raise it" in out
    assert "routing.threat does not hold" in out
    assert "routing.crisis does not hold" in out
    assert "TRAVEL is not touched" in out


def test_explain_of_a_signal(editor: Editor) -> None:
    out = editor("explain", "hello", "--why-not", "has_distress")[1]
    assert "has_distress is not seen:\n  no word of " in out


def test_explain_names_what_excuses_and_weighs_the_rest(editor: Editor) -> None:
    out = editor("explain", "how is suicide called in french")[1]
    assert "crisis.in-another-tongue excuses some of it (crisis.yaml), which is not weighed as a crisis" in out
    assert "crisis.weighed" not in out
    harmless = "wore yellow for suicide prevention day at work"
    out = editor("explain", f"{harmless}. what would u say at my funeral? just curious. be honest, might need it")[1]
    assert "excuses some of it" in out
    assert "for crisis.weighed, enough" in out
    assert "excuses all of it" in editor("explain", "i was suicidal as a teen, i got better")[1]


def test_explain_of_facts_alone(editor: Editor) -> None:
    code, out, _ = editor("explain", "--facts", "age_band=13-17, sexual=1")
    assert code == 0
    assert "routing.minor-sexual-content decides" in out
    assert "facts: " in out


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["explain"], "give a message, or facts"),
        (["explain", "--facts", "agebnd=13-17"], "did you mean `age_band`?"),
        (["explain", "--facts", "age_band=12"], "`age_band` is 13-17, 18-24"),
        (["explain", "--facts", "threat=yes"], "`threat` is true or false, not `yes`"),
        (["explain", "hi", "--why-not", "routing.treat"], "did you mean `routing.threat`?"),
        (["new", "topic", "TRAVELS"], "did you mean TRAVEL?"),
        (["new", "rule", "hate"], "there is a rule `routing.hate` already"),
        (["new", "persona", "PT01"], "there is a file persona_library/PT01.yaml already"),
        (["fmt", "/nowhere.yaml"], "/nowhere.yaml cannot be read"),
        (["case", "from-decision", "5"], "`5` is no id of a decision"),
        (["case", "from-decision", str(uuid4())], "there is no decision"),
    ],
)
def test_what_is_wrong_is_one_message(editor: Editor, argv: list[str], said: str) -> None:
    code, out, err = editor(*argv)
    assert (code, out) == (2, "")
    assert err.startswith("chingoo: ")
    assert err.count("\n") == 1
    assert said in err


def test_fmt_lays_out_and_checks(editor: Editor) -> None:
    file = editor.folder / "x.yaml"
    file.write_text("a:   1\nb: [ x,y ]\n", "utf-8")
    assert editor("fmt", "--check", str(file)) == (1, f"{file} would change\n", "")
    assert editor("fmt", str(file)) == (0, f"{file} was laid out anew\n", "")
    assert file.read_text("utf-8") == "a: 1\nb: [x, y]\n"
    assert editor("fmt", "--check", str(file)) == (0, "1 files, all laid out well\n", "")


def test_fmt_leaves_alone_what_it_cannot_read(editor: Editor) -> None:
    file = editor.folder / "x.yaml"
    file.write_text("a: [", "utf-8")
    code, out, _ = editor("fmt", str(file))
    assert (code, file.read_text("utf-8")) == (1, "a: [")
    assert "`chingoo policy check` says why" in out


def test_who_stands_in_a_copy_means_the_copy(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "policies/topics.yaml").write_text("language: [\n", "utf-8")
    monkeypatch.chdir(folder / "policies")
    assert main(["policy", "check"], OnDisk(), {}) == 1
    assert "policies/topics.yaml:2:1" in capsys.readouterr().out
