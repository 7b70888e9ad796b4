"""The small fakes: a clock that moves when told, ids that count, a model with a script, metrics that can be read."""

from datetime import timedelta
from uuid import UUID

import pytest

from chingoo.errors import DatabaseUnreachableError, LlmError
from chingoo.model.llm import ChatMessage
from chingoo.testing.clock import FakeClock, SequentialIds
from chingoo.testing.llm import Late, ScriptedLlm
from chingoo.testing.metrics import RecordingMetrics
from chingoo.testing.scenes import START
from chingoo.testing.store import FakeStore

PROMPT = [ChatMessage("system", "be kind"), ChatMessage("user", "hello there")]


def test_time_passes_only_when_told() -> None:
    clock = FakeClock(START)
    assert (clock.now(), clock.monotonic()) == (clock.now(), 0.0) == (START, 0.0)
    clock.advance(90)
    assert (clock.now(), clock.monotonic()) == (START + timedelta(seconds=90), 90.0)


def test_ids_and_seeds_count_apart() -> None:
    ids = SequentialIds()
    assert [ids.uuid(), ids.uuid()] == [UUID(int=1), UUID(int=2)]
    assert [ids.seed(), ids.seed()] == [1, 2]


async def test_a_model_says_its_lines_in_order() -> None:
    failure = LlmError("status", "500")
    llm = ScriptedLlm(["one two", failure, Late(0.001, "late"), Late(60, "never")])
    reply = await llm.complete("voice", PROMPT, max_tokens=50, timeout_s=5)
    assert (reply.text, reply.model, reply.input_tokens, reply.output_tokens) == ("one two", "voice", 4, 2)
    with pytest.raises(LlmError) as failed:
        await llm.complete("voice", PROMPT, max_tokens=50, timeout_s=5)
    assert failed.value is failure
    assert (await llm.complete("voice", PROMPT, max_tokens=50, timeout_s=5)).text == "late"
    for kind in ("timeout", "transport"):
        with pytest.raises(LlmError) as failed:
            await llm.complete("mechanics", PROMPT, max_tokens=9, timeout_s=0.001, json_schema={"type": "object"})
        assert failed.value.kind == kind
    assert llm.calls[0].messages == tuple(PROMPT)
    assert (llm.calls[-1].model, llm.calls[-1].json_schema) == ("mechanics", {"type": "object"})
    await llm.aclose()
    assert llm.closed


def test_metrics_can_be_read() -> None:
    metrics = RecordingMetrics()
    metrics.count("turns", {"origin": "llm", "mode": "friend"})
    metrics.count("turns", {"mode": "friend", "origin": "llm"}, 2)
    metrics.count("turns")
    metrics.observe("seconds", 0.5)
    assert metrics.counts["turns", (("mode", "friend"), ("origin", "llm"))] == 3
    assert metrics.total("turns") == 4
    assert metrics.durations["seconds", ()] == [0.5]


async def test_a_store_can_go_away() -> None:
    store = FakeStore(FakeClock())
    store.away = True
    with pytest.raises(DatabaseUnreachableError):
        await store.ping()
    store.away = False
    await store.ping()
