"""The names that the policies call things by are looked for in replies without being listed (C-69)."""

from dataclasses import replace

import pytest
import regex

from chingoo.engine.own_names import leaks_of, own_names, with_names
from chingoo.model.enums import RelationshipStage
from chingoo.policy.bundle import Bundle


def test_every_name_is_derived(bundle: Bundle) -> None:
    """Families, keys, stages, pipelines and friends: each is in its slot."""
    names = own_names(bundle)
    for family in bundle.memory.families.values():
        assert regex.fullmatch(names["families"], family.key)
        assert all(regex.fullmatch(names["keys"], key) for key in family.keys)
    assert all(regex.fullmatch(names["closeness"], stage.value) for stage in RelationshipStage)
    assert all(regex.fullmatch(names["names"], template) for template in bundle.personas)


def test_a_new_family_is_looked_for_at_once(bundle: Bundle) -> None:
    """Nobody has to think of the gate when a family is added."""
    family = replace(next(iter(bundle.memory.families.values())), key="shelf")
    memory = replace(bundle.memory, families={**bundle.memory.families, "SHELF": family})
    grown = replace(bundle, memory=memory)
    assert not _seen(bundle, "It says shelf:top here.")
    assert _seen(grown, "It says shelf:top here.")


@pytest.mark.parametrize(("pattern", "filled"), [("a{2}", "a{2}"), ("{names}x", "(?:AB|C)x"), ("{other}", "{other}")])
def test_only_slots_are_filled(pattern: str, filled: str) -> None:
    """Repetition and unknown braces stay as they are."""
    assert with_names(pattern, {"names": "(?:AB|C)"}) == filled


def _seen(bundle: Bundle, reply: str) -> bool:
    return any(leak.pattern is not None and regex.search(leak.pattern, reply) for leak in leaks_of(bundle))
