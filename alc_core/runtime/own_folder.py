"""Folders of this process that nobody else can enter, and that do not outlive it for long."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import weakref
from pathlib import Path

from filelock import FileLock, Timeout

_PREFIX, _FRESH = "alc-own-", "alc-new-"
_LOCK = "lock"
_IN_MEMORY, _LEAST_FREE = Path("/dev/shm"), 2 * 10**9  # noqa: S108


class OwnFolder:
    """A folder that is removed by :meth:`remove`, with its last reference, or at the end.

    Where the process is killed, the next one of this machine removes it: a lock in it, which the
    system lets go of, tells.
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
        # Named so only once it is locked: nobody sweeps it between.
        self.path = fresh.rename(fresh.with_name(fresh.name.replace(_FRESH, _PREFIX, 1)))
        self._remove = weakref.finalize(self, _removed, self.path, lock)

    def remove(self) -> None:
        """Remove it now; once more does nothing."""
        self._remove()


def _removed(path: Path, lock: FileLock) -> None:
    shutil.rmtree(path, ignore_errors=True)
    lock.release()


def _sweep(base: Path) -> None:
    """Remove the folders of processes that are gone."""
    for path in base.glob(f"{_PREFIX}*"):
        lock = FileLock(path / _LOCK)
        with contextlib.suppress(OSError, Timeout):
            lock.acquire(timeout=0)
            _removed(path, lock)
