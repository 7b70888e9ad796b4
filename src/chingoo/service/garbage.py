"""Holds back garbage collection while a policy set is read, judged or built."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collections(*, lasting: bool = False) -> Iterator[None]:
    """No garbage is collected meanwhile, one at a time.

    A set is some 700,000 objects, nearly all of which stay. Each full collection looks at all of them and stops every
    thread for a quarter of a second; a dozen of them would run while a set is built, and take up to half of the time.
    Frozen and unfrozen, the new objects become old ones without having been looked at. `lasting`: they stay frozen,
    and no collection to come looks at them either; they are freed by counting, once nothing holds the set.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if not lasting:
            gc.unfreeze()
        if enabled:
            gc.enable()


def collect_all() -> None:
    """Collect all garbage now, also what was frozen; every thread stops meanwhile."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
