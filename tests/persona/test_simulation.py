"""Giving out many friends: the same run again, the cap at every instant, and anti-cloning at scale."""

from datetime import UTC, datetime

import pytest

from chingoo.persona.simulation import Plan, Simulation, simulate
from chingoo.policy.bundle import Bundle

START = datetime(2026, 3, 2, tzinfo=UTC)


def run(bundle: Bundle, amount: int, hours: float, seed: int = 7) -> Simulation:
    return simulate(bundle.personas, bundle.planning.assignment, Plan(amount, START, hours, seed))


def test_a_run_can_be_repeated(bundle: Bundle) -> None:
    """PERS-17."""
    assert run(bundle, 200, 48) == run(bundle, 200, 48)
    assert run(bundle, 200, 48) != run(bundle, 200, 48, seed=8)


@pytest.mark.parametrize(("amount", "hours"), [(1, 1), (30, 240), (300, 1), (400, 60)])
def test_every_stretch_keeps_the_cap(bundle: Bundle, amount: int, hours: float) -> None:
    """PERS-14: few friends and many, in a rush and over days."""
    done = run(bundle, amount, hours)
    assert done.over == 0
    assert sum(done.templates.values()) == sum(done.keys.values()) == sum(one.given for one in done.stretches) == amount
    assert all(one.taken <= one.cap for one in done.stretches if not one.fallbacks)


def test_all_templates_are_given_out(bundle: Bundle) -> None:
    """PERS-01: none is rare, none is everywhere."""
    done = run(bundle, 2_400, 48)
    assert set(done.templates) == set(bundle.personas)
    assert 50 < min(done.templates.values()) <= max(done.templates.values()) < 150


@pytest.mark.soak
@pytest.mark.parametrize("hours", [24, 240])
def test_a_hundred_thousand_friends_are_no_clones(bundle: Bundle, hours: float) -> None:
    """PERS-12…16 at scale: all keys, no fallback, and no key near its seven in a hundred once the window has filled."""
    done = run(bundle, 100_000, hours)
    assert (done.over, done.fallbacks, len(done.keys)) == (0, 0, 120)
    assert max(one.taken / one.total for one in done.stretches if one.total > 5_000) < 0.03
