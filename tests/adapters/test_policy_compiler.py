"""The child that compiles: a sound set becomes a bundle file, a broken one findings, and too much work is ended."""

import asyncio
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from tests.conftest import ROOT

from chingoo.adapters.engine_images import EngineImages
from chingoo.adapters.giving_way import NICENESS
from chingoo.adapters.policy_bundles import BundleFiles
from chingoo.adapters.policy_compiler import ChildCompiler
from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.engine.engine import build_engine
from chingoo.engine.images import Matchers
from chingoo.errors import PolicyRefusedError, UnavailableError
from chingoo.memory.reader import build_reader
from chingoo.policy.areas import FOLDERS
from chingoo.policy.bundle import bundle_files, digest_of
from chingoo.policy.compile import load
from chingoo.source.findings import Finding


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the shipped policies that a test may break."""
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


@pytest.fixture
def compiler(copied: Path) -> Callable[..., ChildCompiler]:
    def make(**limits: float) -> ChildCompiler:
        return ChildCompiler(copied, ROOT, BundleFiles(copied / "bundles"), **limits)  # type: ignore[arg-type]

    return make


async def test_a_sound_set_becomes_a_bundle_file_and_its_engine_is_left_for_others(
    copied: Path, compiler: Callable[..., ChildCompiler]
) -> None:
    judged = await compiler().judge()
    files = read_policy_files(copied)
    assert judged.digest is not None
    assert judged.digest == digest_of(bundle_files(files))
    assert BundleFiles(copied / "bundles").read(judged.digest) == files
    image = EngineImages(copied / "bundles").read(judged.digest)
    assert image is not None
    bundle = load(files, read_schemas(ROOT)).bundle
    assert bundle is not None
    matchers = Matchers(image)
    assert matchers.are_read
    memory, engine = build_reader(bundle, None, matchers), build_engine(bundle, matchers)
    assert engine.digest == judged.digest
    assert memory.listener
    assert matchers.image() == image, "all of them were read, and none was made"
    engine.close()


async def test_a_broken_set_leaves_findings_with_their_places(
    copied: Path, compiler: Callable[..., ChildCompiler]
) -> None:
    topics = copied / "policies" / "topics.yaml"
    topics.write_text(topics.read_text("utf-8") + "\nunheard_of: 1\n", "utf-8")
    judged = await compiler().judge()
    assert judged.digest is None
    places = [one.place for one in judged.findings if isinstance(one, Finding)]
    assert len(places) == len(judged.findings)
    last = len(topics.read_text("utf-8").splitlines())
    assert ("policies/topics.yaml", last) in [(place.file, place.line) for place in places]
    assert not (copied / "bundles").exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "code"),
    [
        ("routing.yaml", "in: [13-17, unknown]", "in: [13-17]", "invariant-broken"),
        (
            "routing.cases.yaml",
            "expect: {rule: routing.crisis, reply",
            "expect: {rule: routing.guard, reply",
            "case-failed",
        ),
    ],
)
async def test_what_breaks_an_invariant_or_a_case_is_refused_too(
    copied: Path, compiler: Callable[..., ChildCompiler], file: str, old: str, new: str, code: str
) -> None:
    path = copied / "policies" / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    judged = await compiler().judge()
    assert judged.digest is None
    assert code in {one.code for one in judged.findings if isinstance(one, Finding)}
    assert not (copied / "bundles").exists()


async def test_bytes_that_are_no_text_are_a_finding(copied: Path, compiler: Callable[..., ChildCompiler]) -> None:
    topics = copied / "policies" / "topics.yaml"
    topics.write_bytes(topics.read_bytes() + b"# \xff\xfe\n")
    assert (await compiler().judge()).digest is None


async def test_a_child_that_takes_too_long_is_ended(compiler: Callable[..., ChildCompiler]) -> None:
    with pytest.raises(PolicyRefusedError, match=r"longer than 0\.2 s"):
        await compiler(seconds=0.2).judge()


async def test_a_child_that_works_too_long_is_ended(compiler: Callable[..., ChildCompiler]) -> None:
    with pytest.raises(PolicyRefusedError, match="more than 1 s of work"):
        await compiler(work_seconds=1).judge()


async def test_a_process_that_cannot_be_started_is_told(
    compiler: Callable[..., ChildCompiler], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def start(*_: str, **__: object) -> None:
        raise OSError(12, "no memory")

    monkeypatch.setattr("asyncio.create_subprocess_exec", start)
    with pytest.raises(UnavailableError, match="no memory"):
        await compiler().judge()


async def test_a_child_gives_way(compiler: Callable[..., ChildCompiler]) -> None:
    """And so does its session, within which alone niceness counts on Linux."""
    judging = asyncio.create_task(compiler().judge())
    before = {process.pid for process in psutil.Process().children()}
    while not (children := [one for one in psutil.Process().children() if one.pid not in before]):
        assert not judging.done()
        await asyncio.sleep(0.005)
    (child,) = children
    session = Path(f"/proc/{child.pid}/autogroup")

    def has_given_way() -> bool:
        weighed = session.read_text() if session.exists() else f"nice {NICENESS}\n"
        return child.nice() == NICENESS and weighed.endswith(f"nice {NICENESS}\n")

    while not judging.done() and not has_given_way():
        await asyncio.sleep(0.005)
    assert not judging.done()
    judging.cancel()
    with suppress(asyncio.CancelledError):
        await judging


async def test_a_child_that_takes_too_much_memory_accepts_nothing(
    copied: Path, compiler: Callable[..., ChildCompiler]
) -> None:
    """What libraries do without memory differs with the place where it runs out; no bundle comes of it."""
    digest = None
    with suppress(PolicyRefusedError):
        digest = (await compiler(memory_mib=90).judge()).digest
    assert digest is None
    assert not (copied / "bundles").exists()


async def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(PolicyRefusedError, match="no folder policies"):
        await ChildCompiler(tmp_path / "nowhere", ROOT, BundleFiles(tmp_path)).judge()
