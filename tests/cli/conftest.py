"""An editor at a copy of the shipped policies, who says commands."""

import shutil
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
