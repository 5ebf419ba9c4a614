"""Processes of this machine that share arrays, by joblib, and end with the one they work for."""

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

# Times that something is begun whose process ends without a result: all in this process that use
# processes share them, so that it may be none of its doing
TRIES = 4
_MAPPED_FROM = "100K"  # Arrays from this size on are shared through memory-mapped files
_LOOK_FOR_PARENT = 1.0


@contextmanager
def in_processes(
    task: Callable[..., T], data: Any, arguments: Iterable[tuple[Any, ...]], *, jobs: int
) -> Iterator[Iterator[T]]:
    """Run ``task(data, *arguments)`` for all arguments, and yield results as they come.

    One job runs in this process. The iterator raises where a process dies; what has not begun is
    dropped at the end of the context.
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
    """Run ``task(data, *arguments)`` in a process that nothing else uses; raise where it dies."""
    with _on_file(data) as file:
        executor = ProcessPoolExecutor(max_workers=1)
        try:
            parent = os.getpid()
            running = executor.submit(_end_with_parent, parent, _loaded, task, file, arguments)
            result: T = running.result()
            return result
        finally:  # also where it is to stop
            executor.shutdown(wait=True, kill_workers=True)


@contextmanager
def _on_file(data: Any) -> Iterator[str]:
    """Lay data for processes down in a file, which goes at the end.

    What is on its way to a process that dies is never let go of, nor is the thread that sends it,
    unless it fits into a pipe.
    """
    # Processes may still read the file when it goes, which some systems refuse
    with tempfile.TemporaryDirectory(dir=_shared().path, ignore_cleanup_errors=True) as folder:
        path = Path(folder, "data")
        with path.open("wb") as file:
            _Sender(file).dump(data)
        yield str(path)


class _Sender(NumpyPickler):  # type: ignore[misc]  # joblib has no types
    """Lays down data with the classes that another process cannot import: of scripts, plug-ins."""

    def reducer_override(self, sent: Any) -> Any:
        """Send a class or function by value where its module is of this process alone."""
        if not isinstance(sent, (type, FunctionType)):  # which nearly all that is sent is not
            return NotImplemented
        if sent.__module__ not in {"__main__", *cloudpickle.list_registry_pickle_by_value()}:
            return NotImplemented
        return cloudpickle.loads, (cloudpickle.dumps(sent),)


def _loaded(task: Callable[..., T], file: str, arguments: tuple[Any, ...]) -> T:
    return task(load(file, mmap_mode="r"), *arguments)


@cache
def _shared() -> OwnFolder:
    """Return where arrays are shared; joblib keeps its processes, and so this, for all runs."""
    return OwnFolder(in_memory=True)


def _end_with_parent(parent: int, task: Callable[..., T], *arguments: Any) -> T:
    """Run a task in a process that ends, and so frees what it shares, when its parent is killed.

    It gives way to whoever works interactively on the machine.
    """
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
