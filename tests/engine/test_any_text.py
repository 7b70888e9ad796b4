"""Whatever is sent: a decision, the same one again, with spans inside the text."""

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate, route
from chingoo.engine.record import NONE
from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import AgeBand, Mode, Pipeline, Role, SafetyPolicy, TopicID, UserState

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
PIECES = st.sampled_from(
    [
        "i want to die",
        "kill",
        "my self",
        "죽고 싶어",
        "자살을",
        "my friend",
        "book about",
        "suicide",
        "sex",
        "porn",
        "16 year old",
        "story",
        "how to make",
        "b0mb",
        "you are",
        "stupid",
        "хочу",
        "умереть",
        "أريد",
        "أن أموت",
        "i'm 12",
        "hopeless",
        "alone",
        "trapped",
        "k.i.l.l",
        "ㅈㅏㅅㅏㄹ",
        "💀",
        "\u200b",
        "ﷺ",
        "e\u0301",
        "'",
        "?",
        "\ud800",
        "ch!ld",
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=12).map(" ".join))
INPUTS = st.builds(
    EvaluationInput,
    text=TEXTS,
    received_at=st.just(AT),
    user_state=st.sampled_from(UserState),
    age_band=st.sampled_from(AgeBand),
    mode=st.sampled_from(Mode),
    country=st.sampled_from([None, "US", "xx", ""]),
    client_locale=st.sampled_from([None, "ko-KR", "pt", "EN_us"]),
    history=st.lists(st.builds(Utterance, role=st.sampled_from(Role), text=TEXTS), max_size=4).map(tuple),
    suppressed_topics=st.frozensets(st.sampled_from(TopicID), max_size=3),
)


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
