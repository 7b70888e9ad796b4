"""How the C library, where it is glibc, keeps memory: policy sets that come and go should leave nothing behind."""

import ctypes
from typing import Final

_MMAP_THRESHOLD: Final = -3  # M_MMAP_THRESHOLD and M_ARENA_MAX of malloc.h
_ARENA_MAX: Final = -8
_LARGE: Final = 128 * 1024
_ARENAS: Final = 2


def keep_memory_whole() -> None:
    """For the start of a process, before its threads: large blocks go back to the system when they are freed.

    Left to itself the library takes blocks of megabytes into its arenas once one of them was freed, an arena for each
    thread, and the holes that a policy set leaves there are filled by what turns need meanwhile.
    """
    _set(_MMAP_THRESHOLD, _LARGE)
    _set(_ARENA_MAX, _ARENAS)


def give_back_memory() -> None:
    """For a thread: it takes some milliseconds, without the interpreter's lock. Elsewhere than on glibc, nothing."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _set(parameter: int, value: int) -> None:
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(parameter, value)
