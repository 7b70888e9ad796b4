"""Words that say little alone: what they weigh together, in a message and with what was said before it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chingoo.engine.engine import Engine
from chingoo.engine.evaluate import evaluate
from chingoo.engine.excused import Excused
from chingoo.engine.weighing import Weigher, share_by_length
from chingoo.model.decision import Decision, EvaluationInput, Utterance
from chingoo.model.enums import CrisisLevel, Pipeline, Role, SafetyPolicy
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.weighing import OfMessage, PiecesByWeight, WeighingDocument
from chingoo.proof.checks.weights_are_as_learnt import sum_of
from chingoo.text.normalise import normalise

NEVER: Mapping[str, int] = {}
TRAVEL, FAMILY, WORK = "topics.travel", "topics.family", "topics.work_school"
LONG = 1000
"""More words than any text here has, so that all count as one of so many."""
FLIGHT, MOTHER, OFFICE = "a flight", "my mother", "homework"


def weighing(bundle: Bundle, **parts: Mapping[str, int]) -> WeighingDocument:
    """A document in which only the given parts can be reached; each needs 100 and begins with 0, at every length."""
    written = bundle.weighing
    for name in ("message", "others", "harassment"):
        pieces = by_weight(parts.get(f"{name}_pieces", NEVER))
        part = replace(getattr(written, name), base=0, at_least=100, weights=parts.get(name, NEVER), pieces=pieces)
        written = replace(written, **{name: part})
    written = replace(written, length=replace(written.length, usual=LONG, least=LONG))
    share = replace(written.talk.of_message, **{"most": 200, "now": 0, "before": 0, **parts.get("of_message", NEVER)})
    talk = replace(written.talk, base=0, at_least=100, look_back_from=10, of_message=share)
    return replace(written, talk=replace(talk, now=parts.get("now", NEVER), before=parts.get("before", NEVER)))


def by_weight(pieces: Mapping[str, int]) -> PiecesByWeight:
    return {str(weight): tuple(one for one in pieces if pieces[one] == weight) for weight in sorted({*pieces.values()})}


class Weighed:
    """Decides by weights made for a test."""

    def __init__(self, engine: Engine, bundle: Bundle) -> None:
        self._engine, self._bundle = engine, bundle

    def decide(self, text: str, *earlier: str, **parts: Mapping[str, int]) -> Decision:
        engine = replace(self._engine, weigher=Weigher(weighing(self._bundle, **parts)))
        history = tuple(Utterance(Role.USER, one) for one in earlier)
        return evaluate(
            engine, EvaluationInput(text, datetime(2026, 3, 2, 12, tzinfo=UTC), history=history), explain=True
        )


@pytest.fixture
def weighed(engine: Engine, bundle: Bundle) -> Weighed:
    return Weighed(engine, bundle)


@pytest.mark.parametrize(
    ("text", "weights", "level"),
    [
        (f"{FLIGHT} to {MOTHER}", {TRAVEL: 60, FAMILY: 40}, CrisisLevel.CONTEXT),  # just enough
        (f"{FLIGHT} to {MOTHER}", {TRAVEL: 60, FAMILY: 39}, None),  # just not enough
        (f"{FLIGHT} and a hotel", {TRAVEL: 60}, None),  # two words of a list weigh no more than one
        (f"{FLIGHT} to {MOTHER}", {TRAVEL: 160, FAMILY: -70}, None),  # a weight may take away
        (f"{FLIGHT} to {MOTHER}", {WORK: 500}, None),  # not touched
    ],
)
def test_the_lists_that_a_message_touches_add_up(
    weighed: Weighed, text: str, weights: Mapping[str, int], level: CrisisLevel | None
) -> None:
    decision = weighed.decide(text, message=weights)
    assert decision.signals.crisis.level is level
    assert ("crisis.weighed" in decision.rules) == (level is not None)


def test_whoever_is_meant_more_heavily_is_meant(weighed: Weighed) -> None:
    text = f"{FLIGHT} to {MOTHER}"
    others = weighed.decide(text, message={TRAVEL: 110}, others={FAMILY: 120})
    assert others.signals.crisis.level is CrisisLevel.THIRD_PARTY
    assert "crisis.weighed_others" in others.rules
    own = weighed.decide(text, message={TRAVEL: 120}, others={FAMILY: 120})
    assert own.signals.crisis.level is CrisisLevel.CONTEXT


@pytest.mark.parametrize(
    ("text", "earlier", "detected"),
    [
        (FLIGHT, (MOTHER,), True),
        (FLIGHT, (), False),  # nothing was said before
        (FLIGHT, (OFFICE,), False),  # something else was
        (FLIGHT, (MOTHER, MOTHER, OFFICE), True),
        (MOTHER, (MOTHER,), False),  # the message itself weighs nothing
    ],
)
def test_what_was_said_before_weighs_too(weighed: Weighed, text: str, earlier: tuple[str, ...], detected: bool) -> None:
    decision = weighed.decide(text, *earlier, now={TRAVEL: 30}, before={FAMILY: 70})
    assert decision.signals.crisis.detected is detected
    assert ("crisis.weighed_talk" in decision.rules) is detected


@pytest.mark.parametrize(
    ("share", "detected"),
    [
        ({"now": 50}, True),  # half of 90
        ({"now": 43}, False),  # 38 and a bit are 38
        ({"before": 50}, True),  # half of 80, which the heavier one of those before weighs
        ({"before": 48}, False),
        ({"now": 25, "before": 25}, True),
        ({"now": 50, "most": 76}, False),  # what goes beyond 76 is left out
        ({"now": 50, "most": 78}, True),
        ({"now": 100, "before": -100}, False),
    ],
)
def test_what_messages_weigh_by_themselves_counts_in_a_talk(
    weighed: Weighed, share: Mapping[str, int], detected: bool
) -> None:
    """60 by the lists of the talk; 39 more are wanted, and a bit."""
    decision = weighed.decide(
        FLIGHT,
        OFFICE,
        f"{MOTHER}. {OFFICE}",
        message={TRAVEL: 90, FAMILY: 80, WORK: -20},
        now={TRAVEL: 30},
        before={FAMILY: 31},
        of_message=share,
    )
    assert decision.signals.crisis.detected is detected


def test_before_a_message_that_weighs_too_little_nothing_is_looked_at(weighed: Weighed) -> None:
    heavy = {"message": {FAMILY: 90, TRAVEL: -50}, "before": {FAMILY: 200}, "of_message": {"now": 60}}
    assert not weighed.decide(FLIGHT, MOTHER, now={TRAVEL: 39}, **heavy).signals.crisis.detected
    assert weighed.decide(FLIGHT, MOTHER, now={TRAVEL: 40}, **heavy).signals.crisis.detected


def test_each_list_weighs_once_for_all_earlier_messages(weighed: Weighed) -> None:
    assert not weighed.decide(FLIGHT, MOTHER, MOTHER, now={TRAVEL: 30}, before={FAMILY: 60}).signals.crisis.detected


@pytest.mark.parametrize(
    ("words", "share"), [(0, 1414), (1, 1414), (4, 1414), (5, 1264), (8, 1000), (9, 942), (16, 707), (32, 500)]
)
def test_long_texts_touch_more_by_chance_and_weigh_less_for_it(bundle: Bundle, words: int, share: int) -> None:
    length = replace(bundle.weighing.length, usual=8, least=4)
    assert share_by_length(words, length) == share


def test_what_is_said_beside_it_makes_a_message_lighter(weighed: Weighed, engine: Engine, bundle: Bundle) -> None:
    document = weighing(bundle, message={TRAVEL: 100})
    short = replace(document, length=replace(document.length, usual=4, least=2))
    long = f"{FLIGHT} and then some more words that say nothing"
    decided = [
        evaluate(replace(engine, weigher=Weigher(one)), EvaluationInput(text, datetime(2026, 3, 2, 12, tzinfo=UTC)))
        for one in (document, short)
        for text in (FLIGHT, long)
    ]
    assert [one.signals.crisis.detected for one in decided] == [True, True, True, False]


def test_contempt_by_weight_meets_a_boundary(weighed: Weighed) -> None:
    decision = weighed.decide(f"{FLIGHT} to {MOTHER}", harassment={TRAVEL: 60, FAMILY: 40})
    assert (decision.routing.pipeline, decision.routing.safety_policy) == (Pipeline.REFUSAL, SafetyPolicy.SOFT_REFUSE)
    assert "safety.weighed_harassment" in decision.rules
    assert not weighed.decide(FLIGHT, harassment={TRAVEL: 60, FAMILY: 40}).facts_record["harassment"]


def test_words_of_a_script_that_no_list_knows_set_no_boundary_and_may_still_tell_of_danger(weighed: Weighed) -> None:
    text = f"今日はとても疲れました、でも元気です {FLIGHT}"
    heavy = {TRAVEL: 900}
    assert not weighed.decide(text, harassment=heavy).facts_record["harassment"]
    assert weighed.decide(FLIGHT, harassment=heavy).facts_record["harassment"]
    assert weighed.decide(text, message=heavy).signals.crisis.detected


def test_the_rules_are_asked_first(weighed: Weighed) -> None:
    decision = weighed.decide(f"i want to kill myself, {FLIGHT}", others={TRAVEL: 900}, message={TRAVEL: 900})
    assert decision.signals.crisis.level is CrisisLevel.HIGH_RISK
    assert not any("weighed" in rule for rule in decision.rules)


ELSE = "we had soup with bread"


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        (f"{ELSE}. {FLIGHT} to {MOTHER}", True),  # though homework is told of, it is in another sentence
        (f"{FLIGHT} to {MOTHER}! {ELSE} and {OFFICE}", True),
        (f"{ELSE} and {OFFICE}\n{FLIGHT} to {MOTHER}", True),  # so is a line
        (f"{FLIGHT} to {MOTHER} after {OFFICE}", False),
        (f"{FLIGHT} after {OFFICE}. {MOTHER} called", False),  # what weighs enough stands in no one sentence
        (f"{' '.join([ELSE] * 5)}. {FLIGHT} to {MOTHER}. {OFFICE}", True),  # too long as a whole, not its sentences
        (f"{' '.join([ELSE] * 6)} and {FLIGHT} to {MOTHER}", False),  # a sentence that is too long
        (f"{' '.join([f'{ELSE}.'] * 12)} {FLIGHT} to {MOTHER}", False),  # too many sentences
        (f"...! {FLIGHT} to {MOTHER}.", True),
    ],
)
def test_each_sentence_is_weighed_alone_too(weighed: Weighed, text: str, heard: bool) -> None:
    weights = {TRAVEL: 60, FAMILY: 40, WORK: -50}
    crisis = weighed.decide(text, message=weights).signals.crisis
    assert (crisis.level, crisis.phrases) == ((CrisisLevel.CONTEXT, ("flight", "mother")) if heard else (None, ()))
    assert weighed.decide(text, harassment=weights).facts_record["harassment"] is heard


def test_pieces_of_words_weigh_beside_lists(weighed: Weighed) -> None:
    pieces = {"_zubb": 30, "azz_": 20, "bbaz": -10}
    assert weighed.decide(f"zubbazz on {FLIGHT}", message={TRAVEL: 60}, message_pieces=pieces).signals.crisis.detected
    assert not weighed.decide("zubbazz at sea", message={TRAVEL: 60}, message_pieces=pieces).signals.crisis.detected
    only = weighed.decide("the zubbazz is near", message_pieces={"_zubb": 60, "azz_": 50, "_near_": 2})
    assert only.signals.crisis.phrases == ("zubbazz", "near")  # no list weighed, so the words are shown
    beside = weighed.decide(f"{EXCUSED} about a zubbazz", message_pieces={"_zubb": 900})
    assert not beside.signals.crisis.detected


EXCUSED = "we watched the Suicide Squad movie"


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        (f"{EXCUSED} about {FLIGHT}", False),  # beside what is excused
        (f"{EXCUSED} and ate some fries and lots of cold noodles before {FLIGHT}", True),  # further away
        (f"{EXCUSED}. {FLIGHT}", True),  # in a sentence of its own
        (f"{FLIGHT}! {EXCUSED}", True),
        (f"{FLIGHT}, {EXCUSED}", False),
        (f'{EXCUSED}. i read "suicide squad" on {FLIGHT}', False),
    ],
)
def test_what_an_exception_excused_is_not_weighed_and_the_rest_is(weighed: Weighed, text: str, heard: bool) -> None:
    for part, level in (("message", CrisisLevel.CONTEXT), ("others", CrisisLevel.THIRD_PARTY)):
        crisis = weighed.decide(text, **{part: {TRAVEL: 900}}).signals.crisis
        assert (crisis.level, crisis.phrases) == ((level, ("flight",)) if heard else (None, ()))


def test_of_what_is_excused_as_a_whole_nothing_is_weighed(weighed: Weighed) -> None:
    text = f"i was suicidal as a teen, i got better. {FLIGHT}"
    assert not weighed.decide(text, message={TRAVEL: 900}).signals.crisis.detected
    assert weighed.decide(f"i got better. {FLIGHT}", message={TRAVEL: 900}).signals.crisis.detected


def test_where_nothing_is_left_not_even_what_was_said_before_is_weighed(engine: Engine, bundle: Bundle) -> None:
    """A bound for the message's own part may be 0, and is then reached by nothing at all."""
    weigher = Weigher(bundle.weighing)
    scan = engine.matcher.scan(normalise(f"i got better. {FLIGHT} to {MOTHER}"))
    assert len(weigher.parts(scan)) == 3
    assert weigher.parts(weigher.rest_of(scan, Excused(("crisis.recovered",), (), whole=True))) == ()
    assert (
        weigher.parts(weigher.rest_of(scan, Excused(("crisis.idiom",), (scan.hits(TRAVEL), scan.hits(FAMILY))))) != ()
    )


