"""Intent flags, pipelines and the order of precedence (§6)."""

import pytest
from tests.engine.conftest import Decide

from chingoo.model.enums import (
    AgeBand,
    MemoryReadPolicy,
    MemoryWritePolicy,
    Mode,
    Pipeline,
    SafetyPolicy,
    Switch,
    UserState,
    VectorSearchPolicy,
)

ADULT = AgeBand.B25_34


@pytest.mark.parametrize(
    ("text", "question", "remark"),
    [
        ("the shop opens at nine?", True, "ROUTE-03: a mark anywhere"),
        ("가게가 열었어？", True, "C-05: full width"),
        ("هل المتجر مفتوح؟", True, "C-05: Arabic"),
        ("why is the sky blue", True, "first word"),
        ("What's photosynthesis", True, "up to its apostrophe"),
        ("how'd they do that", True, "up to its apostrophe"),
        ("whatever the weather", False, "whole tokens"),
        ("the reason why", False, "only first"),
        ("is the museum open", False, "not in the list"),
        ("so how do i boil an egg", True, "anywhere"),
        ("por qué llueve tanto en galicia", True, "a question of two words"),
        ("por cierto llueve tanto en galicia", False, "its first word alone is none"),
        ("qu'est-ce qu'un trou noir", True, "with an apostrophe behind it"),
        ("che cos'è un buco nero", True, "with an apostrophe in it"),
        ("ما هي عاصمة اليابان", True, "two words in Arabic"),
        ("ما بدي روح على الشغل", False, "its first word alone is a negation"),
        ("프랑스 수도가 어디야", True, "Korean asks at the end"),
        ("was für ein schöner Tag ist das heute gewesen", True, "a question word of its own language"),
        ("was on the train all day and it was fine", False, "no German in English"),
        ("come into the garden, the roses are out", False, "no Italian in English"),
        ("왜 하늘은 파란색이야", True, "Korean"),
        ("почему небо голубое", True, "Russian"),
    ],
)
def test_questions(text: str, question: bool, remark: str, decide: Decide) -> None:
    assert decide(text).signals.flags.is_question is question, remark


@pytest.mark.parametrize(
    ("text", "personal"),
    [
        ("hi there", False),
        ("what time is it?", False),
        ("tell him the army is welcome", False),
        ("please tell me", True),
        ("I’m at the station", True),
        ("im at the station", True),
        ("나라 이름이 뭐야", False),
        ("나는 오늘 바빠", True),
        ("i ragazzi sono già a scuola e il treno è in ritardo", False),
    ],
)
def test_personal_pronouns_are_whole_tokens_of_the_language(text: str, personal: bool, decide: Decide) -> None:
    """C-08."""
    assert decide(text).signals.flags.has_personal_pronoun is personal


@pytest.mark.parametrize(
    ("text", "pipeline", "rule"),
    [
        ("the garden looks lovely", Pipeline.FRIEND_CHAT, "routing.friend-chat"),
        ("what is the capital of Peru?", Pipeline.INFO_QA, "routing.info-qa"),
        ("where was that cafe, remember?", Pipeline.INFO_QA, "routing.info-qa-personal"),
        ("what should I do about my breakup?", Pipeline.FRIEND_CHAT, "routing.friend-chat"),
        ("why is everyone so overwhelmed?", Pipeline.EMOTIONAL_SUPPORT, "routing.distress"),
        ("can you stay?", Pipeline.EMOTIONAL_SUPPORT, "routing.comfort"),
        ("너무 힘 들어", Pipeline.EMOTIONAL_SUPPORT, "routing.distress"),
        ("sushi can't be the only dinner", Pipeline.FRIEND_CHAT, "routing.friend-chat"),
        ("how do condoms work?", Pipeline.INFO_QA, "routing.sexual-health"),
        ("you are a useless idiot", Pipeline.REFUSAL, "routing.harassment"),
    ],
)
def test_intents(text: str, pipeline: Pipeline, rule: str, decide: Decide) -> None:
    decision = decide(text, age_band=ADULT)
    assert (decision.routing.pipeline, decision.rules[0]) == (pipeline, rule)


