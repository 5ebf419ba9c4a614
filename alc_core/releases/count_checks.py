"""Checking published counts against the original."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from alc_core.releases.count_tables import CountTable
from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.checks.finding import Finding, Severity, worst_first
from alc_core.tables.table import Table

_MOST_PEOPLE = 20_000  # Cells are checked as so many people at most, in proportion
_OTHER_SIZE = 0.5


class CountsChecker:
    """Checks counts against the original; what several scenarios share is looked at once."""

    def __init__(self, original: Table, cells: Sequence[CountTable]) -> None:
        self._original, self._cells = original, tuple(cells)

    @cached_property
    def _found(self) -> tuple[Finding, ...]:
        return tuple(_count_findings(self._original, self._cells))

    @cached_property
    def _people(self) -> TableChecker:
        people = [people_counted(found) for found in self._cells]
        return TableChecker(self._original, people, as_rows=False)

    def findings(self, **scenario: Any) -> tuple[Finding, ...]:
        """Return what would break or mislead an attack, worst first."""
        return tuple(worst_first((*self._found, *self._people.findings(**scenario))))


def people_counted(cells: CountTable) -> Table:
    """Return a row for each person that a table counts, or for as many in proportion."""
    people = np.maximum(cells.people, 0.0)
    share = min(1.0, _MOST_PEOPLE / max(1.0, float(people.sum())))
    rows = np.repeat(np.arange(len(people)), np.rint(people * share).astype(np.int64))
    frame = cells.table.frame.iloc[rows].reset_index(drop=True)
    return replace(cells.table, frame=frame if len(frame) else cells.table.frame)


def _count_findings(original: Table, cells: Sequence[CountTable]) -> Iterator[Finding]:
    """Find what is wrong with the counts themselves, and say how they were understood."""
    notes: dict[str, dict[str, None]] = {}
    for found in cells:
        yield from _unreadable(found)
        yield from _sums(original, found)
        notes.setdefault(found.table.name, {}).update(dict.fromkeys(found.notes))
    for name, told in notes.items():
        if told:
            yield Finding.of(Severity.INFO, "counts-read", name, notes=tuple(told))


def _unreadable(found: CountTable) -> Iterator[Finding]:
    if found.unreadable:
        one = len(found.unreadable) == 1
        yield Finding.of(
            Severity.ERROR, "count-is-no-number", found.table.name, found.column,
            labels=tuple(found.unreadable), one=one, several=not one,
        )  # fmt: skip


def _sums(original: Table, found: CountTable) -> Iterator[Finding]:
    """Say how many people are counted; warn where they are far from the original's."""
    total, people = float(found.people.sum()), len(original)
    negative = int((found.people < 0).sum())
    fractions = bool((found.people != np.rint(found.people)).any())
    if negative or fractions:
        yield Finding.of(
            Severity.INFO, "noisy-counts", found.table.name,
            negative=negative or None, counts=len(found.people), fractions=fractions,
        )  # fmt: skip
    if not people * _OTHER_SIZE <= total <= people / _OTHER_SIZE:
        yield Finding.of(
            Severity.WARNING, "other-number-of-people", found.table.name,
            columns=found.table.columns, counted=round(total), people=people,
        )  # fmt: skip
