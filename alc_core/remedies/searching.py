"""Looking for changes after which no attack is flagged: columns alone, alike, then two at once."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from alc_core.errors import InputError
from alc_core.phrasing import numbered
from alc_core.remedies.changes import Change, DropColumn, Remedy, remedy_words
from alc_core.remedies.proposing import swaps
from alc_core.remedies.results import RemedyTrial, in_order, progress_of
from alc_core.remedies.trying import Trials
from alc_core.runtime.progress import Progress, Reporter

_PARTNERS = 4
"""Columns that the best one is paired with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """When a search ends."""

    trials: int = 80  # Changes that are tried at most
    seconds: float = 600.0  # After this time nothing new is begun
    # Flagged attacks that are run again at most, the worst of each unknown column first
    attacks: int = 30


@dataclass(slots=True, kw_only=True, eq=False)
class Search:
    """A search under way."""

    trials: Trials  # What tries changes
    columns: Sequence[str]  # Candidates, the most promising first
    unknown: Sequence[str]  # The columns that flagged attacks want
    # How each candidate is coarsened, from mild to strong
    ladders: Mapping[str, tuple[Change, ...]]
    limits: SearchLimits  # When it ends
    reporter: Reporter  # Receives the progress; raises to cancel
    found: dict[Remedy, RemedyTrial] = field(default_factory=dict)  # What was tried
    # When, by the clock that never goes back
    started: float = field(default_factory=time.monotonic)

    def run(self) -> tuple[RemedyTrial, ...]:
        """Try everything within the limits; return the trials, the best first."""
        for column in self.columns:
            self._column(column)
        if len(self.unknown) > 1:
            self._ladder([swaps(column) for column in self.unknown])
        if len(self.columns) > 1:
            self._ladder([self.ladders[column] for column in self.columns])
        if not any(trial.suffices for trial in self.found.values()):
            self._pairs()
        self._finish_best()
        return in_order(list(self.found.values()))

    @property
    def ended(self) -> str:
        """Why the search ended early; empty where it did not."""
        if len(self.found) >= self.limits.trials:
            return f"The search ended after {numbered(len(self.found), 'trial')}."
        if time.monotonic() - self.started > self.limits.seconds:
            return f"The search ended after {self.limits.seconds:.0f} seconds."
        return ""

    def _attempt(self, changes: Remedy, *, all_of_them: bool = False) -> bool:
        """Try changes unless the search has ended; return whether they suffice."""
        known = self.found.get(changes)
        if known is not None and (known.complete or not all_of_them):
            return known.suffices
        if self.ended:
            return False
        self.reporter.report_progress(
            Progress(
                stage="Trying changes",
                done=len(self.found),
                total=self.limits.trials,
                remark=f"{remedy_words(changes)}.{self._found_so_far()}",
            )
        )
        try:
            trial = self.trials.attempt(changes, all_of_them=all_of_them, reporter=self.reporter)
        except InputError:  # nothing of the release is left
            return False
        self.found[changes] = trial
        return trial.suffices

    def _found_so_far(self) -> str:
        enough = sum(trial.suffices for trial in self.found.values())
        return f" {enough} would do so far." if enough else ""

    def _column(self, column: str) -> None:
        """Try to drop a column; where that suffices, or it is a secret, try what is milder.

        A known column that an attacker can do without needs no milder change: whoever attacks can
        ignore it.
        """
        drop = (DropColumn(column=column),)
        if self._attempt(drop):
            self._ladder([self.ladders[column]])
            self._ladder([swaps(column)])

    def _ladder(self, ladders: Sequence[Sequence[Change]]) -> Remedy | None:
        """Try changes of columns step by step until they suffice; return those that do."""
        steps = max(map(len, ladders), default=0)
        for step in range(steps):
            changes = tuple(ladder[min(step, len(ladder) - 1)] for ladder in ladders if ladder)
            if self._attempt(changes):
                return changes
        return None

    def _pairs(self) -> None:
        """Drop the best single column with each of the next best; soften what suffices."""
        singles = sorted(
            (changes for changes in self.found if len(changes) == 1),
            key=lambda changes: progress_of(self.found[changes]),
        )
        columns = list(dict.fromkeys(changes[0].column for changes in singles))
        for other in columns[1 : 1 + _PARTNERS]:
            pair = (DropColumn(column=columns[0]), DropColumn(column=other))
            if self._attempt(pair):
                self._soften(pair)

    def _soften(self, pair: Remedy) -> None:
        """Try milder changes of one column after the other, as long as they suffice."""
        for place, dropped in enumerate(pair):
            ladders: Iterable[Sequence[Change]] = (
                self.ladders[dropped.column],
                swaps(dropped.column),
            )
            milder = [
                found
                for ladder in ladders
                if (found := self._first_that_suffices(pair, place, ladder)) is not None
            ]
            if milder:
                pair = min(milder, key=lambda changes: self.found[changes].loss)

    def _first_that_suffices(
        self, pair: Remedy, place: int, ladder: Sequence[Change]
    ) -> Remedy | None:
        for change in ladder:
            changes = (*pair[:place], change, *pair[place + 1 :])
            if self._attempt(changes):
                return changes
        return None

    def _finish_best(self) -> None:
        """Run all attacks on what came closest, where nothing suffices."""
        trials = in_order(list(self.found.values()))
        if trials and not trials[0].suffices and not trials[0].complete:
            changes = next(each for each, trial in self.found.items() if trial is trials[0])
            self.found[changes] = self.trials.attempt(
                changes, all_of_them=True, reporter=self.reporter
            )
