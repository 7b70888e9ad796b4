"""The learnt numbers that turn a sentence's vector into what it tells of, how they are kept, and their forward pass.

They are two files: the numbers, little-endian and of two bytes each, and a note of JSON that can be read, says what
they are, and holds a sum over both, so that numbers that are not those which were learnt are refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from chingoo.errors import HeadError

Vectors = NDArray[np.float32]
"""One row for each text."""

_KEPT_AS: Final = np.dtype("<f2")
_REMEDY: Final = "restore both files of it, or let `make detector` learn it anew"

Weighs = Literal["message", "others", "harassment"]


class Output(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One category, and how its score is made.

    What a part of policies/weighing.yaml (`weighs`) finds in the words (its hundredths, divided by 100), the number of
    the head times `share`, and `offset` are added up; the logistic function of the sum is the score.
    """

    category: str
    weighs: Weighs
    share: float
    offset: float


class HeadNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of the numbers: which encoder they listen to, when and from how many lines they were learnt.

    `weights` is the sum of the weights (policies/weighing.yaml) beside which the offsets were chosen.
    `layers` are the widths: the encoder's, the hidden one, and one for each output. So many `heads` of these stand side
    by side, and their numbers are averaged. `figures` are what was measured, for who reads it.
    """

    encoder: str
    weights: str
    learnt: str
    lines: int
    layers: tuple[int, int, int]
    heads: int
    outputs: tuple[Output, ...]
    figures: Mapping[str, Any]
    sum: str = ""


@dataclass(frozen=True, slots=True)
class Layers:
    """The numbers of all heads: to the hidden layer (heads x in x hidden), and from there (heads x hidden x out)."""

    inner: Vectors
    inner_bias: Vectors
    outer: Vectors
    outer_bias: Vectors

    def hear(self, vectors: Vectors, number: int) -> Vectors:
        """What the head of that number, from 0 on, hears of each vector: as `Head.hear`."""
        hidden: Vectors = np.maximum(vectors @ self.inner[number] + self.inner_bias[number], 0)
        heard: Vectors = hidden @ self.outer[number] + self.outer_bias[number]
        return heard


@dataclass(frozen=True, slots=True)
class Head:
    """The numbers and what is said of them."""

    note: HeadNote
    layers: Layers

    def hear(self, vectors: Vectors) -> Vectors:
        """For each vector one number for each output: the logarithm of the odds that it is said there."""
        told = [self.layers.hear(vectors, number) for number in range(self.note.heads)]
        heard: Vectors = np.mean(told, axis=0, dtype=np.float32)
        return heard


def kept(note: HeadNote, layers: Layers) -> tuple[bytes, bytes]:
    """A head as two files: the note, with its sum, and the numbers."""
    arrays = (layers.inner, layers.inner_bias, layers.outer, layers.outer_bias)
    numbers = b"".join(array.astype(_KEPT_AS).tobytes() for array in arrays)
    summed = msgspec.structs.replace(note, sum=_sum(note, numbers))
    return msgspec.json.format(msgspec.json.encode(summed), indent=1) + b"\n", numbers


def read_head(note: bytes, numbers: bytes, encoder: str) -> Head:
    """The head of two files. HeadError: damaged, not belonging together, or learnt for another encoder."""
    try:
        said = msgspec.json.decode(note, type=HeadNote)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise HeadError(f"the note of the detector's head cannot be read ({error}); {_REMEDY}") from error
    found = _sum(said, numbers)
    if found != said.sum:
        raise HeadError(f"the detector's head is not what was learnt (sum {found}, should be {said.sum}); {_REMEDY}")
    if said.encoder != encoder:
        raise HeadError(f"the detector's head was learnt for {said.encoder}, and not for {encoder}; {_REMEDY}")
    heads, (wide, hidden, out) = said.heads, said.layers
    shapes = ((heads, wide, hidden), (heads, hidden), (heads, hidden, out), (heads, out))
    if out != len(said.outputs) or len(numbers) != _KEPT_AS.itemsize * sum(int(np.prod(shape)) for shape in shapes):
        raise HeadError(f"the detector's head has not as many numbers as its note says; {_REMEDY}")
    return Head(said, Layers(*_cut(numbers, shapes)))


def _cut(numbers: bytes, shapes: Sequence[tuple[int, ...]]) -> list[Vectors]:
    arrays, start = [], 0
    flat = np.frombuffer(numbers, dtype=_KEPT_AS).astype(np.float32)
    for shape in shapes:
        size = int(np.prod(shape))
        arrays.append(flat[start : start + size].reshape(shape))
        start += size
    return arrays


def _sum(note: HeadNote, numbers: bytes) -> str:
    said = msgspec.json.encode(msgspec.structs.replace(note, sum=""))
    return sha256(said + b"\n" + numbers).hexdigest()
