"""Engine images: what is read is what this release wrote for that bundle, whole, or nothing."""

from pathlib import Path

import pytest

from chingoo.adapters import engine_images
from chingoo.adapters.engine_images import EngineImages
from chingoo.errors import UnavailableError

DIGEST, OTHER = "a" * 64, "b" * 64
IMAGE = b"what was built" * 1000


@pytest.fixture
def images(tmp_path: Path) -> EngineImages:
    return EngineImages(tmp_path / "bundles", most=2)


def path_of(tmp_path: Path, digest: str = DIGEST) -> Path:
    return tmp_path / "bundles" / f"{digest}.engine"


def test_what_is_written_is_read(images: EngineImages, tmp_path: Path) -> None:
    assert images.read(DIGEST) is None
    images.write(DIGEST, IMAGE)
    assert images.read(DIGEST) == IMAGE
    assert images.read(OTHER) is None
    assert [path.name for path in (tmp_path / "bundles").iterdir()] == [f"{DIGEST}.engine"], "no draft is left"


def test_what_is_read_stays_when_the_file_goes(images: EngineImages, tmp_path: Path) -> None:
    images.write(DIGEST, IMAGE)
    image = images.read(DIGEST)
    path_of(tmp_path).unlink()
    assert image == IMAGE


@pytest.mark.parametrize("place", [0, 40, -1])
def test_a_changed_image_is_none(images: EngineImages, tmp_path: Path, place: int) -> None:
    images.write(DIGEST, IMAGE)
    content = bytearray(path_of(tmp_path).read_bytes())
    content[place] ^= 1
    path_of(tmp_path).write_bytes(content)
    assert images.read(DIGEST) is None


@pytest.mark.parametrize("size", [0, 10, 32, 1000])
def test_a_part_of_an_image_is_none(images: EngineImages, tmp_path: Path, size: int) -> None:
    images.write(DIGEST, IMAGE)
    path_of(tmp_path).write_bytes(path_of(tmp_path).read_bytes()[:size])
    assert images.read(DIGEST) is None


def test_an_image_of_another_bundle_or_release_is_none(
    images: EngineImages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    images.write(DIGEST, IMAGE)
    path_of(tmp_path).rename(path_of(tmp_path, OTHER))
    assert images.read(OTHER) is None
    images.write(DIGEST, IMAGE)
    monkeypatch.setattr(engine_images, "release", lambda: b"another one")
    assert EngineImages(tmp_path / "bundles").read(DIGEST) is None


def test_a_release_is_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "one.py").write_text("one = 1\n", "utf-8")
    monkeypatch.setattr(engine_images.chingoo, "__file__", str(tmp_path / "__init__.py"))
    before = engine_images.release()
    assert engine_images.release() == before
    (tmp_path / "engine" / "one.py").write_text("one = 2\n", "utf-8")
    changed = engine_images.release()
    (tmp_path / "engine" / "two.cpython.so").write_bytes(b"compiled")
    assert len({before, changed, engine_images.release()}) == 3


def test_only_the_last_are_kept_and_drafts_go_too(images: EngineImages, tmp_path: Path) -> None:
    (tmp_path / "bundles").mkdir()
    (tmp_path / "bundles" / f"{OTHER}.engine.0123").write_bytes(b"a draft of a process that was ended")
    kept = [f"{number}" * 64 for number in range(3)]
    for digest in kept:
        images.write(digest, IMAGE)
    assert {path.name for path in (tmp_path / "bundles").iterdir()} == {f"{digest}.engine" for digest in kept[1:]}


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "bundles").write_text("a file", "utf-8")
    images = EngineImages(tmp_path / "bundles")
    assert images.read(DIGEST) is None
    with pytest.raises(UnavailableError, match="cannot be kept"):
        images.write(DIGEST, IMAGE)
