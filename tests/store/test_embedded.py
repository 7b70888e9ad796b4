"""The embedded server: shared by processes, stopped by the last, and started again after whatever was killed."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest
from tests.store.conftest import answers, private_folder, servers

from chingoo.adapters.postgres.embedded import EmbeddedPostgres

OWNER = """
import signal, sys
from pathlib import Path
from chingoo.adapters.postgres.embedded import EmbeddedPostgres
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs tests in the background has it ignored
with EmbeddedPostgres.attach(Path(sys.argv[1])) as server:
    print(server.pid, flush=True)
    sys.stdin.read()
"""


@contextmanager
def owner(data: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Another process that holds a share, and the server's pid as it sees it; leaves in order in the end."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process, int(process.stdout.readline())
    finally:
        if process.poll() is None:
            process.communicate("", timeout=30)


def count(server: EmbeddedPostgres) -> int:
    """How many rows the test's table holds."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        row = connection.execute("select count(*) from kept").fetchone()
    assert row is not None
    return int(row[0])


def write(server: EmbeddedPostgres) -> None:
    """A row that must survive."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("create table if not exists kept (n int)")
        connection.execute("insert into kept values (1)")


def test_a_second_start_is_quick_and_finds_the_data(data: Path) -> None:
    with EmbeddedPostgres.attach(data) as server:
        write(server)
    assert servers(data) == []
    began = time.monotonic()
    with EmbeddedPostgres.attach(data) as server:
        assert time.monotonic() - began < 1
        assert count(server) == 1


def test_processes_share_one_server_and_the_last_stops_it(data: Path) -> None:
    first = EmbeddedPostgres.attach(data)
    with owner(data) as (_, seen), EmbeddedPostgres.attach(data) as third:
        assert first.pid == third.pid == seen
        first.detach()
        first.detach()
        assert [process.pid for process in servers(data)] == [seen]
    assert servers(data) == []


def test_many_processes_may_start_at_once() -> None:
    """On a folder that holds nothing yet."""
    with private_folder() as data:
        starts = [
            subprocess.Popen(
                [sys.executable, "-c", OWNER, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            for _ in range(3)
        ]
        seen = {process.stdout.readline() for process in starts if process.stdout}
        for process in starts:
            process.communicate("", timeout=30)
        assert len(seen) == 1
        assert [process.returncode for process in starts] == [0, 0, 0]
        assert servers(data) == []


def test_a_killed_server_is_started_again(data: Path) -> None:
    """kill -9 of the postmaster, its children still going: the next start waits for them, and recovers."""
    with EmbeddedPostgres.attach(data) as server:
        write(server)
        [killed] = servers(data)
        killed.kill()
        psutil.wait_procs([killed], 10)
        server.ensure()
        assert server.pid != killed.pid
        assert count(server) == 1
        with EmbeddedPostgres.attach(data) as other:
            assert other.pid == server.pid
    assert servers(data) == []


async def test_a_running_service_keeps_its_server_alive(data: Path) -> None:
    server = await asyncio.to_thread(EmbeddedPostgres.attach, data)
    watch = asyncio.create_task(server.keep_alive(interval_s=0.02))
    [killed] = servers(data)
    killed.kill()
    for _ in range(500):
        await asyncio.sleep(0.02)
        if server.pid != killed.pid:
            break
    watch.cancel()
    assert [process.pid for process in servers(data)] == [server.pid]
    await asyncio.to_thread(server.detach)
    assert servers(data) == []


def test_a_killed_owner_leaves_the_server_to_the_next(data: Path) -> None:
    """And leaves nothing that would keep the next from stopping it."""
    with owner(data) as (process, seen):
        process.kill()
        process.wait(10)
        assert [server.pid for server in servers(data)] == [seen]
    with EmbeddedPostgres.attach(data) as server:
        assert server.pid == seen
        answers(server)
    assert servers(data) == []


def test_both_killed(data: Path) -> None:
    with owner(data) as (process, _):
        process.kill()
        process.wait(10)
        for server in servers(data):
            server.kill()
    with EmbeddedPostgres.attach(data) as server:
        answers(server)
    assert servers(data) == []


LEFT = {
    "of a dead process": lambda: "4194000\n",
    "of a process that is no server": lambda: f"{os.getpid()}\n/elsewhere\n1\n5432\n\n\n\nready\n",
    "of init": lambda: "1\n",
    "empty": lambda: "",
    "cut off": lambda: "12",
    "of another kind": lambda: "not a pid\n\0\xff",
}


@pytest.mark.parametrize("left", LEFT)
def test_a_stale_pid_file_is_seen_through(data: Path, left: str) -> None:
    for name in ("data/postmaster.pid", ".s.PGSQL.5432.lock"):
        (data / "postgres" / name).write_text(LEFT[left](), encoding="latin-1")
    with EmbeddedPostgres.attach(data) as server:
        answers(server)
    assert servers(data) == []


def test_the_wheels_own_list_of_owners_means_nothing(data: Path) -> None:
    """`.handle_pids.json` of dead processes would keep the wheel's own code from ever stopping the server."""
    (data / "postgres" / "data" / ".handle_pids.json").write_text("[4194000, 4194001]")
    with EmbeddedPostgres.attach(data):
        pass
    assert servers(data) == []


def test_a_long_recovery_is_waited_for(data: Path) -> None:
    """A stopped process stands for a server that is still busy with its log."""
    with EmbeddedPostgres.attach(data) as server:
        write(server)
        for process in servers(data):
            process.kill()
        said: list[str] = []
        stopper = subprocess.Popen(
            [sys.executable, "-c", STOP_FOR_A_WHILE, str(data.resolve() / "postgres" / "data")], text=True
        )
        with EmbeddedPostgres.attach(data, progress=said.append) as other:
            assert count(other) == 1
        stopper.wait(20)
        assert any("waiting for PostgreSQL" in line for line in said)


STOP_FOR_A_WHILE = """
import sys, time, psutil
until = time.monotonic() + 10
while time.monotonic() < until:
    for process in psutil.process_iter(["name", "cmdline"]):
        if process.info["name"] == "postgres" and sys.argv[1] in (process.info["cmdline"] or ()):
            process.suspend(); time.sleep(2.5); process.resume(); sys.exit()
    time.sleep(0.0005)
"""


def test_ctrl_c_in_the_terminal_does_not_reach_the_server(data: Path) -> None:
    with owner(data) as (process, seen):
        process.send_signal(signal.SIGINT)
        process.wait(20)
    time.sleep(0.2)
    assert seen not in [server.pid for server in servers(data)]
