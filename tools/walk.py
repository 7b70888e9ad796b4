"""Writes the walk-through of README.md from what the service really answers, and the table of settings.

`python tools/walk.py` starts a service on a fresh data folder, runs every command of the walk, and puts the output into
README.md; tests/e2e/test_readme.py runs the same commands from README.md and compares.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from chingoo.settings.table import markdown_table

ROOT = Path(__file__).resolve().parent.parent
PORT = 8000
FOLDER = ".chingoo"


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence, a command, and which fields of the answer are shown; the others vary from run to run."""

    words: str
    command: str
    shown: tuple[str, ...]


KEY = f"""KEY=$(sed -n 's/^app://p' {FOLDER}/api-keys)
EDITOR_KEY=$(sed -n 's/^editor://p' {FOLDER}/api-keys)
BASE=http://127.0.0.1:{PORT}
call() {{ curl -s -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }}"""

USER = "7d1f0c56-3f5e-4a63-9b0a-1f6f3a7c0001"
FRIEND = "7d1f0c56-3f5e-4a63-9b0a-1f6f3a7c0002"
MESSAGE = "7d1f0c56-3f5e-4a63-9b0a-1f6f3a7c0003"

STEPS = (
    Step(
        "A person signs up, and answers the questions without which nobody chats:",
        f"""call $BASE/v1/users -d '{{"user_id": "{USER}"}}'""",
        ("user_id", "user_state"),
    ),
    Step(
        "",
        f"""call -X PATCH $BASE/v1/users/{USER}/onboarding -d '{{
  "preferred_name": "Mina", "age_band": "25-34", "country_or_region": "GB",
  "occupation_category": "working", "client_timezone": "Europe/London"}}'""",
        ("user_state", "missing"),
    ),
    Step(
        "A friend is drawn from the 24 templates; its style is frozen from here on:",
        f"""call $BASE/v1/users/{USER}/friends -d '{{
  "ai_friend_id": "{FRIEND}", "name": "Nabi", "persona_seed": 24}}'""",
        ("ai_friend_id", "persona_template_id", "stable_style_params", "combo_key"),
    ),
    Step(
        "The first message activates the person, and the friend answers. A conversation's id comes with the friend:",
        f"""CONVERSATION=$(call $BASE/v1/users/{USER}/friends/{FRIEND} |
  sed 's/.*"conversation_id":"\\([^"]*\\)".*/\\1/')
call $BASE/v1/turns -d '{{
  "message_id": "{MESSAGE}", "user_id": "{USER}",
  "ai_friend_id": "{FRIEND}", "conversation_id": "'$CONVERSATION'",
  "text": "hello, I had a long day at the harbour"}}'""",
        ("user_state", "routing", "reply", "notices", "relationship"),
    ),
    Step(
        "The same message again gets the same answer, and nothing happens twice:",
        f"""call $BASE/v1/turns -d '{{
  "message_id": "{MESSAGE}", "user_id": "{USER}",
  "ai_friend_id": "{FRIEND}", "conversation_id": "'$CONVERSATION'",
  "text": "hello, I had a long day at the harbour"}}'""",
        ("replayed", "reply"),
    ),
    Step(
        "What would a message be decided to be, and why? No storage, no model:",
        """call $BASE/v1/evaluate -d '{"text": "I want to end my life", "country": "GB", "explain": true}'""",
        ("routing", "reply", "trace"),
    ),
    Step(
        "Every turn has left a decision record, without a word of what was said:",
        f"""curl -s -H "Authorization: Bearer $EDITOR_KEY" "$BASE/v1/decisions?user_id={USER}&limit=1" """.strip(),
        ("items",),
    ),
)

HIDDEN = (
    "message_id",
    "decision_id",
    "trace_id",
    "timings_ms",
    "received_at",
    "digest",
    "facts_record",
    "spans",
    "line",
)
"""Fields that differ from run to run or from release to release, and are left out of what is printed."""


def shortened(answer: object, shown: tuple[str, ...]) -> object:
    """The fields that the walk prints."""
    if isinstance(answer, dict):
        return {name: _without(value) for name, value in answer.items() if name in shown}
    return answer


def _without(value: object) -> object:
    if isinstance(value, dict):
        return {name: _without(inner) for name, inner in value.items() if name not in HIDDEN}
    if isinstance(value, list):
        return [_without(inner) for inner in value]
    return value


def run_walk(folder: Path) -> list[object]:
    """The answers of all commands, run one after the other in one shell whose working directory is `folder`."""
    script = KEY + "\n" + "\n".join(f"{step.command}\nprintf '\\n--next--\\n'" for step in STEPS)
    ran = subprocess.run(["bash", "-eu", "-c", script], cwd=folder, check=True, capture_output=True, text=True)
    return [json.loads(part) for part in ran.stdout.split("--next--\n") if part.strip()]


def walk_text(answers: list[object]) -> str:
    """The walk as README.md holds it."""
    parts = [f"```sh\n{KEY}\n```\n"]
    for step, answer in zip(STEPS, answers, strict=True):
        printed = json.dumps(shortened(answer, step.shown), ensure_ascii=False, indent=1)
        words = f"{step.words}\n\n" if step.words else ""
        parts.append(f"{words}```sh\n{step.command}\n```\n```json\n{printed}\n```\n")
    return "\n".join(parts)


def between(text: str, name: str, inner: str) -> str:
    """README.md with what stands between two markers replaced."""
    pattern = re.compile(rf"(<!-- {name}:begin -->\n).*?(<!-- {name}:end -->)", re.DOTALL)
    return pattern.sub(lambda match: f"{match[1]}{inner}\n{match[2]}", text)


def main() -> int:
    """Write README.md's generated parts."""
    readme = ROOT / "README.md"
    with tempfile.TemporaryDirectory() as folder:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("CHINGOO_")}
        env = {**clean, "CHINGOO_PORT": str(PORT), "CHINGOO_POLICY_DIR": str(ROOT)}
        service = subprocess.Popen([sys.executable, "-m", "chingoo", "serve"], cwd=folder, env=env)
        try:
            _wait()
            answers = run_walk(Path(folder))
        finally:
            service.send_signal(signal.SIGTERM)
            service.wait(60)
    text = between(readme.read_text("utf-8"), "walk", walk_text(answers))
    readme.write_text(between(text, "settings", markdown_table()), "utf-8")
    return 0


def _wait() -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/readyz", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise SystemExit("walk: the service did not become ready")


if __name__ == "__main__":
    sys.exit(main())
