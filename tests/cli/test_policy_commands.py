"""`chingoo policy …` as an editor uses it: on a copy of the shipped policies, by words and exit codes."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from tests.cli.stand_ins import StandIns

from chingoo.adapters.policy_files import read_ordinary_talk, read_policy_files, read_promises, read_schemas
from chingoo.cli.main import main
from chingoo.cli.parts import PolicySources, Progress
from chingoo.proof.hits import EntryUse
from chingoo.settings.values import Settings
from chingoo.source.places import Place

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("policies", "persona_library", "patterns")
DECISION = uuid4()


@dataclass(frozen=True)
class Kept:
    """A recorded decision."""

    rules: tuple[str, ...]
    facts_record: dict[str, bool | int | str]
    received_at: datetime
    verdict: str | None
    note: str | None


USES = (
    EntryUse(
        Place("policies/safety.yaml", 12, 9), "safety.insults", "en", "idiot | idiots", 40, 30, date(2026, 11, 20)
    ),
    EntryUse(Place("policies/topics.yaml", 33, 9), "topics.politics", "en", "election", 10, 0, date(2026, 11, 1)),
    EntryUse(Place("policies/topics.yaml", 33, 19), "topics.politics", "en", "parliament"),
)


class OnDisk(StandIns):
    """Reads real folders; what a running service would know is made up."""

    def __init__(self, verdict: str | None = "false_alarm") -> None:
        super().__init__()
        self.verdict = verdict

    def policy_sources(self, root: Path) -> PolicySources:
        return PolicySources(read_policy_files(root), read_schemas(ROOT), read_promises(root), read_ordinary_talk(root))

    async def policy_hits(self, settings: Settings, progress: Progress, since: date) -> tuple[EntryUse, ...]:
        return USES

    async def recorded_decision(self, settings: Settings, progress: Progress, decision_id: UUID) -> Kept | None:
        if decision_id != DECISION:
            return None
        facts: dict[str, bool | int | str] = {"user_state": "ACTIVE", "age_band": "25-34", "threat": True}
        return Kept(("routing.threat",), facts, datetime(2026, 11, 20, tzinfo=UTC), self.verdict, 'a "joke"')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped policies, to be edited."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "PRODUCT.md", tmp_path)
    return tmp_path


class Editor:
    """Runs commands in a folder."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys, self.parts = folder, capsys, OnDisk()

    def __call__(self, *argv: str) -> tuple[int, str, str]:
        environ = {"CHINGOO_POLICY_DIR": str(self.folder), "CHINGOO_DATA_DIR": str(self.folder / "data")}
        code = main(["policy", *argv], self.parts, environ)
        out, err = self.capsys.readouterr()
        return code, out, err

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.folder / path).read_text("utf-8")
        assert old in text
        (self.folder / path).write_text(text.replace(old, new, 1), "utf-8")


@pytest.fixture
def editor(folder: Path, capsys: pytest.CaptureFixture[str]) -> Editor:
    return Editor(folder, capsys)


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
    assert "ordinary talk: 1 of 8 lines" in out
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


READMES = ("policies", "persona_library", "patterns", "schemas")


def commands() -> Iterator[tuple[str, list[str]]]:
    for name in READMES:
        for words in re.findall(r"`chingoo policy ([^`]+)`", (ROOT / name / "README.md").read_text("utf-8")):
            yield name, re.findall(r'"[^"]*"|\S+', words)


@pytest.mark.parametrize(
    ("name", "argv"), list(commands()), ids=lambda value: " ".join(value) if isinstance(value, list) else value
)
def test_every_command_of_the_readmes_exists(name: str, argv: list[str]) -> None:
    from chingoo.cli.main import _parser

    with pytest.raises(SystemExit) as ended:
        _parser().parse_args(["policy", *argv, "--help"])
    assert ended.value.code == 0


def test_the_readmes_name_files_that_exist() -> None:
    for name in READMES:
        text = (ROOT / name / "README.md").read_text("utf-8")
        assert len(text.splitlines()) <= 120, name
        for path in re.findall(r"`(\.\./[a-zA-Z_./]+|[a-z_]+\.yaml)`", text):
            assert any(ROOT.glob(f"*/{path}")) or (ROOT / name / path).exists(), f"{name}: {path}"


def test_who_stands_in_a_copy_means_the_copy(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "policies/topics.yaml").write_text("language: [\n", "utf-8")
    monkeypatch.chdir(folder / "policies")
    assert main(["policy", "check"], OnDisk(), {}) == 1
    assert "policies/topics.yaml:2:1" in capsys.readouterr().out
