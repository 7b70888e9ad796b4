"""The digest names what the files say: on every machine, in every order, and not after any change."""

from hypothesis import given
from hypothesis import strategies as st

from chingoo.policy.bundle import bundle_files, digest_of

FILES = st.dictionaries(st.text(max_size=8), st.text(max_size=20), max_size=6)


@given(FILES, st.randoms())
def test_the_order_of_files_does_not_matter(files: dict[str, str], chance: object) -> None:
    shuffled = list(files.items())
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    listed = bundle_files(dict(shuffled))
    assert listed == bundle_files(files)
    assert digest_of(reversed(listed)) == digest_of(listed)


@given(FILES, st.text(min_size=1, max_size=3))
def test_any_change_of_a_text_or_a_name_changes_the_digest(files: dict[str, str], more: str) -> None:
    before = digest_of(bundle_files(files))
    for path, text in files.items():
        changed = {**files, path: text + more}
        renamed = {**{k: v for k, v in files.items() if k != path}, path + more: text}
        assert digest_of(bundle_files(changed)) != before
        assert digest_of(bundle_files(renamed)) != before


def test_the_digest_is_the_same_on_every_machine() -> None:
    files = {"policies/a.yaml": "한글: 1\n", "patterns/b.yaml": "x\r\n"}
    assert digest_of(bundle_files(files)) == GOLDEN


def test_what_only_judges_is_no_part_of_it() -> None:
    files = {"policies/a.yaml": "한글: 1\n", "patterns/b.yaml": "x\r\n"}
    judging = {"policies/a.cases.yaml": "cases: []\n", "policies/invariants.yaml": "invariants: []\n"}
    assert bundle_files({**files, **judging}) == bundle_files(files)


GOLDEN = "10c40dd7c695e741005e77e0af4c36774f0612f5c86ce65879473b3a62c68eb1"
