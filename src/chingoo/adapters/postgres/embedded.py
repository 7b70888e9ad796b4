"""Start the embedded PostgreSQL of a data folder or attach to it, and stop it with the last process that uses it."""

import asyncio
import atexit
import contextlib
import fcntl
import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import psutil

from chingoo.adapters.postgres.cluster import Cluster, Progress
from chingoo.adapters.postgres.folders import explained, lay_out
from chingoo.errors import DataFolderError

DATABASE = "chingoo"

_LOCK_POLL_S = 0.02
_log = logging.getLogger(__name__)


def _silent(_: str) -> None:
    """Say nothing."""


class EmbeddedPostgres:
    """A share in the embedded server of one data folder.

    Any number of processes may hold one: starting and stopping happen under a file lock, and each holder keeps a
    shared lock that the kernel drops with the process, however it ends. So nothing can be left behind that counts
    wrongly: the holder who can turn its share into the only lock is the last, and stops the server. A holder that is
    killed stops nothing; the server runs on, and the next one attaches to it.
    """

    def __init__(self, cluster: Cluster, owners_lock: Path, start_lock: Path, patience_s: float) -> None:
        """Use `attach`."""
        self._cluster, self._owners_lock, self._start_lock = cluster, owners_lock, start_lock
        self._patience_s = patience_s
        self._share: int | None = None
        self._server: psutil.Process | None = None

    @classmethod
    def attach(cls, data_dir: Path, *, progress: Progress = _silent, patience_s: float = 300.0) -> Self:
        """Make what is missing, start or find the server, and return once it takes connections.

        `progress` is told of everything that may take longer than a second; `patience_s` bounds crash recovery and
        the wait for another process that is starting the server. DataFolderError or SettingsError names the remedy.
        """
        layout = lay_out(data_dir)
        for path in layout.loosened:
            progress(f"opened {path} to others (o+x): as root, PostgreSQL runs as another user and must get there")
        self = cls(Cluster(layout, progress), layout.owners_lock, layout.start_lock, patience_s)
        with self._starting():
            self._share = _lock(layout.owners_lock, fcntl.LOCK_SH)
            try:
                self._ensure()
            except BaseException:
                self._drop_share()
                raise
        atexit.register(self.detach)
        return self

    @property
    def url(self) -> str:
        """The connection string of the database."""
        return self._cluster.url(DATABASE)

    @property
    def pid(self) -> int | None:
        """The server's process id, as last seen."""
        return self._server.pid if self._server is not None else None

    def ensure(self) -> None:
        """Start the server again if it is gone. Costs a few microseconds while it lives."""
        if self._share is None or self._alive():
            return
        with self._starting():
            self._ensure()

    async def keep_alive(self, interval_s: float = 1.0) -> None:
        """Start the server again whenever it dies, until cancelled; what is in the way is logged and tried again."""
        while True:
            await asyncio.sleep(interval_s)
            if not self._alive():
                try:
                    await asyncio.to_thread(self.ensure)
                except DataFolderError as error:
                    _log.error("the embedded PostgreSQL died and does not start again: %s", error.detail)

    def detach(self) -> None:
        """Give the share back; the last one stops the server. A second call does nothing."""
        if self._share is None:
            return
        atexit.unregister(self.detach)
        with self._starting():
            self._drop_share()
            alone = _lock(self._owners_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if alone is not None:
                self._cluster.stop()
                os.close(alone)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.detach()

    def _alive(self) -> bool:
        server = self._server
        if server is None:
            return False
        try:
            return server.is_running() and server.status() != psutil.STATUS_ZOMBIE
        except psutil.Error:
            return False

    def _ensure(self) -> None:
        self._cluster.initialise()
        server = self._cluster.server() or self._cluster.start()
        self._cluster.await_ready(DATABASE, self._patience_s)
        self._server = server

    @contextlib.contextmanager
    def _starting(self) -> Iterator[None]:
        """Hold the lock under which the server is started and stopped."""
        until = time.monotonic() + self._patience_s
        while (held := _lock(self._start_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)) is None:
            if time.monotonic() > until:
                raise DataFolderError(f"another process holds {self._start_lock} and does not finish; end it")
            time.sleep(_LOCK_POLL_S)
        try:
            yield
        finally:
            os.close(held)

    def _drop_share(self) -> None:
        if self._share is not None:
            fcntl.flock(self._share, fcntl.LOCK_UN)  # a forked child still has the descriptor, and no share
            os.close(self._share)
            self._share = None


def _lock(path: Path, operation: int) -> int | None:
    """A file descriptor that holds the lock, or None if somebody else does. Programs we start do not inherit it."""
    with explained(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, operation)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError as error:
        os.close(descriptor)
        raise DataFolderError(f"{path} cannot be locked: {error.strerror}; name a folder on a local disk") from None
    return descriptor
