"""The sentences of a message, so that what was seen in one of them can be looked at apart from the others."""

from chingoo.engine.scan import Scan
from chingoo.text.sentences import sentence_ends


def sentences_of_tokens(scan: Scan) -> list[int]:
    """Of each token of the matching form the number of the sentence it begins in, from 0 on, in order.

    It is -1 for those that the scan leaves out.
    """
    if scan.sentences is None:
        scan.sentences = _numbered(scan)
    return scan.sentences


def sentence(scan: Scan, number: int) -> Scan:
    """What was seen in one sentence alone."""
    return scan.only(sentences_of_tokens(scan), number)


def _numbered(scan: Scan) -> list[int]:
    ends = sentence_ends(scan.text.raw)
    if not ends or not scan.text.match:
        return [0] * (scan.text.match.count(" ") + 1)
    return scan.offsets.parted(ends)
