"""The anti-cloning cap over a store, whatever the order and however many at once (PERS-13…16)."""

import asyncio
import random
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from tests.store.conftest import House

from chingoo.model.enums import HumorMode
from chingoo.model.people import Assignment, Friend, LaterAssignment, Window
from chingoo.persona.assignment import assign
from chingoo.policy.bundle import Bundle
from chingoo.testing.scenes import ASSIGNMENT, DAY, REQUIRED, meet

SECOND = timedelta(seconds=1)


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


@pytest.mark.parametrize("chance", [5, 6])
async def test_the_window_is_exact_wherever_the_instant_lies(house: House, era: datetime, chance: int) -> None:
    """PERS-13, PERS-16: near, far back, far ahead and at the same instant; the length of the window changes in between.

    What the store counts is what a count over all assignments gives, before and after every one.
    """
    draw = random.Random(chance)
    scene = await meet(house.store, house.ids)
    start = era + timedelta(days=100 * chance)
    given: list[tuple[datetime, str, bool]] = []
    at = start
    for _ in range(60):
        at += draw.choice((0, 1, 60, -1, -3600, 7200, 40_000, -40_000, 90_000, -90_000)) * SECOND
        length = draw.choice((DAY, DAY, DAY, DAY / 2))
        made = replace(
            ASSIGNMENT,
            combo_key=replace(ASSIGNMENT.combo_key, humor_mode=draw.choice(tuple(HumorMode))),
            fallback=draw.random() < 0.2,
        )
        seen: list[Window] = []

        def choose(window: Window, made: Assignment = made, seen: list[Window] = seen) -> Assignment:
            seen.append(window)
            return made

        ids = house.ids
        await house.store.create_friend(scene.user_id, ids.uuid(), ids.uuid(), None, at, REQUIRED, length, choose)
        assert seen == [_counted(given, at, length)]
        given.append((at, str(made.combo_key), made.fallback))


def _counted(given: list[tuple[datetime, str, bool]], at: datetime, length: timedelta) -> Window:
    """The window, counted from all assignments."""

    def before(instant: datetime) -> Counter[str]:
        return Counter(key for one, key, _ in given if instant - length <= one < instant)

    smallest: dict[tuple[str, int], int] = {}
    for one, key, fallback in given:
        if at < one <= at + length and not fallback:
            counts = before(one)
            pair = (key, counts[key])
            smallest[pair] = min(smallest.get(pair, len(given)), counts.total())
    later = tuple(LaterAssignment(key, total, taken) for (key, taken), total in sorted(smallest.items()))
    return Window(before(at).total(), dict(before(at)), later)


def _over(friend: Friend, friends: list[Friend]) -> bool:
    """Whether a friend that is no fallback has more of its key before it, itself counted, than the cap allows."""
    before = Counter(
        one.assignment.combo_key for one in friends if friend.assigned_at - DAY <= one.assigned_at < friend.assigned_at
    )
    taken = before[friend.assignment.combo_key] + 1
    return not friend.assignment.fallback and taken > max(1, 7 * (before.total() + 1) // 100)
