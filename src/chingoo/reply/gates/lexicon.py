"""Slang and abbreviations as far as they are the friend's own register (GATE-16, C-72)."""

from chingoo.engine.hits import Hit
from chingoo.model.enums import LexiconBias
from chingoo.reply.gates.look import Look
from chingoo.reply.gates.report import Finding
from chingoo.text.normalise import normalise


def judge(look: Look) -> Finding | None:
    """Clean: none at all. Slang: so many a sentence. Shorthand: as it likes. Words of other languages do not count."""
    register = look.given.targets.lexicon
    if register is None or register is LexiconBias.INTERNET_SHORTHAND:
        return None
    found = _informal(look)
    if register is LexiconBias.CLEAN:
        return Finding(len(found), [0, 0]) if found else None
    limit = look.policy.lexicon.slang_per_sentence
    most = _most_in_one_sentence(look, found) if len(found) > limit else len(found)
    return Finding(most, [0, limit]) if most > limit else None


def _informal(look: Look) -> list[Hit]:
    lists = (*look.policy.lexicon.slang, *look.policy.lexicon.shorthand)
    hits = {
        (hit.first_token, hit.last_token): hit
        for list_id in lists
        for hit in look.scan.hits(list_id)
        if hit.language in look.own_languages
    }
    return [hits[position] for position in sorted(hits)]


def _most_in_one_sentence(look: Look, hits: list[Hit]) -> int:
    """The hits fall into sentences by counting tokens of the matching form, sentence after sentence."""
    ends: list[int] = []
    for sentence in look.sentences:
        words = normalise(sentence).match.split()
        ends.append((ends[-1] if ends else 0) + len(words))
    counts = [0] * (len(ends) + 1)
    for hit in hits:
        counts[sum(hit.first_token >= end for end in ends)] += 1
    return max(counts)
