"""When it is said that the friend is an AI (S-16; decisions, "Aged facts")."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from msgspec.structs import replace as changed
from tests.reply.situations import CHAIR, decided, style_of

from chingoo.engine.engine import Engine
from chingoo.model.decision import Decision
from chingoo.model.enums import AgeBand, EmojiFreq, Language, Length, UserState
from chingoo.model.people import Answers, Controls, DisclosureState, Relationship, User
from chingoo.model.turn import Known
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.gates import GateID
from chingoo.reply.disclosure import due_notices, ensure_says_ai, says_ai
from chingoo.reply.gates import check
from chingoo.reply.gates.given import friend_targets, gate_input
from chingoo.reply.gates.report import GateInput, Targets

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
SOMEBODY = UUID(int=7)


def known(disclosed: datetime | None, wrote: datetime | None, now: datetime, country: str = "US") -> Known:
    """Somebody of whom only the times matter."""
    return Known(
        user=User(SOMEBODY, UserState.ACTIVE, Answers(country_or_region=country), AgeBand.B25_34, 0),
        controls=Controls(),
        missing=(),
        received_at=now,
        relationship=Relationship(last_user_message_at=wrote),
        disclosure=DisclosureState(disclosed),
    )


def aged(decision: Decision, band: str) -> Decision:
    return changed(decision, effective_age_band=AgeBand(band))


def minutes(number: float) -> datetime:
    return NOON + timedelta(minutes=number)


@pytest.mark.parametrize(
    ("band", "disclosed", "wrote", "now", "kinds"),
    [
        ("25-34", None, None, 0, ["ai_disclosure"]),  # the first reply
        ("13-17", None, None, 0, ["ai_disclosure"]),  # no break reminder with the first
        ("25-34", 0, 0, 0.5, []),
        ("25-34", 0, 85, 179, []),
        ("25-34", 0, 85, 180, ["ai_disclosure"]),
        ("13-17", 0, 0, 59, []),
        ("13-17", 0, 0, 60, ["ai_disclosure", "break_reminder"]),
        ("unknown", 0, 0, 65, ["ai_disclosure", "break_reminder"]),
        ("18-24", 0, 0, 65, []),
        ("25-34", 0, 0, 24 * 60, ["ai_disclosure"]),  # a day without a word
        ("13-17", 0, 0, 24 * 60, ["ai_disclosure"]),  # use starts afresh
    ],
)
def test_what_is_due(
    bundle: Bundle,
    engine: Engine,
    band: str,
    disclosed: float | None,
    wrote: float | None,
    now: float,
    kinds: list[str],
) -> None:
    decision = aged(decided(engine, "hello there"), band)
    situation = known(
        None if disclosed is None else minutes(disclosed), None if wrote is None else minutes(wrote), minutes(now)
    )
    notices = due_notices(bundle, decision, situation)
    assert [notice.kind for notice in notices] == kinds
    assert all(len(notice.text) >= 10 for notice in notices)


def test_a_day_of_talk_by_the_clock(bundle: Bundle, engine: Engine) -> None:
    """A message every twenty minutes for twelve hours: four more disclosures for adults, twelve for minors."""
    for band, expected in (("25-34", 4), ("13-17", 12)):
        decision = aged(decided(engine, "hello there"), band)
        disclosed, wrote, count = None, None, -1
        for minute in range(0, 12 * 60 + 1, 20):
            if due_notices(bundle, decision, known(disclosed, wrote, minutes(minute))):
                disclosed = minutes(minute)
                count += 1
            wrote = minutes(minute)
        assert count == expected


@pytest.mark.parametrize(
    ("country", "band", "minute", "due"),
    [
        ("FR", "25-34", 89, False),  # asks for ninety minutes
        ("fr", "25-34", 90, True),
        ("FR", "13-17", 59, False),
        ("FR", "13-17", 60, True),  # never later than everywhere
        ("IT", "25-34", 180, True),  # asks for less than everywhere: that does not count
        ("IT", "25-34", 179, False),
        ("JP", "25-34", 179, False),  # not named
        ("JP", "25-34", 180, True),
    ],
)
def test_a_place_can_only_ask_for_more(
    bundle: Bundle, engine: Engine, country: str, band: str, minute: int, due: bool
) -> None:
    """By place and age band, by the clock."""
    policy, place = bundle.disclosure, next(iter(bundle.disclosure.countries.values()))
    asking = {
        "FR": replace(place, adult_minutes=90, minor_minutes=240),
        "IT": replace(place, adult_minutes=600, minor_minutes=600),
    }
    placed = replace(bundle, disclosure=replace(policy, countries=asking))
    decision = aged(decided(engine, "hello there"), band)
    assert bool(due_notices(placed, decision, known(NOON, NOON, minutes(minute), country))) is due


@pytest.mark.parametrize("language", list(Language), ids=str)
def test_breaks_are_for_minors_in_their_language(bundle: Bundle, engine: Engine, language: Language) -> None:
    """S-16: a minor's day and an adult's, by the clock; the words are those written in the reply's language."""
    decision = decided(engine, CHAIR[language], reply_language=language.value)
    for band, expected in (("13-17", 6), ("unknown", 6), ("18-24", 0)):
        disclosed, wrote, breaks = None, None, []
        for minute in range(0, 6 * 60 + 1, 15):
            notices = due_notices(bundle, aged(decision, band), known(disclosed, wrote, minutes(minute)))
            disclosed = minutes(minute) if notices else disclosed
            wrote = minutes(minute)
            breaks += [notice.text for notice in notices if notice.kind == "break_reminder"]
        assert len(breaks) == expected
        assert set(breaks) <= set(bundle.replies[language].replies["notice.break_reminder"].variants)


