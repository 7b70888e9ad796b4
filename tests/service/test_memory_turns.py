"""Turns that correct, forget and ask about what is remembered (§19, C-25, C-37, C-63, S-10, S-11)."""

import pytest
from tests.service.conftest import SETTINGS, World

from chingoo.errors import LlmError
from chingoo.model.enums import MemoryStatus
from chingoo.service.turn import TurnService
from chingoo.testing.llm import ScriptedLlm
from chingoo.testing.openai_server import bland_reply

IN_LISBON = (
    "An open evening in Lisbon can be a small gift when the whole week has been so busy. You could take a slow walk "
    "along the streets you like best and let your thoughts settle for a while."
)
WITH_SUSHI = IN_LISBON.replace("evening in Lisbon", "evening with sushi in Lisbon")
ABOUT = {IN_LISBON: ["current_city"], WITH_SUSHI: ["sushi", "current_city"]}


async def shown(world: World, reply: str = IN_LISBON, **values: str) -> dict[str, object]:
    """Memories, and a reply that shows them."""
    made = await world.remember(**(values or {"current_city": "Lisbon", "sushi": "like|sushi"}))
    answer = await world.service(reply).take_turn(world.request("I have a free evening today."))
    assert answer["reply"]["surfaced_memory_ids"] == [str(made[name].memory_id) for name in ABOUT.get(reply, [])]
    return dict(made)


async def said(world: World, text: str, *script: str | LlmError, offline: bool = False) -> dict[str, object]:
    answer = await world.service(*(script or (bland_reply(5),)), offline=offline).take_turn(world.request(text))
    return dict(answer)


def keys(answer: dict[str, object], part: str) -> list[str]:
    return [one["memory_key"] for one in answer["memory"][part]]  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("That's not true.", "invalidated"),
        ("Wrong.", "invalidated"),
        ("no that's wrong", "invalidated"),
        ("That's not true. What is the capital of France?", "invalidated"),
        ("Not anymore.", "invalidated"),
        ("You're thinking of someone else.", "invalidated"),
        ("No!", "invalidated"),
        ("Where did you get that?", "disputed"),
        ("You're confusing me.", "disputed"),
    ],
)
async def test_the_last_memory_shown_is_meant(world: World, text: str, part: str) -> None:
    """CORR-03, CORR-10, C-37, C-63, C-70."""
    await shown(world)
    answer = await said(world, text)
    assert keys(answer, part) == ["fact:current_city"]
    _, controls = await world.store.user(world.user)
    assert controls.suppressed_memory_keys == (), "C-25: a denial suppresses nothing"


async def test_a_bare_no_after_two_disputes_the_last(world: World) -> None:
    """C-37."""
    await shown(world, WITH_SUSHI)
    answer = await said(world, "No.")
    assert keys(answer, "disputed") == ["fact:current_city"]
    assert keys(answer, "invalidated") == []


@pytest.mark.parametrize("text", ["what's wrong?", "Actually I'm tired.", "wrong about that", "No, thanks.", "wrong?"])
async def test_words_that_only_look_like_corrections(world: World, text: str) -> None:
    """C-70."""
    await shown(world)
    answer = await said(world, text)
    assert answer["memory"] == {part: [] for part in ("created", "confirmed", "superseded", "invalidated", "disputed")}


async def test_only_the_reply_right_before_counts(world: World) -> None:
    """CORR-01, CORR-03."""
    await shown(world)
    await said(world, "The rain has stopped at last.", bland_reply(1))
    answer = await said(world, "That's not true.")
    assert keys(answer, "invalidated") == []
    assert answer["reply"]["origin"] == "fixed"  # type: ignore[index]
    assert "?" in answer["reply"]["text"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Forget that.", "fact:current_city"),
        ("Don\u2019t remember that.", "fact:current_city"),
        ("Forget sushi.", "pref:food:sushi"),
        ("Don't remember sushi", "pref:food:sushi"),
        ("please forget about my city", "fact:current_city"),
        ("can you forget Lisbon?", "fact:current_city"),
        ("Forget tennis.", "fact:current_city"),
    ],
)
async def test_what_is_forgotten_is_suppressed(world: World, text: str, key: str) -> None:
    """CORR-04, CORR-05, CORR-08."""
    made = await shown(world)
    answer = await said(world, text)
    assert keys(answer, "invalidated") == [key]
    gone = await world.memory(made[key.rpartition(":")[2]])  # type: ignore[arg-type]
    assert (gone.status, gone.invalid_reason) == (MemoryStatus.INVALID, "forgotten")
    _, controls = await world.store.user(world.user)
    assert controls.suppressed_memory_keys == (key,)


async def test_nothing_shown_and_nothing_named_is_nothing_forgotten(world: World) -> None:
    await world.remember(current_city="Lisbon")
    answer = await said(world, "Forget tennis.")
    assert keys(answer, "invalidated") == []
    assert answer["reply"]["origin"] == "fixed"  # type: ignore[index]


