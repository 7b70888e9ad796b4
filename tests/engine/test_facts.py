"""Instant facts: what one message says of the guaranteed families, and what only looks like it (§18, K1-K26)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Decide

from chingoo.engine.engine import Engine, match_tables
from chingoo.engine.evaluate import evaluate
from chingoo.engine.fact_tables import fact_reader
from chingoo.engine.facts import FoundFact
from chingoo.engine.vocabulary import Vocabulary
from chingoo.model.decision import EvaluationInput, ExtractedFact
from chingoo.policy.bundle import Bundle
from chingoo.text.normalise import normalise

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
Read = Callable[..., tuple[FoundFact, ...]]
GOLD = [
    line.rsplit(" | ", 3)
    for line in (Path(__file__).parent / "facts_gold.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.fixture
def read(engine: Engine) -> Read:
    """The facts of a text, whatever the routing would let be stored."""

    def reading(text: str, at: datetime = AT, zone: str | None = None) -> tuple[FoundFact, ...]:
        return engine.facts.read(engine.matcher.scan(normalise(text)), at, zone)

    return reading


def told(facts: tuple[FoundFact, ...]) -> set[str]:
    """Facts as the gold lines write them."""
    return {short(one.fact) for one in facts}


def short(fact: ExtractedFact) -> str:
    value = f"={fact.memory_value}" if fact.type in ("body_params", "budget") else ""
    return fact.memory_key + value + (f"@{fact.expires_at.date()}" if fact.expires_at is not None else "")


def wanted(written: str) -> set[str]:
    """The facts of a gold line; values may hold spaces."""
    if written == "-":
        return set()
    parts: list[str] = []
    for word in written.split(" "):
        if ":" in word:
            parts.append(word)
        else:
            parts[-1] += f" {word}"
    return set(parts)


def test_the_gold_set_is_large_and_has_every_kind() -> None:
    assert len(GOLD) >= 250
    assert {kind for _, kind, _, _ in GOLD} == {"states", "denies", "doubts", "other", "asks", "quotes", "none"}
    assert len({language for language, *_ in GOLD}) == 10


@pytest.mark.parametrize(("language", "kind", "text", "facts"), GOLD, ids=lambda part: part[:40])
def test_gold(language: str, kind: str, text: str, facts: str, read: Read) -> None:
    """S-32, C-24, C-36, INST-03…11."""
    assert told(read(text)) == wanted(facts), f"{language}, {kind}"


@pytest.mark.parametrize(
    ("golden", "text", "facts"),
    [
        ("K1", "Мой размер теперь M", "body_params:size=M"),
        ("K2", "Аллергия на никель", "allergy:nickel"),
        ("K3", "Бюджет до 500 дирхам", "budget:general=500 AED"),
        ("K4", "Никогда не предлагай открытые плечи", "hard_ban:open_shoulders"),
        ("K6", "свадьба сестры в марте", "life_event:wedding_sister@2026-03-31"),
        ("K6b", "Через 2 недели свадьба сестры", "life_event:wedding_sister@2026-03-16"),
        ("K6c", "عندي عرس أختي بعد شهر", "life_event:wedding_sister@2026-04-02"),
        ("K6d", "Скоро переезд", "life_event:move@2026-04-01"),
        ("K17", "I'm allergic to nickel and wool", "allergy:nickel allergy:wool"),
        ("K18", "مقاسي M بس مابي open shoulders", "body_params:size=M hard_ban:open_shoulders"),
        ("K19", "7asasiya min nickel", "allergy:nickel"),
        ("K20", "مابغى جلد ولا صوف", "hard_ban:leather hard_ban:wool"),
        ("K21", "bajt 2000 dhs max يعني mabi أصرف more", "budget:general=2000 AED"),
        ("K23", "wallah this dress 7ilu بس overpriced شوي", "-"),
        ("K24", "يبيلي شي casual مو formal وايد", "-"),
        ("K25", "42", "-"),
        ("K26", "مقاسي 42 في الملابس", "body_params:size=42"),
    ],
)
def test_golden(golden: str, text: str, facts: str, read: Read) -> None:
    """§36."""
    assert told(read(text)) == wanted(facts), golden


@pytest.mark.parametrize(
    ("defect", "text", "facts"),
    [
        ("INST-D01", "I wear leather", "-"),
        ("INST-D02", "I wear small", "body_params:size=S"),
        ("INST-D02", "мой размер small", "body_params:size=S"),
        ("INST-D03", "i wear XXXL", "body_params:size=XXXL"),
        ("INST-D04", "I'm M", "body_params:size=M"),
        ("INST-D04", "I'm a size M", "body_params:size=M"),
        ("INST-D04", "I'm 25", "-"),
        ("INST-D04", "I’m 45", "-"),
        ("INST-D05", "мой размер М", "body_params:size=M"),
        ("INST-D05", "мой размер ХХL", "body_params:size=XXL"),
        ("INST-D06", "я ношу 42", "-"),
        ("INST-D06", "I wear 42", "-"),
        ("INST-D07", "my size 170", "-"),
        ("INST-D07", "my size is 29", "-"),
        ("INST-D07", "my size is 30", "body_params:size=30"),
        ("INST-D07", "my size is 60", "body_params:size=60"),
        ("INST-D07", "my size is 61", "-"),
        ("INST-D08", "I'm not allergic to nickel", "-"),
        ("INST-D09", "allergic to nuts, wool and nickel", "allergy:nuts allergy:wool allergy:nickel"),
        ("INST-D10", "I don't want to go home", "-"),
        ("INST-D10", "не хочу говорить об этом", "-"),
        ("INST-D11", "I don't like sushi", "-"),
        ("INST-D12", "تعرض علي فستان", "-"),
        ("INST-D12", "t2tiri7 3alay fostan", "-"),
        ("INST-D13", "ما أبي أصرف أكثر من 500 درهم", "budget:general=500 AED"),
        ("INST-D14", "مقاسي M بس mabi open shoulders يعني", "body_params:size=M hard_ban:open_shoulders"),
        ("INST-D15", "Через 1 день свадьба", "life_event:wedding@2026-03-03"),
        ("INST-D16", "скоро поезд", "-"),
        ("INST-D17", "свадьба сестры в марте", "life_event:wedding_sister@2026-03-31"),
        ("INST-D18", "budget is 500 aed", "budget:general=500 AED"),
        ("INST-D18", "budget 500", "-"),
        ("INST-D19", "I don’t like leather", "hard_ban:leather"),
        ("INST-D19", "I don't like leather", "hard_ban:leather"),
        ("INST-D20", "АЛЛЕРГИЯ НА НИКЕЛЬ", "allergy:nickel"),
    ],
)
def test_defects_of_the_literal_patterns(defect: str, text: str, facts: str, read: Read) -> None:
    assert told(read(text)) == wanted(facts), defect


def test_confidence_comes_from_the_policy_of_memory(read: Read, bundle: Bundle) -> None:
    """INST-04, C-40."""
    size, event = (read(text)[0].fact for text in ("my size is M", "Скоро переезд"))
    families = bundle.memory.families
    assert size.confidence == families["body_params"].initial_confidence["instant_pattern"] == 0.95
    assert event.confidence == families["life_event"].initial_confidence["instant_pattern"] == 0.85
    assert {size.extracted_from, event.extracted_from} == {"instant_pattern"}
    assert (size.expires_at, size.type, event.type) == (None, "body_params", "life_event")


@pytest.mark.parametrize(
    ("text", "at", "zone", "until"),
    [
        ("in 1 month my sister's wedding", "2026-01-31T12:00+00:00", None, "2026-02-28T12:00:00+00:00"),
        ("my birthday is tomorrow", "2026-03-02T20:00+00:00", None, "2026-03-03T23:59:59+00:00"),
        ("my birthday is tomorrow", "2026-03-02T20:00+00:00", "Asia/Seoul", "2026-03-04T23:59:59+09:00"),
        ("my birthday is tomorrow", "2026-03-02T20:00+00:00", "Nowhere/Else", "2026-03-03T23:59:59+00:00"),
        ("my birthday is on 1 March", "2026-03-02T20:00+00:00", None, "2027-03-01T23:59:59+00:00"),
        ("my wedding is in February", "2026-03-02T20:00+00:00", None, "2027-02-28T23:59:59+00:00"),
        ("my wedding is on 30 February", "2026-03-02T20:00+00:00", None, None),
        ("my wedding is in May 2027", "2026-03-02T20:00+00:00", None, "2027-05-31T23:59:59+00:00"),
        ("my presentation is on Monday", "2026-03-02T20:00+00:00", None, "2026-03-09T23:59:59+00:00"),
        ("our vacation is next week", "2026-03-02T20:00+00:00", None, "2026-03-15T23:59:59+00:00"),
        ("my graduation is this month", "2026-03-02T20:00+00:00", None, "2026-03-31T23:59:59+00:00"),
    ],
)
def test_days(text: str, at: str, zone: str | None, until: str | None, read: Read) -> None:
    """INST-05, UK-13: in the person's zone; a day that has passed is the next one of its name."""
    facts = read(text, datetime.fromisoformat(at), zone)
    ends = [one.fact.expires_at.isoformat() for one in facts if one.fact.expires_at is not None]
    assert ends == ([until] if until is not None else [])


