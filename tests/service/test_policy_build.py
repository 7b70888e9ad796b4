"""A set is built beside running turns, which must get the interpreter back soon."""

import gc
import sys
from collections.abc import Mapping

import pytest

from chingoo.engine.images import Matchers
from chingoo.errors import PolicyRefusedError
from chingoo.flow.compiled import compile_policy
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import LoadResult
from chingoo.service.policy_build import build_policy


def test_turns_wait_less_for_the_interpreter_while_a_set_is_built() -> None:
    usual = sys.getswitchinterval()
    seen: list[float] = []

    def load(_: Mapping[str, str]) -> LoadResult:
        seen.append(sys.getswitchinterval())
        return LoadResult(None, ())

    with pytest.raises(PolicyRefusedError, match="do not fit this release"):
        build_policy("0" * 64, {}, load)
    assert seen[0] < usual / 2
    assert sys.getswitchinterval() == usual


def test_what_another_process_has_built_is_read(bundle: Bundle) -> None:
    asked: list[str] = []
    matchers = Matchers()
    compile_policy(bundle, None, matchers).close()
    image = matchers.image()

    def read_image(digest: str) -> memoryview:
        asked.append(digest)
        return memoryview(image)

    compiled = build_policy(bundle.digest, {}, lambda _: LoadResult(bundle, ()), None, read_image)
    assert asked == [bundle.digest]
    assert compiled.engine.matcher.automata.plain is not None
    untouched = [one for one in gc.get_referents(compiled.engine.matcher.automata.plain) if isinstance(one, list)]
    assert [set(one) for one in untouched] == [{None}], "nothing is made that no text has asked for"
    compiled.close()


def test_a_build_beside_turns_leaves_alone_what_was_frozen_when_the_process_started(bundle: Bundle) -> None:
    gc.collect()
    gc.freeze()
    frozen = gc.get_freeze_count()
    try:
        build_policy(bundle.digest, {}, lambda _: LoadResult(bundle, ())).close()
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen // 2, "some of it may be freed meanwhile"
        assert len(gc.get_objects(0)) < 10_000, "new objects were looked at, and are not again by the next turn"
    finally:
        gc.unfreeze()
