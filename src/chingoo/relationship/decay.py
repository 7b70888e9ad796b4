"""What silence costs: a point for each full week, never below the stage's own minimum (REL-10, C-57)."""

from dataclasses import replace
from datetime import datetime, timedelta

from chingoo.model.people import Relationship
from chingoo.policy.documents.relationship import RelationshipDocument


def decay(policy: RelationshipDocument, relationship: Relationship, now: datetime) -> Relationship:
    """The relationship as decayed at `now`, or the very same value if nothing is due.

    Periods count from the last interaction; `last_decay_at` is the end of the last period charged, so that running
    twice, late, or in several steps charges each period once. The score never rises and the stage never changes.
    """
    since = relationship.last_interaction_at
    floor = next(rule.from_score for rule in policy.stages if rule.stage is relationship.relationship_stage)
    if since is None or relationship.rapport_score <= floor:
        return relationship
    period = timedelta(days=policy.decay.every_days)
    charged = relationship.last_decay_at
    done = 0 if charged is None or charged < since else (charged - since) // period
    total = (now - since) // period
    if total <= done:
        return relationship
    score = max(floor, relationship.rapport_score - policy.decay.points * (total - done))
    return replace(relationship, rapport_score=score, last_decay_at=since + total * period)
