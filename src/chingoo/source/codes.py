"""The pages that explain finding codes: what a code means, how it comes about, and how to mend it."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.source.reader import read
from chingoo.source.suggest import did_you_mean
from chingoo.source.tree import MapNode, Scalar


@dataclass(frozen=True, slots=True)
class CodePage:
    """One code's page. `wrong` and `right` are examples, empty where none helps."""

    code: str
    title: str
    meaning: str
    mend: str
    wrong: str = ""
    right: str = ""


def code_pages(texts: Mapping[str, str]) -> dict[str, CodePage]:
    """All pages by code, sorted; `texts` are the pages' files (adapters.policy_files.read_code_pages)."""
    pages: dict[str, CodePage] = {}
    for name, text in texts.items():
        tree = read(text, name).tree
        for key, page in tree.pairs if isinstance(tree, MapNode) else ():
            parts = {
                part.text: value.text.rstrip()
                for part, value in (page.pairs if isinstance(page, MapNode) else ())
                if isinstance(value, Scalar)
            }
            pages[key.text] = CodePage(key.text, **parts)
    return dict(sorted(pages.items()))


def page_text(page: CodePage) -> str:
    """A page for the terminal."""
    out = [f"{page.code}: {page.title}", "", page.meaning, "", page.mend]
    for label, example in (("Wrong:", page.wrong), ("Right:", page.right)):
        if example:
            out += ["", label, *(f"    {line}" for line in example.splitlines())]
    return "\n".join(out)


def closest_code(written: str, pages: Mapping[str, CodePage]) -> str | None:
    """The code somebody may have meant."""
    return did_you_mean(written, pages)
