"""What a turn would be given."""

from collections.abc import Sequence
from typing import Final

from chingoo.web.answers.context import ContextPack
from chingoo.web.bodies import Nothing
from chingoo.web.credentials import Caller
from chingoo.web.endpoint import Answer, AnyEndpoint, Call, Endpoint, as_json
from chingoo.web.queries import ContextQuery
from chingoo.web.services import Context

_CALLERS: Final = frozenset({Caller.APP, Caller.EDITOR})


def context_routes(context: Context) -> Sequence[AnyEndpoint]:
    """The context pack."""

    async def read_context(call: Call[Nothing, ContextQuery]) -> Answer:
        query = call.query
        at = call.instant(query.at)
        return as_json(await context.context(call.path["user_id"], query.ai_friend_id, str(query.text), at))

    return (
        Endpoint(
            method="GET",
            path="/v1/users/{user_id:uuid}/context",
            name="read_context",
            tag="memories",
            summary="Read what a turn would be given",
            description="The context pack of a turn in friend mode with that `text` at that instant, worked out as the "
            "turn does it and written nowhere: the memories of its prompt, the most important first, the recent talk, "
            "and what the parts of the prompt come to. Without `ai_friend_id` it is that of the person's only friend; "
            "400 if there are several. Old messages are not searched yet, so `episodes` and `bullets` are empty; "
            "`pending_raw` has the person's last messages while many wait for the batch that learns from them. Where "
            "policy fixes the words of the reply, no model is given anything. A detector is not "
            "asked. 409 while onboarding is not complete.",
            handle=read_context,
            callers=_CALLERS,
            query=ContextQuery,
            answers={200: ContextPack},
            problems=(404, 409, 503),
        ),
    )
