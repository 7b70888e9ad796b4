"""A set is built beside running turns, which must get the interpreter back soon."""

import sys
from collections.abc import Mapping

import pytest

from chingoo.errors import PolicyRefusedError
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
    assert seen[0] < usual / 5
    assert sys.getswitchinterval() == usual