def test_nothing_stands_beside_crisis_words(bundle: Bundle, engine: Engine) -> None:
    """And it is due at the next turn, since nothing was disclosed."""
    crisis = decided(engine, "i want to kill myself")
    assert crisis.signals.crisis.detected
    assert due_notices(bundle, crisis, known(None, None, NOON)) == ()
    assert due_notices(bundle, decided(engine, "hello"), known(None, NOON, minutes(1)))


def test_the_notice_speaks_the_persons_language(bundle: Bundle, engine: Engine) -> None:
    decision = decided(engine, "안녕 오늘 날씨 좋다")
    (notice,) = due_notices(bundle, decision, known(None, None, NOON, "KR"))
    assert "AI" in notice.text
    assert any("가" <= char <= "힣" for char in notice.text)


ASKING = {
    Language.EN: "are you a real person or an AI?",
    Language.KO: "너 사람이야 AI야?",
    Language.RU: "ты человек или бот?",
    Language.DE: "bist du ein Mensch oder eine KI?",
    Language.ES: "¿eres una persona o una IA?",
    Language.FR: "tu es une vraie personne ou une IA ?",
    Language.IT: "sei una persona vera o un'IA?",
    Language.AR: "هل أنت إنسان أم ذكاء اصطناعي؟",
}
FIT = (
    "I like how you put that and I am listening with care",
    "It is good to hear this so take all the time needed",
    "You said it in plain words because small things often say plenty",
)


@pytest.mark.parametrize("language", list(ASKING), ids=str)
@pytest.mark.parametrize("length", list(Length))
@pytest.mark.parametrize("emoji", list(EmojiFreq))
def test_asked_it_says_so_within_its_own_bands(
    bundle: Bundle, engine: Engine, language: Language, length: Length, emoji: EmojiFreq
) -> None:
    """S-16: whatever the model answered, in whatever language."""
    decision = decided(engine, ASKING[language])
    assert decision.signals.asks_if_ai
    template = bundle.personas["PT02"]
    style = replace(style_of(bundle, template), msg_length_pref=length, emoji_freq=emoji)
    parts = [f"{a}, and {a[0].lower()}{a[1:]}" for a in FIT] if length is Length.LONG else FIT[:2]
    reply = ". ".join(parts) + (" 🙂." if emoji is EmojiFreq.FREQUENT else ".")
    given = gate_input(decision, reply=reply, user_text=ASKING[language], targets=friend_targets(template, style))
    assert [one.measured for one in check(bundle, engine, given).violations] == [[bundle.gates.unsaid]]
    honest = ensure_says_ai(bundle, engine, given, decision.signals)
    assert says_ai(bundle, engine, honest)
    assert check(bundle, engine, replace(given, reply=honest)).passed


def test_an_honest_reply_and_an_unasked_one_stay(bundle: Bundle, engine: Engine) -> None:
    asked = decided(engine, "are you an AI?").signals
    unasked = decided(engine, "hello there").signals
    assert ensure_says_ai(bundle, engine, GateInput("Yes, I'm an AI."), asked) == "Yes, I'm an AI."
    assert ensure_says_ai(bundle, engine, GateInput("Hello."), unasked) == "Hello."


def test_a_denial_is_not_mended_by_a_sentence_before_it(bundle: Bundle, engine: Engine) -> None:
    """S-16: "I'm an AI. Haha no, just me on my couch" would say both; the gate objects, and the model writes anew."""
    decision = decided(engine, "are you a bot?")
    denial = "Haha no, just me on my couch with my phone."
    given = gate_input(decision, reply=denial, user_text="are you a bot?", targets=Targets())
    assert ensure_says_ai(bundle, engine, given, decision.signals) == denial
    assert [violation.gate for violation in check(bundle, engine, given).violations] == [GateID.AI_DENIAL]
