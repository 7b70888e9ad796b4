"""Engine images: what the process that compiles has built of a policy set, in a file that the others read.

They are no more than a saving: where there is none, or none that fits, an engine is built as ever.
"""

import mmap
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import chingoo
from chingoo.adapters.policy_bundles import forget_older, write_whole

_SUFFIX: Final = ".engine"
_CODE: Final = ("*.py", "*.so")
_CHECK_BYTES: Final = 32


def release() -> bytes:
    """What an image depends on beside its policies: this code, its compiled parts included, and the interpreter."""
    root = Path(chingoo.__file__).parent
    told = sha256(f"{sys.version} {sys.platform} {sys.byteorder}".encode())
    for path in sorted(path for kind in _CODE for path in root.rglob(kind)):
        told.update(f"\n{path.relative_to(root)}\n".encode())
        told.update(sha256(path.read_bytes()).digest())
    return told.digest()


class EngineImages:
    """The engine images of one data folder, shared by its processes. Writing is whole or not at all."""

    def __init__(self, folder: Path, most: int = 3) -> None:
        """`most` images are kept, those written last: each has some tens of megabytes."""
        self._folder, self._most, self._release = folder, most, release()

    def read(self, digest: str) -> memoryview | None:
        """The image for a bundle, or None if there is no sound one of this release. Takes no lock of the interpreter
        but for an instant."""
        with suppress(OSError, ValueError), self._path(digest).open("rb") as file:
            view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            if view[:_CHECK_BYTES] == self._check(digest, view[_CHECK_BYTES:]):
                return view[_CHECK_BYTES:]
        return None

    def write(self, digest: str, image: bytes) -> None:
        """Keep an image. UnavailableError: the folder cannot be written."""
        write_whole(self._path(digest), self._check(digest, image) + image, lasting=False)
        # drafts count too: those that were ended while they wrote have left some
        forget_older(self._folder.glob(f"*{_SUFFIX}*"), self._most)

    def _path(self, digest: str) -> Path:
        return self._folder / f"{digest}{_SUFFIX}"

    def _check(self, digest: str, image: bytes | memoryview) -> bytes:
        """What stands before an image: its sum, together with the release and the bundle it is for."""
        check = sha256(self._release + digest.encode())
        check.update(image)
        return check.digest()
