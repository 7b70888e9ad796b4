"""What all tests share: the shipped policies, compiled once, and golden texts."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chingoo.adapters.policy_files import read_policy_files, read_schemas
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import FileReader, load
from chingoo.source.render import render_text

if TYPE_CHECKING:
    from chingoo.engine.engine import Engine

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--golden` writes golden texts anew; read the difference before it is kept."""
    parser.addoption("--golden", action="store_true", default=False, help="write golden texts anew")


def pytest_configure() -> None:
    """Policy sets are a million objects that stay: by Python's own bounds, looking for garbage is a quarter of all."""
    gc.set_threshold(100_000, 50, 100)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """UsageError: a group would be spread over all workers, each of which would make anew what its tests share."""
    if config.getoption("loadgroup", default=False):
        for item in items:
            if item.get_closest_marker("xdist_group") is not None and "@" not in item.nodeid:
                raise pytest.UsageError("this release of pytest-xdist does not keep groups together under this pytest")


@pytest.fixture(scope="session")
def policy_files() -> dict[str, str]:
    """The text of every shipped policy file by its path."""
    return read_policy_files(ROOT)


@pytest.fixture(scope="session")
def policy_schemas() -> dict[str, str]:
    """The text of every schema by its file name."""
    return read_schemas(ROOT)


@pytest.fixture(scope="session")
def policy_reader(policy_schemas: dict[str, str]) -> FileReader:
    """Reads each text once, for tests that change a file or two of the shipped policies at a time."""
    return FileReader(policy_schemas)


@pytest.fixture(scope="session")
def bundle(policy_files: dict[str, str], policy_schemas: dict[str, str]) -> Bundle:
    """The shipped policies, compiled; a broken one is shown as its author would see it."""
    result = load(policy_files, policy_schemas)
    if result.bundle is None:
        pytest.fail(
            "the shipped policies do not compile:\n" + render_text(result.findings, policy_files), pytrace=False
        )
    return result.bundle


@pytest.fixture(scope="session")
def engine(bundle: Bundle) -> "Iterator[Engine]":
    """The engine of the shipped policies."""
    from chingoo.engine.engine import build_engine

    engine = build_engine(bundle)
    yield engine
    engine.close()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with `golden/<name>` beside the test, or writes it when run with `--golden`."""

    def compare(name: str, text: str) -> None:
        path = Path(str(request.path)).parent / "golden" / name
        if request.config.getoption("--golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        assert path.exists(), f"no golden text {path.name}; run with --golden and read what it writes"
        assert text == path.read_text("utf-8")

    return compare
