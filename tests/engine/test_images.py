"""An engine of an image decides as the one that was built, and no other image is taken for its own."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from chingoo.engine.engine import Engine, build_engine
from chingoo.engine.evaluate import evaluate
from chingoo.engine.images import Matchers
from chingoo.flow.compiled import compile_policy
from chingoo.model.decision import EvaluationInput
from chingoo.policy.bundle import Bundle
from chingoo.text.normalise import normalise

SAID = (
    "i want to die",
    "k1ll urself you 1d10t",
    "ㅋㅋㅋ 죽 고 싶 어",
    "my sister's wedding is in two weeks and i wear size 8",
    "k.i.l.l yourself",
    "ana 3ayez amoot",
    "أريد أن أموت اليوم",
    "я хочу умереть и мне 12 лет",
    "qu'est-ce que tu penses de l'élection",
    "who won the election? how do i make a b0mb",
)


@pytest.fixture(scope="module")
def image(bundle: Bundle) -> bytes:
    matchers = Matchers()
    built = build_engine(bundle, matchers)
    built.close()
    return matchers.image()


@pytest.fixture(scope="module")
def read(bundle: Bundle, image: bytes) -> Iterator[Engine]:
    engine = build_engine(bundle, Matchers(image))
    yield engine
    engine.close()


@pytest.mark.parametrize("text", [*SAID, " ".join(SAID)])
def test_it_decides_and_sees_the_same(engine: Engine, read: Engine, text: str) -> None:
    given = EvaluationInput(text, datetime(2026, 3, 2, 12, tzinfo=UTC))
    assert evaluate(read, given, explain=True) == evaluate(engine, given, explain=True)
    for built, other in ((engine.matcher, read.matcher), (engine.output_matcher, read.output_matcher)):
        seen, also = built.scan(normalise(text)), other.scan(normalise(text))
        assert list(also.lists) == list(seen.lists)
        assert [also.hits(one) for one in also.lists] == [seen.hits(one) for one in seen.lists]


def test_every_key_stands_for_the_same(engine: Engine, read: Engine) -> None:
    for built, other in zip(engine.matcher.automata, read.matcher.automata, strict=True):
        if built is not engine.matcher.automata.folded_words:
            assert (built and built.values()) == (other and other.values())  # type: ignore[union-attr]
    assert read.matcher.automata.folded_words.whole == engine.matcher.automata.folded_words.whole
    assert read.matcher.demanding == engine.matcher.demanding


def test_what_was_one_thing_is_one_thing(engine: Engine, read: Engine) -> None:
    for built, other in zip(engine.matcher.automata, read.matcher.automata, strict=True):
        if built is not engine.matcher.automata.folded_words and built is not None and other is not None:
            pairs = list(zip(built.values(), other.values(), strict=True))  # type: ignore[union-attr]
            assert len({id(one) for one, _ in pairs}) == len({id(one) for _, one in pairs})


def test_an_image_of_an_image_is_the_same(bundle: Bundle, image: bytes) -> None:
    matchers = Matchers(image)
    build_engine(bundle, matchers).close()
    assert matchers.image() == image


def test_no_other_image_is_taken(bundle: Bundle, image: bytes) -> None:
    lists = list(bundle.topics.lists.items())
    for others in (lists[1:], lists[::-1]):
        other = replace(bundle, topics=replace(bundle.topics, lists=dict(others)))
        with pytest.raises(ValueError, match="image"):
            build_engine(other, Matchers(image))
    for broken in (b"", image[:100], image[:-1], image[8:]):
        with pytest.raises(ValueError, match="image"):
            Matchers(broken)


def test_a_policy_is_built_anew_where_the_image_is_of_another(bundle: Bundle, image: bytes) -> None:
    lists = dict(reversed(bundle.topics.lists.items()))
    compiled = compile_policy(replace(bundle, topics=replace(bundle.topics, lists=lists)), None, Matchers(image))
    assert list(compiled.engine.matcher.scan(normalise("who won the election")).lists)
    compiled.close()
