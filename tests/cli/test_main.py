"""Commands that ask and answer: their words, their exit codes, and errors as one message."""

import json
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from tests.cli.stand_ins import StandIns
from tests.web.fakes import FakePolicies

import chingoo
from chingoo.cli.main import main
from chingoo.cli.parts import OfflinePolicies
from chingoo.errors import PolicyRefusedError
from chingoo.settings.table import SETTINGS, markdown_table
from chingoo.settings.values import Settings
from chingoo.source.findings import Finding
from chingoo.source.places import Place

DECIDED = {
    "routing": {
        "pipeline": "REFUSAL",
        "safety_policy": "HARD_REFUSE",
        "memory_read_policy": "NONE",
        "vector_search_policy": "OFF",
        "memory_write_policy": "NONE",
        "relationship_update_policy": "OFF",
        "notes": [],
    },
    "signals": {
        "language": "en",
        "valence": -0.5,
        "topics": [{"topic": "GAMBLING", "confidence": 0.65, "hits": ["bet", "poker"], "user_initiated": False}],
        "flags": {"is_question": True, "has_distress": False},
        "heuristics": {"preference": True},
        "crisis": {"detected": True, "level": "HIGH_RISK", "phrases": ["end my life"]},
        "guard": {"blocked": True, "category": "illegal_acts"},
    },
    "taboo_guard": [],
    "facts": [{"memory_key": "budget:general", "memory_value": "2000 AED", "confidence": 0.95}],
    "reply": "I won't go there with you.",
    "policy": {"digest": "abc", "rules": ["routing.guard", "guard.illegal_acts"]},
    "trace": [
        {
            "rule": "routing.guard",
            "file": "policies/routing.yaml",
            "line": 12,
            "because": "nobody is helped by this",
            "matched": [{"entry": "bomb", "file": "policies/safety.yaml", "line": 3, "span": [4, 8]}],
        }
    ],
}


class Decided(FakePolicies):
    """Answers with the decision above."""

    def evaluate(self, *given: object) -> dict[str, object]:  # type: ignore[override]
        super().evaluate(*given)  # type: ignore[arg-type]
        return DECIDED


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """Settings of a service that is nowhere started."""
    (tmp_path / "policies").mkdir()
    return {"CHINGOO_POLICY_DIR": str(tmp_path), "CHINGOO_DATA_DIR": str(tmp_path / "data")}


def run(capsys: pytest.CaptureFixture[str], environ: dict[str, str], *argv: str) -> tuple[int, str, str]:
    """A command's exit code, output and errors."""
    code = main(argv, StandIns(Decided()), environ)
    out, err = capsys.readouterr()
    return code, out, err


def test_evaluate_for_reading(capsys: pytest.CaptureFixture[str], environ: dict[str, str]) -> None:
    code, out, err = run(capsys, environ, "evaluate", "how to make a bomb", "--explain")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "pipeline  REFUSAL, HARD_REFUSE",
        "memory    read NONE, search OFF, write NONE; relationship OFF",
        "rules     routing.guard, guard.illegal_acts",
        "language  en, valence -0.5",
        "topic     GAMBLING 0.65 (bet, poker)",
        "flags     is_question, preference",
        "crisis    HIGH_RISK (end my life)",
        "guard     illegal_acts",
        "fact      budget:general = 2000 AED (0.95)",
        "reply     I won't go there with you.",
        "because   routing.guard (policies/routing.yaml:12): nobody is helped by this",
        "            “bomb” at 4–8 (policies/safety.yaml:3)",
    ]


def test_evaluate_as_json(capsys: pytest.CaptureFixture[str], environ: dict[str, str]) -> None:
    code, out, _ = run(capsys, environ, "evaluate", "hi", "--json")
    assert (code, json.loads(out)) == (0, DECIDED)


def test_evaluate_takes_what_the_route_takes(environ: dict[str, str]) -> None:
    policies = Decided()
    argv = "--age-band 18–24 --mode intimate --country KR --user-state CREATED --persona PT01 --suppress POLITICS"
    arguments = ["evaluate", " hi ", *argv.split(), "--at", "2026-03-02T12:00:00+00:00", "--explain"]
    assert main(arguments, StandIns(policies), environ) == 0
    given, template, explain = policies.evaluated[0]
    assert (given.text, given.age_band, given.mode, given.country) == (" hi ", "18-24", "intimate", "KR")
    assert (given.user_state, given.suppressed_topics, template, explain) == ("CREATED", {"POLITICS"}, "PT01", True)
    assert given.received_at.year == 2026


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["evaluate", ""], "TEXT: must say something"),
        (["evaluate", "hi", "--age-band", "9-12"], "--age-band: not one of"),
        (
            ["evaluate", "hi", "--country", "kr"],
            "--country: not an ISO 3166-1 alpha-2 country code, did you mean",
        ),
        (["evaluate", "hi", "--suppress", "POLITCS"], "--suppress: not one of"),
        (["evaluate", "hi", "--at", "noon"], "--at: not an RFC 3339 instant"),
        (["help", "yaml-alais"], "did you mean `yaml-alias`?"),
        (["help", "qqqq"], "`chingoo help` lists those there are"),
    ],
)
def test_what_is_wrong_is_one_message(
    capsys: pytest.CaptureFixture[str], environ: dict[str, str], argv: list[str], said: str
) -> None:
    code, out, err = run(capsys, environ, *argv)
    assert (code, out) == (2, "")
    assert err.startswith("chingoo: ")
    assert said in err


