"""One message's effect on the relationship: session, score, promotion (REL-01…11, C-30, C-80, C-81)."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from chingoo.model.people import Relationship
from chingoo.policy.documents.relationship import EvidenceScores, RelationshipDocument
from chingoo.relationship.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Updated:
    """The relationship after a message; `delta` is the new score minus the old one."""

    after: Relationship
    delta: int


def update(policy: RelationshipDocument, before: Relationship, evidence: Evidence, now: datetime) -> Updated:
    """The relationship after a message received at `now`.

    Not to be called when `relationship_update_policy` is OFF: then nothing changes at all (REL-13). On a crisis turn
    the session goes on but nothing is scored.
    """
    after = _with_session(policy, before, now)
    if not evidence.crisis:
        disengaged = after.session_disengaged + int(evidence.disengaged)
        points = _points(policy, evidence, disengaged)
        score = _clamped(before.rapport_score + points, policy.score.min, policy.score.max)
        after = replace(after, rapport_score=score, session_disengaged=disengaged)
    after = _promoted(policy, after, now)
    return Updated(after=after, delta=after.rapport_score - before.rapport_score)


def _with_session(policy: RelationshipDocument, before: Relationship, now: datetime) -> Relationship:
    """The message counted into its session: a new one only after more than the gap since the last message (REL-01)."""
    last = before.last_user_message_at
    seen = replace(before, last_interaction_at=now, last_user_message_at=now)
    if last is not None and now - last <= timedelta(hours=policy.session_gap_hours):
        return seen
    return replace(seen, sessions_count=before.sessions_count + 1, last_session_at=now, session_disengaged=0)


def _points(policy: RelationshipDocument, evidence: Evidence, disengaged: int) -> int:
    """The evidence summed, then clamped (REL-07)."""
    scores = policy.scores
    points = _preference_points(scores, evidence.preferences)
    points += scores.answer if evidence.answered else 0
    points += scores.disclosure if evidence.disclosed else 0
    points += scores.past_reference if evidence.past_reference else 0
    if evidence.disengaged and disengaged >= policy.limits.disengaged_from:
        points += scores.disengagement
    return _clamped(points, policy.delta.min, policy.delta.max)


def _preference_points(scores: EvidenceScores, preferences: int) -> int:
    """Several preferences earn their own number instead of the one for a single preference (REL-02)."""
    if preferences >= 2:  # "distinct preferences in the same message" begins with two, by meaning
        return scores.several_preferences
    return scores.one_preference if preferences == 1 else 0


def _clamped(value: int, low: int, high: int) -> int:
    return min(max(value, low), high)


def _promoted(policy: RelationshipDocument, relationship: Relationship, now: datetime) -> Relationship:
    """One stage further if everything is there; never two, never back (REL-11, REL-12)."""
    order = [rule.stage for rule in policy.stages]
    position = order.index(relationship.relationship_stage) + 1
    if position == len(order):
        return relationship
    following = policy.stages[position]
    last = relationship.last_stage_promotion_at
    rested = last is None or now - last >= timedelta(days=policy.promotion.min_days_between)
    if (
        relationship.rapport_score >= following.from_score
        and relationship.sessions_count >= policy.promotion.min_sessions
        and rested
    ):
        return replace(relationship, relationship_stage=following.stage, last_stage_promotion_at=now)
    return relationship
