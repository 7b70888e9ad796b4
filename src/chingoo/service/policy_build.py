"""Builds a policy set from its texts beside a running event loop, doing it as little harm as possible."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from chingoo.engine.entries import forget_forms
from chingoo.engine.images import Matchers
from chingoo.errors import PolicyRefusedError
from chingoo.flow.compiled import CompiledPolicy, compile_policy
from chingoo.model.grammar import GrammarParser
from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import LoadResult
from chingoo.service.garbage import with_one_collection

_WAIT_S: Final = 0.002
"""How long a thread waits before it asks for the interpreter. Longer than a decision, so that none is cut into pieces
that each wait for the builder; shorter than the interpreter's own 5 ms, since a turn waits so long several times."""

Load = Callable[[Mapping[str, str]], LoadResult]
ReadImage = Callable[[str], memoryview | None]
"""The image of the matchers of a set, where the process that judged it has left one."""


def build_policy(
    digest: str,
    files: Mapping[str, str],
    load: Load,
    parser: GrammarParser | None = None,
    read_image: ReadImage = lambda _: None,
) -> CompiledPolicy:
    """Read and build a set that was judged before; for a thread. PolicyRefusedError: it does not fit this release."""
    with with_one_collection(), _giving_way():
        bundle = _read(digest, files, load)
        try:
            return compile_policy(bundle, parser, _matchers(read_image(digest)))
        except PolicyRefusedError as error:
            raise PolicyRefusedError(f"the policies {digest} do not fit this release", error.findings) from error
        finally:
            forget_forms()


def _matchers(image: memoryview | None) -> Matchers | None:
    """Those that another process has made; None where they cannot be read."""
    with suppress(ValueError):
        return Matchers(image)
    return None


@contextmanager
def _giving_way() -> Iterator[None]:
    """Turns get the interpreter back sooner while a set is built beside them, and keep it while they decide."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_WAIT_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _read(digest: str, files: Mapping[str, str], load: Load) -> Bundle:
    """The bundle alone: the trees it was read from are large, and gone before anything is built."""
    result = load(files)
    if result.bundle is None:
        raise PolicyRefusedError(f"the policies {digest} do not fit this release", result.findings)
    return result.bundle
