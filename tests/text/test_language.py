"""Languages: script first, then listed words, then a guess (S-30)."""

import pytest

from chingoo.engine.engine import Engine
from chingoo.text.language import detect_language
from chingoo.text.normalise import normalise


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("오늘은 날씨가 정말 좋네요", "ko"),
        ("Сегодня очень хорошая погода", "ru"),
        ("الطقس جميل جدا اليوم", "ar"),
        ("The weather is really nice today", "en"),
        ("Hoy hace muy buen tiempo y quiero dar un paseo", "es"),
        ("Heute ist das Wetter sehr schön", "de"),
        ("Il fait très beau aujourd'hui et je suis content", "fr"),
        ("Oggi il tempo è molto bello e sono contento", "it"),
        ("wallah ana ta3ban ktir lyom", "arabizi"),
        ("今日はとてもいい天気ですね", "other"),
        ("сьогодні дуже гарний день і їжа смачна", "other"),
        ("tell me please", "en"),
        ("please let's go", "en"),
        ("롤 game 하자 지금", "ko"),
        ("🙂 123", "other"),
    ],
)
def test_detection(text: str, language: str, engine: Engine) -> None:
    assert detect_language(normalise(text).match, engine.languages).language == language


def test_what_decides_nothing_is_not_sure(engine: Engine) -> None:
    assert not detect_language(normalise("zzz").match, engine.languages).sure
