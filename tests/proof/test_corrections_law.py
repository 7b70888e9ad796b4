"""Corrections that cannot be understood are refused with a finding that says which (C-70)."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.corrections import Command, CorrectionsDocument
from chingoo.proof.checks.corrections_can_be_read import check
from chingoo.proof.walk import Subject
from chingoo.source.places import Place

Phrases = Mapping[Command, tuple[str, ...]]
Names = Mapping[str, tuple[str, ...]]


def findings(
    bundle: Bundle, phrases: Mapping[Command, tuple[str, ...]], names: Mapping[str, tuple[str, ...]]
) -> list[str]:
    document = CorrectionsDocument(Place("patterns/corrections/en.yaml", 1, 1), names=names, phrases=phrases)
    return [finding.code for finding in check(Subject(replace(bundle, corrections={"en": document})))]


@pytest.mark.parametrize(
    ("phrases", "names", "codes"),
    [
        ({Command.FORGET: ("forget {x} | drop {x}",)}, {"fact:current_city": ("city",), "budget": ("budget",)}, []),
        ({Command.FORGET: ("forget the thing",)}, {}, ["correction-slots"]),
        ({Command.DENY: ("not {x}",)}, {}, ["correction-slots"]),
        ({Command.REPLACE: ("{x} not {x}",)}, {}, ["correction-slots"]),
        ({Command.REPLACE: ("my {name} is {x} not {y}",)}, {}, []),
        ({Command.FORGET: ("{x}",)}, {}, ["correction-slots"]),
        ({Command.DENY: ("no",), Command.BARE_NO: ("No!",)}, {}, ["correction-ambiguous"]),
        ({}, {"fact:ocupation": ("job",)}, ["correction-name-unknown"]),
    ],
)
def test_what_is_wrong_with_a_correction(bundle: Bundle, phrases: Phrases, names: Names, codes: list[str]) -> None:
    assert findings(bundle, phrases, names) == codes


def test_the_shipped_ones_are_right(bundle: Bundle) -> None:
    assert list(check(Subject(bundle))) == []
