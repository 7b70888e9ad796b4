"""The verdict as a whole: order, exemptions, what is not known, and ordinary talk that no gate may touch (§14)."""

from dataclasses import replace

import pytest
from tests.reply.situations import PLAIN, judged

from chingoo.engine.engine import Engine
from chingoo.model.enums import EmojiFreq, FollowupRate, LexiconBias, Mode, RelationshipStage, ReplyOrigin
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.gates import GateID
from chingoo.reply.gates import check
from chingoo.reply.gates.given import known_targets
from chingoo.reply.gates.report import GateInput, Surfaced, Targets

SUSHI = Surfaced("m-1", "pref:food:sushi")
CHESS = Surfaced("m-2", "pref:game:chess")
JAZZ = Surfaced("m-3", "pref:music:jazz")


def test_violations_stand_in_order_of_priority(bundle: Bundle, engine: Engine) -> None:
    """C-28: safety before facts before repetition before bands."""
    reply = "Kill yourself. I love you, my darling. One. Two. Three 🌿🍵🌙. On 2026-03-02 lol omg brb idk."
    report = judged(bundle, engine, reply, surfaced=(SUSHI, CHESS, JAZZ), previous_replies=(reply,))
    order = [violation.gate for violation in report.violations]
    ranks = {rule.id: rank for rank, rule in enumerate(bundle.gates.order)}
    assert order == sorted(order, key=ranks.__getitem__)
    assert order[0] is GateID.SAFETY
    assert {GateID.INTIMACY_CAP, GateID.PERSONAL_FACTS, GateID.SIMILARITY, GateID.SENTENCE_BAND} <= set(order)
    assert all(violation.detail and violation.rewrite for violation in report.violations)


@pytest.mark.parametrize("origin", [ReplyOrigin.FIXED, ReplyOrigin.SAFE])
def test_canned_replies_are_exempt_from_style_and_nothing_else(
    bundle: Bundle, engine: Engine, origin: ReplyOrigin
) -> None:
    """C-26, C-27, C-78."""
    reply = "I can't go there with you. Let's talk about something else. The tea is warm. The chair is free."
    targets = replace(PLAIN, emoji=EmojiFreq.FREQUENT)
    given = GateInput(reply=reply, targets=targets, previous_replies=(reply,), origin=origin)
    assert check(bundle, engine, given).passed
    assert len(check(bundle, engine, replace(given, origin=ReplyOrigin.LLM)).violations) == 4
    lying = replace(given, reply="No, I'm not an AI, I'm a real human.")
    assert check(bundle, engine, lying).fails(GateID.AI_DENIAL)


def test_only_the_reply_is_needed(bundle: Bundle, engine: Engine) -> None:
    """api.md: what is not known is not judged."""
    report = check(bundle, engine, GateInput(reply="Hm. " * 30 + "🌿" * 9))
    assert report.passed
    assert report.measures.sentence_count == 30


def test_stated_parameters_win_over_the_template(bundle: Bundle) -> None:
    template = bundle.personas["PT01"]
    stated = known_targets(bundle, template, Targets(emoji=EmojiFreq.FREQUENT, quirks=2))
    assert stated.emoji is EmojiFreq.FREQUENT
    assert stated.quirks == 2
    assert stated.length is template.speech_style.sentence_length_bias
    assert stated.followup is FollowupRate.LOW
    assert known_targets(bundle, None, Targets()) == Targets()


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("stage", list(RelationshipStage))
def test_ordinary_talk_passes_everywhere(bundle: Bundle, engine: Engine, mode: Mode, stage: RelationshipStage) -> None:
    for reply in (
        "I like how you put that, and I am listening with care.",
        "It is good to hear this while the afternoon goes gently by. What was the part of it that you liked most?",
        "Poor kid, a fever is no fun. Was he forced to stay home?",
        "That movie was so good, I could watch it again tonight.",
        "다행이에요, 오늘은 푹 쉬어요.",
        "Хорошо, что ты дома, согрейся и выпей чаю.",
    ):
        report = judged(
            bundle, engine, reply, mode=mode, stage=stage, targets=replace(PLAIN, lexicon=LexiconBias.CLEAN)
        )
        assert report.passed, (reply, report.violations)
