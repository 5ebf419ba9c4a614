"""The machine's usable share: threads, memory, private folders."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
import warnings
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

# Niceness of long work: a busy page gets three quarters of a processor, and a campaign a quarter of
# the machine beside other work; with 19 a seventieth
BACKGROUND_NICE = 5
_limit: ContextVar[int | None] = ContextVar("threads", default=None)
_OWN_GROUP, _GROUPS = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")
_ARENA_MAX, _ARENAS = -8, 2
_MMAP_THRESHOLD, _LARGE = -3, 2**17


def available_threads() -> int:
    """Return the threads to use: one per processor, unless limited."""
    from joblib import cpu_count

    limit = _limit.get()
    return int(cpu_count()) if limit is None else limit


@contextmanager
def limit_threads(threads: int) -> Iterator[None]:
    """Limit computations inside the context to `threads` threads."""
    before = _limit.set(threads)
    try:
        yield
    finally:
        _limit.reset(before)


def give_way(nice: int) -> None:
    """Lower this process's priority; on Linux this thread's and its children's."""
    if hasattr(os, "setpriority"):
        now = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, 0, max(now, nice))


def memory_left() -> int:
    """Return the bytes left of the machine's and the control group's (version 2) memory."""
    import psutil

    left = int(psutil.virtual_memory().available)
    with suppress(OSError):
        own = re.search(r"^0::/(.*)$", _OWN_GROUP.read_text("utf-8"), re.MULTILINE)
        here = _GROUPS / own[1] if own else _GROUPS
        for group in (here, *here.parents):
            with suppress(OSError, ValueError):  # no group, or no limit
                limit = int((group / "memory.max").read_text("utf-8"))
                kept = re.search(
                    r"^inactive_file (\d+)$", (group / "memory.stat").read_text(), re.M
                )
                used = int((group / "memory.current").read_text("utf-8"))
                left = min(left, limit - used + (int(kept[1]) if kept else 0))
    return left


def free_processors(threads: int, *, seconds: float = 0.25) -> float:
    """Measure how many processors low-priority threads get now."""
    block = bytes(2**20)

    def share(_: int) -> float:
        if sys.platform == "linux":
            give_way(BACKGROUND_NICE)
        start, used = time.perf_counter(), time.thread_time()
        while time.perf_counter() - start < seconds:
            hashlib.sha256(block)
        return (time.thread_time() - used) / (time.perf_counter() - start)

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(share, range(threads)))


class _Kept(list[Any]):
    def __setitem__(self, place: object, value: object) -> None:
        """Leave the filters as they are."""


@contextmanager
def kept_warnings() -> Iterator[None]:
    """Keep the warning filters while scikit-learn fits in several threads.

    Threads briefly empty the process's filters; two can empty them for good, and later fits warn
    about `delayed`.
    """
    with warnings.catch_warnings():
        warnings.filters = _Kept(warnings.filters)
        yield


def hold_little_back() -> None:
    """Let threads share few memory arenas, and map large blocks directly.

    glibc otherwise keeps freed memory per arena. Call before threads start.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)


def give_back() -> None:
    """Return freed memory to the machine."""
    import pyarrow as pa

    gc.collect()
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


_PREFIX, _FRESH = "alc-own-", "alc-new-"
_LOCK = "lock"
_IN_MEMORY, _LEAST_FREE = Path("/dev/shm"), 2 * 10**9  # noqa: S108


class OwnFolder:
    """A folder removed by :meth:`remove`, with its last reference, or at exit.

    If killed, the next process on this machine removes it: its lock is free.
    """

    def __init__(self, *, in_memory: bool = False) -> None:
        base = Path(tempfile.gettempdir())
        if in_memory and _IN_MEMORY.is_dir():
            base = _IN_MEMORY if shutil.disk_usage(_IN_MEMORY).free >= _LEAST_FREE else base
        for each in {base, Path(tempfile.gettempdir())}:
            _sweep(each)
        fresh = Path(tempfile.mkdtemp(prefix=_FRESH, dir=base))  # mode 0700
        lock = FileLock(fresh / _LOCK)
        lock.acquire()
        # Renamed once locked: no other process sweeps it in between
        self.path = fresh.rename(fresh.with_name(fresh.name.replace(_FRESH, _PREFIX, 1)))
        self._remove = weakref.finalize(self, _removed, self.path, lock)

    def remove(self) -> None:
        """Remove it now; repeating does nothing."""
        self._remove()


def _removed(path: Path, lock: FileLock) -> None:
    shutil.rmtree(path, ignore_errors=True)
    lock.release()


def _sweep(base: Path) -> None:
    for path in base.glob(f"{_PREFIX}*"):
        lock = FileLock(path / _LOCK)
        with contextlib.suppress(OSError, Timeout):
            lock.acquire(timeout=0)
            _removed(path, lock)
