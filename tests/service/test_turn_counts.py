"""What turns took is counted: prompts by part, models, money, and whether what was remembered was used (TEL-01…05)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.service.conftest import SETTINGS, World

from chingoo.errors import LlmError
from chingoo.model.llm import ChatMessage, LlmReply
from chingoo.service.turn import TurnService
from chingoo.testing.llm import ScriptedLlm
from chingoo.testing.openai_server import bland_reply
from chingoo.text.budget import estimate_tokens

CHAIR = "there is a blue chair near the window"


def by(world: World, name: str, label: str) -> dict[str, float]:
    """A counter by the values of one label."""
    found: dict[str, float] = {}
    for (counter, labels), value in world.metrics.counts.items():
        if counter == name:
            key = dict(labels)[label]
            found[key] = found.get(key, 0) + value
    return found


async def test_a_prompt_is_counted_by_its_parts(world: World) -> None:
    """TEL-03."""
    await world.remember(current_city="Lisbon")
    await world.service(bland_reply(0)).take_turn(world.request(CHAIR))
    system, *talk, current = (message.content for message in world.llm.calls[0].messages)
    parts = by(world, "chingoo_prompt_tokens_total", "part")
    assert set(parts) == {"system", "summary", "recent", "retrieved", "message"}
    assert parts["system"] == estimate_tokens(system)
    assert parts["recent"] == sum(map(estimate_tokens, talk))
    assert parts["summary"] == 0
    assert 0 < parts["retrieved"] < estimate_tokens(current)
    assert 0 < parts["message"] < estimate_tokens(current)
    assert world.metrics.total("chingoo_prompts_total") == 1


async def test_every_call_is_counted_when_it_begins_and_as_it_ends(world: World) -> None:
    """TEL-01, and a turn by the calls it took; no prompt is made where policy fixes the words."""
    await world.service(LlmError("status", "500"), bland_reply(0)).take_turn(world.request(CHAIR))
    await world.service().take_turn(world.request("I want to end my life"))
    assert by(world, "chingoo_llm_calls_started_total", "operation")["reply"] == 2
    assert by(world, "chingoo_llm_calls_total", "outcome") == {"status": 1, "ok": 1}
    assert by(world, "chingoo_turn_model_calls_total", "calls") == {"2": 1, "0": 1}
    assert by(world, "chingoo_model_choices_total", "role") == {"voice": 1}


async def test_a_model_without_a_price_is_counted(world: World) -> None:
    """TEL-02: it costs nothing in the reports, and the daily ceiling never holds, so somebody has to see it."""
    await world.service(bland_reply(0)).take_turn(world.request(CHAIR))
    assert by(world, "chingoo_llm_unpriced_calls_total", "model") == {"voice": 1}
    priced = replace(SETTINGS, voice=replace(SETTINGS.voice, voice_model="gpt-4.1"))
    llm = ScriptedLlm([bland_reply(1)])
    service = TurnService(world.store, world.holder, llm, world.clock, world.ids, world.metrics, priced)
    await service.take_turn(world.request(CHAIR))
    assert by(world, "chingoo_llm_unpriced_calls_total", "model") == {"voice": 1}
    cost = by(world, "chingoo_turn_cost_usd_total", "pipeline")["FRIEND_CHAT"]
    assert cost == pytest.approx(by(world, "chingoo_llm_cost_usd_total", "model")["gpt-4.1"])
    assert cost > 0


@pytest.mark.parametrize(
    ("reply", "used"),
    [
        (f"{bland_reply(0)} Lisbon with its hills and trams does suit you very well indeed.", {"FACT": "true"}),
        (f"{bland_reply(0)}\n<memories>mem1</memories>", {"FACT": "true"}),
        (bland_reply(0), {"FACT": "false"}),
    ],
)
async def test_whether_a_hint_was_used(world: World, reply: str, used: dict[str, str]) -> None:
    """TEL-05: by what the reply says, and by what the model declares."""
    await world.remember(current_city="Lisbon")
    answer = await world.service(reply).take_turn(world.request(CHAIR))
    assert answer["reply"]["origin"] == "llm"
    hints = {
        dict(labels)["type"]: dict(labels)["used"]
        for (name, labels), count in world.metrics.counts.items()
        if name == "chingoo_hints_total" and count
    }
    assert hints == used


async def test_no_label_holds_what_was_said(world: World) -> None:
    """S-24: nor who said it."""
    await world.remember(current_city="Lisbon")
    await world.service(bland_reply(0)).take_turn(world.request(f"{CHAIR}, jo@b.co"))
    values = {value for _, labels in (*world.metrics.counts, *world.metrics.durations) for _, value in labels}
    said = (CHAIR, "jo@b.co", "Lisbon", "Sam", "Nabi", str(world.user), str(world.friend), str(world.conversation))
    assert not [value for value in values if any(one in value for one in said)]


class Remembering(ScriptedLlm):
    """A model whose provider had read all but a hundred tokens of the prompt before."""

    async def complete(self, model: str, messages: Sequence[ChatMessage], **asked: Any) -> LlmReply:
        reply = await super().complete(model, messages, **asked)
        return replace(reply, input_tokens=1_100, output_tokens=0, cached_tokens=1_000)


async def test_what_was_read_before_is_cheaper(world: World) -> None:
    """LLM-06, TEL-02."""
    priced = replace(SETTINGS, voice=replace(SETTINGS.voice, voice_model="gpt-4.1"))
    llm = Remembering([bland_reply(1)])
    service = TurnService(world.store, world.holder, llm, world.clock, world.ids, world.metrics, priced)
    await service.take_turn(world.request(CHAIR))
    price = world.bundle.models.prices["gpt-4.1"]
    assert price.cached is not None
    cost = by(world, "chingoo_llm_cost_usd_total", "model")["gpt-4.1"]
    assert cost == pytest.approx((100 * price.input + 1_000 * price.cached) / 1000)
    assert by(world, "chingoo_llm_cached_tokens_total", "model") == {"gpt-4.1": 1_000}
