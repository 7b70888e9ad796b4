"""One thread, two histories: what was said in intimate mode stays there, and its voice too (PERS-20…23, PERS-32)."""

import pytest
from tests.service.conftest import World

from chingoo.model.enums import IntimatePersona, Mode
from chingoo.testing.openai_server import bland_reply

UMBRELLA = "there is a turquoise umbrella by the door"
CHAIR = "there is a blue chair near the window"
CLOSE = {"mode": Mode.INTIMATE}


async def opened(world: World, voice: IntimatePersona = IntimatePersona.CARING) -> None:
    """Intimate mode is switched on."""
    changes = {"intimate_mode": True, "intimate_persona": voice}
    await world.store.patch_controls(world.user, changes, world.clock.now())


async def prompt(world: World, text: str, number: int = 0, **changes: object) -> tuple[str, ...]:
    """Everything that the model of a turn is told."""
    await world.service(bland_reply(number)).take_turn(world.request(text, **changes))
    return tuple(message.content for message in world.llm.calls[0].messages)


@pytest.mark.parametrize(("first", "second"), [(Mode.INTIMATE, Mode.FRIEND), (Mode.FRIEND, Mode.INTIMATE)])
async def test_no_word_of_one_mode_stands_in_a_prompt_of_the_other(world: World, first: Mode, second: Mode) -> None:
    await opened(world)
    await prompt(world, UMBRELLA, 0, mode=first)
    other = "\n".join(await prompt(world, CHAIR, 9, mode=second))
    assert "umbrella" not in other
    assert bland_reply(0) not in other
    again = "\n".join(await prompt(world, "and a red table", 18, mode=first))
    assert UMBRELLA in again
    assert bland_reply(0) in again
    assert "blue chair" not in again


async def test_a_voice_chosen_now_speaks_with_the_next_message(world: World) -> None:
    """PERS-23; friend mode never hears of it (PERS-20)."""
    before = (await prompt(world, CHAIR, 0))[0]
    for number, voice in enumerate(IntimatePersona, start=1):
        await opened(world, voice)
        system = (await prompt(world, CHAIR, number * 6, **CLOSE))[0]
        rhythms = {name: preset.rhythm for name, preset in world.bundle.voices.items()}
        assert {name for name, rhythm in rhythms.items() if rhythm in system} == {voice}
        assert (await prompt(world, CHAIR, number * 6 + 3))[0] == before


async def test_the_gates_look_back_in_one_mode_only(world: World) -> None:
    """GATE-08, GATE-09: the same words are a repetition within a mode, and new in the other."""
    await opened(world)
    said = await world.service(bland_reply(4)).take_turn(world.request(CHAIR, **CLOSE))
    friend = await world.service(bland_reply(4), bland_reply(20)).take_turn(world.request(CHAIR))
    again = await world.service(bland_reply(4), bland_reply(20)).take_turn(world.request("and a red table", **CLOSE))
    assert (said["reply"]["text"], friend["reply"]["text"]) == (bland_reply(4), bland_reply(4))
    assert again["reply"]["text"] != bland_reply(4)
    assert again["reply"]["rewritten"]


async def test_signs_of_a_crisis_add_up_over_both_modes(world: World) -> None:
    """CRISIS-02, CRISIS-05."""
    await opened(world)
    for number, text in enumerate(("everything is hopeless", "I feel so trapped")):
        await world.service(bland_reply(number * 7)).take_turn(world.request(text, **CLOSE))
    answer = await world.service().take_turn(world.request("there is no point and I'm all alone"))
    assert answer["signals"]["crisis"]["detected"]
    assert answer["reply"]["origin"] == "fixed"


async def test_where_it_knows_from_is_told_without_the_words_of_the_other_mode(world: World) -> None:
    """S-17: the fixed words stand in the history of the mode in which it was asked, and so in its next prompt."""
    await opened(world)
    await prompt(world, "I live in Lisbon with my turquoise umbrella", 0, **CLOSE)
    told = await world.service(f"{bland_reply(7)} Lisbon with its hills and trams does suit you very well.").take_turn(
        world.request(CHAIR)
    )
    assert told["reply"]["surfaced_memory_ids"], told["reply"]
    source = await world.service().take_turn(world.request("how do you know that?"))
    assert source["reply"]["origin"] == "fixed"
    assert "Lisbon" in source["reply"]["text"]
    assert "umbrella" not in source["reply"]["text"]
    assert "when we started" not in source["reply"]["text"]
    after = "\n".join(await prompt(world, "and a red table", 21))
    assert "umbrella" not in after
