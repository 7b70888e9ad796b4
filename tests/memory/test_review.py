"""How much of what batches learn is looked at, and when too much of it was wrong (BATCH-13)."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from chingoo.memory.review import Standing, is_drawn, standing
from chingoo.model.reviews import JudgedSample
from chingoo.policy.bundle import Bundle

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
LAUNCH, STEADY, PAUSED = Standing(0.01), Standing(0.001), Standing(0.01, paused=True)


def verdicts(many: int, wrong: int, *, newest: float = 0, apart: float = 0.1) -> list[JudgedSample]:
    """The newest first, so many days apart; the oldest are the wrong ones."""
    return [JudgedSample(NOW - timedelta(days=newest + apart * n), n >= many - wrong) for n in range(many)]


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        ([], LAUNCH),
        (verdicts(49, 49), LAUNCH),
        (verdicts(50, 0), LAUNCH),
        (verdicts(141, 0), STEADY),
        (verdicts(141, 2), STEADY),
        (verdicts(141, 3), LAUNCH),
        (verdicts(141, 7), LAUNCH),
        (verdicts(141, 8), PAUSED),
        (verdicts(100, 5), LAUNCH),
        (verdicts(100, 6), PAUSED),
        # Little is drawn in steady days: what was before them counts too, and the share does not swing back.
        (verdicts(120, 0, apart=3), STEADY),
        (verdicts(120, 0, newest=60, apart=3), STEADY),
        (verdicts(120, 60, apart=3), STEADY),
    ],
)
def test_what_follows_from_verdicts(bundle: Bundle, judged: list[JudgedSample], expected: Standing) -> None:
    assert standing(bundle.extraction.batch.review, judged, NOW) == expected


def test_three_new_errors_stop_batches_even_in_steady_days(bundle: Bundle) -> None:
    fresh = [JudgedSample(NOW, wrong=True)] * 3
    assert standing(bundle.extraction.batch.review, fresh + verdicts(120, 0, newest=3, apart=3), NOW) == PAUSED


def test_the_draw_is_fair_and_always_the_same(bundle: Bundle) -> None:
    policy = bundle.extraction.batch.review
    ids = [UUID(int=number << 64 | number) for number in range(20_000)]
    drawn = {one for one in ids if is_drawn(policy, one, 0.01)}
    assert 140 <= len(drawn) <= 260
    assert drawn == {one for one in ids if is_drawn(policy, one, 0.01)}
    assert {one for one in ids if is_drawn(policy, one, 0.001)} <= drawn
    assert not any(is_drawn(policy, one, 0.0) for one in ids)
    assert all(is_drawn(policy, one, 1.0) for one in ids)
