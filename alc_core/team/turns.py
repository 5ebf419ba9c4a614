"""Turns to run: a limited number at once, in order of arrival."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from alc_core.runtime.progress import CancelCallback, Progress, ProgressCallback, Reporter

_LOOK_EVERY = 0.5  # Seconds between checks for cancellation


@dataclass(slots=True, eq=False)
class _Turn:
    progress: Progress = field(default_factory=lambda: Progress(stage="Starting"))


class Turns:
    """The processors' queue; at most `at_once` run."""

    def __init__(self, at_once: int | None = None) -> None:
        self._at_once = at_once
        self._changed = threading.Condition()
        self._turns: list[_Turn] = []

    @property
    def running(self) -> int:
        """How many have their turn."""
        return min(len(self._turns), len(self._turns) if self._at_once is None else self._at_once)

    @property
    def waiting(self) -> int:
        """How many wait for theirs."""
        return len(self._turns) - self.running

    @contextmanager
    def taken(
        self, progress: ProgressCallback, cancel: CancelCallback
    ) -> Iterator[ProgressCallback]:
        """Wait for a turn and hold it; yields what reports to those waiting.

        Raises :class:`CancelledError` if cancelled.
        """
        turn = _Turn()

        def report(now: Progress) -> None:
            turn.progress = now
            progress(now)

        with self._changed:
            self._turns.append(turn)
        try:
            with self._changed:
                while before := self._before(turn):
                    waiting = Progress(
                        stage="Waiting for a turn",
                        of="turns",
                        total=before,
                        seconds_left=self._until(before),
                    )
                    Reporter(progress=progress, cancel=cancel).report_progress(waiting)
                    self._changed.wait(_LOOK_EVERY)
            yield report
        finally:
            with self._changed:
                self._turns.remove(turn)
                self._changed.notify_all()

    def _before(self, turn: _Turn) -> int:
        place = self._turns.index(turn)
        return 0 if self._at_once is None else max(0, place + 1 - self._at_once)

    def _until(self, ended: int) -> float | None:
        """Return the seconds until `ended` running jobs have finished; None if unknown."""
        left = [each.progress.seconds_left for each in self._turns[: self._at_once]]
        known = sorted(seconds for seconds in left if seconds is not None)
        return known[ended - 1] if ended <= len(known) else None
