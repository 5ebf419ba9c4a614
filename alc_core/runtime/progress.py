"""Progress and cancellation of long work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from alc_core.errors import CancelledError

CancelCallback = Callable[[], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Progress of a run."""

    stage: str  # Current stage, for the user
    # Of `done`: empty while preparing, "turns" while other runs go first
    of: Literal["", "attacks", "people", "turns"] = ""
    # `total` is an upper bound
    done: int = 0
    total: int = 0
    seconds_left: float | None = None  # None if unknown
    # Earliest and latest end by time.monotonic; None if unknown
    ends: tuple[float, float] | None = None
    remark: str = ""  # Findings so far, for the user

    @property
    def fraction(self) -> float:
        """Share done; 0 if the total is unknown."""
        return min(1.0, self.done / self.total) if self.total else 0.0


ProgressCallback = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporter:
    """Passes progress on, and raises if cancelled."""

    progress: ProgressCallback | None = None
    cancel: CancelCallback | None = None

    def of(self, name: str) -> Reporter:
        """Return a reporter that prefixes stages, such as with a release."""
        tell = self.progress
        if tell is None:
            return self

        def progress(now: Progress) -> None:
            tell(replace(now, stage=f"{name}: {now.stage[0].lower()}{now.stage[1:]}"))

        return replace(self, progress=progress)

    def report(
        self, stage: str, done: int = 0, total: int = 0, of: Literal["", "people"] = ""
    ) -> None:
        """Report a stage; see :meth:`report_progress`."""
        self.report_progress(Progress(stage=stage, done=done, total=total, of=of))

    def report_progress(self, progress: Progress) -> None:
        """Report, unless the run is cancelled."""
        if self.cancel is not None and self.cancel():
            raise CancelledError("The run was cancelled. Nothing was saved.")
        if self.progress is not None:
            self.progress(progress)
