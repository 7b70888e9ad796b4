"""Parses sentences with spaCy and models installed beside the service (the extra `spacy`; HEXT-05, HEXT-07)."""

import logging
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from chingoo.model.grammar import ParsedWord

if TYPE_CHECKING:
    from spacy.language import Language

_UNUSED: Final = ("ner", "textcat", "senter", "entity_linker")
_NEEDED: Final = ("parser",)
_log = logging.getLogger(__name__)


class SpacyParser:
    """A `GrammarParser`. Made by `load_spacy`."""

    def __init__(self, models: Mapping[str, "Language"]) -> None:
        self._models = models

    @property
    def languages(self) -> Collection[str]:
        """The languages with a model."""
        return self._models.keys()

    def parse(self, text: str, language: str) -> Sequence[ParsedWord]:
        """The words of a text."""
        return tuple(
            ParsedWord(
                start=word.idx,
                end=word.idx + len(word.text),
                lemma=word.lemma_.lower(),
                kind=word.pos_,
                role=word.dep_,
                head=word.head.i,
                features=frozenset(str(word.morph).split("|")) - {""},
            )
            for word in self._models[language](text)
        )


def load_spacy(names: Mapping[str, str]) -> SpacyParser | None:
    """The models of these names, by language. What cannot be had is told once; patterns alone read that language."""
    try:
        import spacy
    except ImportError:
        _log.warning("spaCy is not installed (`pip install 'chingoo[spacy]'`): relations are read by patterns alone")
        return None
    models = {}
    for language, name in names.items():
        try:
            model = spacy.load(name, exclude=_UNUSED)
        except (OSError, ValueError) as error:
            _log.warning("the spaCy model %s cannot be loaded: %s", name, error)
            continue
        if model.lang != language or not all(model.has_pipe(pipe) for pipe in _NEEDED):
            _log.warning("the spaCy model %s is no parser of %s", name, language)
            continue
        models[language] = model
    return SpacyParser(models) if models else None
