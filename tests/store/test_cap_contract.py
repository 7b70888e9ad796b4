"""The anti-cloning cap over a store, whatever the order and however many at once (PERS-13…16)."""

import asyncio
import random
from collections import Counter
from datetime import datetime, timedelta

import pytest
from tests.store.conftest import House

from chingoo.model.people import Assignment, Friend, Window
from chingoo.persona.assignment import assign
from chingoo.policy.bundle import Bundle
from chingoo.testing.scenes import DAY, REQUIRED, meet


@pytest.mark.parametrize("chance", [1, 2, 3, 4])
async def test_no_assignment_but_a_fallback_exceeds_the_cap(
    house: House, bundle: Bundle, era: datetime, chance: int
) -> None:
    """Friends of arbitrary instants over four days, eight at a time, half of them with one and the same seed."""
    draw = random.Random(chance)
    scene = await meet(house.store, house.ids)
    start = era + timedelta(days=10 * chance)
    at_once = asyncio.Semaphore(8)

    async def befriend(number: int) -> Friend:
        seed = 424242 if number % 2 else draw.randrange(2**32)
        at = start + timedelta(minutes=draw.randrange(4 * 24 * 60 // chance))

        def choose(window: Window) -> Assignment:
            return assign(bundle.personas, bundle.planning.assignment, seed, window)

        async with at_once:
            ids = house.ids
            made = await house.store.create_friend(
                scene.user_id, ids.uuid(), ids.uuid(), None, at, REQUIRED, DAY, choose
            )
        return made[0]

    friends = await asyncio.gather(*(befriend(number) for number in range(60)))
    assert [friend.assigned_at for friend in friends if _over(friend, friends)] == []
    assert sum(friend.assignment.fallback for friend in friends) == 0


def _over(friend: Friend, friends: list[Friend]) -> bool:
    """Whether a friend that is no fallback has more of its key before it, itself counted, than the cap allows."""
    before = Counter(
        one.assignment.combo_key for one in friends if friend.assigned_at - DAY <= one.assigned_at < friend.assigned_at
    )
    taken = before[friend.assignment.combo_key] + 1
    return not friend.assignment.fallback and taken > max(1, 7 * (before.total() + 1) // 100)
