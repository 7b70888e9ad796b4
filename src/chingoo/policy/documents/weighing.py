"""policies/weighing.yaml: words that say little alone, and what they weigh together."""

from collections.abc import Mapping
from dataclasses import dataclass

from chingoo.policy.documents.base import Place, WordList

PiecesByWeight = Mapping[str, tuple[str, ...]]
"""Pieces of words, several to a line, by what each of them weighs."""


def weights_of(pieces: PiecesByWeight) -> dict[str, int]:
    """What each piece weighs."""
    return {piece: int(weight) for weight, lines in pieces.items() for line in lines for piece in line.split()}


@dataclass(frozen=True, slots=True)
class Weighing:
    """What the lists seen in one message weigh, and the pieces of words in it. The sum of `base` and the weights of all
    of them, each once, counts from `at_least` on; all are in hundredths. `pieces` are by their weights, several to a
    line; `_` stands for the beginning or the end of a word."""

    place: Place
    because: str
    base: int
    at_least: int
    weights: Mapping[str, int]
    pieces: PiecesByWeight


@dataclass(frozen=True, slots=True)
class OfMessage:
    """How much of what messages weigh by themselves counts in a talk, in hundredths of it: of the message itself
    (`now`), and of that which weighs most of those before it (`before`). What goes beyond `most`, up or down, is left
    out."""

    place: Place
    most: int
    now: int
    before: int


@dataclass(frozen=True, slots=True)
class TalkWeighing:
    """The same of a message (`now`) and of what the same person said before it (`before`, each list once for all
    earlier messages together), with what they weigh by themselves. Who said nothing before is not weighed so, and
    neither is a message whose own part is less than `look_back_from`."""

    place: Place
    because: str
    base: int
    at_least: int
    look_back_from: int
    of_message: OfMessage
    now: Mapping[str, int]
    before: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Length:
    """To which length what is weighed is brought, in words: sums are for a text of `usual` words, and are divided by
    the root of how many times longer a text is. One of fewer than `least` counts as one of so many."""

    place: Place
    usual: int
    least: int


@dataclass(frozen=True, slots=True)
class WeighingDocument:
    """All of it. The weights are learnt from labelled lines; `sum` is a sum over them, by which a slip is noticed.

    A message is weighed as a whole and then sentence by sentence: who says something harmless beside it is heard.
    What has more than `most_tokens` words is not weighed, for it touches many lists by chance alone, nor are the
    sentences of a message of more than `most_tokens_apart`, nor what an exception of crisis.yaml excuses, with so many
    words beside it (`beside_excused`). Long texts touch more by chance than short ones, and `length` makes up for that.
    `message` and `talk` tell that the person is in danger, `others` that somebody else is, `harassment` that the friend
    or a group is put down. `lists` are words that only weigh.
    """

    place: Place
    most_tokens: int
    most_tokens_apart: int
    beside_excused: int
    length: Length
    message: Weighing
    others: Weighing
    talk: TalkWeighing
    harassment: Weighing
    sum: str
    lists: Mapping[str, WordList]
