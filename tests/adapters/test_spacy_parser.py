"""The grammar parser behind the extra `spacy`: what it makes of a model, and life without one (HEXT-05, -07)."""

import importlib.util
import logging
from pathlib import Path

import pytest

from chingoo.adapters.spacy_parser import load_spacy
from chingoo.model.grammar import ParsedWord

INSTALLED = importlib.util.find_spec("spacy") is not None


@pytest.mark.skipif(INSTALLED, reason="spaCy is installed")
def test_without_spacy_the_patterns_read_alone(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert load_spacy({"en": "en_core_web_sm"}) is None
    assert [record.getMessage() for record in caplog.records] == [
        "spaCy is not installed (`pip install 'chingoo[spacy]'`): relations are read by patterns alone"
    ]


@pytest.mark.skipif(not INSTALLED, reason="needs the extra `spacy`")
def test_a_model_that_is_not_there_is_told_once_and_left_out(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert load_spacy({"en": "no_such_model"}) is None
    assert len(caplog.records) == 1


@pytest.mark.skipif(not INSTALLED, reason="needs the extra `spacy`")
def test_a_model_without_a_parser_is_none(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with caplog.at_level(logging.WARNING):
        assert load_spacy({"en": str(tmp_path / "blank")}) is None
    assert "is no parser of en" in caplog.text


@pytest.mark.skipif(not INSTALLED, reason="needs the extra `spacy`")
def test_words_are_told_with_their_place_and_grammar(tmp_path: Path) -> None:
    """A tiny parser learns two sentences by heart, and is loaded as any model would be."""
    import spacy
    from spacy.training import Example

    model = spacy.blank("en")
    model.add_pipe("morphologizer")
    model.add_pipe("parser", config={"min_action_freq": 1})
    doc = model.make_doc("I live in Rome")
    told = {
        "sent_starts": [1, -1, -1, -1],
        "heads": [1, 1, 1, 2],
        "deps": ["nsubj", "ROOT", "prep", "pobj"],
        "pos": ["PRON", "VERB", "ADP", "PROPN"],
        "morphs": ["Person=1", "Tense=Pres", "", ""],
    }
    examples = [Example.from_dict(doc, told)]
    model.initialize(lambda: examples)
    for _ in range(40):
        model.update(examples)
    model.to_disk(tmp_path / "tiny")
    parser = load_spacy({"en": str(tmp_path / "tiny")})
    assert parser is not None
    assert list(parser.languages) == ["en"]
    assert parser.parse("I live in Rome", "en") == (
        ParsedWord(0, 1, "", "PRON", "nsubj", 1, frozenset({"Person=1"})),
        ParsedWord(2, 6, "", "VERB", "ROOT", 1, frozenset({"Tense=Pres"})),
        ParsedWord(7, 9, "", "ADP", "prep", 1, frozenset()),
        ParsedWord(10, 14, "", "PROPN", "pobj", 2, frozenset()),
    )
