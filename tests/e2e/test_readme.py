"""The walk-through of README.md works as printed, for somebody who copies it line by line."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.service import Service

ROOT = Path(__file__).resolve().parents[2]
VARYING = "message_id decision_id trace_id timings_ms received_at digest facts_record spans line"
HIDDEN = frozenset(VARYING.split())

pytestmark = pytest.mark.xdist_group("service")


def blocks() -> list[tuple[str, str]]:
    """(language, text) of the walk's code blocks."""
    text = (ROOT / "README.md").read_text("utf-8")
    walk = re.search(r"<!-- walk:begin -->(.*?)<!-- walk:end -->", text, re.DOTALL)
    assert walk is not None
    return re.findall(r"```(sh|json)\n(.*?)\n```", walk[1], re.DOTALL)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path / ".chingoo", keys_in_env=False).start()
    yield service
    service.stop()


def lasting(value: object) -> object:
    """A value without what differs from run to run."""
    if isinstance(value, dict):
        return {name: lasting(inner) for name, inner in value.items() if name not in HIDDEN}
    if isinstance(value, list):
        return [lasting(inner) for inner in value]
    return value


def printed(answer: object, shown: object) -> object:
    """What of an answer the walk prints."""
    if isinstance(answer, dict) and isinstance(shown, dict):
        return {name: lasting(answer[name]) for name in shown}
    return lasting(answer)


def test_the_walk_prints_what_it_says(service: Service, tmp_path: Path) -> None:
    found = blocks()
    commands = [text for language, text in found if language == "sh"]
    shown = [json.loads(text) for language, text in found if language == "json"]
    script = "\n".join(f"{command}\nprintf '\\n--next--\\n'" for command in commands)
    script = script.replace("127.0.0.1:8000", f"127.0.0.1:{service.port}")
    ran = subprocess.run(["bash", "-eu", "-c", script], cwd=tmp_path, check=True, capture_output=True, text=True)
    answers = [json.loads(part) for part in ran.stdout.split("--next--\n") if part.strip()]
    assert len(answers) == len(shown)
    for answer, wanted in zip(answers, shown, strict=True):
        assert printed(answer, wanted) == wanted
