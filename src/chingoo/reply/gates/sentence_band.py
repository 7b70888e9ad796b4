"""As many sentences, and as long ones, as the friend writes (GATE-11, GATE-12, C-27)."""

from chingoo.model.enums import Language, Source
from chingoo.policy.documents.gates import GatesDocument, SentenceBand
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding, Shown

_LANGUAGES = frozenset(language.value for language in Language)


def judge(look: Look) -> Finding | None:
    """Out of the band of the friend's length; proactive messages have a band of their own."""
    retention = look.given.source is Source.RETENTION
    length = look.given.targets.length
    if retention:
        band = look.policy.retention_sentences
    elif length is not None:
        band = look.policy.sentences[length]
    else:
        return None
    count, words = look.measures.sentence_count, look.measures.avg_words_per_sentence
    low = least_words(look.policy, band, look.language)
    fits = band.min_sentences <= count <= band.max_sentences
    fits = fits and (low is None or words >= low) and (band.max_words is None or words <= band.max_words)
    if fits:
        return None
    allowed: dict[str, Shown] = {
        "sentence_count": [band.min_sentences, band.max_sentences],
        "avg_words_per_sentence": [low, band.max_words],
    }
    return Finding({"sentence_count": count, "avg_words_per_sentence": words}, allowed)


def least_words(policy: GatesDocument, band: SentenceBand, language: str) -> float | None:
    """The lower bound of words a sentence in a language that may need fewer words for the same."""
    if band.min_words is None or language not in _LANGUAGES:
        return band.min_words
    return band.min_words * policy.lower_bound_share.get(Language(language), 1.0)
