"""Corrections as people really type them, in all languages; and ordinary talk that takes nothing back (C-70, §19)."""

from pathlib import Path

import pytest
import yaml
from tests.service.conftest import World

from chingoo.memory.grammar import CorrectionGrammar
from chingoo.model.people import MemoryChange
from chingoo.policy.bundle import Bundle
from chingoo.testing.openai_server import bland_reply

SAID = yaml.safe_load((Path(__file__).parents[1] / "memory" / "natural_corrections.yaml").read_text(encoding="utf-8"))
COMMANDS = [
    (language, one["say"], one["must"]) for language, rows in SAID.items() if language != "talk" for one in rows
]
VALUES = {
    "fact:current_city": "Lisbon",
    "fact:occupation": "teacher",
    "body_params:size": "L",
    "pref:drink:coffee": "like|coffee",
}
REPLY = (
    "An open evening in Lisbon can be a small gift when the whole week has been so busy. You could take a slow walk "
    "along the streets you like best and let your thoughts settle for a while."
)


@pytest.fixture(scope="module")
def grammar(bundle: Bundle) -> CorrectionGrammar:
    return CorrectionGrammar(bundle.corrections)


@pytest.mark.parametrize(("language", "text", "command"), COMMANDS, ids=[f"{one[0]}: {one[1]}" for one in COMMANDS])
def test_it_is_understood(grammar: CorrectionGrammar, language: str, text: str, command: str) -> None:
    assert command in [said.command for said in grammar.read(text).commands]


def test_every_language_has_its_own() -> None:
    assert {language for language, _, _ in COMMANDS} == {"en", "ko", "ru", "ar", "arabizi", "es", "fr", "de", "it"}
    assert len(COMMANDS) >= 180


@pytest.mark.parametrize("text", SAID["talk"])
async def test_talk_takes_nothing_back(world: World, text: str) -> None:
    """Said right after a reply that showed a memory, where a correction would take it back."""
    made = [
        world.scene.memory(key, value, type="FACT" if key.startswith("fact") else "PREFERENCE")
        if not key.startswith("body")
        else world.scene.memory(key, value, type="body_params")
        for key, value in VALUES.items()
    ]
    await world.scene.say(memory_changes=tuple(MemoryChange("insert", one) for one in made))
    answer = await world.service(REPLY).take_turn(world.request("I have a free evening today."))
    assert answer["reply"]["surfaced_memory_ids"] == [str(made[0].memory_id)]
    answer = await world.service(bland_reply(4)).take_turn(world.request(text))
    assert {key: answer["memory"][key] for key in ("invalidated", "disputed", "superseded")} == {
        "invalidated": [],
        "disputed": [],
        "superseded": [],
    }
    assert (await world.active()).items() >= VALUES.items()


@pytest.mark.parametrize(
    ("key", "old", "text", "new"),
    [
        ("body_params:size", "S", "S 아니고 M이야", "M"),
        ("body_params:size", "S", "S 아니고 XL이에요", "XL"),
        ("fact:current_city", "서울", "서울 아니고 부산이야", "부산"),
        ("fact:current_city", "서울", "서울이 아니라 부산이야", "부산"),
        ("fact:occupation", "교사", "교사 아니고 간호사예요", "간호사"),
    ],
)
async def test_a_new_value_stands_without_what_is_glued_to_it(
    world: World, key: str, old: str, text: str, new: str
) -> None:
    """CORR-06, in a language that glues *is* and its particles to words."""
    kind = "FACT" if key.startswith("fact") else "body_params"
    await world.scene.say(memory_changes=(MemoryChange("insert", world.scene.memory(key, old, type=kind)),))
    await world.service(bland_reply(4)).take_turn(world.request(text))
    assert await world.active() == {key: new}


def test_a_corpus_of_ordinary_talk_holds_no_command(grammar: CorrectionGrammar) -> None:
    """`x, not y` is one only where y is remembered, and yes and no only after something that was shown."""
    harmless = {"replace", "confirm", "bare_no"}
    folder = Path(__file__).parents[2] / "policies" / "corpus"
    talk = [line for path in sorted(folder.glob("*.txt")) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(talk) > 5000
    found = [(line, said.command) for line in talk for said in grammar.read(line).commands]
    assert [one for one in found if one[1] not in harmless] == []
