"""Bundle files: what is read is what was written, whole, or nothing."""

import os
import zlib
from pathlib import Path

import pytest

from chingoo.adapters.policy_bundles import BundleFiles, pack, unpack
from chingoo.errors import UnavailableError
from chingoo.policy.bundle import bundle_files, digest_of

FILES = {"policies/topics.yaml": "words: [one, 하나]\n", "policies/replies/ko.yaml": "안녕 \U0001f600\n"}
DIGEST = digest_of(bundle_files(FILES))


@pytest.fixture
def shelf(tmp_path: Path) -> BundleFiles:
    return BundleFiles(tmp_path / "bundles", most=3)


def test_what_is_written_is_read(shelf: BundleFiles) -> None:
    assert shelf.read(DIGEST) is None
    shelf.write(DIGEST, pack(FILES))
    assert shelf.read(DIGEST) == FILES
    assert [path.name for path in shelf.folder.iterdir()] == [f"{DIGEST}.bundle"], "no draft is left"
    assert shelf.folder.stat().st_mode & 0o777 == 0o700


def test_the_order_of_files_does_not_matter() -> None:
    assert pack(FILES) == pack(dict(reversed(FILES.items())))


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"no bundle",
        pack(FILES)[:-9],
        pack({**FILES, "policies/topics.yaml": "words: [two]\n"}),
        zlib.compress(b'{"format": "chingoo-bundle/1", "files": {"a": 1}}'),
        zlib.compress(b'{"format": "chingoo-bundle/2", "files": {}}'),
        zlib.compress(b"\xff" * 1000),
        zlib.compress(b"[" * 100_000),
        zlib.compress(b" " * (65 * 1024 * 1024)),
    ],
    ids=["empty", "garbage", "cut off", "changed", "wrong types", "other format", "no text", "nested", "bomb"],
)
def test_what_is_not_that_bundle_is_nothing(shelf: BundleFiles, packed: bytes) -> None:
    assert unpack(packed, DIGEST) is None
    shelf.write(DIGEST, packed)
    assert shelf.read(DIGEST) is None


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "ABCDEF", DIGEST.upper(), DIGEST + "0"])
def test_only_digests_are_looked_for(shelf: BundleFiles, name: str) -> None:
    assert shelf.read(name) is None


def test_the_newest_files_are_kept(shelf: BundleFiles) -> None:
    digests = []
    for number in range(4):
        files = {"policies/topics.yaml": f"{number}\n"}
        digests.append(digest_of(bundle_files(files)))
        shelf.write(digests[-1], pack(files))
        if number < 3:
            os.utime(shelf.folder / f"{digests[-1]}.bundle", (number, number))
        if number == 2:
            assert shelf.read(digests[0]) is not None, "what is read is in use, and stays"
    assert [shelf.read(digest) is not None for digest in digests] == [True, False, True, True]


def test_what_was_seen_on_disk_is_remembered(shelf: BundleFiles) -> None:
    assert shelf.last_seen() is None
    shelf.note_seen(DIGEST)
    assert BundleFiles(shelf.folder).last_seen() == DIGEST
    (shelf.folder / "last-seen-on-disk").write_text("nonsense")
    assert shelf.last_seen() is None


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    shelf = BundleFiles(tmp_path / "file" / "bundles")
    with pytest.raises(UnavailableError, match="cannot be kept"):
        shelf.write(DIGEST, pack(FILES))
    assert shelf.read(DIGEST) is None
