"""What reads messages is freed with its policy set by counting alone: collections are rare, and hold the rest back."""

import gc
from weakref import ref

import pytest

from chingoo.engine.engine import Engine, build_engine
from chingoo.policy.bundle import Bundle


@pytest.mark.parametrize("reader", ["record", "notes", "topics"])
def test_a_reader_goes_with_its_engine(bundle: Bundle, reader: str) -> None:
    engine: Engine = build_engine(bundle)
    watched = ref(getattr(engine, reader))
    gc.disable()
    try:
        engine.close()
        del engine
        assert watched() is None
    finally:
        gc.enable()
