"""PRODUCT.md and the policies: one changed character in either is a finding that names both places (MIR-01…06)."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chingoo.adapters.policy_files import read_promises
from chingoo.policy.compile import load
from chingoo.proof.locked import locked_findings
from chingoo.proof.mirror import mirror_findings
from chingoo.proof.promises import PRODUCT, Promises, mirror_document, promised_lines
from chingoo.proof.run import check_files
from chingoo.source.findings import Finding, Severity
from chingoo.source.places import Place
from chingoo.source.reader import read
from chingoo.source.tree import ListNode, MapNode, Node, Scalar

ROOT = Path(__file__).resolve().parents[2]
Files = Mapping[str, str]
Trees = Mapping[str, Node]
RELATIONSHIP = "policies/relationship.yaml"
EXAMPLES = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def promises() -> Promises:
    return read_promises(ROOT)


@pytest.fixture(scope="module")
def trees(policy_files: Files, policy_schemas: Files) -> Trees:
    return load(policy_files, policy_schemas).trees


def product_of(promises: Promises) -> str:
    assert promises.product is not None
    return promises.product


def saying(promises: Promises, product: str | None) -> Promises:
    return Promises(product, promises.mirror, promises.locked)


def changed(files: Files, trees: Trees, path: str, text: str) -> tuple[Files, Trees]:
    """The files with one of them changed, and their trees."""
    tree = read(text, path).tree
    kept = {name: node for name, node in trees.items() if name != path}
    return {**files, path: text}, kept if tree is None else {**kept, path: tree}


def mirrored(promises: Promises, files: Files, trees: Trees) -> list[int]:
    """The index in PRODUCT.md of every character of every mirrored line."""
    product = product_of(promises)
    lines = {line.text for part in mirror_document(promises.mirror).parts
             for line in promised_lines(part, files, trees) or () if line.text}  # fmt: skip
    found: list[int] = []
    start = 0
    for line in product.split("\n"):
        if line in lines:
            found += range(start, start + len(line))
        start += len(line) + 1
    return found


def both_places(findings: tuple[Finding, ...]) -> bool:
    return any(one.place.file == PRODUCT and any(o.place.file != PRODUCT for o in one.others) for one in findings)


def test_the_shipped_ones_say_the_same(promises: Promises, policy_files: Files, policy_schemas: Files) -> None:
    assert check_files(policy_files, policy_schemas, promises=promises).findings == ()


def test_every_mirrored_line_is_found_in_the_file(promises: Promises, policy_files: Files, trees: Trees) -> None:
    product = product_of(promises).split("\n")
    for part in mirror_document(promises.mirror).parts:
        lines = promised_lines(part, policy_files, trees)
        assert lines, part.section
        assert all(line.text in product for line in lines), part.section


@EXAMPLES
@given(data=st.data())
def test_any_character_of_the_product_contract(
    data: st.DataObject, promises: Promises, policy_files: Files, trees: Trees
) -> None:
    product = product_of(promises)
    index = data.draw(st.sampled_from(mirrored(promises, policy_files, trees)))
    new = data.draw(st.sampled_from(["", "x", "7", "-", " ", "|", "#", "`", "*", "\n", "\u2212", "é"]))
    if new == product[index]:
        new = "y"
    made = product[:index] + new + product[index + 1 :]
    found = mirror_findings(saying(promises, made), policy_files, trees)
    assert both_places(found), (index, product[index - 20 : index + 20], new)


def mirrored_scalars(promises: Promises, files: Files, trees: Trees) -> Iterator[Scalar]:
    """Every value of the policies that PRODUCT.md shows, with its place."""
    shown = {place for part in mirror_document(promises.mirror).parts if part.verbatim is None
             for line in promised_lines(part, files, trees) or ()
             for segment in line.segments if (place := segment.source) is not None}  # fmt: skip
    for tree in trees.values():
        yield from (scalar for scalar in scalars(tree) if scalar.place in shown and scalar.text)


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    for item in node.items if isinstance(node, ListNode) else ():
        yield from scalars(item)
    for _, value in node.pairs if isinstance(node, MapNode) else ():
        yield from scalars(value)


@EXAMPLES
@given(data=st.data())
def test_any_character_of_a_mirrored_value(
    data: st.DataObject, promises: Promises, policy_files: Files, trees: Trees
) -> None:
    scalar = data.draw(st.sampled_from(list(mirrored_scalars(promises, policy_files, trees))))
    column = data.draw(st.integers(0, len(scalar.text) - 1)) + (1 if scalar.quoted else 0)
    new = data.draw(st.sampled_from(["1", "9", "x"]))
    path = scalar.place.file
    lines = policy_files[path].split("\n")
    line = lines[scalar.place.line - 1]
    at = scalar.place.column - 1 + column
    new = "8" if line[at] == new else new
    lines[scalar.place.line - 1] = line[:at] + new + line[at + 1 :]
    assert both_places(mirror_findings(promises, *changed(policy_files, trees, path, "\n".join(lines))))


@EXAMPLES
@given(data=st.data())
def test_any_character_of_a_mirrored_persona(
    data: st.DataObject, promises: Promises, policy_files: Files, trees: Trees
) -> None:
    path = data.draw(st.sampled_from([f"persona_library/PT{number}.yaml" for number in range(11, 25)]))
    text = policy_files[path]
    index = data.draw(st.integers(text.index("\n") + 1, len(text) - 2))
    new = data.draw(st.sampled_from(["", "x", " ", "#", "\n"]))
    made = text[:index] + (new if new != text[index] else "y") + text[index + 1 :]
    assert both_places(mirror_findings(promises, *changed(policy_files, trees, path, made)))


CASES = [
    ("a number", "| FRIEND from | 40 |", "| FRIEND from | 45 |", "product-differs", f"{RELATIONSHIP}"),
    ("a word", "| silence costs |", "| silence cost |", "product-differs", f"{RELATIONSHIP}"),
    ("a row too few", "| FRIEND from | 40 |\n", "", "product-line-missing", f"{RELATIONSHIP}"),
    ("a row too many", "| FRIEND from | 40 |\n", "| FRIEND from | 40 |\n| PARTNER from | 90 |\n",
     "product-line-extra", f"{RELATIONSHIP}"),
    ("an answer nobody asks", "|  |  |\n| `age_band`", "|  |  |\n| `pet` | a pet | yes |  |  |\n| `age_band`",
     "product-line-extra", "policies/onboarding.yaml"),
    ("a section", "### 7.3 Numbers of the relationship", "### Numbers", "product-section-missing", f"{RELATIONSHIP}"),
    ("a persona's archetype", "core_archetype: Calm Listener", "core_archetype: Calm listener", "product-differs",
     "persona_library/PT11.yaml"),
    ("the number of personas", "| persona templates | 24 |", "| persona templates | 25 |", "product-differs",
     "persona_library/PT24.yaml"),
    ("a contradicted preference", "at most 0.55", "at most 0.5", "product-differs", "policies/memory.yaml"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "old", "new", "code", "file"), CASES, ids=[case[0] for case in CASES])
def test_what_is_changed_is_told_with_its_counterpart(
    what: str, old: str, new: str, code: str, file: str, promises: Promises, policy_files: Files, trees: Trees
) -> None:
    product = product_of(promises)
    assert old in product
    found = mirror_findings(saying(promises, product.replace(old, new, 1)), policy_files, trees)
    assert [one.code for one in found] == [code]
    assert {other.place.file for other in found[0].others} == {file}
    if code in ("product-differs", "product-line-extra"):
        assert found[0].place.line in places_of(product.replace(old, new, 1), new)


def places_of(text: str, part: str) -> range:
    first = text[: text.index(part)].count("\n") + 1
    return range(first, first + part.count("\n") + 1)


def test_both_places_are_exact(promises: Promises, policy_files: Files, trees: Trees) -> None:
    text = policy_files[RELATIONSHIP].replace("from_score: 40", "from_score: 45", 1)
    (found,) = mirror_findings(promises, *changed(policy_files, trees, RELATIONSHIP, text))
    product = product_of(promises).split("\n")
    line = product.index("| FRIEND from | 40 |") + 1
    assert found.place == Place(PRODUCT, line, product[line - 1].index("0") + 1)
    row = next(number for number, text in enumerate(text.split("\n"), 1) if "from_score: 45" in text)
    assert [(one.place.line, one.label) for one in found.others] == [(row, "the policies say it here")]
    assert found.message == f"PRODUCT.md §7.3 says `40`, {RELATIONSHIP} says `45`"


def test_dashes_of_age_bands_are_the_same_dash(promises: Promises, policy_files: Files, trees: Trees) -> None:
    product = product_of(promises).replace("13-17, 18-24", "13–17, 18–24")
    assert mirror_findings(saying(promises, product), policy_files, trees) == ()


def test_without_a_contract_there_is_a_warning(promises: Promises, policy_files: Files, policy_schemas: Files) -> None:
    result = check_files(policy_files, policy_schemas, promises=saying(promises, None))
    assert [(one.code, one.severity) for one in result.findings] == [("product-missing", Severity.WARNING)]
    assert result.bundle is not None


def test_what_the_package_says_is_said_of_the_digest_too(
    promises: Promises, policy_files: Files, policy_schemas: Files
) -> None:
    with_it = check_files(policy_files, policy_schemas, promises=promises).bundle
    without = check_files(policy_files, policy_schemas).bundle
    assert with_it is not None
    assert without is not None
    assert with_it.digest == without.digest


LOCKED = [
    (RELATIONSHIP, "from_score: 40", "from_score: 41", "`41` must be `40`"),
    (RELATIONSHIP, "min_sessions: 3", "min_sessions: 4", "`4` must be `3`"),
    ("policies/planning.yaml", "cap_percent: 7", "cap_percent: 8", "`8` must be `7`"),
    ("policies/memory.yaml", "extract_from_characters: 200", "extract_from_characters: 100", "`100` must be `200`"),
    ("policies/retention.yaml", 'until: "08:00"', 'until: "07:00"', "`07:00` must be `08:00`"),
    ("policies/retention.yaml", "factor: 2", "factor: 1", "`1` must be `2`"),
]


@pytest.mark.parametrize(("path", "old", "new", "told"), LOCKED, ids=[row[2] for row in LOCKED])
def test_locked_defaults(
    path: str, old: str, new: str, told: str, promises: Promises, policy_files: Files, trees: Trees
) -> None:
    text = policy_files[path].replace(old, new, 1)
    (found,) = locked_findings(promises, *changed(policy_files, trees, path, text))
    assert found.message.startswith(told)
    assert found.place.file == path
    assert found.place.line == text[: text.index(new)].count("\n") + 1
    assert found.others[0].place.file.endswith("locked.yaml")


def test_one_template_too_many_is_against_a_locked_default(
    promises: Promises, policy_files: Files, trees: Trees
) -> None:
    text = re.sub("PT24", "PT25", policy_files["persona_library/PT24.yaml"])
    (found,) = locked_findings(promises, *changed(policy_files, trees, "persona_library/PT25.yaml", text))
    assert found.message.startswith("`25` must be `24`")


def test_every_locked_value_is_there(promises: Promises, policy_files: Files, trees: Trees) -> None:
    assert promises.locked.count("- {value:") == 21
    wrong = promises.locked.replace('is: "', 'is: "x')
    found = locked_findings(Promises(None, promises.mirror, wrong), policy_files, trees)
    assert len(found) == 21