@pytest.mark.parametrize("last", ["Yes.", "forget everything", "yes, forget everything"])
async def test_everything_is_forgotten_after_it_was_confirmed(world: World, last: str) -> None:
    """S-17."""
    await world.remember(current_city="Lisbon", sushi="like|sushi")
    asked = await said(world, "Forget everything you know about me.")
    assert asked["reply"]["origin"] == "fixed"  # type: ignore[index]
    assert len(await world.active()) == 2
    done = await said(world, last)
    assert set(keys(done, "invalidated")) == {"fact:current_city", "pref:food:sushi"}
    assert await world.active() == {}


async def test_everything_stays_when_it_was_not_confirmed(world: World) -> None:
    await world.remember(current_city="Lisbon")
    await said(world, "forget everything")
    await said(world, "No, wait.")
    await said(world, "Yes.")
    assert await world.active() == {"fact:current_city": "Lisbon"}


@pytest.mark.parametrize("text", ["Porto, not Lisbon.", "No, it's Porto, not Lisbon", "Not Lisbon, Porto!"])
async def test_a_new_value_replaces_the_old_one(world: World, text: str) -> None:
    """CORR-06: SUPERSEDED, not INVALID, and nothing is suppressed."""
    made = await shown(world)
    answer = await said(world, text)
    assert keys(answer, "superseded") == ["fact:current_city"]
    assert (await world.active())["fact:current_city"] == "Porto"
    old = await world.memory(made["current_city"])  # type: ignore[arg-type]
    assert old.status is MemoryStatus.SUPERSEDED
    _, controls = await world.store.user(world.user)
    assert controls.suppressed_memory_keys == ()


@pytest.mark.parametrize(
    ("text", "size"),
    [("S, not M", "S"), ("s not m", "S"), ("my size is XL, not M", "XL"), ("tired, not M", "M"), ("S, not L", "M")],
)
async def test_sizes_are_replaced_by_sizes_only(world: World, text: str, size: str) -> None:
    """INST-12, C-35, C-70: nothing need have been shown."""
    await world.remember(size="M")
    await said(world, text)
    assert (await world.active())["body_params:size"] == size


async def test_a_dispute_is_resolved_by_the_next_words(world: World) -> None:
    """CORR-10."""
    made = await shown(world)
    await said(world, "Where did you get that?")
    answer = await said(world, "Yes, that's right.", bland_reply(6))
    assert keys(answer, "confirmed") == ["fact:current_city"]
    memory = await world.memory(made["current_city"])  # type: ignore[arg-type]
    assert (memory.status, memory.is_disputed) == (MemoryStatus.ACTIVE, False)


async def test_a_dispute_is_refuted_by_the_next_words(world: World) -> None:
    """CORR-10."""
    await shown(world)
    await said(world, "Where did you get that?")
    answer = await said(world, "No.", bland_reply(6))
    assert keys(answer, "invalidated") == ["fact:current_city"]


async def test_what_is_denied_is_in_no_prompt_and_the_model_is_told(world: World) -> None:
    """CORR-12."""
    await shown(world)
    await said(world, "That's not true.")
    prompt = world.llm.calls[-1].messages[-1].content
    assert "Lisbon" not in prompt
    assert "sushi" in prompt
    assert "Apologise" in prompt


async def test_without_a_model_a_correction_is_acknowledged(world: World) -> None:
    """CORR-12."""
    await shown(world)
    answer = await said(world, "That's not true.", offline=True)
    assert answer["reply"]["origin"] == "offline"  # type: ignore[index]
    assert "Sorry" in answer["reply"]["text"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("Don't bring this topic up again.", ["WORK_SCHOOL"]),
        ("don't talk about the election and the president again", ["POLITICS"]),
    ],
)
async def test_a_topic_is_closed_at_once(world: World, text: str, topics: list[str]) -> None:
    """CORR-07, S-10."""
    await said(world, "My boss wants another interview before the exam, what a job.", bland_reply(1))
    await said(world, text)
    assert "leave it alone" in world.llm.calls[-1].messages[-1].content
    _, controls = await world.store.user(world.user)
    assert list(controls.suppressed_topics) == topics


async def test_no_topic_is_asked_for(world: World) -> None:
    """S-10."""
    await said(world, "hello there", bland_reply(1))
    answer = await said(world, "Don't bring this up again.")
    assert answer["reply"]["origin"] == "fixed"  # type: ignore[index]
    _, controls = await world.store.user(world.user)
    assert controls.suppressed_topics == ()


async def test_what_is_known_is_told_from_the_memories(world: World) -> None:
    """S-17: no model has a part in it, and it counts as shown."""
    made = await world.remember(current_city="Lisbon", sushi="dislike|sushi")
    answer = await said(world, "What do you know about me?")
    text = answer["reply"]["text"]  # type: ignore[index]
    assert "You live in Lisbon" in text
    assert "You do not like: sushi" in text
    assert world.llm.calls == []
    assert set(answer["reply"]["surfaced_memory_ids"]) == {str(one.memory_id) for one in made.values()}  # type: ignore[index]


