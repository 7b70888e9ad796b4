"""The canonical layout: meaning and comments stay, and laying out twice is laying out once."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chingoo.source.format import format_text
from chingoo.source.reader import read
from chingoo.source.tree import plain

LAYOUTS = [
    ("one space after a colon", "a:   1\n", "a: 1\n"),
    ("none before it", "{a : 1}\n", "{a: 1}\n"),
    ("lists are indented", "a:\n- 1\n- 2\n", "a:\n  - 1\n  - 2\n"),
    ("by two", "a:\n     - b:  1\n       c: 2\n", "a:\n  - b: 1\n    c: 2\n"),
    ("keys after a wide dash", "-    a: 1\n     b: 2\n", "- a: 1\n  b: 2\n"),
    ("lists in lists", "-   - 1\n    - 2\n", "- - 1\n  - 2\n"),
    ("lists on one line", "a: [ b,c , d ]\n", "a: [b, c, d]\n"),
    ("lists over lines keep their lines", "a:\n    b: [c,\n        d]\n", "a:\n  b: [c,\n      d]\n"),
    ("keys without value on one line", "{a: , b: }\n", "{a: , b: }\n"),
    ("double quotes", "a: 'on'\n", 'a: "on"\n'),
    ("single quotes where double ones would escape", "a: 'say \"x\"'\n", "a: 'say \"x\"'\n"),
    ("single quotes around a backslash", "a: '\\d'\n", "a: '\\d'\n"),
    ("escapes stay written", 'a: "\\u200d"\n', 'a: "\\u200d"\n'),
    ("nothing is quoted or unquoted", 'a: [no, "no", 010]\n', 'a: [no, "no", 010]\n'),
    ("no blanks at line ends", "a: 1   \nb: 2  \n", "a: 1\nb: 2\n"),
    ("one empty line at most", "\n\na: 1\n\n\n\nb: 2\n\n", "a: 1\n\nb: 2\n"),
    ("one line break at the end", "a: 1", "a: 1\n"),
    ("plain line breaks", "a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"),
    ("no byte order mark", "\ufeffa: 1\n", "a: 1\n"),
    ("no document marks", "---\na: 1\n", "a: 1\n"),
    ("comments behind values", "a: 1 # why\nb: 2      # how\n", "a: 1  # why\nb: 2  # how\n"),
    ("comments keep their words", "#why  so\na: 1\n", "#why  so\na: 1\n"),
    ("comments move with what follows", "a:\n      # why\n      b: 1\n", "a:\n  # why\n  b: 1\n"),
    ("comments move with what came before", "a:\n- 1\n# why\n- 2\n# end\n", "a:\n  - 1\n  # why\n  - 2\n# end\n"),
    (
        "texts over lines",
        "a:\n    b: |\n          x  \n            y\n\n    c: 1\n",
        "a:\n  b: |\n    x  \n      y\n\n  c: 1\n",
    ),
    ("texts with a told indentation", "a:\n    b: |2\n         x\n", "a:\n  b: |2\n       x\n"),
    ("texts that keep their end", "a: |+\n   x\n\nb: 1\n", "a: |+\n  x\n\nb: 1\n"),
    ("plain texts over lines", "a:\n    b: one\n       two\n", "a:\n  b: one\n     two\n"),
    ("quoted texts over lines", 'a:\n    b: "one\n       two"\n', 'a:\n  b: "one\n     two"\n'),
    ("values on a line of their own", "a:\n      one\n", "a:\n  one\n"),
]


@pytest.mark.parametrize(("written", "wanted"), [row[1:] for row in LAYOUTS], ids=[row[0] for row in LAYOUTS])
def test_layout(written: str, wanted: str) -> None:
    assert format_text(written) == wanted
    assert format_text(wanted) == wanted


@pytest.mark.parametrize(
    "broken", ["a: [", "a: *b\n", "a: 1\na: 2\n", "", "# only a remark\n", "? a\n: 1\n", "a:\t1\n"]
)
def test_what_the_reader_refuses_or_nobody_writes_stays_as_it_is(broken: str) -> None:
    assert format_text(broken) == broken


def test_shipped_files_keep_their_meaning(policy_files: dict[str, str]) -> None:
    for path, text in policy_files.items():
        formatted = format_text(text)
        assert format_text(formatted) == formatted, path
        assert meaning(formatted) == meaning(text), path
        assert remarks(formatted) == remarks(text), path


def test_shipped_files_are_laid_out(policy_files: dict[str, str]) -> None:
    """What `chingoo policy fmt --check` asks for: an editor's own change is then the only one in a diff."""
    assert [path for path, text in policy_files.items() if format_text(text) != text] == []