def test_contempt_is_weighed_beside_what_is_excused(weighed: Weighed) -> None:
    decision = weighed.decide(f"{EXCUSED} about {FLIGHT}", harassment={TRAVEL: 900})
    assert "safety.weighed_harassment" in decision.rules


def test_what_weighed_most_is_shown(weighed: Weighed) -> None:
    decision = weighed.decide(f"{FLIGHT} to {MOTHER} with {OFFICE}", message={TRAVEL: 60, FAMILY: 70, WORK: -10})
    assert decision.signals.crisis.phrases == ("flight", "mother")
    told = next(entry for entry in decision.trace if entry.rule == "crisis.weighed")
    assert [hit.entry for hit in told.matched] == ["flight", "mother"]


@given(st.dictionaries(st.sampled_from([TRAVEL, FAMILY, WORK]), st.integers(-300, 300)))
def test_the_sum_decides(engine: Engine, bundle: Bundle, weights: dict[str, int]) -> None:
    text = f"{FLIGHT} to {MOTHER}"
    touched = sum(weights.get(name, 0) for name in (TRAVEL, FAMILY))
    assert Weighed(engine, bundle).decide(text, message=weights).signals.crisis.detected is (touched >= 100)


def moved(pieces: PiecesByWeight, weight: str, change: int) -> PiecesByWeight:
    """The pieces of one weight under another one."""
    other = str(int(weight) + change)
    rest = {one: lines for one, lines in pieces.items() if one != weight}
    return rest | {other: rest.get(other, ()) + pieces[weight]}


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_the_sum_of_the_file_notices_each_number(bundle: Bundle, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["message", "others", "talk", "harassment"]))
    part = getattr(bundle.weighing, name)
    written = [one for one in part.__dataclass_fields__ if getattr(part, one) != {}]
    field = data.draw(st.sampled_from([one for one in written if one not in ("place", "because")]))
    value = getattr(part, field)
    change = data.draw(st.integers(-300, 300).filter(bool))
    if isinstance(value, int):
        changed = value + change
    elif isinstance(value, OfMessage):
        share = data.draw(st.sampled_from(["most", "now", "before"]))
        changed = replace(value, **{share: getattr(value, share) + change})
    else:
        key = data.draw(st.sampled_from(sorted(value)))
        changed = value | {key: value[key] + change} if "pieces" not in field else moved(value, key, change)
    mistyped = replace(bundle.weighing, **{name: replace(part, **{field: changed})})
    assert sum_of(mistyped) != sum_of(bundle.weighing)
