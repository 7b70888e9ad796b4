"""A detector behind the OpenAI moderation protocol: one POST, within a deadline."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Final

import httpx
import msgspec

from chingoo.errors import DetectorError

_MOST_CONNECTIONS: Final = 100  # turns that ask at once; each waits no longer than policy says
Score = Annotated[float, msgspec.Meta(ge=0, le=1)]


class _Result(msgspec.Struct):
    categories: dict[str, bool | None] = {}
    category_scores: dict[str, Score | None] | None = None


class _Moderation(msgspec.Struct):
    results: Annotated[list[_Result], msgspec.Meta(min_length=1)]


_decoder = msgspec.json.Decoder(_Moderation)


class ModerationDetector:
    """A `ports.models.Detector`. Flags without scores count as certain; of several results the highest score counts."""

    def __init__(self, base_url: str, api_key: str | None, model: str | None) -> None:
        """`base_url` ends before `/moderations`."""
        self._url, self._model = base_url.rstrip("/") + "/moderations", model
        self._client = httpx.AsyncClient(
            headers={
                "content-type": "application/json",
                **({"authorization": f"Bearer {api_key}"} if api_key is not None else {}),
            },
            limits=httpx.Limits(max_connections=_MOST_CONNECTIONS, max_keepalive_connections=20),
            trust_env=False,
        )

    async def scores(self, text: str, *, timeout_s: float) -> Mapping[str, float]:
        """One question. DetectorError kinds: timeout, transport, status, malformed."""
        body: dict[str, Any] = {"input": text}
        if self._model is not None:
            body["model"] = self._model
        response = await self._post(msgspec.json.encode(body), timeout_s)
        if response.status_code != 200:
            raise DetectorError("status", f"the detector answered with HTTP {response.status_code}")
        try:
            found = _decoder.decode(response.content)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise DetectorError("malformed", "the answer is not one of the moderation protocol") from error
        return _highest(found.results)

    async def _post(self, content: bytes, timeout_s: float) -> httpx.Response:
        try:
            # httpx bounds each read, not the whole answer: a server that trickles must not outlive the deadline
            async with asyncio.timeout(timeout_s):
                return await self._client.post(self._url, content=content, timeout=timeout_s)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise DetectorError("timeout", f"the detector did not answer within {timeout_s:.2f} s") from error
        except httpx.HTTPError as error:
            raise DetectorError("transport", f"the detector could not be reached ({type(error).__name__})") from error

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _highest(results: list[_Result]) -> dict[str, float]:
    highest: dict[str, float] = {}
    for result in results:
        scores = result.category_scores
        if scores is None:
            scores = {category: float(bool(flagged)) for category, flagged in result.categories.items()}
        for category, score in scores.items():
            highest[category] = max(highest.get(category, 0.0), score or 0.0)
    if not highest:
        raise DetectorError("malformed", "the answer names no category")
    return highest
