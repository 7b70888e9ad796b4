"""A thing liked in one language and spoken of in another is one memory (NORM-10, PREF-02, PREF-03, CORR-05)."""

import itertools

import pytest
from tests.service.conftest import World

from chingoo.memory.keys import KeyGrammar
from chingoo.memory.sameness import Sameness
from chingoo.policy.bundle import Bundle
from chingoo.testing.openai_server import bland_reply

COFFEE = {
    "I love coffee.": "pref:drink:coffee",
    "나 커피 정말 좋아해": "pref:drink:커피",
    "Я люблю кофе": "pref:drink:кофе",
    "أحب القهوة": "pref:drink:قهوة",
    "Ich trinke gern Kaffee": "pref:drink:kaffee",
    "Mi piace il caffè": "pref:drink:caffè",
}


async def told(world: World, *lines: str) -> dict[str, str]:
    service = world.service(*(bland_reply(number) for number in range(len(lines))))
    for line in lines:
        await service.take_turn(world.request(line))
    return await world.active()


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(COFFEE, 2)))
async def test_one_thing_in_two_languages_is_one_memory(world: World, first: str, second: str) -> None:
    """The key keeps the name it began with, in its own script; saying it again in any language confirms it."""
    active = await told(world, first, second)
    assert list(active) == [COFFEE[first]]
    (memory,) = await world.store.memories(world.user, include_inactive=True)
    assert memory.confidence == 0.75
    assert len(memory.evidence_message_ids) == 2


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ("I love coffee.", "난 커피 싫어해", "dislike|커피"),
        ("Я люблю кофе", "I hate coffee.", "dislike|coffee"),
        ("Odio el café", "I love coffee.", "like|coffee"),
        ("J'adore le chocolat", "Ich mag keine Schokolade", "dislike|schokolade"),
    ],
)
async def test_the_other_stance_in_another_language_replaces_it(
    world: World, first: str, second: str, value: str
) -> None:
    """PREF-03: the newest truth wins, whatever it is said in, and keeps the person's own words."""
    active = await told(world, first, second)
    assert list(active.values()) == [value]
    past = [one.memory_value for one in await world.store.memories(world.user, include_inactive=True)]
    assert len(past) == 2


@pytest.mark.parametrize(
    ("first", "command"),
    [
        ("나 커피 정말 좋아해", "Forget coffee."),
        ("Я люблю кофе", "Forget coffee."),
        ("I love coffee.", "커피는 잊어줘"),
        ("I love coffee.", "Forget that I like кофе."),
        ("Me gusta el chocolate", "Forget chocolate."),
        ("J'adore le fromage", "Forget cheese."),
    ],
)
async def test_it_is_forgotten_by_any_of_its_names(world: World, first: str, command: str) -> None:
    assert await told(world, first)
    assert await told(world, command) == {}


async def test_what_is_suppressed_comes_back_under_no_other_name(world: World) -> None:
    """C-25."""
    await told(world, "I love coffee.", "Forget coffee.")
    assert await told(world, "나 커피 정말 좋아해", "Я люблю кофе") == {}
    _, controls = await world.store.user(world.user)
    assert controls.suppressed_memory_keys == ("pref:drink:coffee",)


async def test_a_reply_shows_it_by_any_of_its_names(world: World) -> None:
    """CORR-02, S-11."""
    await told(world, "나 커피 정말 좋아해")
    (memory,) = await world.store.memories(world.user, include_inactive=False)
    reply = bland_reply(3).rstrip(".") + ", with a little coffee beside it."
    answer = await world.service(reply).take_turn(world.request("I have a free evening today."))
    assert answer["reply"]["surfaced_memory_ids"] == [str(memory.memory_id)]


async def test_what_is_only_alike_stays_apart(world: World) -> None:
    """A thing of another category, and one of no line of the table."""
    assert set(await told(world, "I love tea.", "I love green tea.", "나 홍차 정말 좋아해")) == {
        "pref:drink:tea",
        "pref:drink:green_tea",
        "pref:drink:홍차",
    }


def test_every_name_leads_to_keys_that_can_be(bundle: Bundle) -> None:
    keys = KeyGrammar(bundle.memory)
    sameness = Sameness(bundle.synonyms.same, keys)
    for category, things in bundle.synonyms.same.items():
        assert category in bundle.memory.families["PREFERENCE"].keys
        assert len(things) > 5
    assert {"coffee", "커피", "кофе", "قهوة", "café"} <= set(sameness.names["커피"])
