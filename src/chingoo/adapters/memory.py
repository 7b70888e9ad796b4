"""Gives memory that is free inside this process back to the system, where the C library can."""

import ctypes


def give_back_memory() -> None:
    """For a thread: it takes some milliseconds, without the interpreter's lock. Elsewhere than on glibc, nothing."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
