"""Histories."""

from collections.abc import Sequence

from chingoo.errors import NotFoundError
from chingoo.web.answers.people import MessagePage
from chingoo.web.bodies import Nothing
from chingoo.web.endpoint import READERS, Answer, AnyEndpoint, Call, Endpoint, as_json
from chingoo.web.queries import MessagesQuery
from chingoo.web.services import Conversations


def conversation_routes(conversations: Conversations) -> Sequence[AnyEndpoint]:
    """Reading messages."""

    async def list_messages(call: Call[Nothing, MessagesQuery]) -> Answer:
        conversation_id, query = call.path["conversation_id"], call.query
        try:
            owner = call.user(await conversations.owner(conversation_id))
        except NotFoundError:
            # Somebody else's and none at all are told apart by nobody (S-13).
            raise NotFoundError("no such conversation") from None
        before = str(query.before) if query.before else None
        return as_json(await conversations.messages(owner, conversation_id, query.limit, before))

    return (
        Endpoint(
            method="GET",
            path="/v1/conversations/{conversation_id:uuid}/messages",
            name="list_messages",
            tag="conversations",
            summary="Read a page of the history",
            description="The newest page first, oldest message first within it; `next` is the `before` of the page "
            "before. A forgotten message has no text.",
            handle=list_messages,
            callers=READERS,
            query=MessagesQuery,
            answers={200: MessagePage},
            problems=(404, 503),
        ),
    )
