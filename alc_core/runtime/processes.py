"""Processes that share arrays, and end with their parent."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import cloudpickle
from joblib import Parallel, delayed, load
from joblib.externals.loky import ProcessPoolExecutor
from joblib.numpy_pickle import NumpyPickler

from alc_core.runtime.machine import BACKGROUND_NICE, OwnFolder, give_way

T = TypeVar("T")

# Attempts at a task whose shared process dies
TRIES = 4
_MAPPED_FROM = "100K"  # Smallest size of a memory-mapped array
_LOOK_FOR_PARENT = 1.0


@contextmanager
def in_processes(
    task: Callable[..., T], data: Any, arguments: Iterable[tuple[Any, ...]], *, jobs: int
) -> Iterator[Iterator[T]]:
    """Run ``task(data, *arguments)`` for all arguments, yielding results as they come.

    One job runs in this process. Raises if a process dies; waiting jobs are dropped at the end.
    """
    parallel = Parallel(
        n_jobs=jobs,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        max_nbytes=_MAPPED_FROM,
        temp_folder=str(_shared().path),
    )
    parent = os.getpid()
    with _on_file(data) as file:
        run = partial(_end_with_parent, parent, _loaded, task, file)
        with closing(parallel(delayed(run)(rest) for rest in arguments)) as results:
            yield results


def in_own_process(task: Callable[..., T], data: Any, *arguments: Any) -> T:
    """Run ``task(data, *arguments)`` in its own process; raise if it dies."""
    with _on_file(data) as file:
        executor = ProcessPoolExecutor(max_workers=1)
        try:
            parent = os.getpid()
            running = executor.submit(_end_with_parent, parent, _loaded, task, file, arguments)
            result: T = running.result()
            return result
        finally:  # also if cancelled
            executor.shutdown(wait=True, kill_workers=True)


@contextmanager
def _on_file(data: Any) -> Iterator[str]:
    """Write data to a temporary file; a pipe to a dying process would keep it."""
    # Some systems cannot remove a file that is being read
    with tempfile.TemporaryDirectory(dir=_shared().path, ignore_cleanup_errors=True) as folder:
        path = Path(folder, "data")
        with path.open("wb") as file:
            _Sender(file).dump(data)
        yield str(path)


class _Sender(NumpyPickler):  # type: ignore[misc]  # joblib has no types
    """Pickles classes that cannot be imported: of scripts, plug-ins."""

    def reducer_override(self, sent: Any) -> Any:
        if not isinstance(sent, (type, FunctionType)):  # nearly always
            return NotImplemented
        if sent.__module__ not in {"__main__", *cloudpickle.list_registry_pickle_by_value()}:
            return NotImplemented
        return cloudpickle.loads, (cloudpickle.dumps(sent),)


def _loaded(task: Callable[..., T], file: str, arguments: tuple[Any, ...]) -> T:
    return task(load(file, mmap_mode="r"), *arguments)


@cache
def _shared() -> OwnFolder:
    return OwnFolder(in_memory=True)


def _end_with_parent(parent: int, task: Callable[..., T], *arguments: Any) -> T:
    """Run a low-priority task that ends when its parent is killed."""
    global _watching
    if os.getpid() != parent and not _watching:
        _watching = True
        give_way(BACKGROUND_NICE)
        threading.Thread(target=_watch_parent, name="alc-parent", daemon=True).start()
    return task(*arguments)


_watching = False


def _watch_parent() -> None:
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(_LOOK_FOR_PARENT)
    os._exit(1)
