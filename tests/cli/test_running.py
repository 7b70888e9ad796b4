"""`chingoo serve` and `chingoo worker` as processes: what they print, and how they end."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from tests.web.asking import turn

ROOT = Path(__file__).resolve().parents[2]
KEYS = "app:app-key,editor:editor-key,operator:operator-key"


class Process:
    """A command on stand-ins."""

    def __init__(self, command: str, folder: Path, **environ: str) -> None:
        plain = {name: value for name, value in os.environ.items() if not name.startswith("CHINGOO_")}
        named = {"CHINGOO_DATA_DIR": str(folder), "CHINGOO_PORT": "0", "CHINGOO_POLICY_DIR": str(folder)}
        (folder / "policies").mkdir(exist_ok=True)
        self.child = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.stand_ins", *command.split()],
            cwd=ROOT,
            env=plain | named | environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.address = ""

    def ready(self) -> "Process":
        """Wait for the line with the address."""
        assert self.child.stdout is not None
        self.line = self.child.stdout.readline()
        self.address = self.line.rpartition(" ")[2].strip()
        return self

    def hears(self, line: str) -> None:
        """Wait for a line on standard error."""
        assert self.child.stderr is not None
        assert any(line in said for said in self.child.stderr), f"it ended without {line!r}"

    def end(self, number: int | None = signal.SIGTERM, within_s: float = 15) -> tuple[int, str, str]:
        """Signal it, and wait: exit code, the rest of standard output, standard error."""
        if number is not None:
            self.child.send_signal(number)
        out, err = self.child.communicate(timeout=within_s)
        return self.child.returncode, out, err


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Starts processes, and ends those that a test leaves."""
    started: list[Process] = []

    def make(command: str = "serve", **environ: str) -> Process:
        started.append(Process(command, tmp_path, **environ))
        return started[-1]

    yield make
    for process in started:
        if process.child.poll() is None:
            process.child.kill()
            process.child.communicate()


def test_one_line_once_it_is_ready(start: Callable[..., Process], tmp_path: Path) -> None:
    process = start().ready()
    assert process.line.startswith("Chingoo is ready at http://127.0.0.1:")
    assert httpx.get(process.address + "/readyz").status_code == 200
    code, out, err = process.end()
    assert (code, out) == (0, "")
    assert f"the API keys were made and are in {tmp_path / 'api-keys'}" in err
    assert err.index("diary: worker ended") < err.index("diary: closed")
    assert "Traceback" not in err


def test_the_keys_it_made_open_it(start: Callable[..., Process], tmp_path: Path) -> None:
    process = start().ready()
    keys = dict(line.split(":", 1) for line in (tmp_path / "api-keys").read_text().split())
    headers = {"authorization": f"Bearer {keys['app']}"}
    assert httpx.post(process.address + "/v1/evaluate", json={"text": "hi"}, headers=headers).status_code == 200
    assert keys["app"] not in process.end()[2]


def test_a_turn_in_flight_is_finished_first(start: Callable[..., Process]) -> None:
    process = start(CHINGOO_API_KEYS=KEYS, SLOW_TURN_S="1").ready()
    answers: list[httpx.Response] = []

    def ask() -> None:
        headers = {"authorization": "Bearer app-key"}
        answers.append(httpx.post(process.address + "/v1/turns", json=turn(), headers=headers, timeout=10))

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(0.4)
    code, _, err = process.end()
    asking.join()
    assert code == 0
    assert [answer.status_code for answer in answers] == [200]
    assert err.index("diary: turn answered") < err.index("diary: closed")


def test_a_second_signal_does_not_wait(start: Callable[..., Process]) -> None:
    process = start(CHINGOO_API_KEYS=KEYS, SLOW_TURN_S="30").ready()
    headers = {"authorization": "Bearer app-key"}

    answered: list[int] = []

    def ask() -> None:
        with suppress(httpx.HTTPError):
            response = httpx.post(process.address + "/v1/turns", json=turn(), headers=headers, timeout=20)
            answered.append(response.status_code)

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(0.4)
    process.child.send_signal(signal.SIGINT)
    time.sleep(0.3)
    code, _, err = process.end(signal.SIGINT, within_s=8)
    asking.join()
    assert code == 0
    assert "diary: closed" in err
    assert answered in ([], [500])


