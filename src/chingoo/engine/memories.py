"""Heuristic flags for things worth remembering (MEM-06), and how many preferences a message states (REL-02)."""

from collections.abc import Mapping

from chingoo.engine.scan import Scan
from chingoo.model.decision import Heuristics
from chingoo.policy.documents.base import WordList
from chingoo.policy.documents.lexicons import HeuristicsDocument

PREFERENCE, FACT, EVENT, CORRECTION = (f"heuristics.{kind}" for kind in ("preference", "fact", "event", "correction"))
_KINDS = (PREFERENCE, FACT, EVENT, CORRECTION)
_NOTHING = Heuristics(preference=False, fact=False, event=False, correction=False)
_OBJECT_TOKENS = 2  # two words tell apart what is liked; with more, the same thing would count as two


def heuristic_lists(documents: Mapping[str, HeuristicsDocument]) -> dict[str, WordList]:
    """One word list for each kind of flag, over all languages."""
    place = next(iter(documents.values())).place
    kinds = {
        PREFERENCE: {language: document.preference for language, document in documents.items()},
        FACT: {language: document.fact for language, document in documents.items()},
        EVENT: {language: document.event for language, document in documents.items()},
        CORRECTION: {language: document.correction for language, document in documents.items()},
    }
    return {list_id: WordList(place, entries) for list_id, entries in kinds.items()}


def read_heuristics(scan: Scan, verb_final: frozenset[str]) -> Heuristics:
    """The flags. `verb_final` are the languages in which what is liked stands before the verb."""
    if not any(map(scan.has, _KINDS)):
        return _NOTHING
    preferences = _objects(scan, verb_final) if scan.has(PREFERENCE) else frozenset()
    return Heuristics(
        preference=bool(preferences),
        fact=scan.has(FACT),
        event=scan.has(EVENT),
        correction=scan.has(CORRECTION),
        preferences=len(preferences),
    )


def _objects(scan: Scan, verb_final: frozenset[str]) -> frozenset[tuple[str, ...]]:
    """The first words of what is liked or disliked, each once."""
    tokens = scan.text.match.split(" ")
    hits = sorted(scan.hits(PREFERENCE), key=lambda hit: hit.first_token)
    inner = _inside_others({(hit.start, hit.end) for hit in hits})
    outer = [hit for hit in hits if (hit.start, hit.end) not in inner]
    objects = set()
    for index, hit in enumerate(outer):
        if hit.language in verb_final:
            objects.add(tuple(tokens[max(0, hit.first_token - 1) : hit.first_token]))
        else:
            stop = outer[index + 1].first_token if index + 1 < len(outer) else len(tokens)
            objects.add(tuple(tokens[hit.last_token + 1 : min(stop, hit.last_token + 1 + _OBJECT_TOKENS)]))
    return frozenset(objects)


def _inside_others(stretches: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The stretches of a text that lie inside longer ones."""
    inner: set[tuple[int, int]] = set()
    furthest = -1
    for start, end in sorted(stretches, key=lambda one: (one[0], -one[1])):
        if end <= furthest:
            inner.add((start, end))
        furthest = max(furthest, end)
    return inner
