"""What the pages of the folders that people edit say: commands and files that exist."""

import re
from collections.abc import Iterator

import pytest
from tests.cli.conftest import ROOT

READMES = ("policies", "persona_library", "patterns", "schemas")


def commands() -> Iterator[tuple[str, list[str]]]:
    for name in READMES:
        for words in re.findall(r"`chingoo policy ([^`]+)`", (ROOT / name / "README.md").read_text("utf-8")):
            yield name, re.findall(r'"[^"]*"|\S+', words)


@pytest.mark.parametrize(
    ("name", "argv"), list(commands()), ids=lambda value: " ".join(value) if isinstance(value, list) else value
)
def test_every_command_of_the_readmes_exists(name: str, argv: list[str]) -> None:
    from chingoo.cli.main import _parser

    with pytest.raises(SystemExit) as ended:
        _parser().parse_args(["policy", *argv, "--help"])
    assert ended.value.code == 0


def test_the_readmes_name_files_that_exist() -> None:
    for name in READMES:
        text = (ROOT / name / "README.md").read_text("utf-8")
        assert len(text.splitlines()) <= 120, name
        for path in re.findall(r"`(\.\./[a-zA-Z_./]+|[a-z_]+\.yaml)`", text):
            assert any(ROOT.glob(f"*/{path}")) or (ROOT / name / path).exists(), f"{name}: {path}"