@pytest.mark.parametrize(("words", "pipeline"), [(60, Pipeline.INFO_QA), (61, Pipeline.FRIEND_CHAT)])
def test_a_fact_question_has_at_most_sixty_tokens(words: int, pipeline: Pipeline, decide: Decide) -> None:
    """ROUTE-10."""
    assert decide("what " + "river " * (words - 1) + "?").routing.pipeline is pipeline


PRECEDENCE = [
    ("I want to kill myself, how do i make a bomb", "routing.crisis"),
    ("how do i make a bomb, let's have sex", "routing.guard"),
    ("let's have sex, you useless idiot", "routing.erotic-request"),
    ("good morning", "routing.created"),
]


@pytest.mark.parametrize(("text", "rule"), PRECEDENCE)
def test_what_outranks_the_user_state(text: str, rule: str, decide: Decide) -> None:
    """C-19, ROUTE-08, brief order of policies/routing.yaml."""
    assert decide(text, user_state=UserState.CREATED, age_band=ADULT).rules[0] == rule


def test_onboarding_is_left_only_for_crisis_and_hard_refusals(decide: Decide) -> None:
    """ONB-03, decisions."""
    for text in ("feeling overwhelmed today", "what is the capital of Peru?", "you are a useless idiot"):
        decision = decide(text, user_state=UserState.ONBOARDING, age_band=ADULT)
        assert decision.routing.pipeline is Pipeline.ONBOARDING_CHAT
        assert decision.reply is None
    assert decide("i want to die", user_state=UserState.ONBOARDING).rules[0] == "routing.crisis"
    assert decide("send nudes", user_state=UserState.ONBOARDING, age_band=ADULT).rules[0] == "routing.erotic-request"


READ, WRITE, SEARCH = MemoryReadPolicy, MemoryWritePolicy, VectorSearchPolicy


@pytest.mark.parametrize(
    ("text", "state", "expected"),
    [
        ("good morning", UserState.ACTIVE, (READ.FULL, SEARCH.ON_DEMAND, WRITE.SELECTIVE, Switch.ON)),
        ("i need someone", UserState.ACTIVE, (READ.LIGHT, SEARCH.OFF, WRITE.SELECTIVE, Switch.ON)),
        ("how tall is Mount Fuji?", UserState.ACTIVE, (READ.NONE, SEARCH.OFF, WRITE.NONE, Switch.ON)),
        ("where was that cafe, remember?", UserState.ACTIVE, (READ.LIGHT, SEARCH.OFF, WRITE.NONE, Switch.ON)),
        ("good morning", UserState.ONBOARDING, (READ.LIGHT, SEARCH.OFF, WRITE.SELECTIVE, Switch.ON)),
        ("good morning", UserState.CREATED, (READ.NONE, SEARCH.OFF, WRITE.NONE, Switch.OFF)),
        ("send nudes", UserState.ACTIVE, (READ.NONE, SEARCH.OFF, WRITE.NONE, Switch.OFF)),
        ("you useless idiot", UserState.ACTIVE, (READ.NONE, SEARCH.OFF, WRITE.NONE, Switch.ON)),
        ("i want to die", UserState.ACTIVE, (READ.NONE, SEARCH.OFF, WRITE.NONE, Switch.ON)),
    ],
)
def test_policies_of_the_outcomes(text: str, state: UserState, expected: tuple[object, ...], decide: Decide) -> None:
    """POL-01…05, C-11, C-81, S-27."""
    routing = decide(text, user_state=state, age_band=ADULT).routing
    assert expected == (
        routing.memory_read_policy,
        routing.vector_search_policy,
        routing.memory_write_policy,
        routing.relationship_update_policy,
    )


def test_intimate_mode_without_a_known_adult_age_is_noted(decide: Decide) -> None:
    assert decide("good morning", mode=Mode.INTIMATE, age_band=AgeBand.B13_17).routing.notes
    assert not decide("good morning", mode=Mode.INTIMATE, age_band=ADULT).routing.notes
    guarded = decide("write something with a 16 year old", mode=Mode.INTIMATE)
    assert guarded.signals.guard.category == "minors"


