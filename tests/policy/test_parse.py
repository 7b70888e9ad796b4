"""Typed documents come out of located trees as their own types say."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

import pytest

from chingoo.policy.documents.base import Entry, Place, WordList
from chingoo.policy.parse import Parser
from chingoo.source.reader import read


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Leaf:
    place: Place
    size: int
    share: float = 0.5


@dataclass(frozen=True, slots=True)
class Tree:
    place: Place
    name: str
    leaves: tuple[Leaf, ...] = ()
    by_name: Mapping[str, Leaf] | None = None
    by_colour: Mapping[Colour, int] | None = None
    colour: Colour | None = None
    kind: Literal["oak", "elm"] = "oak"
    not_: "Tree | None" = None
    value: bool | int | str | None = None
    words: tuple[Entry, ...] = ()
    pair: tuple[int, str] | None = None
    green: bool = True


def parsed(text: str, document: type = Tree) -> Any:
    tree = read(text, "f.yaml").tree
    assert tree is not None
    result = Parser().parse(document, tree)
    if result.finding is not None:
        return (result.finding.code, str(result.finding.place), result.finding.hint)
    return result.document


def test_defaults_stand_for_what_is_left_out() -> None:
    assert parsed("name: a\n") == Tree(Place("f.yaml", 1, 1), "a")


def test_items_and_named_groups_know_where_they_stand() -> None:
    tree = parsed("name: a\nleaves:\n  - size: 1\n  - {size: 2, share: 1}\nby_name:\n  big:\n    size: 9\n")
    assert [str(leaf.place) for leaf in tree.leaves] == ["f.yaml:3:5", "f.yaml:4:5"]
    assert tree.leaves[1].share == 1.0
    assert type(tree.leaves[1].share) is float
    assert str(tree.by_name["big"].place) == "f.yaml:6:3"  # at its name


def test_vocabularies_become_their_members() -> None:
    tree = parsed("name: a\ncolour: blue\nkind: elm\nby_colour: {red: 1, blue: 2}\n")
    assert tree.colour is Colour.BLUE
    assert tree.kind == "elm"
    assert tree.by_colour == {Colour.RED: 1, Colour.BLUE: 2}


def test_a_trailing_underscore_keeps_a_key_apart_from_python() -> None:
    assert parsed("name: a\nnot: {name: b}\n").not_.name == "b"


@pytest.mark.parametrize(("written", "value"), [("true", True), ("1", 1), ("one", "one"), ("'1'", "1"), ("", None)])
def test_a_value_of_several_kinds_keeps_its_kind(written: str, value: object) -> None:
    got = parsed(f"name: a\nvalue: {written}\n").value
    assert got == value
    assert type(got) is type(value)


def test_entries_are_words_or_words_with_a_condition() -> None:
    plain, bound = parsed("name: a\nwords: [술, {text: 드립, requires: a.list}]\n").words
    assert plain == Entry("술", Place("f.yaml", 2, 9))
    assert bound == Entry("드립", Place("f.yaml", 2, 12), "a.list")


def test_word_lists() -> None:
    words = parsed("entries: {en: [hack]}\nviews: [plain, evasion]\nowner: T&S\n", WordList)
    assert [view.value for view in words.views] == ["plain", "evasion"]
    assert words.entries["en"][0].text == "hack"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("nam: a\n", ("policy-unknown-key", "f.yaml:1:1", "did you mean `name`?")),
        ("green: true\n", ("policy-missing-key", "f.yaml:1:1", None)),
        ("name: 5\n", ("policy-type", "f.yaml:1:7", None)),
        ("name: a\ngreen: yes\n", ("policy-type", "f.yaml:2:8", None)),
        ("name: a\ncolour: green\n", ("policy-choice", "f.yaml:2:9", None)),
        ("name: a\nkind: ash\n", ("policy-choice", "f.yaml:2:7", None)),
        ("name: a\nleaves: {size: 1}\n", ("policy-type", "f.yaml:2:9", None)),
        ("name: a\nleaves: [{size: 1.5}]\n", ("policy-type", "f.yaml:2:17", None)),
        ("name: a\nleaves: [{size: true}]\n", ("policy-type", "f.yaml:2:17", None)),
        ("name: a\nby_colour: {green: 1}\n", ("policy-choice", "f.yaml:2:13", None)),
        ("name: a\npair: [1]\n", ("policy-type", "f.yaml:2:7", None)),
        ("name: a\nwords: [{txt: x}]\n", ("policy-type", "f.yaml:2:9", None)),
        ("name: a\nvalue: [x]\n", ("policy-type", "f.yaml:2:8", None)),
        ("[a]\n", ("policy-type", "f.yaml:1:1", None)),
    ],
)
def test_what_does_not_fit_is_a_finding_at_its_place(text: str, found: tuple[str, str, str | None]) -> None:
    assert parsed(text) == found


def test_a_field_of_another_type_is_a_fault_of_the_program() -> None:
    @dataclass(frozen=True)
    class Wrong:
        field: bytes

    with pytest.raises(TypeError, match="bytes"):
        parsed("field: x\n", Wrong)
