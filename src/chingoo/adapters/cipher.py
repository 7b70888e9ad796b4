"""`ports.cipher.Cipher` by AES-256-GCM: the id of the key stands in the token, so several may be in use (UK-17)."""

import base64
import binascii
import hashlib
import hmac
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MARK: Final = "sealed:"
_NONCE: Final = 12


@dataclass(frozen=True, slots=True)
class _Key:
    """One data key: a cipher for texts, another for texts whose tokens are compared, and the HMAC those begin with."""

    key_id: str
    texts: AESGCM
    names: AESGCM
    mac: bytes


class AesCipher:
    """Seals under the first of the keys; opens what any of them sealed."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """`keys` are 32 bytes each, at least one."""
        made = [_key(secret) for secret in keys]
        self._current = made[0]
        self._keys = {key.key_id: key for key in reversed(made)}

    @property
    def key_ids(self) -> tuple[str, ...]:
        """The current key first."""
        return tuple(dict.fromkeys((self._current.key_id, *self._keys)))

    def seal(self, text: str, about: str) -> str:
        """A token of the text, another one each time."""
        nonce = os.urandom(_NONCE)
        return _token(self._current, nonce, self._current.texts.encrypt(nonce, text.encode(), about.encode()))

    def seal_name(self, text: str, about: str) -> str:
        """A token that begins with an HMAC of the text: the same text about the same gives the same token."""
        return _named(self._current, text, about)

    def names_of(self, text: str, about: str) -> tuple[str, ...]:
        """What `seal_name` gives under each of the keys."""
        return tuple(_named(key, text, about) for key in self._keys.values())

    def open(self, token: str, about: str) -> str | None:
        """The text, or None for what is no token of ours about this: a plain text."""
        key_id, _, sealed = token.removeprefix(MARK).partition(":")
        key = self._keys.get(key_id)
        if not token.startswith(MARK) or key is None:
            return None
        try:
            data = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
        except (ValueError, binascii.Error):
            return None
        for cipher in (key.texts, key.names):
            try:
                return cipher.decrypt(data[:_NONCE], data[_NONCE:], about.encode()).decode()
            except (InvalidTag, ValueError):
                continue
        return None


def _key(secret: bytes) -> _Key:
    if len(secret) != 32:
        raise ValueError("a data key has 32 bytes")
    key_id = hashlib.sha256(b"chingoo data key" + secret).hexdigest()[:8]
    return _Key(
        key_id,
        AESGCM(_derived(secret, b"texts")),
        AESGCM(_derived(secret, b"names")),
        _derived(secret, b"mac of names"),
    )


def _derived(secret: bytes, purpose: bytes) -> bytes:
    """A key of its own for each purpose; the secret is random and whole, so one HMAC is all it takes."""
    return hmac.digest(secret, b"chingoo " + purpose, "sha256")


def _named(key: _Key, text: str, about: str) -> str:
    framed = len(about).to_bytes(4) + about.encode() + text.encode()
    nonce = hmac.digest(key.mac, framed, "sha256")[:_NONCE]
    return _token(key, nonce, key.names.encrypt(nonce, text.encode(), about.encode()))


def _token(key: _Key, nonce: bytes, sealed: bytes) -> str:
    return f"{MARK}{key.key_id}:{base64.urlsafe_b64encode(nonce + sealed).rstrip(b'=').decode()}"
