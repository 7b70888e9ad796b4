"""Turns: one message in, one answer out, as JSON or as events."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from chingoo.errors import FieldError, InvalidInputError
from chingoo.model.turn import TurnRequest
from chingoo.web.answers.people import PendingTurn, TurnAnswer
from chingoo.web.bodies import Nothing, Turn
from chingoo.web.endpoint import READERS, WRITERS, Answer, AnyEndpoint, Call, Endpoint, as_json
from chingoo.web.queries import StoredTurnQuery
from chingoo.web.services import Turns

EVENT_STREAM: Final = "text/event-stream"

EXAMPLE: Final[Mapping[str, Any]] = {
    "message_id": "6f1c2c1e-0000-4000-8000-000000000001",
    "user_id": "6f1c2c1e-0000-4000-8000-000000000002",
    "ai_friend_id": "6f1c2c1e-0000-4000-8000-000000000003",
    "conversation_id": "6f1c2c1e-0000-4000-8000-000000000004",
    "text": "there is a blue chair near the window",
    "client_timezone": "Asia/Seoul",
}


def turn_routes(turns: Turns) -> Sequence[AnyEndpoint]:
    """`POST /v1/turns` and reading a stored one."""
    return (*_taking(turns), *_stored(turns))


def _taking(turns: Turns) -> Sequence[AnyEndpoint]:
    async def take_turn(call: Call[Turn, Nothing]) -> Answer:
        body = call.body
        answer = await turns.take_turn(
            TurnRequest(
                message_id=body.message_id,
                user_id=call.user(body.user_id),
                ai_friend_id=body.ai_friend_id,
                conversation_id=body.conversation_id,
                text=str(body.text),
                received_at=call.instant(body.received_at),
                mode=body.mode,
                client_locale=None if body.client_locale is None else str(body.client_locale),
                client_timezone=None if body.client_timezone is None else str(body.client_timezone),
            )
        )
        return as_events(answer) if wants_events(call.accept) else as_json(answer)

    return (
        Endpoint(
            method="POST",
            path="/v1/turns",
            name="take_turn",
            tag="turns",
            summary="Send a message and get the friend's answer",
            description=(
                "`message_id` is the idempotency key: the same one again, even at once and in parallel, answers with "
                "the stored reply and `replayed: true`; with another text, conversation, friend or mode it is 409. "
                "409 with `Retry-After` says that the conversation is busy. With `Accept: text/event-stream` the "
                "answer comes as the events `routing` (without `notes`), `reply` and `done` (the whole body). "
                "`received_at` is ignored with a user's own token."
            ),
            handle=take_turn,
            callers=WRITERS,
            body=Turn,
            answers={200: TurnAnswer},
            problems=(403, 404, 409, 503),
            example=EXAMPLE,
        ),
    )


def _stored(turns: Turns) -> Sequence[AnyEndpoint]:
    async def stored_turn(call: Call[Nothing, StoredTurnQuery]) -> Answer:
        user_id = call.query.user_id or call.principal.user_id
        if user_id is None:
            fault = FieldError("/user_id", "is required: whose message it is")
            raise InvalidInputError("the query is not as it should be at `/user_id`: is required", [fault])
        status, answer = await turns.stored(call.user(user_id), call.path["message_id"])
        return as_json(answer, status)

    return (
        Endpoint(
            method="GET",
            path="/v1/turns/{message_id:uuid}",
            name="stored_turn",
            tag="turns",
            summary="Read the stored answer of a message",
            description="200 with the answer, 202 while it is being answered, 404 if the message is unknown. "
            "`user_id` is required with a service key.",
            handle=stored_turn,
            callers=READERS,
            query=StoredTurnQuery,
            answers={200: TurnAnswer, 202: PendingTurn},
            problems=(404, 503),
        ),
    )


def wants_events(accept: str) -> bool:
    """Whether the Accept header asks for an event stream and does not refuse it."""
    for part in accept.lower().split(","):
        media_type, *parameters = [piece.strip() for piece in part.split(";")]
        if media_type == EVENT_STREAM:
            return not any(parameter in ("q=0", "q=0.0", "q=0.00", "q=0.000") for parameter in parameters)
    return False


def as_events(answer: Mapping[str, Any]) -> Answer:
    """A finished turn as server-sent events; nothing is sent that the gates have not passed (LLM-03)."""
    routing = {name: value for name, value in answer["routing"].items() if name != "notes"}
    events = (("routing", routing), ("reply", answer["reply"]), ("done", answer))
    stream = b"".join(b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data)) for name, data in events)
    return Answer(stream, media_type=EVENT_STREAM)
