"""Words of closeness wait for their stage, and some are for no friend at any stage (REL-14)."""

from chingoo.model.enums import Mode, RelationshipStage
from chingoo.policy.documents.gates import IntimacyLevel
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding, Shown

_ORDER = tuple(RelationshipStage)


def judge(look: Look) -> Finding | None:
    """The words that are too close for the stage, as they are listed."""
    words: dict[str, None] = {}
    for level in look.policy.intimacy:
        if not _allowed(level, look.given.mode, look.given.stage):
            words |= dict.fromkeys(hit.name for hit in look.hits(level.seen))
    shown: list[Shown] = list(words)
    return Finding(shown, look.given.stage.value) if shown else None


def _allowed(level: IntimacyLevel, mode: Mode, stage: RelationshipStage) -> bool:
    since = level.intimate_from if mode is Mode.INTIMATE else level.friend_from
    return since is not None and _ORDER.index(stage) >= _ORDER.index(since)
