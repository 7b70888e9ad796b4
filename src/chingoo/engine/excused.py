"""What exceptions excused in a message, and the rest of it, which still may weigh (C-20, CRISIS-05)."""

from bisect import bisect_right
from typing import NamedTuple

from chingoo.engine.hits import Hit
from chingoo.engine.scan import Scan
from chingoo.text.sentences import sentence_ends


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
        return Scan(scan.text, {})
    ends = sentence_ends(scan.text.raw)
    starts = [0, *(at + 1 for at, letter in enumerate(scan.text.match) if letter == " ")]
    sentences = [bisect_right(ends, scan.offsets.from_match(start, start + 1)[0]) for start in starts]
    left_out: set[int] = set()
    for place in excused.places:
        first, last = min(hit.first_token for hit in place), max(hit.last_token for hit in place)
        own = {sentences[token] for hit in place for token in range(hit.first_token, hit.last_token + 1)}
        around = range(max(0, first - beside), min(len(starts), last + beside + 1))
        left_out.update(token for token in around if sentences[token] in own)
    return scan.without(left_out)
