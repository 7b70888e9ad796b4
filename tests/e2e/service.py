"""A service under test as its users run it: `chingoo serve` in a process of its own, over real HTTP; or its worker."""

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx

KEYS = {"app": "app-key-of-the-tests", "editor": "editor-key-of-the-tests", "operator": "operator-key-of-the-tests"}

API_KEYS = ",".join(f"{role}:{key}" for role, key in KEYS.items())


def free_port() -> int:
    """A port nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@dataclass
class Service:
    """Starts, kills and restarts one process on the same data folder and port: `serve`, or `worker`, which has none."""

    data_dir: Path
    env: dict[str, str] = field(default_factory=dict)
    keys_in_env: bool = True
    command: str = "serve"
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None
    log_from: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.data_dir.parent / f"{self.data_dir.name}-{self.port}.log"

    def start(self, wait_s: float = 120) -> "Service":
        with self.log.open("ab") as log:
            self.log_from = log.tell()
            argv = [sys.executable, "-m", "chingoo", self.command]
            self.process = subprocess.Popen(argv, env=self._environment(), stdout=log, stderr=log)
        self.wait_ready(wait_s)
        return self

    def run(self, *argv: str) -> str:
        """What a command prints that is given beside the running service."""
        command = [sys.executable, "-m", "chingoo", *argv]
        done = subprocess.run(command, env=self._environment(), capture_output=True, text=True, check=True, timeout=120)
        return done.stdout

    def _environment(self) -> dict[str, str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("CHINGOO_")}
        return {
            **clean,
            "CHINGOO_PORT": str(self.port),
            "CHINGOO_DATA_DIR": str(self.data_dir),
            **({"CHINGOO_API_KEYS": API_KEYS} if self.keys_in_env else {}),
            "CHINGOO_RATE_LIMIT": "off",
            **self.env,
        }

    def wait_ready(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.process is not None
            if self.process.poll() is not None:
                raise AssertionError(f"the service ended with {self.process.returncode}:\n{self.log.read_text()}")
            if self._is_ready():
                return
            time.sleep(0.05)
        raise AssertionError(f"not ready after {seconds} s:\n{self.log.read_text()}")

    def _is_ready(self) -> bool:
        if self.command != "serve":
            return b"is ready" in self.log.read_bytes()[self.log_from :]
        try:
            return httpx.get(self.url + "/readyz", timeout=2).status_code == 200
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        """kill -9, as a machine that goes away would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """SIGTERM, and wait for an orderly end."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)

    def client(self, role: str = "app", timeout: float = 30) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers={"authorization": f"Bearer {KEYS[role]}"}, timeout=timeout)


ANSWERS = {
    "preferred_name": "Sam",
    "age_band": "25-34",
    "country_or_region": "US",
    "occupation_category": "working",
    "client_timezone": "UTC",
}


def make_friend(client: httpx.Client, seed: int = 7, **answers: object) -> dict[str, str]:
    """A new user with a friend: {user_id, ai_friend_id, conversation_id}."""
    user = client.post("/v1/users", json={}).raise_for_status().json()["user_id"]
    client.patch(f"/v1/users/{user}/onboarding", json={**ANSWERS, **answers}).raise_for_status()
    friend = client.post(f"/v1/users/{user}/friends", json={"persona_seed": seed}).raise_for_status().json()
    return {"user_id": user, "ai_friend_id": friend["ai_friend_id"], "conversation_id": friend["conversation_id"]}
