"""Bodies and queries into their structs: bounded while they are read, strict, and refused with every fault named."""

import re
from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast
from urllib.parse import parse_qsl

import msgspec
from litestar import Request
from litestar.exceptions import HTTPException

from chingoo.errors import FieldError, InvalidInputError
from chingoo.web.bodies import Body
from chingoo.web.choices import read_custom
from chingoo.web.endpoint import SMALL_BODY
from chingoo.web.faults import faults
from chingoo.web.problems import RequestError

B = TypeVar("B", bound=Body)

_JSON_TYPES: Final = ("application/json",)
_DECODER_WORDS: Final = re.compile(r"^JSON is malformed: | - at `.*`$")


class BodyReader:
    """Reads the body of one route as `kind`. An empty body counts as `{}` where no field is required."""

    def __init__(self, kind: type[Body], longest: int) -> None:
        self._kind, self._longest = kind, longest
        self._decoder = msgspec.json.Decoder(kind, dec_hook=read_custom)
        self._may_be_empty = not any(field.required for field in msgspec.structs.fields(kind))

    async def read(self, request: Request[Any, Any, Any]) -> Body:
        """The body; InvalidInputError or RequestError (413, 415) if it is no such thing."""
        try:
            content = await request.body()
        except HTTPException as error:
            if error.status_code != 413:
                raise
            raise RequestError(413, f"the body is larger than {self._longest // 1024} KiB") from error
        if not content and self._may_be_empty:
            return self._kind()
        _check_media_type(request.headers.get("content-type"))
        return self.decode(content)

    def decode(self, content: bytes) -> Body:
        """The struct of JSON bytes; InvalidInputError with every fault if they are none."""
        try:
            return self._decoder.decode(content)
        except msgspec.ValidationError as error:
            plain = _plain(content)
            _check_message_size(plain)
            raise invalid("the body", faults(self._kind, plain, lax=False, refused=error)) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _not_json(content, error) from error


def read_query(kind: type[B], query: bytes) -> B:
    """The query string as `kind`; parameters are given once each, and unknown ones are refused."""
    if not query:
        try:
            return kind()
        except TypeError:
            pass  # a parameter is required: said below like any other fault
    given: dict[str, str] = {}
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=50)
    except ValueError as error:
        raise InvalidInputError("the query cannot be read: it is not percent-encoded UTF-8, or too long") from error
    for name, value in pairs:
        if name in given:
            raise invalid("the query", (FieldError(f"/{name}", "is given twice"),))
        given[name] = value
    try:
        return msgspec.convert(given, kind, strict=False, dec_hook=read_custom)
    except msgspec.ValidationError as error:
        raise invalid("the query", faults(kind, given, lax=True, refused=error)) from error


def invalid(what: str, found: tuple[FieldError, ...]) -> InvalidInputError:
    """One message for all that is wrong, and every fault with its pointer."""
    first = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    where = f" at `{first.pointer}`" if first.pointer else ""
    return InvalidInputError(f"{what} is not as it should be{where}: {first.detail}{more}", found)


def _check_media_type(header: str | None) -> None:
    if header is None:
        return
    media_type, _, parameters = header.partition(";")
    charset = cast(Mapping[str, str], dict(p.strip().lower().partition("=")[::2] for p in parameters.split(";")))
    if media_type.strip().lower() not in _JSON_TYPES:
        raise RequestError(415, "send JSON, with `Content-Type: application/json`")
    if charset.get("charset", "utf-8").strip('"') not in ("utf-8", "utf8"):
        raise RequestError(415, "send JSON in UTF-8")


def _check_message_size(plain: object) -> None:
    """A larger body is for histories: a message that alone exceeds the body of a turn is too large everywhere."""
    text = plain.get("text") if isinstance(plain, dict) else None
    if isinstance(text, str) and len(text.encode("utf-8", "surrogatepass")) > SMALL_BODY:
        raise RequestError(413, f"the message alone is larger than {SMALL_BODY // 1024} KiB")


def _plain(content: bytes) -> object:
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # A fault that stands before a place where the JSON itself breaks.
        raise _not_json(content, error) from error


def _not_json(content: bytes, error: Exception) -> InvalidInputError:
    if not content:
        detail = "a body is needed, and it is JSON"
    elif isinstance(error, RecursionError):
        detail = "the body is nested too deeply"
    elif isinstance(error, UnicodeDecodeError):
        detail = "the body is not UTF-8"
    else:
        detail = f"the body is not JSON: {_DECODER_WORDS.sub('', str(error))}"
    return InvalidInputError(detail, [FieldError("", detail)])
