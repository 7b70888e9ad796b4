"""Files become a bundle, or everything that is wrong with them is said at once."""

from collections.abc import Mapping

import pytest

from chingoo.model.enums import Language
from chingoo.policy.areas import AREAS, area_of
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import FileReader, SetReader, load


@pytest.mark.parametrize(
    ("path", "area", "key"),
    [
        ("policies/facts.yaml", "facts", ""),
        ("policies/replies/ko.yaml", "replies", "ko"),
        ("persona_library/PT07.yaml", "personas", "PT07"),
        ("persona_library/voices/shy.yaml", "voices", "shy"),
        ("patterns/lexicons/slurs.yaml", "lexicons", "slurs"),
        ("patterns/heuristics/en.yaml", "heuristics", "en"),
    ],
)
def test_a_path_says_what_a_file_is(path: str, area: str, key: str) -> None:
    found = area_of(path)
    assert found is not None
    assert (found[0].field, found[1]) == (area, key)


@pytest.mark.parametrize("path", ["policies/fact.yaml", "policies/replies/old/en.yaml", "policies/facts.yml", "x.yaml"])
def test_other_paths_belong_to_no_area(path: str) -> None:
    assert area_of(path) is None


def test_every_area_has_its_field_in_the_bundle() -> None:
    fields = set(Bundle.__dataclass_fields__) - {"digest", "files", "counts", "answers"}
    assert fields == {area.field for area in AREAS}
    assert len({area.pattern for area in AREAS}) == len(AREAS)


def codes(files: Mapping[str, str], schemas: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(str(finding.place), finding.code) for finding in load(files, schemas).findings]


def without(files: Mapping[str, str], path: str) -> dict[str, str]:
    return {name: text for name, text in files.items() if name != path}


def test_the_shipped_policies_compile(bundle: Bundle) -> None:
    assert len(bundle.digest) == 64
    assert bundle.counts["files"] == len(bundle.files)
    assert bundle.counts["keywords"] > 0


def test_a_missing_file_is_a_finding(policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]) -> None:
    files = without(policy_files, "policies/facts.yaml")
    assert codes(files, policy_schemas) == [("policies/facts.yaml:1:1", "policy-missing-file")]


def test_a_missing_language_is_a_finding(policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]) -> None:
    files = without(policy_files, "policies/replies/it.yaml")
    assert codes(files, policy_schemas) == [("policies/replies/it.yaml:1:1", "policy-missing-file")]


def test_a_library_without_personas_is_a_finding(
    policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]
) -> None:
    files = {path: text for path, text in policy_files.items() if not path.startswith("persona_library/PT")}
    assert codes(files, policy_schemas) == [("persona_library/*.yaml:1:1", "policy-missing-file")]


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("policies/topic.yaml", "did you mean policies/topics.yaml?"),
        ("policies/replies/jp.yaml", None),
        ("notes/x.yaml", "move it out of the policy folders, or give it a name that is known"),
    ],
)
def test_a_file_of_no_area_is_a_finding(
    path: str, hint: str | None, policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]
) -> None:
    (finding,) = load({**policy_files, path: "a: 1\n"}, policy_schemas).findings
    assert (finding.code, finding.place.file, finding.hint) == ("policy-unknown-file", path, hint)


def test_cases_stand_beside_their_area_and_are_no_policy(
    policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]
) -> None:
    assert load({**policy_files, "policies/topics.cases.yaml": "- a\n"}, policy_schemas).findings == ()


def test_the_first_line_points_editors_at_the_schema(
    policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]
) -> None:
    path = "policies/replies/ko.yaml"
    text = policy_files[path].partition("\n")[2]
    (finding,) = load({**policy_files, path: text}, policy_schemas).findings
    assert (finding.code, str(finding.place)) == ("policy-schema-line", f"{path}:1:1")
    assert finding.hint == (
        "write as the first line: # yaml-language-server: $schema=../../schemas/replies.schema.json"
    )


def test_all_mistakes_are_said_at_once_and_in_order(
    policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]
) -> None:
    files = {**without(policy_files, "policies/models.yaml"), "policies/memory.yaml": "a: [", "policies/zz.yaml": "x\n"}
    result = load(files, policy_schemas)
    assert result.bundle is None
    found = [(finding.place.file, finding.code) for finding in result.findings]
    assert found == [
        ("policies/memory.yaml", "yaml-syntax"),
        ("policies/models.yaml", "policy-missing-file"),
        ("policies/zz.yaml", "policy-unknown-file"),
    ]


def test_the_order_of_files_does_not_matter(
    bundle: Bundle, policy_files: Mapping[str, str], policy_schemas: Mapping[str, str]
) -> None:
    again = load(dict(reversed(policy_files.items())), policy_schemas).bundle
    assert again == bundle


def test_a_reader_of_many_sets_reads_each_as_if_alone(
    policy_files: dict[str, str], policy_schemas: dict[str, str]
) -> None:
    reader = FileReader(policy_schemas)
    broken = {**policy_files, "policies/topics.yaml": policy_files["policies/topics.yaml"].replace("topics:", "topic:")}
    for files in (policy_files, broken, policy_files):
        alone, shared = load(files, policy_schemas), load(files, policy_schemas, reader=reader)
        assert shared.findings == alone.findings
        assert (shared.bundle and shared.bundle.digest) == (alone.bundle and alone.bundle.digest)


def test_a_set_after_another_is_read_as_if_alone_and_shares_what_has_not_changed(
    policy_files: dict[str, str], policy_schemas: dict[str, str]
) -> None:
    reader = SetReader(policy_schemas)
    first = reader.load(policy_files).bundle
    said = policy_files["policies/topics.yaml"]
    broken = reader.load({**policy_files, "policies/topics.yaml": said.replace("topics:", "topic:")})
    files = {**policy_files, "policies/topics.yaml": f"{said}\n# another version\n"}
    second = reader.load(files).bundle
    assert first == load(policy_files, policy_schemas).bundle
    assert broken.bundle is None
    assert broken.findings
    assert second == load(files, policy_schemas).bundle
    assert second is not None
    assert first is not None
    assert second.topics is not first.topics
    assert second.safety is first.safety
    assert second.replies[Language.DE] is first.replies[Language.DE]
