"""Opaque cursors: the sort key of the last row a page showed."""

import base64
import binascii
from typing import TypeVar

import msgspec

from chingoo.errors import FieldError, InvalidInputError

Key = TypeVar("Key")


def write(*key: object) -> str:
    """The cursor of a row."""
    return base64.urlsafe_b64encode(msgspec.json.encode(key)).rstrip(b"=").decode()


def read(cursor: str, kind: type[Key]) -> Key:
    """The sort key of a cursor; InvalidInputError if it is none of ours."""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        return msgspec.json.decode(base64.b64decode(padded, altchars=b"-_", validate=True), type=kind)
    except (ValueError, binascii.Error, msgspec.DecodeError):
        detail = "no cursor of this list; send the `next` of a page as it was given"
        raise InvalidInputError(detail, [FieldError("/before", detail)]) from None
