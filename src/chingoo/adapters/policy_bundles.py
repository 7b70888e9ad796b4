"""Bundle files: the texts of a policy set, compressed, in a file named by the digest of what it holds."""

import os
import secrets
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from chingoo.errors import UnavailableError
from chingoo.policy.bundle import bundle_files, digest_of

FORMAT: Final = "chingoo-bundle/1"
_SUFFIX: Final = ".bundle"
_LAST_SEEN: Final = "last-seen-on-disk"
_MOST_BYTES: Final = 64 * 1024 * 1024
_OWNER_ONLY: Final = 0o700
_DIGEST_CHARS: Final = frozenset("0123456789abcdef")


class _Packed(msgspec.Struct, forbid_unknown_fields=True):
    """What a bundle file holds, as compressed JSON: texts alone, so that reading one runs nothing."""

    format: str
    files: dict[str, str]


def pack(files: Mapping[str, str]) -> bytes:
    """The bytes of a bundle file. The texts must be sound Unicode, as those of a set that compiles are."""
    return zlib.compress(msgspec.json.encode(_Packed(FORMAT, dict(sorted(files.items())))))


def unpack(packed: bytes, digest: str) -> dict[str, str] | None:
    """The texts, or None if these are not the bytes of that bundle: cut off, changed, of another format, too large."""
    reader = zlib.decompressobj()
    try:
        plain = reader.decompress(packed, _MOST_BYTES)
        found = msgspec.json.decode(plain, type=_Packed)
    except (zlib.error, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    if not reader.eof or found.format != FORMAT or digest_of(bundle_files(found.files)) != digest:
        return None
    return found.files


class BundleFiles:
    """The bundle files of one data folder, shared by its processes. Writing is whole or not at all."""

    def __init__(self, folder: Path, most: int = 20) -> None:
        """`most` files are kept, those read or written last; the database has all."""
        self.folder, self._most = folder, most

    def read(self, digest: str) -> dict[str, str] | None:
        """The texts of a bundle, or None if there is no sound file of it."""
        if not _is_digest(digest):
            return None
        path = self._path(digest)
        try:
            packed = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return unpack(packed, digest)

    def write(self, digest: str, packed: bytes) -> None:
        """Keep a bundle. UnavailableError: the folder cannot be written."""
        write_whole(self._path(digest), packed)
        forget_older(self.folder.glob(f"*{_SUFFIX}"), self._most)

    def last_seen(self) -> str | None:
        """The digest of what a process of this data folder last found in the policy folder, or None."""
        try:
            digest = (self.folder / _LAST_SEEN).read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return None
        return digest if _is_digest(digest) else None

    def note_seen(self, digest: str) -> None:
        """Note what was found in the policy folder. UnavailableError: the folder cannot be written."""
        if self.last_seen() != digest:
            write_whole(self.folder / _LAST_SEEN, f"{digest}\n".encode())

    def _path(self, digest: str) -> Path:
        return self.folder / f"{digest}{_SUFFIX}"


def write_whole(path: Path, content: bytes, *, lasting: bool = True) -> None:
    """Write a file, whole or not at all. UnavailableError: the folder cannot be written.

    What need not be `lasting` may be broken after the machine has lost its power, and nothing waits for the disk.
    """
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        with draft.open("xb") as file:
            file.write(content)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise UnavailableError(
            f"bundles cannot be kept in {path.parent} ({error.strerror}); free space or permissions there"
        ) from error


def forget_older(paths: Iterable[Path], most: int) -> None:
    """Remove files beyond the newest; another process may be doing the same."""
    aged = sorted(((_age(path), path) for path in paths), reverse=True)
    for _, path in aged[most:]:
        path.unlink(missing_ok=True)


def _is_digest(text: Any) -> bool:
    return len(text) == 64 and set(text) <= _DIGEST_CHARS


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
