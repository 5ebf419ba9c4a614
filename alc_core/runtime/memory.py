"""Memory of a process that goes on: what is freed goes back to the machine."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress

_ARENA_MAX, _ARENAS = -8, 2


def keep_few_arenas() -> None:
    """Let all threads take their memory from few places: what each holds back adds up.

    Of use before threads start, with glibc alone.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Free what nothing holds any more, and give it back to the machine."""
    import pyarrow as pa

    gc.collect()
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
