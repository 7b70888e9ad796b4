"""Figures of what turns learn and what people correct (TEL-06, TEL-09)."""

from tests.service.conftest import World
from tests.service.test_memory_turns import said, shown

from chingoo.service.memory_counts import CORRECTED, DEACTIVATED, DISPUTED, LEARNED, SHOWN


async def test_what_is_learned_is_counted_by_source_type_and_language(world: World) -> None:
    await said(world, "I'm allergic to nickel.")
    labels = [dict(labels) for name, labels in world.metrics.counts if name == LEARNED]
    assert {"source": "instant_pattern", "type": "allergy", "language": "en"} in labels


async def test_corrections_are_counted(world: World) -> None:
    """A denial puts one out of use; a doubt does not."""
    await shown(world)
    await said(world, "That's not true.")
    assert world.metrics.total(SHOWN) >= 1, "C-62: what corrections are measured against"
    assert [world.metrics.total(name) for name in (CORRECTED, DEACTIVATED, DISPUTED)] == [1, 1, 0]
