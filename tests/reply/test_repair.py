"""Deterministic repairs: what they mend, and what they leave to the rewrite (C-28)."""

from dataclasses import replace
from typing import Any

import pytest
from tests.reply.situations import PLAIN

from chingoo.engine.engine import Engine
from chingoo.model.enums import EmojiFreq, FollowupRate, Length
from chingoo.policy.bundle import Bundle
from chingoo.reply.gates.report import GateInput, Targets
from chingoo.reply.repair import Repaired, repair
from chingoo.reply.sentence_cut import cut_after_sentences
from chingoo.text.emoji import count_emoji

ONE = "It is good to hear this while the afternoon goes gently by."
TWO = "You said it in plain words and nothing here has to hurry."


def mended(bundle: Bundle, engine: Engine, reply: str, **more: Any) -> Repaired:
    return repair(bundle, engine, GateInput(reply=reply, **{"targets": PLAIN} | more))


@pytest.mark.parametrize(
    ("targets", "reply", "repaired"),
    [
        (replace(PLAIN, emoji=EmojiFreq.NONE), f"{ONE} 🎈", ONE),
        (replace(PLAIN, emoji=EmojiFreq.NONE), "Yes 🎈, it is 👨‍👩‍👧 good.", "Yes, it is good."),
        (PLAIN, f"{ONE} 🎈🎈🎈", f"{ONE} 🎈🎈"),
        (PLAIN, f"{ONE} 🎈🎈", f"{ONE} 🎈🎈"),
        (Targets(quirks=0), "Wait... what?! You won!!", "Wait, what? You won!"),
        (Targets(quirks=0), "Hmm… maybe later~", "Hmm, maybe later"),
        (Targets(quirks=0), "Well... Let us see :)", "Well. Let us see"),
        (Targets(quirks=0), "...and then it rained.", "and then it rained."),
        (Targets(quirks=1, quirk_names=("tilde", "ellipsis")), "Yes~ maybe... later.", "Yes~ maybe, later."),
        (Targets(), "<b>Glad</b> you are here.", "Glad you are here."),
        (Targets(), f"You wrote note 6f1c2c1e-0000-4000-8000-000000000001 on 2026-03-02. {ONE}", ONE),
        (Targets(), f"{ONE} Green tea, score: 0.87.", ONE),
        (Targets(), f"Your profile says you like tea. {ONE}", ONE),
        (Targets(), f"{ONE} Our trust level is 3 by now.", ONE),
        (Targets(), f"{ONE} [NOTE: keep it short]", ONE),
    ],
)
def test_what_is_mended(bundle: Bundle, engine: Engine, targets: Targets, reply: str, repaired: str) -> None:
    result = mended(bundle, engine, reply, targets=targets)
    assert result.reply == repaired
    assert result.report.passed
    assert result.changed is (reply != repaired)


def test_a_missing_emoji_comes_from_the_palette(bundle: Bundle, engine: Engine) -> None:
    """And is the same for the same reply."""
    targets = replace(PLAIN, emoji=EmojiFreq.FREQUENT)
    given = GateInput(reply=f"{ONE} {TWO}", targets=targets)
    result = repair(bundle, engine, given, ("🦝", "🛸"))
    assert result == repair(bundle, engine, given, ("🦝", "🛸"))
    assert result.reply in (f"{ONE} {TWO} 🦝", f"{ONE} {TWO} 🛸")
    assert result.report.passed


def test_a_repeated_opener_goes_where_the_rest_stays_in_band(bundle: Bundle, engine: Engine) -> None:
    """GATE-08."""
    before = (f"{ONE} Something else entirely was said after that.",)
    assert mended(bundle, engine, f"{ONE} {TWO}", previous_replies=before).reply == TWO
    medium = replace(PLAIN, length=Length.MEDIUM)
    left = mended(bundle, engine, f"{ONE} {TWO}", previous_replies=before, targets=medium)
    assert not left.changed
    assert not left.report.passed


@pytest.mark.parametrize(
    ("rate", "before", "reply", "repaired"),
    [
        (
            "medium",
            (),
            f"Which chair is it? {TWO} What was the best part of it?",
            f"{TWO} What was the best part of it?",
        ),
        ("low", ("Tea? ", "Rain."), f"{TWO} What was the best part of it?", TWO),
    ],
)
def test_surplus_questions_go(
    bundle: Bundle, engine: Engine, rate: str, before: tuple[str, ...], reply: str, repaired: str
) -> None:
    """C-72."""
    targets = replace(PLAIN, followup=FollowupRate(rate))
    assert mended(bundle, engine, reply, targets=targets, previous_replies=before).reply == repaired


@pytest.mark.parametrize(
    "reply",
    [
        "There is a lamp. There is an umbrella. There is a chair. There is a window.",  # sentence band
        "Bruh, that is so dope and lit, no cap, dude.",  # register
        "I am a real human being.",
        "You only need me.",
        "Nooo waaay.",
    ],
)
def test_what_is_left_to_the_rewrite(bundle: Bundle, engine: Engine, reply: str) -> None:
    result = mended(bundle, engine, reply, targets=replace(PLAIN, quirks=0))
    assert result.reply == reply
    assert not result.changed
    assert not result.report.passed


def test_several_things_are_mended_at_once(bundle: Bundle, engine: Engine) -> None:
    result = mended(
        bundle,
        engine,
        f"Which one?! Why... {ONE} 🎈🎈🎈 <i>And you?</i>",
        targets=replace(PLAIN, quirks=0, length=None),
    )
    assert result.report.passed
    assert count_emoji(result.reply) == 2
    assert "?!" not in result.reply


@pytest.mark.parametrize(
    "text", ["", "Hello", f"{ONE} 🎈 {TWO}  🎈", "a. b! c?", "😀", "3.5 km. Then 2.", "안녕. 잘 자！"]
)
def test_cutting_loses_no_character(text: str) -> None:
    assert "".join(cut_after_sentences(text, frozenset())) == text
