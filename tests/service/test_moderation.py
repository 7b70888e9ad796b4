"""Who asks a detector of one's own: one text at a time, and not without end."""

import asyncio
import threading

import pytest

from chingoo.errors import UnavailableError
from chingoo.service.moderation import ModerationService


async def test_the_scores_come_in_the_order_of_the_texts() -> None:
    service = ModerationService("ears", lambda text: {"length": len(text) / 10}, {}, 8)
    assert await service.scores(["a", "abc"]) == [{"length": 0.1}, {"length": 0.3}]
    service.close()


async def test_who_would_wait_too_long_is_told_so_at_once() -> None:
    go = threading.Event()
    service = ModerationService("ears", lambda _: {"waited": float(go.wait(10))}, {}, 2)
    asked = [asyncio.ensure_future(service.scores(["a"])) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(UnavailableError, match="too many texts"):
        await service.scores(["b"])
    go.set()
    assert await asyncio.gather(*asked) == [[{"waited": 1.0}]] * 2
    assert await service.scores(["b"]) == [{"waited": 1.0}], "there is room again"
    service.close()


async def test_a_text_that_cannot_be_scored_leaves_room_for_the_next() -> None:
    def scores(text: str) -> dict[str, float]:
        return {"number": 1 / int(text)}

    service = ModerationService("ears", scores, {}, 1)
    with pytest.raises(ValueError, match="invalid literal"):
        await service.scores(["x"])
    assert await service.scores(["2"]) == [{"number": 0.5}]
    service.close()
