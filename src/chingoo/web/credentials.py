"""Who is asking: service keys compared in constant time, users' tokens, and the four callers there are."""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from chingoo.errors import UnauthenticatedError
from chingoo.settings.values import ApiKey


class Caller(StrEnum):
    """The roles of api.md: three kinds of service key, and a person's own token."""

    APP = "app"
    EDITOR = "editor"
    OPERATOR = "operator"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated caller. `user_id` is set for USER alone; `credential` tells credentials apart, showing none."""

    caller: Caller
    credential: str
    user_id: UUID | None = None

    @property
    def name(self) -> str:
        """Who did it, for histories: the role, and which of its credentials."""
        return f"{self.caller} ({self.credential})"


class Tokens(Protocol):
    """What checks users' tokens."""

    async def subject(self, token: str) -> UUID:
        """The user of a good token; UnauthenticatedError for any other; UnavailableError without a key set."""
        ...


class Credentials:
    """Checks `Authorization: Bearer …`: a service key, or a user's token where `tokens` is given."""

    def __init__(self, keys: Sequence[ApiKey], tokens: Tokens | None) -> None:
        self._keys = tuple((_digest(key.key), Principal(Caller(key.role), f"key {n}")) for n, key in enumerate(keys))
        self._tokens = tokens

    async def principal(self, header: str | None) -> Principal:
        """Who it is, or UnauthenticatedError saying what is wanted and nothing of what is known."""
        scheme, _, given = (header or "").strip().partition(" ")
        given = given.strip()
        if scheme.lower() != "bearer" or not given:
            raise UnauthenticatedError("credentials are needed: send `Authorization: Bearer …`")
        found = self._key(given)
        if found is not None:
            return found
        if self._tokens is not None and given.count(".") == 2:
            user_id = await self._tokens.subject(given)
            return Principal(Caller.USER, "token", user_id)
        raise UnauthenticatedError("the key is not known")

    def _key(self, given: str) -> Principal | None:
        """The key's role. All keys are compared, whole digests each, so that time tells nothing."""
        digest = _digest(given)
        found = None
        for known, principal in self._keys:
            if hmac.compare_digest(digest, known):
                found = principal
        return found


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
