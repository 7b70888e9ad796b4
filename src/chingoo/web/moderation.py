"""OpenAI's moderation protocol, answered: `POST /v1/moderations` over a detector of one's own, and `GET /healthz`."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Protocol

import msgspec
import structlog
from litestar import Litestar, Request, Response, get, post
from litestar.exceptions import HTTPException

from chingoo.errors import UnavailableError
from chingoo.ports.machine import Ids

MOST_TEXTS: Final = 32
LONGEST_TEXT: Final = 16_000
"""In characters: four times the longest message of a turn."""

LARGEST_BODY: Final = 1024 * 1024
_RETRY_AFTER_S: Final = 1

_Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]


class _Asked(msgspec.Struct):
    """What may be asked. Further fields are of no interest here; any `model` will do, for there is one."""

    input: _Text | Annotated[list[_Text], msgspec.Meta(min_length=1, max_length=MOST_TEXTS)]
    model: str | None = None


class Moderation(Protocol):
    """What scores texts: `service.moderation.ModerationService` is one."""

    @property
    def name(self) -> str:
        """What answers call the model."""
        ...

    @property
    def bounds(self) -> Mapping[str, float]:
        """From which score on a category is flagged; one without a bound never is."""
        ...

    async def scores(self, texts: Sequence[str]) -> Sequence[Mapping[str, float]]:
        """Scores from 0 to 1 by category, for each text. UnavailableError: it has too much to do."""
        ...


_decoder = msgspec.json.Decoder(_Asked)


def moderation_app(moderation: Moderation, ids: Ids) -> Litestar:
    """The application. Errors have the protocol's shape: 400, 404, 405, 413, 503 and 500, without a word of a text."""

    @post("/v1/moderations", request_max_body_size=LARGEST_BODY, status_code=200)
    async def moderate(request: Request[Any, Any, Any]) -> Response[bytes]:
        """Scores for one text or several."""
        asked = _read(await request.body())
        texts = [asked.input] if isinstance(asked.input, str) else asked.input
        results = [_result(scores, moderation.bounds) for scores in await moderation.scores(texts)]
        return _json({"id": f"modr-{ids.uuid().hex}", "model": moderation.name, "results": results})

    @get("/healthz")
    async def healthy() -> Response[bytes]:
        """That it is there; it listens only once it can answer."""
        return _json({"status": "ok"})

    return Litestar(
        route_handlers=[moderate, healthy],
        exception_handlers={Exception: _refused},
        openapi_config=None,
        logging_config=None,
    )


class _AskedWronglyError(Exception):
    """A body that is not one of the protocol, and what in it is not."""

    def __init__(self, message: str, param: str | None) -> None:
        super().__init__(message)
        self.message, self.param = message, param


def _read(content: bytes) -> _Asked:
    try:
        return _decoder.decode(content)
    except msgspec.ValidationError as error:
        # Names types, lengths and places, and never a value.
        message = f"{error}; `input` is a text, or 1 to {MOST_TEXTS} of them, of up to {LONGEST_TEXT} characters each"
        raise _AskedWronglyError(message, "model" if "$.model" in str(error) else "input") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _AskedWronglyError("the body is not JSON", None) from error


def _result(scores: Mapping[str, float], bounds: Mapping[str, float]) -> Mapping[str, Any]:
    categories = {category: score >= bounds.get(category, 2.0) for category, score in scores.items()}
    return {"flagged": any(categories.values()), "categories": categories, "category_scores": scores}


def _refused(_: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    match error:
        case _AskedWronglyError():
            return _error(400, error.message, param=error.param)
        case UnavailableError():
            return _error(503, error.detail, "server_error", headers={"retry-after": str(_RETRY_AFTER_S)})
        case HTTPException(status_code=413):
            return _error(413, f"the body is larger than {LARGEST_BODY // 1024} KiB")
        case HTTPException(status_code=404 | 405):
            return _error(error.status_code, "there are POST /v1/moderations and GET /healthz")
        case HTTPException(status_code=status) if status < 500:
            return _error(status, "the request cannot be read")
    # The message of an error nobody foresaw may hold what a person wrote.
    structlog.get_logger("chingoo.detector").error("internal error", error=type(error).__name__)
    return _error(500, "something went wrong here", "server_error")


def _error(
    status: int,
    message: str,
    kind: str = "invalid_request_error",
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response[bytes]:
    return _json({"error": {"message": message, "type": kind, "param": param, "code": None}}, status, headers)


def _json(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response[bytes]:
    return Response(
        content=msgspec.json.encode(body),
        status_code=status,
        media_type="application/json",
        headers={"cache-control": "no-store", **(headers or {})},
    )
