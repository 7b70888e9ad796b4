"""Whatever may be sent: texts of every language, disguised, broken and nonsensical, and whoever may send them."""

from datetime import UTC, datetime

from hypothesis import strategies as st

from chingoo.model.decision import EvaluationInput, Utterance
from chingoo.model.enums import AgeBand, Mode, Role, Source, TopicID, UserState

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)

SAID = {
    "en": [
        "i want to die",
        "kill",
        "my self",
        "my friend",
        "book about",
        "suicide",
        "sex",
        "porn",
        "16 year old",
        "story",
    ],
    "more en": ["how to make", "b0mb", "you are", "stupid", "i'm 12", "hopeless", "alone", "trapped", "not", "never"],
    "ko": [
        "죽고 싶어",
        "자살을",
        "배고파 죽겠다",
        "섹스",
        "친구가",
        "ㅈㅏㅅㅏㄹ",
        "ㅈㅅ",
        "여행을 가자",
        "바보야",
        "열두 살",
    ],
    "ru": ["хочу", "умереть", "мой друг", "секс", "бомбу", "ты дура", "мне 12 лет", "всё надоело", "не", "книга"],
    "ar": ["أريد", "أن أموت", "صديقي", "جنس", "قنبلة", "أنت غبي", "عمري ١٢", "وحيد", "لا", "كتاب"],
    "arabizi": ["3ayez amoot", "ana", "7ayati", "sadi2i", "mish 2ader", "ya 7mar"],
    "es": [
        "quiero morir",
        "suicidarme",
        "mi amigo",
        "sexo",
        "una bomba",
        "eres idiota",
        "tengo 12 años",
        "no",
        "libro",
    ],
    "fr": ["je veux mourir", "me tuer", "mon ami", "sexe", "une bombe", "t'es con", "j'ai 12 ans", "ne", "l'amour"],
    "de": [
        "ich will sterben",
        "mich umbringen",
        "mein Freund",
        "Sex",
        "Bombe bauen",
        "du Idiot",
        "ich bin 12",
        "nicht",
    ],
    "it": ["voglio morire", "uccidermi", "il mio amico", "sesso", "una bomba", "sei un idiota", "ho 12 anni", "non"],
}
DISGUISED = [
    "k.i.l.l",
    "s u i c i d e",
    "ch!ld",
    "5u1c1de",
    "kіll",
    "ｓｅｘ",
    "seeeex",
    "edicius",
    "ki\u200bll",
    "𝓼𝓮𝔁",
    "🅂🄴🅇",
]
ODD = [
    *(
        "\u200b",
        "\u200d",
        "\ufeff",
        "\u00ad",
        "\u202e",
        "\u2066",
        "\u2069",
        "\ufe0f",
        "\U000e0061",
        "\u3164",
        "\u2028",
        "\x85",
    ),
    *("\ud800", "\udfff", "\udbff", "\x00", "\x1b", "\uffff", "\U0010ffff", "\ue000", "\x7f", "\t", "\r\n"),
    *(
        "e\u0301",
        "\u0301\u0301",
        "\u0f73",
        "ﷺ",
        "ﬃ",
        "İ",
        "ı",
        "ẞ",
        "ŉ",
        "ǅ",
        "\u1100\u1161",
        "ㅋㅋ",
        "ㅠㅠ",
        "가\u11a8",
    ),
    *("💀", "👨‍👩‍👧", "🇰🇷", "👍🏽", "1️⃣", "'", "’", "?", "؟", "¿", "…", "。", "-", "/", "@", "#", "٣", "３", "½"),
]
PIECES = st.sampled_from([*(piece for pieces in SAID.values() for piece in pieces), *DISGUISED, *ODD])
ANY_CHARACTER = st.characters(exclude_categories=())
TEXTS = st.one_of(
    st.text(max_size=80),
    st.text(ANY_CHARACTER, max_size=60),
    st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=12).map(" ".join),
    st.lists(st.one_of(PIECES, ANY_CHARACTER), max_size=12).map("".join),
)
DETECTED = st.sampled_from(
    [
        *("off", "unavailable", "clear", "self_harm", "sexual_minors", "illegal_acts", "threat", "hate", "sexual"),
        "harassment",
    ]
)
INPUTS = st.builds(
    EvaluationInput,
    text=TEXTS,
    received_at=st.just(AT),
    user_state=st.sampled_from(UserState),
    age_band=st.sampled_from(AgeBand),
    mode=st.sampled_from(Mode),
    source=st.sampled_from(Source),
    country=st.sampled_from([None, "US", "KR", "xx", "", "\ud800"]),
    client_locale=st.sampled_from([None, "ko-KR", "pt", "EN_us", "", "ar"]),
    history=st.lists(st.builds(Utterance, role=st.sampled_from(Role), text=TEXTS), max_size=4).map(tuple),
    suppressed_topics=st.frozensets(st.sampled_from(TopicID), max_size=3),
    taboo_soft_bounds=st.frozensets(st.sampled_from(TopicID), max_size=3),
    claimed_under_13=st.booleans(),
    detector=DETECTED,
)
