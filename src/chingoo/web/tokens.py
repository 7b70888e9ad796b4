"""Users' tokens: RS256 JWTs, checked against a key set that is read when needed and no oftener than allowed."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import httpx
import jwt

from chingoo.errors import UnauthenticatedError, UnavailableError
from chingoo.ports.machine import Clock

_ALGORITHM: Final = "RS256"
_KEEP_S: Final = 600.0
_FETCH_TIMEOUT_S: Final = 5.0
_LARGEST: Final = 1_000_000
_FIRST_RETRY_S: Final = 1.0
_SKEW_S: Final = 60.0
_LONGEST: Final = 8192

_log = logging.getLogger(__name__)

ReadKeySet = Callable[[], Awaitable[Mapping[str, Any]]]


class KeySetError(Exception):
    """The key set cannot be read."""


class KeySet:
    """The public keys by `kid`, kept for ten minutes, read again for an unknown `kid` at most every `refresh_s`.

    A key set that cannot be read leaves the keys known before in force.
    """

    def __init__(self, read: ReadKeySet, clock: Clock, refresh_s: float) -> None:
        self._read, self._clock, self._refresh_s = read, clock, refresh_s
        self._keys: dict[str | None, jwt.PyJWK] = {}
        self._tried_at: float | None = None
        self._read_at: float | None = None
        self._reading = asyncio.Lock()

    async def key(self, kid: str | None) -> jwt.PyJWK | None:
        """The key of that id, or the only one there is if none is named; UnavailableError if none could be read."""
        if self._stale() or self._find(kid) is None:
            async with self._reading:
                if self._may_try() and (self._stale() or self._find(kid) is None):
                    await self._refresh()
        if self._read_at is None:
            raise UnavailableError("tokens cannot be checked: the key set (CHINGOO_JWKS) cannot be read at the moment")
        return self._find(kid)

    def _find(self, kid: str | None) -> jwt.PyJWK | None:
        if kid is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(kid)

    def _stale(self) -> bool:
        return self._read_at is None or self._clock.monotonic() - self._read_at > _KEEP_S

    def _may_try(self) -> bool:
        # As long as nothing is known, nobody can come in: then it is tried again soon.
        pause = min(_FIRST_RETRY_S, self._refresh_s) if self._read_at is None else self._refresh_s
        return self._tried_at is None or self._clock.monotonic() - self._tried_at >= pause

    async def _refresh(self) -> None:
        try:
            self._keys = _public_keys(await self._read())
            self._read_at = self._clock.monotonic()
        except KeySetError as error:
            _log.warning("the key set (CHINGOO_JWKS) cannot be read: %s", error)
        finally:
            self._tried_at = self._clock.monotonic()


class UserTokens:
    """Checks tokens: algorithm, signature, issuer, audience, expiry; `sub` must be a user_id."""

    def __init__(self, keys: KeySet, clock: Clock, issuer: str, audience: str) -> None:
        self._keys, self._clock, self._issuer, self._audience = keys, clock, issuer, audience

    async def subject(self, token: str) -> UUID:
        """The user of a good token, or UnauthenticatedError."""
        if len(token) > _LONGEST:
            raise UnauthenticatedError("the token is too long")
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") != _ALGORITHM:
                raise UnauthenticatedError("the token is not signed with RS256")
            key = await self._keys.key(header.get("kid"))
            if key is None:
                raise UnauthenticatedError("the token is signed with an unknown key")
            claims = jwt.decode(
                token,
                key.key,
                algorithms=[_ALGORITHM],
                issuer=self._issuer,
                audience=self._audience,
                # Expiry is checked below, by the server's one clock.
                options={
                    "require": ["exp", "sub", "iss", "aud"],
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
        except (jwt.PyJWTError, RecursionError) as error:
            raise UnauthenticatedError(f"the token is not good: {_reason(error)}") from error
        _check_times(claims, self._clock.now())
        try:
            return UUID(claims["sub"])
        except ValueError:
            raise UnauthenticatedError("the token's `sub` is no user_id") from None


def key_set_reader(source: str, client: httpx.AsyncClient) -> ReadKeySet:
    """How to read the key set of the setting CHINGOO_JWKS: over HTTP, or from a file."""

    async def over_http() -> Mapping[str, Any]:
        try:
            response = await client.get(source, timeout=_FETCH_TIMEOUT_S, follow_redirects=False)
            response.raise_for_status()
        except httpx.HTTPError as error:
            raise KeySetError(str(error)) from error
        return _parsed(response.content)

    async def from_file() -> Mapping[str, Any]:
        try:
            return _parsed(await asyncio.to_thread(Path(source).read_bytes))
        except OSError as error:
            raise KeySetError(str(error)) from error

    return over_http if "://" in source else from_file


def _parsed(content: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(content) if len(content) <= _LARGEST else None
    except ValueError as error:
        raise KeySetError("no JSON") from error
    if not isinstance(found, dict) or not isinstance(found.get("keys"), list):
        raise KeySetError("no key set")
    return found


def _public_keys(key_set: Mapping[str, Any]) -> dict[str | None, jwt.PyJWK]:
    keys: dict[str | None, jwt.PyJWK] = {}
    for entry in key_set["keys"]:
        if not isinstance(entry, dict) or entry.get("kty") != "RSA" or "d" in entry:
            continue
        if entry.get("use", "sig") != "sig" or entry.get("alg", _ALGORITHM) != _ALGORITHM:
            continue
        kid = entry.get("kid")
        if kid is not None and not isinstance(kid, str):
            continue
        try:
            keys[kid] = jwt.PyJWK(entry, algorithm=_ALGORITHM)
        except (jwt.PyJWTError, ValueError, TypeError):
            continue  # as a key of another kind: a token that names it is not let in
    return keys


def _check_times(claims: Mapping[str, Any], now: datetime) -> None:
    instant = now.timestamp()
    expires, not_before = claims["exp"], claims.get("nbf", 0)
    if not isinstance(expires, int | float) or not isinstance(not_before, int | float):
        raise UnauthenticatedError("the token is not good: `exp` and `nbf` are numbers")
    if not instant < expires:  # so that NaN has expired, too
        raise UnauthenticatedError("the token has expired")
    if instant + _SKEW_S < not_before:
        raise UnauthenticatedError("the token is not valid yet")


def _reason(error: Exception) -> str:
    match error:
        case jwt.InvalidSignatureError():
            return "the signature is wrong"
        case jwt.InvalidAudienceError():
            return "it is for another audience"
        case jwt.InvalidIssuerError():
            return "it is from another issuer"
        case jwt.MissingRequiredClaimError(claim=claim):
            return f"`{claim}` is missing"
        case _:
            return "it cannot be read"
