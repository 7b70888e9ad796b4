"""What the model of a real turn is told: who it talks to, how things stand, and what to leave alone (§12, §13)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.service.conftest import World

from chingoo.model.enums import ExtractedFrom, RelationshipStage
from chingoo.model.people import MemoryChange
from chingoo.policy.documents.planning import ContextTexts, Trend
from chingoo.ports.people import AnswersPatch
from chingoo.testing.openai_server import bland_reply
from chingoo.text.language import detect_language


async def told(world: World, text: str) -> tuple[str, str]:
    """The system prompt of the turn, and its last message."""
    await world.service(bland_reply(7)).take_turn(world.request(text))
    messages = world.llm.calls[0].messages
    return messages[0].content, messages[-1].content


def texts(world: World) -> ContextTexts:
    return world.bundle.planning.prompt.context


@pytest.mark.parametrize(("age_band", "minor"), [("13-17", True), ("25-34", False)])
async def test_with_a_minor_the_prompt_says_what_holds_as_well(world: World, age_band: str, *, minor: bool) -> None:
    """SAFE-07: as with everybody who may be one."""
    await world.store.patch_onboarding(world.user, AnswersPatch({"age_band": age_band}), world.clock.now())
    system, _ = await told(world, "there is a blue chair near the window")
    assert (world.bundle.planning.prompt.minor in system) is minor


async def test_an_age_told_in_the_talk_counts(world: World) -> None:
    """S-15."""
    system, _ = await told(world, "by the way I'm 15 and there is a blue chair here")
    assert world.bundle.planning.prompt.minor in system


@pytest.mark.parametrize(
    ("before", "now", "trend"),
    [
        (["there is a blue chair"], "I am so sad and lonely tonight", Trend.RISING),
        (["there is a blue chair"], "and a red table beside it", Trend.STEADY),
        (["I am so sad and lonely tonight"], "there is a blue chair", Trend.FALLING),
    ],
)
async def test_how_the_feeling_moved(world: World, before: list[str], now: str, trend: Trend) -> None:
    """PROMPT-09."""
    for number, text in enumerate(before):
        await world.service(bland_reply(number)).take_turn(world.request(text))
    _, current = await told(world, now)
    assert f"/10{texts(world).trend[trend]} | Turn {len(before) + 1}" in current


async def test_the_first_message_has_no_trend(world: World) -> None:
    _, current = await told(world, "there is a blue chair")
    assert "/10 | Turn 1" in current


async def test_a_new_stage_is_told_once(world: World) -> None:
    """PROMPT-11: with the message after the one that led to it."""
    await world.scene.say("hello", received_at=world.clock.now())
    _, relationship = await world.store.friend(world.user, world.friend)
    now = world.clock.now()
    closer = replace(
        relationship,
        relationship_stage=RelationshipStage.ACQUAINTANCE,
        rapport_score=20,
        last_stage_promotion_at=now,
        last_user_message_at=now,
    )
    await world.scene.say("a green bench", received_at=now, relationship=closer)
    world.clock.advance(60)
    _, first = await told(world, "there is a blue chair")
    world.clock.advance(60)
    _, second = await told(world, "and a red table")
    assert texts(world).grown_closer in first
    assert texts(world).grown_closer not in second


async def test_memories_are_said_in_words_and_marked(world: World) -> None:
    """PROMPT-03: certain is what was told in so many words, long ago what was not confirmed for long."""
    now = world.clock.now()
    size = world.scene.memory(
        "body_params:size",
        "M",
        type="body_params",
        confidence=0.95,
        extracted_from=ExtractedFrom.INSTANT_PATTERN,
        last_confirmed_at=now,
    )
    city = world.scene.memory("fact:current_city", "Porto", last_confirmed_at=now - timedelta(days=91))
    tea = world.scene.memory("pref:drink:green_tea", "dislike|green_tea", type="PREFERENCE", last_confirmed_at=now)
    changes = tuple(MemoryChange("insert", memory) for memory in (size, city, tea))
    await world.scene.say("hello", received_at=now, memory_changes=changes)
    _, current = await told(world, "there is a blue chair")
    lines = [line.partition(": ")[2] for line in current.splitlines() if line.startswith("- mem")]
    assert sorted(lines) == [
        f"current city: Porto{texts(world).long_ago}",
        "does not like green tea (drink)",
        f"size: M{texts(world).certain}",
    ]


async def test_a_correction_alone_is_all_there_is_to_do(world: World) -> None:
    """No other step of the plan stands beside it."""
    _, alone = await told(world, "please never talk about politics again")
    assert texts(world).only_heeded in alone
    assert not any(step in alone for step in texts(world).outline.values())
    _, beside = await told(world, "please never talk about politics again. I baked bread today and it came out flat")
    assert texts(world).only_heeded not in beside
    assert any(step in beside for step in texts(world).outline.values())


@pytest.mark.parametrize(
    ("text", "raised", "touched"),
    [
        ("the casino, the bet and the slots were loud", True, False),
        ("somebody spoke about a casino at lunch", False, True),
        ("there is a blue chair near the window", False, False),
    ],
)
async def test_topics_to_leave_alone_are_named_only_where_they_came_up(
    world: World, text: str, *, raised: bool, touched: bool
) -> None:
    """POL-06…10: the lists stand in the system prompt; the notes say what came up of them, and do not repeat them."""
    _, current = await told(world, text)
    template = world.bundle.personas[
        (await world.store.friend(world.user, world.friend))[0].assignment.persona_template_id
    ]
    taboo = any(topic.value == "GAMBLING" for topic in template.taboo_soft_bounds)
    name = "gambling and betting"
    assert (texts(world).raised.format(topics=name) in current) is (raised and taboo)
    assert (texts(world).touched.format(topics=name) in current) is (touched and taboo)
    assert current.count(texts(world).not_raised) == 1
    assert "sexual content" not in current


@pytest.mark.parametrize("script", [[], [bland_reply(3)]])
async def test_whoever_asks_what_it_is_while_correcting_it_is_told(world: World, script: list[str]) -> None:
    """S-16: whether a model answers, or the words written for a correction do."""
    answer = await world.service(*script).take_turn(world.request("that's wrong. are you an AI?"))
    assert "AI" in answer["reply"]["text"]


@pytest.mark.parametrize("language", ["it", "ko", "de"])
async def test_small_words_are_answered_in_the_language_of_the_talk(world: World, language: str) -> None:
    """S-30: "ok" says nothing of a language; the messages before do."""
    said = {"it": "ho cucinato la pasta oggi", "ko": "오늘 파스타를 만들었어", "de": "ich habe heute Nudeln gekocht"}
    await world.service(offline=True).take_turn(world.request(said[language]))
    answer = await world.service(offline=True).take_turn(world.request("ok 🙂"))
    said_by = detect_language(answer["reply"]["text"].casefold(), world.holder.current.engine.languages).language
    assert said_by == language, answer["reply"]["text"]


@pytest.mark.parametrize(("text", "language"), [("¡Me ascendieron!", "es"), ("Große Klasse", "de")])
async def test_a_sign_of_one_language_tells_it(world: World, text: str, language: str) -> None:
    """S-30: where no listed word does."""
    answer = await world.service(offline=True).take_turn(world.request(text))
    assert detect_language(answer["reply"]["text"].casefold(), world.holder.current.engine.languages)[0] == language
