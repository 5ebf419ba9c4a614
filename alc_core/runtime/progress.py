"""Progress of long work, and asking it to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from alc_core.errors import CancelledError

CancelCallback = Callable[[], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is."""

    stage: str  # What is being done, in words for the user
    # What is counted: empty while tables are prepared, "turns" while others run first
    of: Literal["", "attacks", "people", "turns"] = ""
    # Units of work; `total` is the most that may be needed, so a run may end before it
    done: int = 0
    total: int = 0
    seconds_left: float | None = None  # Estimated, where that is possible
    # The earliest and latest end by the clock of time.monotonic, where they can be estimated
    ends: tuple[float, float] | None = None
    remark: str = ""  # What was found so far, in words for the user

    @property
    def fraction(self) -> float:
        """Share done, 0 where the total is not known."""
        return min(1.0, self.done / self.total) if self.total else 0.0


ProgressCallback = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporter:
    """Passes progress on, and raises where the caller asks to stop."""

    progress: ProgressCallback | None = None
    cancel: CancelCallback | None = None

    def of(self, name: str) -> Reporter:
        """Return a reporter that says of what each stage is, such as of a release."""
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
