"""Sessions, score and promotion (REL-01…11, C-30, C-80, C-81)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chingoo.model.enums import RelationshipStage
from chingoo.model.people import Relationship
from chingoo.policy.bundle import Bundle
from chingoo.relationship.evidence import Evidence
from chingoo.relationship.update import update

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
STAGES = tuple(RelationshipStage)
SHORT = Evidence(disengaged=True)

evidences = st.builds(
    Evidence,
    preferences=st.integers(0, 4),
    answered=st.booleans(),
    disclosed=st.booleans(),
    past_reference=st.booleans(),
    disengaged=st.booleans(),
    crisis=st.booleans(),
)
histories = st.lists(st.tuples(evidences, st.integers(0, 20 * 24 * 60)), max_size=80)


def talked(score: int = 0, stage: RelationshipStage = RelationshipStage.STRANGER, sessions: int = 1) -> Relationship:
    """Two people who last talked at noon."""
    return Relationship(
        relationship_stage=stage,
        rapport_score=score,
        sessions_count=sessions,
        last_interaction_at=NOON,
        last_session_at=NOON,
        last_user_message_at=NOON,
    )


@pytest.mark.parametrize(
    ("after_seconds", "sessions"),
    [(0, 1), (4 * 3600, 1), (4 * 3600 + 1, 2), (30 * 3600, 2)],
)
def test_a_session_begins_after_more_than_four_hours(bundle: Bundle, after_seconds: int, sessions: int) -> None:
    """REL-01: exactly four hours is the same session."""
    at = NOON + timedelta(seconds=after_seconds)
    after = update(bundle.relationship, talked(), Evidence(), at).after
    assert after.sessions_count == sessions
    assert after.last_session_at == (at if sessions == 2 else NOON)
    assert after.last_user_message_at == after.last_interaction_at == at


def test_the_first_message_opens_session_one(bundle: Bundle) -> None:
    """C-80: activation sets last_interaction_at, which opens no session."""
    activated = Relationship(last_interaction_at=NOON)
    assert update(bundle.relationship, activated, Evidence(), NOON).after.sessions_count == 1


def test_another_offset_is_the_same_instant(bundle: Bundle) -> None:
    seoul = timezone(timedelta(hours=9))
    at = (NOON + timedelta(hours=4)).astimezone(seoul)
    assert update(bundle.relationship, talked(), Evidence(), at).after.sessions_count == 1


@pytest.mark.parametrize(
    ("evidence", "delta"),
    [
        (Evidence(), 0),
        (Evidence(preferences=1), 1),
        (Evidence(preferences=2), 2),
        (Evidence(preferences=7), 2),
        (Evidence(answered=True), 1),
        (Evidence(disclosed=True), 4),
        (Evidence(past_reference=True), 4),
        (Evidence(preferences=1, answered=True), 2),
        (Evidence(preferences=2, past_reference=True), 5),  # 6, held at 5
        (Evidence(preferences=2, answered=True, disclosed=True, past_reference=True), 5),  # 11, held at 5
        (Evidence(preferences=2, disclosed=True, crisis=True), 0),
        (SHORT, 0),
    ],
)
def test_points_of_a_message(bundle: Bundle, evidence: Evidence, delta: int) -> None:
    """REL-02…07, C-81."""
    updated = update(bundle.relationship, talked(20), evidence, NOON)
    assert updated.delta == delta
    assert updated.after.rapport_score == 20 + delta


def test_the_third_disengaged_reply_of_a_session_costs_two(bundle: Bundle) -> None:
    """C-30: cumulative in the session, and each one from the third on."""
    relationship, deltas = talked(10), []
    for evidence in (SHORT, Evidence(preferences=1), SHORT, Evidence(), SHORT, SHORT):
        updated = update(bundle.relationship, relationship, evidence, NOON)
        relationship = updated.after
        deltas.append(updated.delta)
    assert deltas == [0, 1, 0, 0, -2, -2]
    later = update(bundle.relationship, relationship, SHORT, NOON + timedelta(hours=5))
    assert later.delta == 0
    assert later.after.session_disengaged == 1


@pytest.mark.parametrize(
    ("score", "evidence", "delta"),
    [(1, SHORT, -1), (0, SHORT, 0), (98, Evidence(past_reference=True), 2), (100, Evidence(preferences=2), 0)],
)
def test_the_score_stays_between_0_and_100(bundle: Bundle, score: int, evidence: Evidence, delta: int) -> None:
    """REL-08: delta is the new score minus the old one."""
    before = replace(talked(score, RelationshipStage.CLOSE_FRIEND), session_disengaged=2)
    assert update(bundle.relationship, before, evidence, NOON).delta == delta


@pytest.mark.parametrize(
    ("score", "sessions", "days_since", "stage", "expected"),
    [
        (14, 3, None, "STRANGER", "STRANGER"),
        (15, 2, None, "STRANGER", "STRANGER"),
        (15, 3, None, "STRANGER", "ACQUAINTANCE"),
        (100, 9, None, "STRANGER", "ACQUAINTANCE"),  # one step at a time
        (39, 9, 8, "ACQUAINTANCE", "ACQUAINTANCE"),
        (40, 9, 6.99, "ACQUAINTANCE", "ACQUAINTANCE"),
        (40, 9, 7, "ACQUAINTANCE", "FRIEND"),
        (74, 9, 30, "FRIEND", "FRIEND"),
        (75, 9, 30, "FRIEND", "CLOSE_FRIEND"),
        (100, 99, 99, "CLOSE_FRIEND", "CLOSE_FRIEND"),
        (3, 9, 99, "FRIEND", "FRIEND"),  # nobody is demoted
    ],
)
def test_promotion(
    bundle: Bundle, score: int, sessions: int, days_since: float | None, stage: str, expected: str
) -> None:
    """REL-11, REL-12."""
    last = None if days_since is None else NOON - timedelta(days=days_since)
    before = replace(talked(score, RelationshipStage(stage), sessions), last_stage_promotion_at=last)
    after = update(bundle.relationship, before, Evidence(), NOON).after
    assert after.relationship_stage == expected
    assert after.last_stage_promotion_at == (NOON if expected != stage else last)


@given(history=histories)
def test_nothing_ever_leaves_its_bounds(bundle: Bundle, history: list[tuple[Evidence, int]]) -> None:
    """Clamps hold, no stage is skipped or lost, promotions are a week apart, the delta is what it says."""
    relationship, at = Relationship(), NOON
    for evidence, minutes in history:
        at += timedelta(minutes=minutes)
        updated = update(bundle.relationship, relationship, evidence, at)
        after = updated.after
        assert 0 <= after.rapport_score <= 100
        assert -2 <= updated.delta <= 5
        assert updated.delta == after.rapport_score - relationship.rapport_score
        assert not (evidence.crisis and updated.delta)
        step = STAGES.index(after.relationship_stage) - STAGES.index(relationship.relationship_stage)
        assert step in (0, 1)
        if step and relationship.last_stage_promotion_at is not None:
            assert at - relationship.last_stage_promotion_at >= timedelta(days=7)
        relationship = after
