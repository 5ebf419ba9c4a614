"""Memory of a process that goes on: what is freed goes back to the machine."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress

_ARENA_MAX, _ARENAS = -8, 2
_MMAP_THRESHOLD, _LARGE = -3, 2**17


def hold_little_back() -> None:
    """Let all threads take their memory from few places, and what is large from the machine itself.

    What each place holds back adds up, and glibc takes more and more of what is large from them.
    Of use before threads start, with glibc alone.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)


def give_back() -> None:
    """Free what nothing holds any more, and give it back to the machine."""
    import pyarrow as pa

    gc.collect()
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
