"""Work in a background thread.

It makes no Streamlit calls; they would be lost silently.
"""

from __future__ import annotations

import enum
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Generic, TypeVar

from alc_core.errors import AlcError, CancelledError
from alc_core.phrasing import error_line
from alc_core.runtime.machine import BACKGROUND_NICE, give_way
from alc_core.runtime.progress import CancelCallback, Progress, ProgressCallback, Reporter

logger = logging.getLogger(__name__)

# Seconds without the page after which a job stops
ABANDONED_AFTER = 300.0
UNEXPECTED = "Something went wrong. Try again, or report the last log line (without data)."
OUT_OF_MEMORY = "Not enough memory. Close programs, or use fewer columns or rows."

T = TypeVar("T")
Work = Callable[[ProgressCallback, CancelCallback], T]


class JobStatus(enum.Enum):
    """Stage of a job."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(Generic[T]):
    """A job at one moment."""

    status: JobStatus
    progress: Progress
    result: T | None = None
    message: str = ""  # Why it failed, for the user


class Job(Generic[T]):
    """Work in its own thread, started at creation."""

    def __init__(self, work: Work[T], *, abandoned_after: float = ABANDONED_AFTER) -> None:
        self._work: Work[T] | None = work
        self._abandoned_after = abandoned_after
        self._cancel = threading.Event()
        self._forgotten = False
        self.abandoned = False  # Whether it stopped because nobody looked
        self._started = self._seen = time.monotonic()
        self.snapshot: Snapshot[T] = Snapshot(
            status=JobStatus.RUNNING, progress=Progress(stage="Starting")
        )
        self._thread = threading.Thread(target=self._run, name="alc-job", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the work continues."""
        return self.snapshot.status is JobStatus.RUNNING

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop and has not yet."""
        return self.running and (self._cancel.is_set() or self.abandoned)

    def collect(self) -> Snapshot[T] | None:
        """Note a look at the job; return its end, if ended."""
        self.heartbeat()
        snapshot = self.snapshot
        return None if snapshot.status is JobStatus.RUNNING else snapshot

    def heartbeat(self) -> None:
        """Note a look at the job."""
        self._seen = time.monotonic()

    def cancel(self) -> None:
        """Stop the work at its next report."""
        self._cancel.set()

    def forget(self) -> None:
        """Stop the work, and keep no result."""
        self._forgotten = True
        self.cancel()
        if not self.running:
            self._end(JobStatus.CANCELLED, "")

    def wait(self, timeout: float) -> bool:
        """Wait for the end; return whether it came."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _should_stop(self) -> bool:
        if time.monotonic() - self._seen > self._abandoned_after:
            self.abandoned = True
        return self.abandoned or self._cancel.is_set()

    def _report(self, progress: Progress) -> None:
        self.snapshot = Snapshot(status=JobStatus.RUNNING, progress=progress)

    def _run(self) -> None:
        if sys.platform == "linux":  # elsewhere threads share a priority
            give_way(BACKGROUND_NICE)
        # Free the work's tables with the work, not the job
        work, self._work = self._work, None
        try:
            result = None if work is None else work(self._report, self._should_stop)
        except CancelledError as error:
            self._end(JobStatus.CANCELLED, str(error))
        except AlcError as error:
            self._end(JobStatus.FAILED, error_line(error))
        except MemoryError:
            self._end(JobStatus.FAILED, OUT_OF_MEMORY)
        except Exception as error:  # noqa: BLE001 - whatever it is, the page gets a plain message
            log_place(error)
            self._end(JobStatus.FAILED, UNEXPECTED)
        else:
            progress = self.snapshot.progress
            self.snapshot = Snapshot(status=JobStatus.DONE, progress=progress, result=result)
            if self._forgotten:
                self._end(JobStatus.CANCELLED, "")

    def _end(self, status: JobStatus, message: str) -> None:
        progress = self.snapshot.progress
        self.snapshot = Snapshot(status=status, progress=progress, message=message)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """A page's short work, and the taker of its result."""

    title: str
    job: Job[Any]
    take: Callable[[Any], object]  # Takes the result


class Tasks(dict[str, Task]):
    """Short jobs by key, and failures."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: dict[str, str] = {}
        self.abandoned: set[str] = set()  # Stopped because nobody looked

    def start(
        self,
        key: str,
        title: str,
        work: Callable[[Reporter], Any],
        *,
        take: Callable[[Any], object],
        instead: bool = False,
    ) -> None:
        """Start work, unless its key is busy."""
        if key in self and self[key].job.running:
            if not instead:
                return
            self[key].job.forget()
        self.messages.pop(key, None)
        self.abandoned.discard(key)
        job = Job(lambda progress, cancel: work(Reporter(progress=progress, cancel=cancel)))
        self[key] = Task(title=title, job=job, take=take)

    def collect(self) -> None:
        """Hand over the results of ended jobs."""
        for key, task in list(self.items()):
            if (snapshot := task.job.collect()) is None:
                continue
            del self[key]
            if snapshot.status is JobStatus.DONE:
                task.take(snapshot.result)
            else:
                self.messages[key] = snapshot.message or "Cancelled."
                self.abandoned |= {key} if task.job.abandoned else set()

    def forget(self, *keys: str) -> None:
        """Stop work, and forget its result and end."""
        for key in keys:
            self.messages.pop(key, None)
            if task := self.pop(key, None):
                task.job.forget()


def log_place(error: Exception) -> None:
    """Log an unexpected error's type and place, never its text: that may quote data."""
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{PurePath(f.filename).name}:{f.lineno}" for f in reversed(frames[-4:]))
    logger.error("Unexpected %s at %s", type(error).__name__, places)