async def test_nothing_is_known_of_somebody_new(world: World) -> None:
    answer = await said(world, "\ub098\uc5d0 \ub300\ud574 \ubb58 \uc54c\uc544?")
    assert answer["reply"]["origin"] == "fixed"  # type: ignore[index]


async def test_the_log_names_the_message_and_the_memory(world: World) -> None:
    """CORR-11, CORR-13, DATA-02."""
    made = await shown(world)
    await said(world, "Where did you get that?")
    rows = [row for _, _, row in world.store._state.corrections.values()]
    assert [(row.correction_type, row.disputed_memory_id) for row in rows] == [
        ("ambiguous", made["current_city"].memory_id)  # type: ignore[attr-defined]
    ]
    assert all(row.corrected_message_id is not None for row in rows)


async def test_a_reply_that_shows_what_was_forgotten_meanwhile_is_not_said(world: World) -> None:
    """The safe reply goes out instead, and nothing of it is in the answer."""
    await world.remember(current_city="Lisbon")

    class Meanwhile(ScriptedLlm):
        async def complete(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
            await world.store.patch_controls(
                world.user, {"suppressed_memory_keys": ["fact:current_city"]}, world.clock.now()
            )
            return await super().complete(*args, **kwargs)  # type: ignore[arg-type]

    llm = Meanwhile([IN_LISBON])
    service = TurnService(world.store, world.holder, llm, world.clock, world.ids, world.metrics, SETTINGS)
    answer = await service.take_turn(world.request("I have a free evening today."))
    assert llm.calls
    assert answer["reply"]["origin"] == "safe"
    assert "Lisbon" not in answer["reply"]["text"]
    assert answer["reply"]["surfaced_memory_ids"] == []


async def test_what_is_declared_counts_as_shown(world: World) -> None:
    """S-11."""
    made = await world.remember(current_city="Lisbon")
    answer = await said(world, "I have a free evening today.", f"<memories>mem1</memories>{bland_reply(2)}")
    assert answer["reply"]["surfaced_memory_ids"] == [str(made["current_city"].memory_id)]  # type: ignore[index]


async def test_three_remembered_facts_are_too_many(world: World) -> None:
    """GATE-04, GATE-05."""
    await world.remember(current_city="Lisbon", occupation="nurse", sushi="like|sushi")
    three = "A nurse who lives in Lisbon and likes sushi is what you are, and that makes for a good long evening today."
    answer = await said(world, "there is a blue chair near the window", three, bland_reply(3))
    assert answer["reply"]["rewritten"] is True  # type: ignore[index]
    assert answer["reply"]["surfaced_memory_ids"] == []  # type: ignore[index]


@pytest.mark.parametrize(
    ("yes", "remembered"),
    [
        ("Yes, please remember that.", True),
        ("Yes.", True),
        ("да, запомни это", True),
        ("No.", False),
        ("there is a blue chair", False),
    ],
)
async def test_what_was_forgotten_is_learned_again_only_with_consent(world: World, yes: str, remembered: bool) -> None:
    """C-25: the question has fixed words, and the answer un-suppresses."""
    await shown(world)
    await said(world, "Forget that.")
    asked = await said(world, "I live in Porto.", bland_reply(6))
    assert (asked["reply"]["origin"], keys(asked, "created")) == ("fixed", [])  # type: ignore[index]
    answer = await said(world, yes, bland_reply(7))
    assert keys(answer, "created") == (["fact:current_city"] if remembered else [])
    assert ("fact:current_city" in await world.active()) is remembered
    _, controls = await world.store.user(world.user)
    assert ("fact:current_city" in controls.suppressed_memory_keys) is not remembered


@pytest.mark.parametrize("text", ["You can remember my city again.", "Please remember that I live in Porto."])
async def test_a_key_is_allowed_again_by_name_or_by_telling_to_remember(world: World, text: str) -> None:
    """C-25."""
    await shown(world)
    await said(world, "Forget that.")
    await said(world, text, bland_reply(6))
    _, controls = await world.store.user(world.user)
    assert controls.suppressed_memory_keys == ()


async def test_how_it_is_known_is_told_in_the_persons_own_words(world: World) -> None:
    """S-17: from the evidence, and without a model."""
    await said(world, "I live in Lisbon.", bland_reply(1))
    await said(world, "I have a free evening today.", IN_LISBON)
    answer = await said(world, "How do you know that?")
    assert answer["reply"]["origin"] == "fixed"  # type: ignore[index]
    assert "“I live in Lisbon.”" in answer["reply"]["text"]  # type: ignore[index]
    assert world.llm.calls == []
