"""Did you mean: at most one name, only if it is close, compared by the letters of Hangul."""

import pytest

from chingoo.source.suggest import did_you_mean, likeness


@pytest.mark.parametrize(
    ("written", "known", "offered"),
    [
        ("becuase", ["because", "before"], "because"),
        ("POLITCS", ["POLITICS", "RELIGION"], "POLITICS"),
        ("politics", ["POLITICS", "RELIGION"], "POLITICS"),  # only the case differs
        ("self harm", ["SELF_HARM"], "SELF_HARM"),
        ("욕셜", ["욕설", "욕구"], "욕설"),  # half of the syllables, five of six letters
        ("entrys", ["entries", "views"], "entries"),
        ("teh", ["the", "dog"], "the"),  # a swap is one mistake
        ("zzz", ["because", "before"], None),
        ("a", ["b"], None),
        ("cat", ["bat", "rat"], None),  # two as close: none is offered
        ("because", ["because"], None),  # it is no mistake
        ("", ["a"], None),
    ],
)
def test_offers(written: str, known: list[str], offered: str | None) -> None:
    assert did_you_mean(written, known) == offered


def test_hangul_is_compared_letter_by_letter() -> None:
    assert likeness("욕셜", "욕설") == pytest.approx(5 / 6)
