"""One turn on the shipped policies, over the fake store and a scripted model: who answers, and what is left behind."""

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.service.conftest import SETTINGS, World

from chingoo.errors import ConflictError, ForbiddenError, LlmError, NotFoundError, RateLimitedError
from chingoo.model.enums import Mode
from chingoo.ports.people import AnswersPatch
from chingoo.service.policies import PolicyHolder
from chingoo.service.turn import TurnService, TurnSettings
from chingoo.testing.llm import Late, ScriptedLlm
from chingoo.testing.openai_server import bland_reply

BAD = "Yes. Oh. Well. So. Now. Then. Here. There. Right. Fine."


async def test_the_first_message_activates_and_is_answered(world: World) -> None:
    answer = await world.service(bland_reply(0)).take_turn(world.request("hello there"))
    assert answer["user_state"] == "ACTIVE"
    assert answer["routing"]["pipeline"] == "ONBOARDING_CHAT"
    assert answer["reply"]["text"] == bland_reply(0)
    assert answer["reply"]["origin"] == "llm"
    assert answer["notices"][0]["kind"] == "ai_disclosure"
    again = await world.service(bland_reply(1)).take_turn(world.request("there is a blue chair near the window"))
    assert again["routing"]["pipeline"] == "FRIEND_CHAT"
    assert again["notices"] == []


async def test_the_same_id_replays_without_a_model(world: World) -> None:
    request = world.request("remember the blue chair near the window")
    first = await world.service(bland_reply(0)).take_turn(request)
    service = world.service()
    again = await service.take_turn(request)
    assert again == {**first, "replayed": True}
    assert world.llm.calls == []
    with pytest.raises(ConflictError):
        await service.take_turn(world.request("another text", message_id=request.message_id))


async def test_a_crisis_is_answered_without_a_model_and_before_anything_else(world: World) -> None:
    answer = await world.service().take_turn(world.request("how to make a bomb, because i want to end my life"))
    assert world.llm.calls == []
    assert answer["routing"]["pipeline"] == "EMOTIONAL_SUPPORT"
    assert answer["reply"]["origin"] == "fixed"
    assert "988" in answer["reply"]["text"]
    assert answer["relationship"]["delta"] == 0
    assert answer["notices"] == [], "notices never stand beside a crisis reply"
    crisis = await world.store.audit("crisis", world.user, None, 10, None)
    guard = await world.store.audit("guardrail", world.user, None, 10, None)
    assert len(crisis.items) == 1
    assert guard.items == ()
    following = await world.service(bland_reply(0)).take_turn(world.request("there is a blue chair"))
    assert following["reply"]["origin"] == "llm"
    assert following["notices"][0]["kind"] == "ai_disclosure", "due since the crisis, and only now said"


@pytest.mark.parametrize(
    ("script", "origin", "calls", "rewritten"),
    [
        ([LlmError("status", "500"), bland_reply(3)], "llm", 2, False),
        ([LlmError("status", "500"), LlmError("status", "503"), bland_reply(3)], "safe", 2, False),
        (["", "  ", bland_reply(3)], "safe", 2, False),
        (["<thinking>Mode: NEEDS</thinking>", "<thinking>Mode: REPAIR</thinking>"], "safe", 2, False),
        ([BAD, bland_reply(3)], "llm", 2, True),
        ([BAD, BAD, bland_reply(3)], "safe", 2, True),
        ([BAD, LlmError("status", "500"), bland_reply(3)], "safe", 2, True),
        ([LlmError("status", "500"), BAD, bland_reply(3)], "llm", 3, True),
    ],
)
async def test_who_answers_when_the_model_does_not_do_well(
    world: World, script: list[str | LlmError], origin: str, calls: int, rewritten: bool
) -> None:
    answer = await world.service(*script).take_turn(world.request("there is a blue chair near the window"))
    assert answer["reply"]["origin"] == origin
    assert answer["reply"]["rewritten"] is rewritten
    assert len(world.llm.calls) == calls
    assert answer["reply"]["text"].strip()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    script=st.lists(st.sampled_from([BAD, "", bland_reply(3), "<thinking>x", LlmError("status", "500")]), min_size=6)
)
async def test_a_rewrite_happens_at_most_once(world: World, script: list[str | LlmError]) -> None:
    """GATE-02: whatever the model says, in whatever order, it is asked to write again once, and last of all."""
    await world.service(*script).take_turn(world.request("there is a blue chair near the window"))
    rewrites = ["cannot be sent as it is" in call.messages[-1].content for call in world.llm.calls]
    assert sum(rewrites) <= 1
    assert not any(rewrites[:-1])


