"""Planning a reply (PLAN-01…03, POL-06…10)."""

from typing import Any

import pytest
from tests.reply.situations import decided, planned

from chingoo.engine.engine import Engine
from chingoo.model.enums import Mode, Pipeline, TopicID
from chingoo.policy.bundle import Bundle

QUESTION = "Tea first. Green or black?"
RAIN = "The rain has stopped."


@pytest.mark.parametrize(
    ("template", "situation", "more", "tone", "rule"),
    [
        ("PT02", {}, {}, "calm", "talk"),
        ("PT05", {}, {}, "playful", "light-talk"),
        ("PT03", {}, {}, "blunt", "plain-talk"),
        ("PT05", {"valence": -0.5}, {}, "supportive", "bad-day"),
        ("PT03", {"valence": -0.5}, {}, "calm", "bad-day-plainly"),
        ("PT06", {"pipeline": Pipeline.EMOTIONAL_SUPPORT}, {}, "supportive", "support"),
        ("PT04", {"pipeline": Pipeline.EMOTIONAL_SUPPORT}, {}, "calm", "support-in-few-words"),
        ("PT06", {"pipeline": Pipeline.INFO_QA}, {}, "calm", "answer"),
        ("PT13", {"pipeline": Pipeline.INFO_QA}, {}, "blunt", "blunt-answer"),
        ("PT05", {"pipeline": Pipeline.ONBOARDING_CHAT}, {}, "playful", "first-words-with-a-smile"),
        ("PT02", {"pipeline": Pipeline.ONBOARDING_CHAT}, {}, "calm", "first-words"),
        ("PT03", {}, {"mode": Mode.INTIMATE}, "calm", "affection"),
        ("PT05", {"farewell": True}, {}, "supportive", "goodbye"),
        ("PT05", {}, {"gentle": True}, "supportive", "after-a-crisis"),  # S-07: no playful tone
    ],
)
def test_tone_follows_the_turn_within_the_persona(
    bundle: Bundle, engine: Engine, template: str, situation: dict[str, Any], more: dict[str, Any], tone: str, rule: str
) -> None:
    decision = decided(engine, "there is a blue chair near the window", **situation)
    plan = planned(bundle, decision, bundle.personas[template], **more)
    assert (plan.emotional_tone, plan.rule) == (tone, rule)
    assert plan.answer_outline


@pytest.mark.parametrize(
    ("template", "text", "situation", "before", "questions"),
    [
        ("PT05", "i baked bread", {}, (), 1),  # proactive
        ("PT05", "i baked bread", {}, (RAIN,), 1),
        ("PT05", "i baked bread", {}, (QUESTION,), 0),  # just asked
        ("PT02", "i baked bread", {}, (), 1),  # balanced, a short message
        ("PT02", "i baked bread today and then i took a long walk around the lake", {}, (), 0),
        ("PT01", "i baked bread", {}, (), 0),  # passive
        ("PT07", "i baked bread", {"farewell": True}, (), 0),
        ("PT07", "how do i bake bread?", {"pipeline": Pipeline.INFO_QA}, (), 0),
        ("PT03", "i baked bread", {}, (QUESTION, RAIN, RAIN), 0),  # low: one in four
        ("PT03", "i baked bread", {}, (QUESTION, RAIN, RAIN, RAIN), 1),
    ],
)
def test_a_question_only_where_it_helps(
    bundle: Bundle,
    engine: Engine,
    template: str,
    text: str,
    situation: dict[str, Any],
    before: tuple[str, ...],
    questions: int,
) -> None:
    plan = planned(bundle, decided(engine, text, **situation), bundle.personas[template], recent_replies=before)
    assert plan.followup_question == questions


def test_a_raised_suppressed_topic_is_answered_only(bundle: Bundle, engine: Engine) -> None:
    """POL-09: no expansion and no question; the other suppressed topic stays guarded (POL-06)."""
    suppressed = frozenset({TopicID.POLITICS, TopicID.TRAVEL})
    decision = decided(engine, "the president, the parliament and the election", suppressed=suppressed)
    plan = planned(bundle, decision, bundle.personas["PT05"], suppressed_topics=suppressed)
    assert plan.answer_only == (TopicID.POLITICS,)
    assert plan.followup_question == 0
    assert TopicID.TRAVEL in plan.taboo_guard
    assert TopicID.POLITICS not in plan.taboo_guard


def test_constraints_are_the_friends_own(bundle: Bundle, engine: Engine) -> None:
    """PLAN-03."""
    template = bundle.personas["PT05"]
    constraints = planned(bundle, decided(engine, "hello"), template).constraints
    assert (constraints.emoji.min, constraints.emoji.max) == (1, 6)
    assert (constraints.sentences.min_sentences, constraints.sentences.max_sentences) == (1, 3)
    assert constraints.quirks == template.quirks
    assert constraints.questions.replies == 2
    assert TopicID.SELF_HARM in constraints.avoid


def test_the_last_row_always_holds(bundle: Bundle) -> None:
    last = bundle.planning.plan[-1]
    conditions = (last.pipelines, last.archetypes, last.humor_modes, last.modes)
    assert conditions == (None,) * 4
    assert (last.valence_at_most, last.gentle, last.farewell) == (None,) * 3


def test_every_step_of_the_table_is_written(bundle: Bundle) -> None:
    steps = {step for row in bundle.planning.plan for step in row.outline}
    assert steps <= set(bundle.planning.prompt.context.outline)


@pytest.mark.parametrize(
    ("text", "glad"),
    [
        ("I passed my exam", True),
        ("합격했어!", True),
        ("ich hab die Prüfung bestanden!!!", True),
        ("thanks 😊", False),
        ("good morning 😊", False),
        ("haha that's so funny", False),
        ("ok 🙂", False),
        ("고마워 😊", False),
        ("I did not get the job", False),
        ("I got the job and my dog died", False),
    ],
)
def test_only_news_is_met_as_news(bundle: Bundle, engine: Engine, text: str, *, glad: bool) -> None:
    """A smile, thanks and a good morning are no success to be congratulated on."""
    for template in bundle.personas.values():
        plan = planned(bundle, decided(engine, text), template)
        assert ("share_joy" in plan.answer_outline) is glad, (template.id, plan.rule)
