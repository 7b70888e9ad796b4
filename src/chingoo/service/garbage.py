"""Holds back garbage collection while a policy set is read, judged or built."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collections() -> Iterator[None]:
    """No garbage is collected meanwhile, one at a time.

    A set is some 200,000 objects, nearly all of which stay. Each full collection looks at all of them and stops every
    thread for a tenth of a second or more; a dozen of them would run while a set is built, and take up to half of the
    time. Frozen and unfrozen, the new objects become old ones without having been looked at.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()
        if enabled:
            gc.enable()


def collect_all() -> None:
    """Collect all garbage now. What became garbage while nothing was collected is old by then, and looked at seldom."""
    gc.collect()