def meaning(text: str) -> Any:
    tree = read(text, "x").tree
    return None if tree is None else plain(tree)


def remarks(text: str) -> list[str]:
    return re.findall(r"^ *(#.*\S)", text, re.MULTILINE)


# Random files: a random value, laid out at random

WORDS = st.sampled_from(
    ["a", "no", "죽고 싶", "it's", "x: y", "1", "# no", "multi word", "- dash", '"', "tab\\t", "[", ""]
)
KEYS = st.sampled_from(["a", "b", "c", "key", "long-key", "욕설"])
VALUES = st.recursive(
    st.one_of(WORDS, st.integers(0, 9), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=14,
)


class Layout:
    """Writes a value as a careless writer might."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw

    def one_of(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def remark(self) -> str:
        return str(self.one_of("", "", "", "  # behind", " #  behind"))

    def before(self, indent: int) -> list[str]:
        column = indent + self.one_of(0, 0, 0, 1, 2)
        above = " " * column + self.one_of("# above", "#above")
        return list(self.one_of([], [], [], [""], ["", "", ""], [above], ["", above, ""]))

    def text(self, word: str) -> str:
        plain_enough = re.fullmatch(r"[^\W\d_][\w' ]*", word) and word not in ("true", "false")
        styles = ["'" + word.replace("'", "''") + "'", '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"']
        return str(self.one_of(*styles, *([word] * 3 if plain_enough else [])))

    def flow(self, value: Any) -> str:
        space, comma = self.one_of("", " "), self.one_of(",", ", ", " , ", ",\n          ")
        if isinstance(value, list):
            return f"[{space}{comma.join(self.flow(item) for item in value)}{space}]"
        if isinstance(value, dict):
            return "{" + space + comma.join(f"{self.text(k)}: {self.flow(v)}" for k, v in value.items()) + space + "}"
        return self.scalar(value)

    def scalar(self, value: Any) -> str:
        if value is None:
            return ""
        return self.text(value) if isinstance(value, str) else str(value).lower()

    def block(self, value: Any, indent: int) -> list[str]:
        """Lines of a list or group of keys that is not empty."""
        lines: list[str] = []
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            lines += self.before(indent)
            head = f"{self.text(key)}:" if isinstance(value, dict) else "-"
            lines += self.item(head, item, indent, isinstance(value, dict))
        return lines

    def item(self, head: str, item: Any, indent: int, keyed: bool) -> list[str]:
        lead = " " * indent + head
        space = " " * self.one_of(1, 1, 2, 3)
        if isinstance(item, list | dict) and item and self.one_of(True, True, False):
            if keyed:
                deeper = indent + self.one_of(*((0, 2) if isinstance(item, list) else (1, 2, 4)))
                return [lead + self.remark(), *self.block(item, deeper)]
            inner = self.block(item, indent + 1 + len(space))
            while not inner[0].strip(" ") or inner[0].lstrip(" ").startswith("#"):
                inner = inner[1:]
            return [lead + space + inner[0].lstrip(" "), *inner[1:]]
        if isinstance(item, list | dict):
            return [lead + space + self.flow(item).replace("\n", "\n" + " " * indent) + self.remark()]
        if isinstance(item, str) and item and "\\" not in item and self.one_of(True, False, False):
            sign, body = self.one_of("|", ">", "|-", ">-", "|+"), " " * (indent + self.one_of(1, 2, 4))
            return [lead + space + sign, body + item, *([body + "  more"] if self.one_of(True, False) else []), ""]
        return [lead + (space + self.scalar(item)).rstrip(" ") + self.remark()]


@st.composite
def files(draw: Any) -> str:
    value = draw(VALUES.filter(lambda made: isinstance(made, list | dict) and made))
    layout = Layout(draw)
    return "\n".join(["# first", *layout.block(value, layout.one_of(0, 0, 2))]) + layout.one_of("\n", "", "\n\n")


@given(files())
@settings(max_examples=400, deadline=None)
def test_twice_is_once_and_nothing_said_is_lost(text: str) -> None:
    formatted = format_text(text)
    assert meaning(formatted) == meaning(text)
    assert re.findall("# ?(?:first|above|behind)", formatted) == re.findall("# ?(?:first|above|behind)", text)
    assert format_text(formatted) == formatted


@given(files())
@settings(max_examples=200, deadline=None)
def test_columns_are_even(text: str) -> None:
    result = read(text, "x")
    if result.findings or "\n          " in text:
        return
    lines = [line for line in format_text(text).split("\n") if re.match(r" *(- )*[\w\"'\[{]", line)]
    assert all((len(line) - len(line.lstrip(" "))) % 2 == 0 for line in lines if "more" not in line)
