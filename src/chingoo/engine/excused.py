"""What exceptions excused in a message, and the rest of it, which still may weigh (C-20, CRISIS-05)."""

from typing import NamedTuple

from chingoo.engine.apart import sentences_of_tokens
from chingoo.engine.hits import Hit
from chingoo.engine.scan import Scan


class Excused(NamedTuple):
    """The exceptions by their ids, the phrases they excused with the words that told so, and whether it was all of the
    message that they did."""

    by: tuple[str, ...]
    places: tuple[tuple[Hit, ...], ...]
    whole: bool = False


def rest_of(scan: Scan, excused: Excused, beside: int) -> Scan:
    """What was seen apart from what is excused, what stands between its words, and so many words beside it.

    None of that reaches into a sentence in which nothing is excused: who says more than a harmless thing is heard.
    """
    if excused.whole:
        nothing = scan.none()
        nothing.sentences = [-1] * len(sentences_of_tokens(scan))
        return nothing
    sentences = sentences_of_tokens(scan)
    left_out: set[int] = set()
    for place in excused.places:
        first, last = min(hit.first_token for hit in place), max(hit.last_token for hit in place)
        own = {sentences[token] for hit in place for token in range(hit.first_token, hit.last_token + 1)}
        around = range(max(0, first - beside), min(len(sentences), last + beside + 1))
        left_out.update(token for token in around if sentences[token] in own)
    rest = scan.only([token in left_out for token in range(len(sentences))], 0)
    rest.sentences = [-1 if token in left_out else number for token, number in enumerate(sentences)]
    return rest
