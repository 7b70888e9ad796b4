"""Which memories a text mentions, and in which order (S-11, CORR-02)."""

from datetime import UTC, datetime
from uuid import UUID, uuid5

import pytest

from chingoo.memory.reader import build_reader
from chingoo.memory.surfaces import Mentions
from chingoo.model.enums import ExtractedFrom, MemoryStatus
from chingoo.model.people import Memory
from chingoo.policy.bundle import Bundle

AT = datetime(2026, 3, 2, tzinfo=UTC)
VALUES = {
    "fact:current_city": "Lisbon",
    "fact:home_city": "Москва",
    "fact:school": "서울대",
    "pref:food:sushi": "like|sushi",
    "pref:hobby:cat": "like|cat",
    "body_params:size": "M",
    "allergy:nickel": "nickel",
    "hard_ban:open_shoulders": "open_shoulders",
}


@pytest.fixture(scope="module")
def mentions(bundle: Bundle) -> Mentions:
    return build_reader(bundle).mentions


def remembered() -> list[Memory]:
    one, two = UUID(int=1), UUID(int=2)
    return [
        Memory(
            uuid5(one, key), one, two, "", key, value, 0.6, MemoryStatus.ACTIVE, ExtractedFrom.HEURISTIC, AT, AT, (two,)
        )
        for key, value in VALUES.items()
    ]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("A walk in lisbon, then.", ["fact:current_city"]),
        ("Sushi in Lisbon?", ["pref:food:sushi", "fact:current_city"]),
        ("In Lisbon you could have sushi.", ["fact:current_city", "pref:food:sushi"]),
        ("Lisbonese is no word", []),
        ("Как там в Москве?", ["fact:home_city"]),
        ("москвич", []),
        ("서울대에서 봐요", ["fact:school"]),
        ("Cats are fine.", ["pref:hobby:cat"]),
        ("concatenate", []),
        ("I'm here, mmm", []),
        ("An M would fit", ["body_params:size"]),
        ("никель", ["allergy:nickel"]),
        ("no open shoulders", ["hard_ban:open_shoulders"]),
        ("", []),
    ],
)
def test_mentions(mentions: Mentions, text: str, keys: list[str]) -> None:
    assert [memory.memory_key for memory in mentions.in_order(text, remembered())] == keys
