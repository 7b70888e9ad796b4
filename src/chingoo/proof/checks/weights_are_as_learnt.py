"""The numbers of weighing.yaml are those that its sum was made of: thousands of them, and no case holds each."""

from collections.abc import Iterator, Mapping
from hashlib import sha256

from chingoo.policy.documents.weighing import TalkWeighing, Weighing, WeighingDocument, weights_of
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding

_LENGTH = 12


def check(subject: Subject) -> Iterator[Finding]:
    """A finding where a number was changed and the sum was not."""
    document = subject.bundle.weighing
    right = sum_of(document)
    if document.sum != right:
        message = "the weights are not those that this sum was made of; a number was changed"
        hint = f"`make weigh` learns them anew; if the change is meant, write `sum: {right}`"
        yield Finding("weights-changed", message, document.place, len(document.sum), hint, about=document.sum)


def sum_of(document: WeighingDocument) -> str:
    """The sum over all numbers of a document, by what they are of."""
    parts: dict[str, Weighing | TalkWeighing] = {
        "message": document.message,
        "others": document.others,
        "talk": document.talk,
        "harassment": document.harassment,
    }
    told = f"most_tokens {document.most_tokens} {document.most_tokens_apart} beside_excused {document.beside_excused}\n"
    told += f"length {document.length.usual} {document.length.least}\n"
    told += "\n".join(f"{name} {line}" for name, part in parts.items() for line in _numbers(part))
    return sha256(told.encode()).hexdigest()[:_LENGTH]


def _numbers(part: Weighing | TalkWeighing) -> Iterator[str]:
    yield f"base {part.base} at_least {part.at_least}"
    weighed: list[Mapping[str, int]]
    if isinstance(part, TalkWeighing):
        weighed = [part.now, part.before]
        share = part.of_message
        yield f"look_back_from {part.look_back_from} of_message {share.most} {share.now} {share.before}"
    else:
        weighed = [part.weights, weights_of(part.pieces)]
    for number, of_lists in enumerate(weighed):
        yield from (f"{number} {list_id} {weight}" for list_id, weight in sorted(of_lists.items()))