def test_wrong_settings_are_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, {"CHINGOO_PORT": "x", "CHINGOO_POLICY_DIR": "/nowhere"}, "evaluate", "hi")
    assert (code, out) == (2, "")
    assert "2 settings are wrong" in err


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_policies_with_findings_end_in_1(
    capsys: pytest.CaptureFixture[str], environ: dict[str, str], form: str
) -> None:
    code, out, err = run(capsys, environ, "policy", "check", "--format", form)
    assert (code, err) == (1, "")
    assert out
    if form == "json":
        assert json.loads(out)


def test_help_shows_a_page_or_all_codes(capsys: pytest.CaptureFixture[str], environ: dict[str, str]) -> None:
    assert "Write it out." in run(capsys, environ, "help", "yaml-alias")[1]
    assert run(capsys, environ, "help", "[yaml-alias]")[0] == 0
    assert run(capsys, environ, "help")[1] == "yaml-alias  a reference\n"


def test_settings_show_everything_but_secrets(capsys: pytest.CaptureFixture[str], environ: dict[str, str]) -> None:
    secret = "app:s3cret-which-nobody-may-see"
    code, out, err = run(capsys, environ | {"CHINGOO_API_KEYS": secret, "CHINGOO_PROT": "1"}, "settings")
    assert code == 0
    assert all(setting.name in out for setting in SETTINGS)
    assert "s3cret" not in out + err
    assert "CHINGOO_API_KEYS=(set, not shown)" in out
    assert "CHINGOO_PORT=8000 (default)" in out
    assert "did you mean CHINGOO_PORT?" in err
    assert run(capsys, environ, "settings", "--markdown")[1] == markdown_table() + "\n"


def test_settings_that_are_wrong_are_shown_and_said(
    capsys: pytest.CaptureFixture[str], environ: dict[str, str]
) -> None:
    code, out, err = run(capsys, environ | {"CHINGOO_PORT": "x"}, "settings")
    assert code == 2
    assert "CHINGOO_PORT=x" in out
    assert "1 setting is wrong" in err


def test_the_detector_says_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["detector", "--help"], StandIns(), {})
    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert "--host ADDRESS" in out
    assert "--port PORT" in out
    assert "CHINGOO_DETECTOR_URL=http://127.0.0.1:8091/v1" in " ".join(out.split())


def test_an_address_the_detector_cannot_have(capsys: pytest.CaptureFixture[str], environ: dict[str, str]) -> None:
    code, out, err = run(capsys, environ, "detector", "--host", "no such host")
    assert (code, out) == (2, "")
    assert "--host: no address is known" in err
    assert "warning: whoever reaches no such host may ask" in err
    with pytest.raises(SystemExit):
        main(["detector", "--port", "99999"], StandIns(), environ)
    assert "invalid port value: '99999'" in capsys.readouterr().err


def test_version_and_database(capsys: pytest.CaptureFixture[str], environ: dict[str, str]) -> None:
    assert run(capsys, environ, "version")[1] == f"chingoo {chingoo.__version__}\n"
    assert run(capsys, environ, "db", "upgrade")[1] == "the database is at revision 0001\n"


def test_keys_are_rotated(capsys: pytest.CaptureFixture[str], environ: dict[str, str]) -> None:
    said = run(capsys, environ, "keys", "rotate")[1]
    assert said == "2 memories written anew; the first key will do from now on\n"


@pytest.mark.parametrize(
    "argv", [[], ["nonsense"], ["policy"], ["db"], ["evaluate"], ["policy", "check", "--format", "x"]]
)
def test_usage_is_shown_for_what_is_no_command(capsys: pytest.CaptureFixture[str], argv: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv, StandIns(), {})
    assert ended.value.code == 2
    assert "usage: chingoo" in capsys.readouterr().err


def test_counts_for_the_yearly_report(capsys: pytest.CaptureFixture[str], environ: dict[str, str]) -> None:
    assert main(["safety-counts", "--since", "2026-03"], StandIns(), environ) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1].split() == ["2026-03", "crisis", "HIGH_RISK", "ko", "3"]
    assert out.splitlines()[-1].startswith("3 crises")
    assert main(["safety-counts", "--since", "2026-03", "--json"], StandIns(), environ) == 0
    assert json.loads(capsys.readouterr().out)["items"][1]["category"] == "minors"
    assert main(["safety-counts", "--until", "March"], StandIns(), environ) == 2
    assert "no month" in capsys.readouterr().err


def test_an_error_nobody_foresaw_is_one_message_too(
    capsys: pytest.CaptureFixture[str], environ: dict[str, str]
) -> None:
    class Broken(StandIns):
        def code_pages(self) -> dict[str, str]:
            raise RuntimeError("no pages")

    assert main(["help"], Broken(), environ) == 2
    err = capsys.readouterr().err
    assert err.startswith("chingoo: internal error (RuntimeError: no pages)")
    assert "Traceback" not in err


def test_broken_policies_are_shown_with_their_places(
    capsys: pytest.CaptureFixture[str], environ: dict[str, str]
) -> None:
    class Broken(StandIns):
        def offline_policies(self, settings: Settings) -> AbstractContextManager[OfflinePolicies]:
            place = Place("policies/safety.yaml", 12, 5)
            finding = Finding("yaml-alias", "a reference to another place", place)
            raise PolicyRefusedError("the policies in x have errors", [finding])

    assert main(["evaluate", "hi"], Broken(), environ) == 2
    err = capsys.readouterr().err
    assert "policies/safety.yaml:12:5: error[yaml-alias]: a reference to another place" in err
    assert err.endswith("chingoo: the policies in x have errors; `chingoo policy check` shows the lines\n")
