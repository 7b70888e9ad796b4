"""A hundred conversations that change their mind: afterwards no prompt's memories hold what was taken back (§19)."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.service.conftest import World

from chingoo.testing.openai_server import bland_reply

CITIES = ("Lisbon", "Porto", "Berlin", "Madrid", "Seattle")
SIZES = ("S", "M", "L", "XL", "XXL")
SPANISH = ("Madrid", "Lisboa", "Sevilla", "Toledo", "Bilbao")
GERMAN = ("Berlin", "Hamburg", "Köln", "Wien", "Bremen")
FRENCH = ("Paris", "Lyon", "Nantes", "Lille", "Nice")
JOBS = ("nurse", "teacher", "pilot", "baker", "lawyer")

STORIES: dict[str, tuple[tuple[str, ...], str, tuple[str, ...], str]] = {
    # name: values, how it is said, how it is corrected or denied, key
    "en city again": (CITIES, "I live in {old}.", ("Actually I live in {new}.",), "fact:current_city"),
    "en city x not y": (CITIES, "I live in {old}.", ("{new}, not {old}.",), "fact:current_city"),
    "en city not y, x": (CITIES, "I live in {old}.", ("Not {old}, {new}!",), "fact:current_city"),
    "en city denied": (CITIES, "I live in {old}.", ("I don't live in {old}.",), "fact:current_city"),
    "en city twice": (
        CITIES, "I live in {old}.", ("I live in {mid} now.", "I live in {new} now."), "fact:current_city",
    ),
    "en city there and back": (
        CITIES, "I live in {new}.", ("I live in {old} now.", "{new}, not {old}."), "fact:current_city",
    ),
    "en size again": (SIZES, "my size is {old}", ("my size is now {new}",), "body_params:size"),
    "en size x not y": (SIZES, "my size is {old}", ("{new}, not {old}",), "body_params:size"),
    "en size denied": (SIZES, "my size is {old}", ("No, my size is not {old}.",), "body_params:size"),
    "en job again": (JOBS, "My job is {old}.", ("My job is {new}.",), "fact:occupation"),
    "en job forgotten": (JOBS, "My job is {old}.", ("Forget my job.",), "fact:occupation"),
    "en taste": (("sushi", "pizza", "ramen", "coffee", "jazz"), "I like {old}.", ("I hate {old}.",), "pref:"),
    "en taste forgotten": (("sushi", "pizza", "ramen", "coffee", "jazz"), "I like {old}.", ("Forget {old}.",), "pref:"),
    "ru size again": (SIZES, "Мой размер {old}", ("Мой размер теперь {new}",), "body_params:size"),
    "ru size not y but x": (SIZES, "Мой размер {old}", ("Не {old}, а {new}",), "body_params:size"),
    "ru size denied": (SIZES, "Мой размер {old}", ("Нет, мой размер не {old}",), "body_params:size"),
    "ar size not y but x": (SIZES, "مقاسي {old}", ("لا غلط، مو {old}، أنا {new}",), "body_params:size"),
    "es city again": (SPANISH, "Vivo en {old}.", ("Vivo en {new}.",), "fact:current_city"),
    "de city x not y": (
        GERMAN, "Ich wohne in {old}.", ("Nicht {old}, sondern {new}.",), "fact:current_city",
    ),
    "fr city again": (FRENCH, "J'habite à {old}.", ("J'habite à {new}.",), "fact:current_city"),
}  # fmt: skip


@dataclass(frozen=True)
class Story:
    """What is said, in order; `gone` may not come back."""

    name: str
    lines: tuple[str, ...]
    key: str
    gone: str


def stories() -> Iterator[Story]:
    for name, (values, first, later, key) in STORIES.items():
        for index in range(5):
            old, mid, new = (values[(index + step) % len(values)] for step in range(3))
            lines = [line.format(old=old, mid=mid, new=new) for line in (first, *later)]
            yield Story(f"{name} {index}", tuple(lines), key, old)


ALL = list(stories())


def test_there_are_a_hundred() -> None:
    assert len(ALL) == 100


@pytest.mark.parametrize("story", ALL, ids=lambda story: story.name)
async def test_what_was_taken_back_is_remembered_no_more(world: World, story: Story) -> None:
    """Rate 0: neither a memory nor a prompt's list of memories holds the old value."""
    service = world.service(*(bland_reply(number) for number in range(12)))
    for line in story.lines[:1]:
        await service.take_turn(world.request("there is a blue chair near the window"))
        await service.take_turn(world.request(line))
    held = await world.active()
    assert any(key.startswith(story.key) for key in held), "what is never learned cannot be corrected"
    for line in story.lines[1:]:
        await service.take_turn(world.request(line))
    await service.take_turn(world.request("do you remember what i told you about me?"))
    stale = f"like|{story.gone}" if story.key == "pref:" else story.gone
    assert stale not in (await world.active()).values()
    prompt = world.llm.calls[-1].messages[-1].content
    remembered = [line for line in prompt.splitlines() if line.startswith("- mem")]
    shown = f": {stale.replace('|', ' ')}"
    assert not [line for line in remembered if line.removesuffix(" (disputed: do not state it, ask)").endswith(shown)]


def test_the_stories_say_different_things() -> None:
    assert not [pair for pair in itertools.combinations(ALL, 2) if pair[0].lines == pair[1].lines]