def test_of_one_key_the_last_counts(read: Read) -> None:
    assert told(read("my size is M. wait, my size is L")) == {"body_params:size=L"}


def test_a_line_of_its_own_is_a_sentence_of_its_own(read: Read) -> None:
    assert told(read("I'm allergic to nickel\nwool is so warm")) == {"allergy:nickel"}


def test_where_nothing_may_be_written_nothing_is(decide: Decide) -> None:
    """POL-04, MEM-13: a question for facts, a crisis."""
    assert decide("which coat, budget 500 aed?").facts == ()
    assert decide("I want to kill myself, my size is M").facts == ()
    assert [fact.memory_key for fact in decide("my size is M").facts] == ["body_params:size"]


def test_the_trace_shows_the_pattern_and_the_words(decide: Decide) -> None:
    text = "ok, I'm allergic to nickel"
    (line,) = [one for one in decide(text, explain=True).trace if one.rule == "instant.en.allergy"]
    assert line.file == "patterns/instant/en.yaml"
    assert line.because == "allergy:nickel is nickel"
    start, end = line.matched[0].span
    assert text[start:end] == "I'm allergic to nickel"


PIECES = st.sampled_from(
    [
        *(word for line in GOLD for word in line[2].split()),
        *(line[2] for line in GOLD),
        "\n", ".", ",", "?", '"', "«", "1,5", "12.", "$", "€", "٥٠٠", "9" * 30, "💍", "\u200b", "'", "e\u0301", "ﷺ",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=14).map(" ".join), st.lists(PIECES, max_size=6).map("".join), st.text())


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from([None, "Asia/Dubai", "America/New_York", ""]))
def test_any_text_has_one_set_of_facts(engine: Engine, text: str, zone: str | None) -> None:
    """Never raises, is deterministic, and what a fact rests on lies inside the text."""
    read_input = EvaluationInput(text, AT, client_timezone=zone)
    decision = evaluate(engine, read_input, explain=True)
    assert evaluate(engine, read_input, explain=True) == decision
    keys = [fact.memory_key for fact in decision.facts]
    assert len(set(keys)) == len(keys)
    for fact in decision.facts:
        assert (fact.expires_at is not None) == (fact.type == "life_event")
        assert fact.expires_at is None or fact.expires_at >= AT
        assert fact.memory_value
    for line in decision.trace:
        assert all(0 <= one.span[0] < one.span[1] <= len(text) for one in line.matched)


