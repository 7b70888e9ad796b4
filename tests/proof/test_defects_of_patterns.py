"""Mistakes made in the patterns of instant facts: each is found with its code, in its file."""

from collections.abc import Mapping

import pytest

from chingoo.policy.compile import FileReader, load
from chingoo.proof.checks import instant_phrases_can_be_read, slots_can_be_filled, synonyms_mean_one_thing
from chingoo.proof.walk import Subject

EN, SYNONYMS, ANCHORS = "patterns/instant/en.yaml", "patterns/synonyms.yaml", "patterns/anchors.yaml"
PHRASE = "- i have allergies to {allergens}"
CHECKS = (instant_phrases_can_be_read.check, slots_can_be_filled.check, synonyms_mean_one_thing.check)


@pytest.mark.parametrize(
    ("code", "file", "old", "new"),
    [
        ("phrase-broken", EN, PHRASE, "- i have [allergies to {allergens}"),
        ("phrase-broken", EN, PHRASE, '- "[i have allergies to] {allergens}"'),
        ("phrase-slot", EN, PHRASE, "- i have allergies to {alergens}"),
        ("phrase-slot", EN, PHRASE, "- i have allergies to {amount}"),
        ("phrase-slot", "patterns/instant/it.yaml", "mancano {count} {unit}", "mancano {unit}"),
        ("synonym-twice", SYNONYMS, "en: [wool | woolen", "en: [leather | woolen"),
        ("synonym-broken", SYNONYMS, "{en: [cashmere]", '{en: ["…"]'),
        ("synonym-unknown", SYNONYMS, "- green tea | 녹차", "- green tee | 녹차"),
        ("synonym-twice", SYNONYMS, "- green tea | 녹차", "- green tea | чай | 녹차"),
        ("slot-unknown", ANCHORS, "kinds: [material, style, footwear]", "kinds: [materiel, style, footwear]"),
        ("slot-gap", SYNONYMS, "    july:", "    heumonat:"),
    ],
)
def test_each_is_found(
    code: str,
    file: str,
    old: str,
    new: str,
    policy_files: Mapping[str, str],
    policy_schemas: Mapping[str, str],
    policy_reader: FileReader,
) -> None:
    assert old in policy_files[file]
    edited = {**policy_files, file: policy_files[file].replace(old, new, 1)}
    result = load(edited, policy_schemas, reader=policy_reader)
    assert result.bundle is not None, result.findings
    found = [finding for check in CHECKS for finding in check(Subject(result.bundle))]
    assert [(one.code, one.place.file) for one in found][:1] == [(code, file)]
