"""What a policy set is built of is freed by counting alone: collections are rare, and stop every turn."""

import gc
from collections.abc import Iterator
from datetime import UTC, datetime
from weakref import ref

import pytest

from chingoo.engine.engine import Engine, build_engine
from chingoo.engine.evaluate import evaluate
from chingoo.flow.compiled import CompiledPolicy, compile_policy
from chingoo.model.decision import EvaluationInput
from chingoo.policy.bundle import Bundle

SAID = ("i want to die", "my sister's wedding is in two weeks", "ㅋㅋㅋ 죽고 싶어", "k1ll urself")


@pytest.fixture
def nothing_is_collected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


@pytest.mark.usefixtures("nothing_is_collected")
@pytest.mark.parametrize("reader", ["record", "notes", "topics"])
def test_a_reader_goes_with_its_engine(bundle: Bundle, reader: str) -> None:
    engine: Engine = build_engine(bundle)
    watched = ref(getattr(engine, reader))
    engine.close()
    del engine
    assert watched() is None


@pytest.mark.usefixtures("nothing_is_collected")
def test_a_set_leaves_nothing_that_holds_itself(bundle: Bundle) -> None:
    compiled: CompiledPolicy = compile_policy(bundle)
    for text in SAID:
        evaluate(compiled.engine, EvaluationInput(text, datetime(2026, 3, 2, 12, tzinfo=UTC)), explain=True)
    gc.collect()
    compiled.close()
    del compiled
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    left = {type(one) for one in gc.garbage}
    assert not {one for one in left if one.__module__.split(".")[0] in ("chingoo", "durable")}