@pytest.mark.parametrize(
    "piece",
    [
        "i'm allergic to nickel ",
        "my size is ",
        "in 2 weeks my sister's wedding ",
        "wedding ",
        "nuts, ",
        "1 000 ",
        "if ",
    ],
)
def test_the_work_has_a_bound(piece: str, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the text is at most about twice the looking up: nothing backtracks."""
    looks = [0]
    at = Vocabulary.at

    def counting(self: Vocabulary[str], *args: object) -> object:
        looks[0] += 1
        return at(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Vocabulary, "at", counting)
    amounts = []
    for times in (1_000, 2_000):
        looks[0] = 0
        text = "i'm allergic to " + (piece * times)[: times * 2]
        engine.facts.read(engine.matcher.scan(normalise(text)), AT, None)
        amounts.append(looks[0])
    assert amounts[1] <= 2.5 * amounts[0] + 200
    assert amounts[1] <= 20_000


def test_only_so_many_words_are_read(read: Read, bundle: Bundle) -> None:
    most = bundle.anchors.bounds.most_words
    stated = "my budget is 500 $"
    for before, facts in ((most - len(stated.split()), {"budget:general=500 USD"}), (most, set())):
        assert told(read("so " * before + stated)) == facts
    assert told(read("so " * (most - 2) + "my size is M?")) == set()


def test_only_so_many_hits_are_read(read: Read, bundle: Bundle) -> None:
    most = bundle.anchors.bounds.most_hits
    assert told(read("my size is S. my size is M")) == {"body_params:size=M"}
    assert told(read("my size is S. " * most + "my size is M")) == {"body_params:size=S"}


def test_what_is_said_far_behind_a_fact_changes_nothing(read: Read) -> None:
    stated = "I'm allergic to nuts, wool and nickel. "
    facts = told(read(stated))
    assert facts == {"allergy:nuts", "allergy:wool", "allergy:nickel"}
    assert told(read(stated + "we went home and it was fine " * 60 + "500 $?")) == facts


def test_a_message_without_any_word_of_a_pattern_is_not_read(engine: Engine) -> None:
    scan = engine.matcher.scan(normalise("we went to the market and it was lovely"))
    unread: Mapping[str, object] = {"slots": None, "glue": None}
    blind = replace(engine.facts, **unread)  # type: ignore[arg-type]
    assert blind.read(scan, AT, None) == ()


@pytest.mark.parametrize(
    ("text", "reach", "usual", "nearer"),
    [
        (
            "the wedding of my sister is in 3 weeks",
            {"person_within_words": 1},
            {"life_event:wedding_sister@2026-03-23"},
            {"life_event:wedding@2026-03-23"},
        ),
        ("the wedding of mine is in 3 weeks", {"event_within_words": 2}, {"life_event:wedding@2026-03-23"}, set()),
        ("my wedding is in 3 years", {"years_ahead": 2}, {"life_event:wedding@2029-03-02"}, set()),
    ],
)
def test_how_far_words_and_days_reach_is_written_in_the_anchors(
    text: str, reach: Mapping[str, int], usual: set[str], nearer: set[str], engine: Engine, bundle: Bundle
) -> None:
    anchors = replace(bundle.anchors, **reach)
    strict = fact_reader(bundle.instant, bundle.synonyms, anchors, bundle.memory, match_tables(bundle.lexicons))
    scan = engine.matcher.scan(normalise(text))
    assert told(engine.facts.read(scan, AT, None)) == usual
    assert told(strict.read(scan, AT, None)) == nearer
