"""Whatever is sent: a decision, the same one again, with spans inside the text."""

from hypothesis import given, settings
from tests.engine.anything import INPUTS

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate, route
from chingoo.engine.record import NONE
from chingoo.model.decision import EvaluationInput
from chingoo.model.enums import Pipeline, SafetyPolicy


@settings(max_examples=400, deadline=None)
@given(INPUTS)
def test_every_input_has_one_decision(engine: Engine, given_input: EvaluationInput) -> None:
    decision = evaluate(engine, given_input, explain=True)
    assert evaluate(engine, given_input, explain=True) == decision
    size = len(given_input.text)
    assert all(0 <= start < end <= size for _, start, end in decision.spans)
    assert all(0 <= one.span[0] < one.span[1] <= size for entry in decision.trace for one in entry.matched)
    assert -1 <= decision.signals.valence <= 1
    assert decision.rules[0] == decision.trace[0].rule


@settings(max_examples=200, deadline=None)
@given(INPUTS)
def test_a_stored_record_gives_the_same_decision_again(engine: Engine, given_input: EvaluationInput) -> None:
    decision = evaluate(engine, given_input)
    rule, routing = route(engine, decision.facts_record)
    assert (rule.id, routing) == (decision.rules[0], decision.routing)


@settings(max_examples=200, deadline=None)
@given(INPUTS)
def test_what_must_hold_for_every_message(engine: Engine, given_input: EvaluationInput) -> None:
    decision = evaluate(engine, given_input)
    record = decision.facts_record
    if record["crisis"] != NONE:
        assert decision.routing.pipeline is Pipeline.EMOTIONAL_SUPPORT
        assert decision.reply
    elif record["guard"] != NONE or record["claimed_under_13"]:
        assert decision.routing.safety_policy is SafetyPolicy.HARD_REFUSE
    if decision.routing.pipeline is Pipeline.REFUSAL:
        assert decision.reply
