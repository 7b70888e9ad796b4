"""The head's forward pass against numbers worked out by hand, how it is kept, and what is refused."""

import json
from typing import Any

import numpy as np
import pytest

from chingoo.errors import HeadError
from chingoo.hearing.head import HeadNote, Layers, Output, kept, read_head

TINY = Layers(
    inner=np.array([[[1.0, -1.0], [2.0, 0.5]], [[0.0, 0.0], [0.0, 0.0]]], dtype=np.float32),
    inner_bias=np.array([[0.5, 0.0], [0.0, 0.0]], dtype=np.float32),
    outer=np.array([[[1.0], [4.0]], [[0.0], [0.0]]], dtype=np.float32),
    outer_bias=np.array([[-0.25], [1.0]], dtype=np.float32),
)
NOTE = HeadNote("ears", "0123456789ab", "2026-01-02", 3, (2, 2, 1), 2, (Output("self-harm", "message", 1.0, 0.0),), {})


def test_the_forward_pass_by_hand() -> None:
    """First head: hidden (1x1+2x1+0.5, -1x1+0.5x1 cut off at 0) = (3.5, 0), so 3.5-0.25; the second says 1 always."""
    head = read_head(*kept(NOTE, TINY), "ears")
    heard = head.hear(np.array([[1.0, 1.0], [-1.0, 0.0]], dtype=np.float32))
    # The other text: hidden (0, 1), so 4-0.25.
    assert heard.tolist() == [[(3.25 + 1.0) / 2], [(3.75 + 1.0) / 2]]


def test_what_is_kept_can_be_read_by_people_and_comes_back() -> None:
    note, numbers = kept(NOTE, TINY)
    said = json.loads(note)
    assert (said["encoder"], said["learnt"], said["lines"]) == ("ears", "2026-01-02", 3)
    assert len(numbers) == 2 * (8 + 4 + 4 + 2)
    head = read_head(note, numbers, "ears")
    assert head.layers.inner.tolist() == TINY.inner.tolist()
    assert kept(head.note, head.layers) == (note, numbers)


@pytest.mark.parametrize("field", ["lines", "learnt", "encoder", "weights", "figures"])
def test_a_note_that_was_changed_is_refused(field: str) -> None:
    note, numbers = kept(NOTE, TINY)
    said = json.loads(note)
    said[field] = {"lines": 4, "learnt": "2026-01-03", "encoder": "eyes", "weights": "ab", "figures": {"a": 1}}[field]
    with pytest.raises(HeadError, match=r"is not what was learnt .* `make detector`"):
        read_head(json.dumps(said).encode(), numbers, "ears")


def test_a_number_that_was_changed_is_refused() -> None:
    note, numbers = kept(NOTE, TINY)
    with pytest.raises(HeadError, match="is not what was learnt"):
        read_head(note, bytes([numbers[0] ^ 1]) + numbers[1:], "ears")


def test_a_head_for_another_encoder_is_refused() -> None:
    with pytest.raises(HeadError, match="was learnt for ears, and not for eyes"):
        read_head(*kept(NOTE, TINY), "eyes")


def test_a_head_with_too_few_numbers_is_refused() -> None:
    few = Layers(TINY.inner, TINY.inner_bias, TINY.outer, TINY.outer_bias[:1])
    with pytest.raises(HeadError, match="not as many numbers"):
        read_head(*kept(NOTE, few), "ears")


@pytest.mark.parametrize("note", [b"", b"{}", b"\xff", b"[1]"])
def test_a_note_that_is_none_is_refused(note: Any) -> None:
    with pytest.raises(HeadError, match="cannot be read"):
        read_head(note, b"", "ears")
