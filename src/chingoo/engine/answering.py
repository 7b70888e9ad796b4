"""The language to answer in: the message's, else the talk's, else the client's (S-30)."""

from chingoo.engine.engine import Engine
from chingoo.model.decision import EvaluationInput
from chingoo.model.enums import Language, Role
from chingoo.text.language import ARABIZI, Detected, detect_language
from chingoo.text.normalise import normalise

_LANGUAGES = {language.value: language for language in Language}


def reply_language(engine: Engine, detected: Detected, given: EvaluationInput) -> Language:
    """The language that fixed and composed words are spoken in; English where nothing tells."""
    sure = _surely(detected) or _signed(engine, given.text) or _spoken_before(engine, given)
    if sure is not None:
        return sure
    spoken = (given.client_locale or "").replace("_", "-").partition("-")[0].lower()
    return _LANGUAGES.get(spoken) or _LANGUAGES.get(detected.language, Language.EN)


def _surely(detected: Detected) -> Language | None:
    if not detected.sure:
        return None
    if detected.language == ARABIZI:
        return Language.AR
    return _LANGUAGES.get(detected.language)


def _signed(engine: Engine, text: str) -> Language | None:
    """The language that alone writes a sign of the text: "¡Me ascendieron!" has no word that tells."""
    return next((language for sign, language in engine.language_signs.items() if sign in text), None)


def _spoken_before(engine: Engine, given: EvaluationInput) -> Language | None:
    """What the person's last messages were surely in, the newest first: "ok" and "haha" are of every language."""
    said = [one.text for one in given.history if one.role is Role.USER][-engine.language_look_back :]
    found = (_surely(detect_language(normalise(text).match, engine.languages)) for text in reversed(said))
    return next((language for language in found if language is not None), None)
