"""What silence costs (REL-10, C-57)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.model.enums import RelationshipStage
from chingoo.model.people import Relationship
from chingoo.policy.bundle import Bundle
from chingoo.relationship.decay import decay
from chingoo.relationship.evidence import Evidence
from chingoo.relationship.update import update

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
stages = st.sampled_from(list(RelationshipStage))


def silent(score: int, stage: RelationshipStage | str = "STRANGER") -> Relationship:
    """Somebody who last wrote at noon."""
    return Relationship(
        relationship_stage=RelationshipStage(stage),
        rapport_score=score,
        last_interaction_at=NOON,
        last_user_message_at=NOON,
    )


@pytest.mark.parametrize(
    ("score", "stage", "days", "expected"),
    [
        (10, "STRANGER", 6.99, 10),
        (10, "STRANGER", 7, 9),
        (10, "STRANGER", 15, 8),
        (1, "STRANGER", 40, 0),
        (17, "ACQUAINTANCE", 90, 15),
        (13, "ACQUAINTANCE", 90, 13),  # below its floor already: never raised
        (41, "FRIEND", 70, 40),
        (100, "CLOSE_FRIEND", 700, 75),
    ],
)
def test_a_point_a_week_down_to_the_stages_floor(
    bundle: Bundle, score: int, stage: str, days: float, expected: int
) -> None:
    after = decay(bundle.relationship, silent(score, stage), NOON + timedelta(days=days))
    assert after.rapport_score == expected
    assert after.relationship_stage == stage


def test_running_twice_charges_once(bundle: Bundle) -> None:
    policy, at = bundle.relationship, NOON + timedelta(days=15)
    once = decay(policy, silent(10), at)
    assert decay(policy, once, at) is once
    assert decay(policy, once, NOON + timedelta(days=22)).rapport_score == 7


def test_a_message_starts_the_weeks_afresh(bundle: Bundle) -> None:
    policy = bundle.relationship
    decayed = decay(policy, silent(10), NOON + timedelta(days=15))
    back = update(policy, decayed, Evidence(), NOON + timedelta(days=16)).after
    assert decay(policy, back, NOON + timedelta(days=22)).rapport_score == 8
    assert decay(policy, back, NOON + timedelta(days=23)).rapport_score == 7


def test_who_never_wrote_loses_nothing(bundle: Bundle) -> None:
    nobody = Relationship(rapport_score=5)
    assert decay(bundle.relationship, nobody, NOON) is nobody


@given(score=st.integers(0, 100), stage=stages, days=st.lists(st.floats(0, 900), min_size=1, max_size=8))
def test_steps_of_any_size_come_to_the_same(
    bundle: Bundle, score: int, stage: RelationshipStage, days: list[float]
) -> None:
    """Idempotent, never rising, never below the floor it was above, and the same in one step as in many."""
    policy, start = bundle.relationship, silent(score, stage)
    floor = next(rule.from_score for rule in policy.stages if rule.stage is stage)
    stepped = start
    for day in sorted(days):
        at = NOON + timedelta(days=day)
        after = decay(policy, stepped, at)
        assert after == decay(policy, after, at)
        assert min(floor, score) <= after.rapport_score <= stepped.rapport_score
        stepped = after
    at_once = decay(policy, start, NOON + timedelta(days=max(days)))
    assert stepped.rapport_score == at_once.rapport_score
    assert replace(stepped, last_decay_at=None) == replace(at_once, last_decay_at=None)
