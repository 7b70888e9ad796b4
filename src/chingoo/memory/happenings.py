"""Events and emotional patterns that somebody tells of themselves (MEM-03, MEM-04)."""

from datetime import datetime, tzinfo

from chingoo.memory.frames import How
from chingoo.memory.standing import Head, Judge, Standing
from chingoo.policy.documents.listening import EventFrame, FeelingFrame
from chingoo.text.slug import slug

_LONGEST = 120
_NEAR = 3


def read_event(
    judge: Judge, head: Head, event: EventFrame, standing: Standing, received_at: datetime, zone: tzinfo
) -> tuple[str, str] | None:
    """The key and value of an event, in the month it is told in, where the person lives; None when it is not theirs."""
    first, last = judge.clause(head.hit.first_token, standing.first, standing.last)
    if standing.negations or (head.frame.how is How.NOUN and not _is_own(judge, head, first, last)):
        return None
    month = received_at.astimezone(zone).strftime("%Y_%m")
    told = judge.saying.raw(first, last)
    return f"event:{event.domain}:{month}:{slug(event.slug)}", told[:_LONGEST].strip()


def _is_own(judge: Judge, head: Head, first: int, last: int) -> bool:
    """Whether an event that is only named is the speaker's: theirs by a word before it, or dated, and nobody else's."""
    at = head.hit.first_token
    saying, around = judge.saying, judge.around
    if any(hit.first_token <= last and hit.last_token >= first for hit in judge.spoken("others")):
        return False
    if any(saying.tokens[index] in around.negations for index in range(first, last + 1)):
        return False
    owned = any(first <= hit.first_token and hit.last_token <= at for hit in judge.spoken("own"))
    return owned or any(first <= hit.first_token <= last for hit in judge.spoken("times"))


def read_feeling(judge: Judge, head: Head, feeling: FeelingFrame, standing: Standing) -> tuple[str, str] | None:
    """The key and value of an emotional pattern that is stated in so many words."""
    if standing.negations:
        return None
    near = range(standing.after, min(standing.last, standing.after + _NEAR) + 1)
    if feeling.side == "before":
        near = range(max(standing.first, head.hit.first_token - _NEAR), head.hit.first_token + 1)
    for hit in judge.saying.scan.hits(f"value.{feeling.pattern}"):
        if hit.language == judge.language and hit.first_token in near:
            said = judge.saying.raw(hit.first_token, hit.last_token, hit.start, hit.end)
            return f"emotion:{feeling.pattern}", said if judge.around.cased else hit.name
    return None
