"""What is remembered, and the person's hand on it."""

from collections.abc import Sequence

from chingoo.web.answers.memories import EvidenceList, ForgetReceipt, UnforgetReceipt
from chingoo.web.answers.people import ControlsNow, MemoryList, MemoryRecord
from chingoo.web.bodies import AsOf, MemoryCorrection, Nothing
from chingoo.web.endpoint import READERS, WRITERS, Answer, AnyEndpoint, Call, Endpoint, as_json, reads
from chingoo.web.queries import AsOfQuery, MemoriesQuery
from chingoo.web.services import Memories

_ONE = "/v1/users/{user_id:uuid}/memories/{memory_id:uuid}"
_MESSAGE = "/v1/users/{user_id:uuid}/messages/{message_id:uuid}"


def memory_routes(memories: Memories) -> Sequence[AnyEndpoint]:
    """Reading, correcting and deleting memories; forgetting messages."""
    return (*_reading(memories), *_records(memories), *_keys(memories), *_forgetting(memories))


def _reading(memories: Memories) -> Sequence[AnyEndpoint]:
    async def list_memories(call: Call[Nothing, MemoriesQuery]) -> Answer:
        query = call.query
        kind = None if query.type is None else str(query.type)
        status = None if query.status is None else str(query.status)
        return as_json(await memories.memories(call.path["user_id"], query.include_inactive, status, kind))

    return (
        Endpoint(
            method="GET",
            path="/v1/users/{user_id:uuid}/memories",
            name="list_memories",
            tag="memories",
            summary="Read what is remembered",
            description="The ACTIVE memories; others by `status`, or all with `include_inactive=true`.",
            handle=list_memories,
            callers=READERS,
            query=MemoriesQuery,
            answers={200: MemoryList},
            problems=(404, 503),
        ),
        reads(
            f"{_ONE}/evidence",
            memories.evidence,
            EvidenceList,
            name="read_evidence",
            tag="memories",
            summary="Read the messages a memory rests on",
            description="Oldest first, without forgotten ones. What was answered in onboarding rests on no message.",
        ),
        reads(
            f"{_ONE}/history",
            memories.history,
            MemoryList,
            name="read_memory_history",
            tag="memories",
            summary="Read what was remembered before under the same key",
            description="Every record of the memory's key with the same friend, whatever its status, oldest first.",
        ),
    )


def _records(memories: Memories) -> Sequence[AnyEndpoint]:
    async def delete_memory(call: Call[Nothing, AsOfQuery]) -> Answer:
        now = call.instant(call.query.now)
        return as_json(await memories.delete(call.path["user_id"], call.path["memory_id"], now))

    async def correct_memory(call: Call[MemoryCorrection, Nothing]) -> Answer:
        value, now = str(call.body.memory_value).strip(), call.instant(call.body.now)
        return as_json(await memories.correct(call.path["user_id"], call.path["memory_id"], value, now))

    return (
        Endpoint(
            method="DELETE",
            path=_ONE,
            name="delete_memory",
            tag="memories",
            summary="Delete a memory",
            description="It is INVALID at once and its key suppressed, so that it is not learned again before the key "
            "is un-suppressed. When the time to undo (policy: 24 h) is over, it is erased with the history of its key, "
            "also from stored answers. The messages it rests on stay: forget them as well if they should go.",
            handle=delete_memory,
            callers=WRITERS,
            query=AsOfQuery,
            answers={200: MemoryRecord},
            problems=(404, 503),
        ),
        Endpoint(
            method="PATCH",
            path=_ONE,
            name="correct_memory",
            tag="memories",
            summary="Correct a memory by hand",
            description="A new ACTIVE record (`explicit_input`) with the new value; the old one is SUPERSEDED. The new "
            "record rests on the evidence of the old one, and goes when that is forgotten; an answer of onboarding "
            "stays one. A preference is written `like|…` or `dislike|…`. The value it has confirms it. 409 if the "
            "memory is not ACTIVE.",
            handle=correct_memory,
            callers=WRITERS,
            body=MemoryCorrection,
            answers={200: MemoryRecord},
            problems=(404, 409, 503),
            example={"memory_value": "Porto"},
        ),
    )


def _keys(memories: Memories) -> Sequence[AnyEndpoint]:
    async def unsuppress(call: Call[Nothing, Nothing]) -> Answer:
        return as_json(await memories.unsuppress(call.path["user_id"], call.path["memory_key"]))

    return (
        Endpoint(
            method="DELETE",
            path="/v1/users/{user_id:uuid}/controls/suppressed-memory-keys/{memory_key:str}",
            name="unsuppress_memory_key",
            tag="memories",
            summary="Let a key be remembered again",
            description="What is said under it from now on is learned again; nothing comes back by itself. 404 if the "
            "key is not suppressed.",
            handle=unsuppress,
            callers=WRITERS,
            answers={200: ControlsNow},
            problems=(404, 503),
        ),
    )


def _forgetting(memories: Memories) -> Sequence[AnyEndpoint]:
    async def forget(call: Call[AsOf, Nothing]) -> Answer:
        now = call.instant(call.body.now)
        return as_json(await memories.forget(call.path["user_id"], call.path["message_id"], now))

    async def unforget(call: Call[AsOf, Nothing]) -> Answer:
        now = call.instant(call.body.now)
        return as_json(await memories.unforget(call.path["user_id"], call.path["message_id"], now))

    return (
        Endpoint(
            method="POST",
            path=f"{_MESSAGE}/forget",
            name="forget_message",
            tag="memories",
            summary="Forget a message",
            description="At once its words are out of every answer, history, prompt, search and export, and so are the "
            "answer to it and what the friend said later that repeats it. Memories known from it alone are INVALID; "
            "others lose it as evidence (C-34). Until `undo_until` it can be taken back; then the words, and the "
            "memories made of them, are erased. No key is suppressed. Again: nothing more. 409 while it is still being "
            "answered.",
            handle=forget,
            callers=WRITERS,
            body=AsOf,
            answers={200: ForgetReceipt},
            problems=(404, 409, 503),
            example={"now": "2026-03-02T12:00:00+00:00"},
        ),
        Endpoint(
            method="POST",
            path=f"{_MESSAGE}/unforget",
            name="unforget_message",
            tag="memories",
            summary="Take the forgetting of a message back",
            description="Within the time to undo: the words come back, and memories and evidence with them. A memory "
            "whose key holds another value by now comes back as SUPERSEDED. A message that is not forgotten stays as "
            "it is. 409 when the time is over.",
            handle=unforget,
            callers=WRITERS,
            body=AsOf,
            answers={200: UnforgetReceipt},
            problems=(404, 409, 503),
        ),
    )
