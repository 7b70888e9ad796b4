"""The strict subset: what is typed, where things stand, and that nothing whatever crashes the reader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.source.reader import Limits, read, read_bytes
from chingoo.source.tree import ListNode, MapNode, Scalar, plain


def says(text: str) -> object:
    """What a text says, which must be free of findings."""
    result = read(text, "f.yaml")
    assert result.findings == ()
    assert result.tree is not None
    return plain(result.tree)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("yes", "yes"),
        ("True", "True"),
        ("010", "010"),
        ("1:30", "1:30"),
        ("2026-01-01", "2026-01-01"),
        ("1e5", "1e5"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("+5", "+5"),
        (".5", ".5"),
        ("5.", "5."),
        ("~", "~"),
        ("null", "null"),
        (".inf", ".inf"),
        ("13-17", "13-17"),
        ("٣", "٣"),
        ("12345678901234567890", "12345678901234567890"),
        ("true", True),
        ("false", False),
        ("0", 0),
        ("42", 42),
        ("-7", -7),
        ("0.15", 0.15),
        ("-1.50", -1.5),
        ("", None),
        ('"42"', "42"),
        ("'true'", "true"),
        ('""', ""),
        ("욕설", "욕설"),
        ("it's", "it's"),
    ],
)
def test_only_true_false_decimals_and_nothing_are_typed(written: str, value: object) -> None:
    got = says(f"a: {written}\n")
    assert got == {"a": value}
    assert type(got["a"]) is type(value)  # type: ignore[index]


def test_block_scalars_are_text() -> None:
    assert says("a: |\n  42\nb: >-\n  true\n  x\n") == {"a": "42\n", "b": "true x"}


def test_every_key_value_and_item_has_its_place() -> None:
    tree = read('a: 1\n한글:\n  - b\n  - {c: "d e", f: }\n', "f.yaml").tree
    assert isinstance(tree, MapNode)
    key, items = tree.pairs[1]
    assert (str(key.place), key.width) == ("f.yaml:2:1", 2)
    assert isinstance(items, ListNode)
    assert str(items.place) == "f.yaml:3:3"
    first, second = items.items
    assert str(first.place) == "f.yaml:3:5"
    assert isinstance(second, MapNode)
    (c, d), (f, nothing) = second.pairs
    assert [str(node.place) for node in (c, d, f)] == ["f.yaml:4:6", "f.yaml:4:9", "f.yaml:4:16"]
    assert isinstance(d, Scalar)
    assert (d.width, d.quoted) == (5, True)
    assert isinstance(nothing, Scalar)
    assert nothing.value is None


def test_a_byte_order_mark_at_the_start_counts_for_nothing() -> None:
    tree = read("\ufeffa: 1\n", "f.yaml").tree
    assert tree is not None
    assert str(tree.place) == "f.yaml:1:1"


def test_windows_line_breaks_are_fine() -> None:
    assert says("a: 1\r\nb: 2\r\n") == {"a": 1, "b": 2}


def test_duplicate_keys_name_both_lines_and_the_first_stands() -> None:
    result = read("a: 1\nb: 2\na: 3\n", "f.yaml")
    (finding,) = result.findings
    assert (finding.code, str(finding.place), str(finding.others[0].place)) == (
        "yaml-duplicate-key",
        "f.yaml:3:1",
        "f.yaml:1:1",
    )
    assert result.tree is not None
    assert plain(result.tree) == {"a": 1, "b": 2}


def test_keys_that_only_look_different_are_the_same_key() -> None:
    assert [f.code for f in read("1: a\n'1': b\n", "f").findings] == ["yaml-duplicate-key"]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 50_000,
        "{a: " * 50_000,
        "- " * 50_000 + "x",
        "? " * 50_000,
        "".join(" " * depth + "a:\n" for depth in range(2_000)),
        "[" * 50_000 + "]" * 50_000,
    ],
    ids=["brackets", "braces", "dashes", "question marks", "indents", "closed brackets"],
)
def test_fifty_thousand_levels_are_a_finding_and_no_crash(text: str) -> None:
    assert [finding.code for finding in read(text, "f.yaml").findings] == ["yaml-too-deep"]


def test_size_is_bounded_before_and_while_the_tree_is_built() -> None:
    limits = Limits(characters=20, nodes=5)
    assert [f.code for f in read("a: " + "b" * 20, "f", limits).findings] == ["yaml-too-large"]
    assert [f.code for f in read("[a, b, c, d, e]", "f", limits).findings] == ["yaml-too-large"]
    assert read("[a, b, c, d]", "f", limits).findings == ()


def test_no_break_spaces_are_let_through_inside_quotes_only() -> None:
    assert says('a: "Ça va\u00a0?"\n') == {"a": "Ça va\u00a0?"}
    assert [f.code for f in read("a: Ça va\u00a0?\n", "f").findings] == ["yaml-odd-space"]


def test_emoji_with_joiners_are_ordinary_text() -> None:
    assert says("a: [❤️, 👨‍👩‍👧, 1️⃣, ☺️]\n") == {"a": ["❤️", "👨‍👩‍👧", "1️⃣", "☺️"]}


def test_escapes_say_what_cannot_be_seen() -> None:
    assert says('a: "x\\u200by"\n') == {"a": "x\u200by"}


def test_bytes_that_are_no_utf8_have_their_place() -> None:
    result = read_bytes("a: 1\nb: 한".encode() + b"\xff: x\n", "f.yaml")
    assert [(f.code, str(f.place)) for f in result.findings] == [("yaml-not-utf8", "f.yaml:2:5")]


@given(st.binary(max_size=400))
def test_random_bytes_never_crash_the_reader(data: bytes) -> None:
    result = read_bytes(data, "f.yaml")
    assert (result.tree is None) <= bool(result.findings)


_YAMLISH = st.text(alphabet=st.sampled_from("ab:-[]{},#&*!|>'\"%@` \n\t?\\~<한\u200b\ufeff\r"), max_size=80)


@given(_YAMLISH)
def test_text_made_of_yaml_signs_never_crashes_the_reader(text: str) -> None:
    result = read(text, "f.yaml")
    lines = text.count("\n") + text.count("\r") + 1
    assert (result.tree is None) <= bool(result.findings)
    assert all(1 <= finding.place.line <= lines and finding.place.column >= 1 for finding in result.findings)


@given(st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), st.text(max_size=20)))
def test_quoted_text_is_kept_as_written(texts: dict[str, str]) -> None:
    def quoted(text: str) -> str:
        return '"' + "".join(c if 32 < ord(c) < 127 and c not in '"\\' else f"\\U{ord(c):08x}" for c in text) + '"'

    safe = {key: "".join(c for c in text if not 0xD800 <= ord(c) < 0xE000) for key, text in texts.items()}
    written = "".join(f"{key}: {quoted(text)}\n" for key, text in safe.items())
    result = read(written, "f.yaml")
    assert result.tree is None or plain(result.tree) == safe
    assert (result.tree is None) == (not safe)
