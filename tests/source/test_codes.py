"""Every code that can be found has a page, and every page a code."""

import ast
from pathlib import Path

import pytest

import chingoo
from chingoo.adapters.policy_files import read_code_pages
from chingoo.source.codes import CodePage, closest_code, code_pages, page_text

PACKAGE = Path(str(chingoo.__file__)).parent
TELLERS = {"_warning", "Finding", "_finding", "_broken", "_unfit"}


@pytest.fixture(scope="module")
def pages() -> dict[str, CodePage]:
    return code_pages(read_code_pages())


def codes_in(path: Path) -> set[str]:
    """The codes that a module's calls name; the reader's and the schema check's tables name them first in tuples."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            parts = node.args[:2] if name in TELLERS else []
        elif isinstance(node, ast.Tuple) and path.parent.name == "source":
            parts = node.elts[:1]
        found |= {p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)}
    return {
        code for code in found if code.count("-") and " " not in code and code == code.lower() and code[0].isalpha()
    }


def test_every_code_is_explained_and_every_page_is_about_a_code(pages: dict[str, CodePage]) -> None:
    modules = [path for package in ("source", "policy", "flow", "proof") for path in (PACKAGE / package).rglob("*.py")]
    used = set().union(*(codes_in(path) for path in modules))
    assert used == set(pages)


def test_pages_say_what_it_means_and_how_to_mend_it(pages: dict[str, CodePage]) -> None:
    for page in pages.values():
        assert page.title[0].islower()
        assert not page.title.endswith(".")
        assert page.meaning.endswith((".", ")"))
        assert page.mend.endswith(".")


def test_a_page_for_the_terminal(pages: dict[str, CodePage]) -> None:
    shown = page_text(pages["yaml-alias"])
    assert shown.startswith("yaml-alias: a reference to another place\n\n")
    assert 'Right:\n    text: "*hugs*"' in shown


def test_the_code_somebody_may_have_meant(pages: dict[str, CodePage]) -> None:
    assert closest_code("yaml-duplicate-keys", pages) == "yaml-duplicate-key"
    assert closest_code("E0001", pages) is None
