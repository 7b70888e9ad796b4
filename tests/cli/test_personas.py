"""`chingoo persona simulate`: the spread of friends, and the cap over time."""

import json
from pathlib import Path

import pytest
from tests.cli.stand_ins import StandIns

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.cli.main import main
from chingoo.cli.parts import PolicySources

ROOT = Path(__file__).resolve().parents[2]


class OnDisk(StandIns):
    """Reads the shipped policies."""

    def policy_sources(self, root: Path) -> PolicySources:
        return PolicySources(read_policy_files(root), read_schemas(ROOT))


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(["persona", "simulate", *argv], OnDisk(), {"CHINGOO_POLICY_DIR": str(ROOT)})
    out, err = capsys.readouterr()
    return code, out, err


def test_for_reading(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "400", "--seed", "3")
    assert code == 0
    assert out.startswith("400 friends, 0 fallbacks, 0 over the cap that are none\n")
    assert all(f"PT{number:02}" in out for number in range(1, 25))
    assert "the fullest window of 24 h" in out
    assert run(capsys, "400", "--seed", "3")[1] == out


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    done = json.loads(run(capsys, "90", "--hours", "30", "--json")[1])
    assert sum(done["templates"].values()) == sum(done["keys"].values()) == done["given"] == 90
    assert sum(one["given"] for one in done["stretches"]) == 90
    assert done["over"] == 0


@pytest.mark.parametrize("argv", [("0",), ("5", "--hours", "0")])
def test_nothing_to_simulate(capsys: pytest.CaptureFixture[str], argv: tuple[str, ...]) -> None:
    code, _, err = run(capsys, *argv)
    assert (code, "at least one friend" in err) == (2, True)