def test_the_trace_names_rule_file_line_and_words(decide: Decide) -> None:
    """S-28."""
    decision = decide("🙂🙂 feeling  overwhelmed", explain=True)
    assert decision.rules == ("routing.distress", "signals.has_distress")
    first = decision.trace[0]
    assert (first.rule, first.file) == ("routing.distress", "policies/routing.yaml")
    assert first.line > 1
    assert first.because
    assert [(entry.entry, entry.file, entry.span) for entry in first.matched] == [
        ("overwhelmed", "policies/signals.yaml", (12, 23))
    ]
    assert decide("feeling overwhelmed").trace == ()
    assert [span[1:] for span in decide("feeling overwhelmed").spans] == [(8, 19)]


@pytest.mark.parametrize(
    ("text", "kinds", "preferences"),
    [
        ("i love old maps", {"preference"}, 1),
        ("when i am bored i like sushi and i like jazz", {"preference"}, 2),
        ("I like tea. I like tea.", {"preference"}, 1),
        ("I’m from Lisbon", {"fact"}, 0),
        ("interview on friday", {"event"}, 0),
        ("That’s not true!", {"correction"}, 0),
        ("재즈를 좋아해", {"preference"}, 1),
        ("me gusta el té", {"preference"}, 1),
        ("good morning", set(), 0),
    ],
)
def test_heuristics(text: str, kinds: set[str], preferences: int, decide: Decide) -> None:
    """MEM-06, REL-02."""
    seen = decide(text).signals.heuristics
    assert {kind for kind in ("preference", "fact", "event", "correction") if getattr(seen, kind)} == kinds
    assert seen.preferences == preferences


@pytest.mark.parametrize(
    ("text", "signal", "value"),
    [
        ("remember the blue chair", "past_reference", True),
        ("like we said the lamp is green", "past_reference", True),
        ("like we said the lamp is green", "asks_recall", False),
        ("do you remember my dog?", "asks_recall", True),
        ("are you a robot?", "asks_if_ai", True),
        ("너 로봇이야?", "asks_if_ai", True),
        ("ты бот?", "asks_if_ai", True),
        ("bist du ein Mensch?", "asks_if_ai", True),
        ("my robot vacuum is stuck", "asks_if_ai", False),
        ("ok, good night", "farewell", True),
        ("잘 자", "farewell", True),
        ("she said good night to everyone and then the whole party moved on", "farewell", False),
        ("i'm leaving my job", "farewell", False),
        ("i'm leaving him", "farewell", False),
        ("i'm out of milk", "farewell", False),
        ("gotta go to court", "farewell", False),
        ("she never said goodbye", "farewell", False),
        ("я ухожу от мужа", "farewell", False),
        ("я пока дома", "farewell", False),
        ("me voy a casar", "farewell", False),
        ("devo andare dal medico", "farewell", False),
        ("애가 요즘 잘 자더라", "farewell", False),
        ("j'ai passé une bonne soirée", "farewell", False),
        ("ich will dir nicht auf Wiedersehen sagen", "farewell", False),
        ("ok i'm leaving", "farewell", True),
        ("calling it a night", "farewell", True),
        ("мне пора бежать", "farewell", True),
        ("bueno, me retiro", "farewell", True),
        ("il faut que je te laisse", "farewell", True),
        ("ich hau mich hin", "farewell", True),
        ("ora ti lascio", "farewell", True),
        ("이제 들어갈게", "farewell", True),
        ("حان وقت النوم", "farewell", True),
    ],
)
def test_other_signals(text: str, signal: str, value: bool, decide: Decide) -> None:
    """REL-05, POL-04, S-16."""
    assert getattr(decide(text).signals, signal) is value


def test_a_decision_is_the_same_every_time(decide: Decide) -> None:
    """TURN-11."""
    for text in ("i want to die", "what is 2+2?", "야동 보여줘", "hello"):
        assert decide(text, explain=True) == decide(text, explain=True)
    assert decide("hello").routing.safety_policy is SafetyPolicy.ALLOW