def test_told_to_stop_while_it_starts(start: Callable[..., Process]) -> None:
    process = start(SLOW_START_S="30")
    process.hears("diary: building")
    code, out, err = process.end(within_s=5)
    assert (code, out) == (0, "")
    assert "Traceback" not in err


def test_a_slow_start_shows_what_takes_so_long(start: Callable[..., Process]) -> None:
    process = start(SLOW_START_S="1.3").ready()
    err = process.end()[2]
    assert "chingoo: starting the database …" in err
    assert "chingoo: starting the database: 1." in err


def test_a_quick_start_shows_nothing(start: Callable[..., Process]) -> None:
    assert "…" not in start().ready().end()[2]


def test_a_busy_port_is_said_before_anything_is_started(start: Callable[..., Process]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = start(CHINGOO_PORT=str(port)).end(None)
    assert (code, out) == (2, "")
    assert err.strip().splitlines()[-1] == (
        f"chingoo: CHINGOO_PORT: port {port} on 127.0.0.1 is in use; stop what uses it, or choose another port"
    )


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"CHINGOO_HOST": "203.0.113.7", "CHINGOO_API_KEYS": KEYS}, "is no address of this machine"),
        ({"CHINGOO_HOST": "no-such-host.invalid", "CHINGOO_API_KEYS": KEYS}, "CHINGOO_HOST"),
        ({"CHINGOO_HOST": "0.0.0.0"}, "CHINGOO_API_KEYS"),
        ({"CHINGOO_PORT": "x", "CHINGOO_WORKER": "x"}, "2 settings are wrong"),
        ({"FAILS": "1"}, "CHINGOO_DATABASE_URL"),
    ],
)
def test_what_cannot_be_done_is_one_message(start: Callable[..., Process], environ: dict[str, str], said: str) -> None:
    code, out, err = start(**environ).end(None)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_a_typo_is_warned_of(start: Callable[..., Process]) -> None:
    err = start(CHINGOO_PROT="9").ready().end()[2]
    assert "chingoo: warning: CHINGOO_PROT is no setting" in err


def test_a_worker_that_ends_by_itself_ends_the_server(start: Callable[..., Process]) -> None:
    process = start(WORKER_ENDS="1")
    code, _, err = process.end(None)
    assert code == 2
    assert "the worker ended by itself" in err
    assert "diary: closed" in err


def test_without_the_worker(start: Callable[..., Process]) -> None:
    assert "diary: worker" not in start(CHINGOO_WORKER="off").ready().end()[2]


def test_the_worker_alone(start: Callable[..., Process]) -> None:
    process = start("worker").ready()
    assert process.line == "Chingoo's worker is ready\n"
    code, _, err = process.end()
    assert code == 0
    assert err.index("diary: worker ended") < err.index("diary: closed")


def test_logs_are_json_lines(start: Callable[..., Process]) -> None:
    process = start(CHINGOO_API_KEYS=KEYS).ready()
    httpx.get(process.address + "/healthz")
    err = process.end()[2]
    line = next(line for line in err.splitlines() if line.startswith("{"))
    assert '"event":"request"' in line
    assert '"route":"/healthz"' in line
    assert '"level":"info"' in line


def test_a_real_server_takes_chunked_bodies_up_to_the_limit(start: Callable[..., Process]) -> None:
    process = start(CHINGOO_API_KEYS=KEYS).ready()
    headers = {"authorization": "Bearer app-key", "content-type": "application/json"}

    def chunks(size: int) -> Iterator[bytes]:
        yield b'{"text": "'
        for _ in range(size // 1000):
            yield b"a" * 1000
        yield b'"}'

    with httpx.Client(base_url=process.address, headers=headers) as client:
        assert client.post("/v1/evaluate", content=chunks(3000)).status_code == 200
        assert client.post("/v1/evaluate", content=chunks(300_000)).status_code == 413
        assert client.post("/v1/evaluate", content=chunks(3000)).status_code == 200
        assert client.post("/v1/turns", content=b"x" * 70_000).status_code == 413
