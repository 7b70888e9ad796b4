"""Conversations in nine languages that change their mind: no prompt's memories hold what was taken back (§19)."""

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
KOREAN = ("서울", "부산", "대구", "인천", "제주")
KOREAN_FOOD = ("초밥", "떡볶이", "김치", "라면", "비빔밥")
ITALIAN = ("Torino", "Milano", "Bologna", "Genova", "Bari")
ITALIAN_FOOD = ("sushi", "formaggio", "gelato", "risotto", "tiramisu")
LEVANT = ("beirut", "dubai", "amman", "cairo", "doha")
LEVANT_FOOD = ("shawarma", "falafel", "kabsa", "mansaf", "tabbouleh")
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
    "ko city again": (KOREAN, "나는 {old}에 살아", ("나는 이제 {new}에 살아",), "fact:current_city"),
    "ko city not y, x": (KOREAN, "나는 {old}에 살아", ("{old} 아니고 {new}이야",), "fact:current_city"),
    "ko city denied": (KOREAN, "나는 {old}에 살아", ("나는 {old}에 안 살아",), "fact:current_city"),
    "ko city there and back": (
        KOREAN, "나는 {new}에 살아", ("나는 {old}에 살아", "{old} 아니고 {new}"), "fact:current_city",
    ),
    "ko size again": (SIZES, "내 사이즈는 {old}이야", ("내 사이즈는 이제 {new}이야",), "body_params:size"),
    "ko size not y, x": (SIZES, "내 사이즈는 {old}이야", ("{old} 아니고 {new}이야",), "body_params:size"),
    "ko taste": (KOREAN_FOOD, "나는 {old} 좋아해", ("나는 {old} 싫어해",), "pref:"),
    "ko taste forgotten": (KOREAN_FOOD, "나는 {old} 좋아해", ("{old} 얘기는 잊어줘",), "pref:"),
    "it city again": (ITALIAN, "Vivo a {old}.", ("Vivo a {new}.",), "fact:current_city"),
    "it city not y but x": (ITALIAN, "Vivo a {old}.", ("Non {old} ma {new}.",), "fact:current_city"),
    "it city denied": (ITALIAN, "Vivo a {old}.", ("Non vivo a {old}.",), "fact:current_city"),
    "it city twice": (ITALIAN, "Vivo a {old}.", ("Vivo a {mid}.", "Adesso vivo a {new}."), "fact:current_city"),
    "it size again": (SIZES, "La mia taglia è {old}", ("La mia taglia adesso è {new}",), "body_params:size"),
    "it size not y, x": (SIZES, "La mia taglia è {old}", ("Non {old}, {new}",), "body_params:size"),
    "it taste": (ITALIAN_FOOD, "Mi piace il {old}.", ("Odio il {old}.",), "pref:"),
    "it taste, no article": (ITALIAN_FOOD, "Mi piace il {old}.", ("Odio {old}.",), "pref:"),
    "it taste forgotten": (ITALIAN_FOOD, "Mi piace il {old}.", ("Dimentica {old} per favore.",), "pref:"),
    "arabizi city again": (LEVANT, "ana 3ayesh bi {old}", ("ana sakin fi {new}",), "fact:current_city"),
    "arabizi city not y, x": (LEVANT, "ana 3ayesh bi {old}", ("mish {old}, {new}",), "fact:current_city"),
    "arabizi city x not y": (LEVANT, "ana 3ayesh bi {old}", ("{new} mish {old}",), "fact:current_city"),
    "arabizi size again": (SIZES, "ma2asi {old}", ("ma2asi hala2 {new}",), "body_params:size"),
    "arabizi size not y, x": (SIZES, "ma2asi {old}", ("mish {old} ana {new}",), "body_params:size"),
    "arabizi taste": (LEVANT_FOOD, "b7eb {old}", ("ma b7eb {old}",), "pref:"),
    "arabizi taste forgotten": (LEVANT_FOOD, "b7eb {old}", ("ensa {old} please",), "pref:"),
    "two languages, one taste": (
        ("coffee", "tea", "beer", "wine", "milk"), "I like {old}.", ("Forget {old} please lol",), "pref:",
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


def test_there_are_over_two_hundred() -> None:
    assert len(ALL) == 225


@pytest.mark.parametrize(
    "story",
    [pytest.param(story, marks=() if place % 5 < 2 else pytest.mark.soak) for place, story in enumerate(ALL)],
    ids=lambda story: story.name,
)
async def test_what_was_taken_back_is_remembered_no_more(world: World, story: Story) -> None:
    """Rate 0: neither a memory nor a prompt's list of memories holds the old value. Three of five are for soak."""
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
