"""The one table of settings, and that the papers say the same."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from chingoo.settings.table import LATER, SETTINGS, markdown_table
from chingoo.settings.values import Settings

ROOT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- settings:begin -->", "<!-- settings:end -->"


def test_every_field_has_its_setting() -> None:
    assert sorted(s.field for s in SETTINGS) == sorted(field.name for field in fields(Settings))


def test_names_and_fields_agree() -> None:
    for setting in SETTINGS:
        assert setting.name == f"CHINGOO_{setting.field.upper()}"
        assert setting.meaning.endswith("."), setting.name
        assert (setting.default is None) == (setting.unset is not None), setting.name
    assert not {s.name for s in SETTINGS} & set(LATER)


def test_secrets_are_marked() -> None:
    hidden = {field.name for field in fields(Settings) if not field.repr}
    assert hidden == {setting.field for setting in SETTINGS if setting.secret}


def test_the_table_of_the_readme_is_this_one() -> None:
    readme = ROOT / "README.md"
    text = readme.read_text("utf-8") if readme.exists() else ""
    if BEGIN not in text:
        pytest.skip("README.md shows no table of settings yet")
    shown = text.split(BEGIN)[1].split(END)[0].strip()
    assert shown == markdown_table(), "print it anew: `chingoo settings --markdown`"


def test_no_other_setting_is_read_anywhere() -> None:
    known = {s.name for s in SETTINGS} | set(LATER)
    for path in sorted((ROOT / "src").rglob("*.py")):
        named = set(re.findall(r"CHINGOO_[A-Z][A-Z_]*[A-Z]", path.read_text("utf-8")))
        assert named <= known, path
