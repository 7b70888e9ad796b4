"""Holds back garbage collection while a policy set is read, judged or built."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collections() -> Iterator[None]:
    """No garbage is collected meanwhile, one at a time; for who has nothing else to do.

    A set is some 200,000 objects, nearly all of which stay. Each full collection looks at all of them and stops every
    thread for a tenth of a second or more; a dozen of them would run while a set is built, and take up to half of the
    time. Frozen and unfrozen, the new objects become old ones without having been looked at.
    """
    with _nothing_collected():
        try:
            yield
        finally:
            gc.freeze()
            gc.unfreeze()


@contextmanager
def with_one_collection() -> Iterator[None]:
    """No garbage is collected meanwhile but at the end, among new objects alone; beside turns.

    What was frozen when the process started stays so: it is most of what there is, and a collection that had to look at
    it would stop every turn for half a second.
    """
    with _nothing_collected():
        try:
            yield
        finally:
            gc.collect(1)


def collect_all() -> None:
    """Collect all garbage now. What became garbage while nothing was collected is old by then, and looked at seldom."""
    gc.collect()


@contextmanager
def _nothing_collected() -> Iterator[None]:
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