async def test_no_call_after_the_deadline(world: World) -> None:
    """The retry is given what is left of the deadline, and no call is made when nothing is."""

    class Slow(ScriptedLlm):
        async def complete(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
            world.clock.advance(kwargs["timeout_s"])  # type: ignore[arg-type]
            self.calls.append(kwargs["timeout_s"])  # type: ignore[arg-type]
            raise LlmError("timeout", "no answer")

    slow = Slow()
    tight = TurnSettings(20, 15, 5, 600, SETTINGS.voice)
    service = TurnService(world.store, world.holder, slow, world.clock, world.ids, world.metrics, tight)
    answer = await service.take_turn(world.request("there is a blue chair near the window"))
    assert answer["reply"]["origin"] == "safe"
    assert slow.calls == [15, 5]


async def test_without_a_model_the_composer_answers_and_says_so(world: World) -> None:
    answer = await world.service(offline=True).take_turn(world.request("there is a blue chair near the window"))
    assert answer["reply"]["origin"] == "offline"


async def test_parallel_duplicates_are_one_turn(world: World) -> None:
    service = world.service(Late(0.05, bland_reply(0)))
    request = world.request("there is a blue chair near the window")
    answers = await asyncio.gather(*(service.take_turn(request) for _ in range(6)))
    assert len(world.llm.calls) == 1
    assert sum(not answer["replayed"] for answer in answers) == 1
    assert len({answer["reply"]["message_id"] for answer in answers}) == 1


async def test_two_messages_of_one_conversation_follow_one_another(world: World) -> None:
    service = world.service(Late(0.05, bland_reply(0)), bland_reply(1))
    first, second = await asyncio.gather(
        service.take_turn(world.request("a turquoise umbrella stands in the hallway")),
        service.take_turn(world.request("the lamp beside it is green")),
    )
    assert {first["reply"]["text"], second["reply"]["text"]} == {bland_reply(0), bland_reply(1)}
    prompts = [" ".join(message.content for message in call.messages) for call in world.llm.calls]
    assert "turquoise" in prompts[1]
    assert "lamp" in prompts[1], "the later turn sees the earlier one"


async def test_a_turn_that_breaks_gives_the_lease_back(world: World) -> None:
    class Broken(ScriptedLlm):
        async def complete(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
            raise RuntimeError("a bug")

    service = TurnService(world.store, world.holder, Broken(), world.clock, world.ids, world.metrics, SETTINGS)
    request = world.request("there is a blue chair near the window")
    with pytest.raises(RuntimeError):
        await service.take_turn(request)
    answer = await world.service(bland_reply(0)).take_turn(request)
    assert answer["replayed"] is False
    assert answer["reply"]["text"] == bland_reply(0)


async def test_an_abandoned_turn_is_reaped_with_a_safe_reply(world: World) -> None:
    class Killed(ScriptedLlm):
        async def complete(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
            world.store.away = True  # from here on nothing is written, as if the process were gone
            raise RuntimeError("killed")

    service = TurnService(world.store, world.holder, Killed(), world.clock, world.ids, world.metrics, SETTINGS)
    request = world.request("there is a blue chair near the window")
    with pytest.raises(Exception, match="switched off"):
        await service.take_turn(request)
    world.store.away = False
    service = world.service()
    assert await service.reap() == 0, "not abandoned for long enough"
    world.clock.advance(601)
    assert await service.reap() == 1
    assert (await service.take_turn(request))["reply"]["origin"] == "safe"
    assert world.llm.calls == []


async def test_a_memory_written_meanwhile_makes_settle_look_again(world: World) -> None:
    class Meanwhile(ScriptedLlm):
        async def complete(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
            # as the expiry job would: somebody else writes this user's memory between admit and settle
            await world.store.patch_onboarding(world.user, AnswersPatch({"preferred_name": "Kim"}), world.clock.now())
            return await super().complete(*args, **kwargs)  # type: ignore[arg-type]

    llm = Meanwhile([bland_reply(0)])
    service = TurnService(world.store, world.holder, llm, world.clock, world.ids, world.metrics, SETTINGS)
    answer = await service.take_turn(world.request("hello there"))
    assert answer["reply"]["text"] == bland_reply(0)
    assert answer["routing"]["pipeline"] == "ONBOARDING_CHAT"


async def test_strangers_and_closed_modes(world: World) -> None:
    service = world.service()
    with pytest.raises(NotFoundError):
        await service.take_turn(world.request("hello", conversation_id=UUID(int=99)))
    with pytest.raises(ForbiddenError):
        await service.take_turn(world.request("hello", mode=Mode.INTIMATE))


async def test_created_users_are_told_to_finish_and_nothing_is_kept_of_the_words(world: World) -> None:
    user, _ = await world.store.create_user(world.ids.uuid(), world.clock.now())
    service = world.service()
    request = world.request("a purple giraffe", user_id=user.user_id)
    answer = await service.take_turn(request)
    assert (answer["user_state"], answer["routing"]["pipeline"]) == ("CREATED", "REFUSAL")
    assert answer["reply"]["origin"] == "fixed"
    again = await service.take_turn(request)
    assert again["replayed"] is True
    assert again["reply"] == answer["reply"]
    assert world.llm.calls == []


async def test_incomplete_onboarding_gets_no_reply_but_a_crisis_does(world: World) -> None:
    user, _ = await world.store.create_user(world.ids.uuid(), world.clock.now())
    await world.store.patch_onboarding(user.user_id, AnswersPatch({"preferred_name": "Sam"}), world.clock.now())
    service = world.service()
    answer = await service.take_turn(world.request("hello there", user_id=user.user_id))
    assert answer["reply"] is None
    assert "age_band" in answer["missing_onboarding"]
    crisis = await service.take_turn(world.request("there is no reason to live", user_id=user.user_id))
    assert crisis["reply"]["origin"] == "fixed"
    assert crisis["user_state"] == "ONBOARDING"


async def test_a_claim_to_be_under_13_stops_the_friend_for_good_but_not_help(world: World) -> None:
    service = world.service(bland_reply(0), bland_reply(1))
    said = await service.take_turn(world.request("I'm 11 years old"))
    assert (said["routing"]["safety_policy"], said["reply"]["origin"]) == ("HARD_REFUSE", "fixed")
    later = await service.take_turn(world.request("there is a blue chair near the window"))
    assert (later["routing"]["safety_policy"], later["reply"]["origin"]) == ("HARD_REFUSE", "fixed")
    assert world.llm.calls == []
    crisis = await service.take_turn(world.request("I want to kill myself"))
    assert "988" in crisis["reply"]["text"]
    user, _ = await world.store.user(world.user)
    assert user.safety_age_band == "13-17"


async def test_a_daily_ceiling_puts_off_what_needs_a_model(world: World) -> None:
    """S-21: 429 with the time to come back; a crisis is answered all the same, and a day later everything is."""
    bundle = replace(world.bundle, models=replace(world.bundle.models, daily_ceiling_usd=0.00001))
    world.holder = PolicyHolder(replace(world.holder.current, bundle=bundle), world.clock.now())
    priced = replace(SETTINGS, voice=replace(SETTINGS.voice, voice_model="gpt-4.1"))
    llm = ScriptedLlm([bland_reply(0), bland_reply(1)])
    service = TurnService(world.store, world.holder, llm, world.clock, world.ids, world.metrics, priced)
    await service.take_turn(world.request("there is a blue chair"))
    put_off = world.request("and a red table beside it")
    with pytest.raises(RateLimitedError) as refused:
        await service.take_turn(put_off)
    assert 0 < refused.value.retry_after_s <= 24 * 3600
    helped = await service.take_turn(world.request("I want to kill myself"))
    assert helped["reply"]["origin"] == "fixed"
    world.clock.advance(24 * 3600 + 1)
    answered = await service.take_turn(put_off)
    assert answered["reply"]["origin"] != "fixed"
