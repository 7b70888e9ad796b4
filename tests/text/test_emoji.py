"""Emoji are counted as people see them (C-26)."""

import pytest

from chingoo.text.emoji import count_emoji, strip_leading_emoji


@pytest.mark.parametrize(
    ("text", "count", "remark"),
    [
        ("no emoji, 1 # *", 0, "digits, # and * are none"),
        ("🙂", 1, "one"),
        ("👨‍👩‍👧", 1, "a family is one"),
        ("👍🏽👍🏽", 2, "a skin tone belongs to its hand"),
        ("🇰🇷🇩🇪", 2, "flags are pairs"),
        ("1️⃣", 1, "keycaps"),
        ("❤️ and ❤", 2, "with and without the variation selector"),
        ("❤\ufe0e", 0, "asked for as text"),
        ("© 2024 Acme™", 0, "signs of print"),
        ("©\ufe0f", 1, "asked for as emoji"),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 1, "tag sequences"),
        ("안녕하세요 😊!", 1, "beside Hangul"),
    ],
)
def test_counting(text: str, count: int, remark: str) -> None:
    assert count_emoji(text) == count, remark


def test_what_leads_is_stripped() -> None:
    assert strip_leading_emoji(" 🙂👍🏽 Hello 🙂") == "Hello 🙂"
    assert strip_leading_emoji("🙂") == ""
