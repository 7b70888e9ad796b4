"""A detector is one more fact: how its scores are read, and that whatever it says, nothing becomes looser."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from msgspec.structs import replace as changed
from tests.engine.anything import INPUTS
from tests.engine.conftest import Decide

from chingoo.engine.detector import SILENT, detector_says
from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate, route
from chingoo.model.decision import Decision, EvaluationInput
from chingoo.model.enums import CrisisLevel, MemoryReadPolicy, MemoryWritePolicy, Pipeline, SafetyPolicy, Switch
from chingoo.policy.bundle import Bundle

READ = [
    ({}, "clear"),
    ({"hate": 0.0, "sexual": 0.2}, "clear"),
    ({"sexual": 0.849}, "clear"),
    ({"sexual": 0.85}, "sexual"),
    ({"violence": 1.0, "violence/graphic": 1.0}, "clear"),
    ({"sexual": 0.99, "sexual/minors": 0.3}, "sexual_minors"),
    ({"hate": 0.8, "hate/threatening": 0.9}, "threat"),
    ({"self-harm": 0.79, "self-harm/intent": 0.49}, "clear"),
    ({"self-harm": 0.8, "hate": 1.0}, "self_harm"),
    ({"harassment": 0.95}, "harassment"),
    ({"illicit": 0.95}, "illegal_acts"),
    ({"a category of tomorrow": 1.0}, "clear"),
]


@pytest.mark.parametrize(("scores", "says"), READ)
def test_how_scores_are_read(bundle: Bundle, scores: dict[str, float], says: str) -> None:
    assert detector_says(bundle.detector, scores) == says


def strictness(decision: Decision) -> int:
    """From friend's talk to a refusal; fixed words of help stand between a boundary and a refusal."""
    if decision.signals.crisis.detected:
        return 2
    return {SafetyPolicy.ALLOW: 0, SafetyPolicy.SOFT_REFUSE: 1, SafetyPolicy.HARD_REFUSE: 3}[
        decision.routing.safety_policy
    ]


def openness(decision: Decision) -> tuple[int, int]:
    """How much is read and kept."""
    reads = [MemoryReadPolicy.NONE, MemoryReadPolicy.LIGHT, MemoryReadPolicy.FULL]
    return (
        reads.index(decision.routing.memory_read_policy),
        int(decision.routing.memory_write_policy is not MemoryWritePolicy.NONE),
    )


@settings(max_examples=300, deadline=None)
@given(INPUTS)
def test_whatever_it_says_nothing_becomes_looser(engine: Engine, given_input: EvaluationInput) -> None:
    without = evaluate(engine, replace(given_input, detector="off"))
    heard = evaluate(engine, given_input)
    if without.signals.crisis.detected:
        assert heard.signals.crisis == without.signals.crisis, "a crisis is never lost"
        assert (heard.routing, heard.reply) == (without.routing, without.reply)
        return
    assert strictness(heard) >= strictness(without)
    assert all(now <= then for now, then in zip(openness(heard), openness(without), strict=True))
    if without.routing.relationship_update_policy is Switch.OFF:
        assert heard.routing.relationship_update_policy is Switch.OFF
    if given_input.detector in SILENT:
        assert heard == changed(without, facts_record=without.facts_record | {"detector": given_input.detector})
    if heard.routing != without.routing:
        assert heard.reply, "what a detector changes is said in fixed words"
    rule, routing = route(engine, heard.facts_record)
    assert (rule.id, routing) == (heard.rules[0], heard.routing), "the stored record decides the same again"


def test_its_alarm_is_a_crisis_like_any_other(decide: Decide) -> None:
    """Logged, reported to a human, answered with the lines of the country."""
    decision = decide("the lake is calm tonight", detector="self_harm", country="US")
    assert decision.signals.crisis.level is CrisisLevel.CONTEXT
    assert decision.signals.crisis.phrases == ()
    assert decision.routing.pipeline is Pipeline.EMOTIONAL_SUPPORT
    assert "988" in (decision.reply or "")
    assert decide("the lake is calm tonight", detector="unavailable").signals.crisis.level is None
