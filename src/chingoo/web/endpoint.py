"""One route of the contract: who may call it, what it takes and gives, and the function that answers."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Generic, Literal, TypeVar
from uuid import UUID

import msgspec

from chingoo.errors import NotFoundError
from chingoo.web.bodies import Body, Nothing
from chingoo.web.choices import Instant
from chingoo.web.credentials import Caller, Principal

B = TypeVar("B", bound=Body)
Q = TypeVar("Q", bound=Body)

KIB: Final = 1024
SMALL_BODY: Final = 64 * KIB
LARGE_BODY: Final = 256 * KIB

_IDS: Final = re.compile(r"\{(\w+):uuid\}")

PUBLIC: Final[frozenset[Caller]] = frozenset()
SERVICE: Final = frozenset({Caller.APP, Caller.EDITOR, Caller.OPERATOR})
READERS: Final = frozenset(Caller)
WRITERS: Final = frozenset({Caller.APP, Caller.USER})

ANYBODY: Final = Principal(Caller.USER, "anybody")
"""Who calls a public route: nobody's data belongs to it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a handler gives back: a status and the body's bytes."""

    body: bytes
    status: int = 200
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


NO_CONTENT: Final = Answer(b"", 204)
"""Done, and nothing to say."""


def as_json(payload: Any, status: int = 200) -> Answer:
    """An answer of JSON."""
    return Answer(msgspec.json.encode(payload), status)


@dataclass(frozen=True, slots=True)
class Call(Generic[B, Q]):
    """One authorised request, read. `now` is the server's clock; `accept` the Accept header."""

    principal: Principal
    path: Mapping[str, Any]
    query: Q
    body: B
    now: datetime
    accept: str

    def instant(self, given: Instant | None) -> datetime:
        """The caller's instant; the server's without one, and always with a user's own token."""
        if given is None or self.principal.caller is Caller.USER:
            return self.now
        return given.at

    def user(self, user_id: UUID) -> UUID:
        """That user, if the caller may reach it; else NotFoundError, as for a user that does not exist (S-13)."""
        if self.principal.caller is Caller.USER and self.principal.user_id != user_id:
            raise NotFoundError("no such user")
        return user_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint(Generic[B, Q]):
    """A route of the contract, complete: routing, access, reading, documentation.

    `callers` empty is public. `body` and `query` are None where none is taken. `answers` maps a status to the shape of
    its JSON (None: not JSON). `problems` are the statuses beside those every route may have. `example` is a body that
    works.
    """

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    name: str
    tag: str
    summary: str
    description: str
    handle: Callable[[Call[B, Q]], Awaitable[Answer]]
    callers: frozenset[Caller]
    body: type[B] | None = None
    query: type[Q] | None = None
    answers: Mapping[int, Any]
    problems: tuple[int, ...] = ()
    example: Mapping[str, Any] | None = None
    max_body: int = SMALL_BODY
    media_type: str = "application/json"


AnyEndpoint = Endpoint[Any, Any]


def reads(
    path: str, ask: Callable[..., Awaitable[Any]], gives: Any, *, name: str, tag: str, summary: str, description: str
) -> AnyEndpoint:
    """A route that reads what its path names and nothing else: `ask` is called with the ids in it, in their order."""
    ids = _IDS.findall(path)

    async def read(call: Call[Nothing, Nothing]) -> Answer:
        return as_json(await ask(*(call.path[name] for name in ids)))

    return Endpoint(
        method="GET",
        path=path,
        name=name,
        tag=tag,
        summary=summary,
        description=description,
        handle=read,
        callers=READERS,
        answers={200: gives},
        problems=(404, 503),
    )


NO_BODY: Final = Nothing()
