"""A reply cut into its sentences without losing a character, so that one can be left out and the rest joined again."""

from itertools import pairwise

from chingoo.text.sentences import split_sentences


def cut_after_sentences(text: str, abbreviations: frozenset[str]) -> list[str]:
    """The pieces of `text`, one a sentence; what stands between two sentences (spaces, emoji) ends the first piece."""
    starts: list[int] = []
    position = 0
    for sentence in split_sentences(text, abbreviations):
        start = text.index(sentence, position)
        starts.append(start)
        position = start + len(sentence)
    if not starts:
        return [text] if text else []
    bounds = [0, *starts[1:], len(text)]
    return [text[first:last] for first, last in pairwise(bounds)]
