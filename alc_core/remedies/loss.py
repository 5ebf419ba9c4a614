"""What a change costs: distances of marginals before and after, a dropped column lost in full."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from alc_core.errors import InputError
from alc_core.releases.release import Release
from alc_core.remedies.applying import ReleasedColumn
from alc_core.runtime.progress import Reporter
from alc_core.tables.table import Table
from alc_core.utility.coding import code_tables
from alc_core.utility.marginals import Marginals, compare_marginals

MOST_ROWS = 20_000
"""Rows of a table that are compared at most."""

_LOST = 1.0
"""Distance of what is not released."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """How far a release lies from its original."""

    # Mean total variation distance of the columns that the release has before any change
    columns: float
    pairs: float | None  # The same of each two of these columns; None where there are none

    @property
    def distance(self) -> float:
        """The distance that losses are told by: of pairs, where there are any."""
        return self.columns if self.pairs is None else self.pairs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UtilityScale:
    """Measures changed releases against the same rows of the original."""

    original: Table  # All of it: labels cover its values
    sample: Table  # The rows that are compared
    before: Marginals  # Of the unchanged release; what it has is what can be lost
    seed: int  # Of all that is random

    @classmethod
    def of(cls, original: Table, release: Release, *, seed: int) -> UtilityScale:
        """Measure the unchanged release."""
        sample = _sampled(original, seed)
        before = _marginals(original, sample, release, seed)
        return cls(original=original, sample=sample, before=before, seed=seed)

    def unchanged(self) -> Distances:
        """Return the distances of the unchanged release."""
        return self._over(self.before.columns, self.before.pairs)

    def measure(self, release: Release) -> Distances:
        """Return the distances of a changed release.

        Labels that stand for several values are spread evenly over the values that they cover.
        """
        try:
            after = _marginals(self.original, self.sample, release, self.seed)
        except InputError:  # none of the original's columns is left
            return self._over({}, {})
        return self._over(after.columns, after.pairs)

    def _over(
        self, columns: Mapping[str, float], pairs: Mapping[tuple[str, str], float]
    ) -> Distances:
        of_pairs = [pairs.get(pair, _LOST) for pair in self.before.pairs]
        return Distances(
            columns=float(np.mean([columns.get(name, _LOST) for name in self.before.columns])),
            pairs=float(np.mean(of_pairs)) if of_pairs else None,
        )


def _marginals(original: Table, sample: Table, release: Release, seed: int) -> Marginals:
    rng = np.random.default_rng([seed, 4])
    tables = [_sampled(_spread(original, table, seed), seed) for table in release.tables]
    coded = code_tables(sample, tables)
    return compare_marginals(coded, max_rows=MOST_ROWS, rng=rng, reporter=Reporter())


def _sampled(table: Table, seed: int) -> Table:
    if len(table) <= MOST_ROWS:
        return table
    rng = np.random.default_rng([seed, 5])
    rows = np.sort(rng.choice(len(table), size=MOST_ROWS, replace=False))
    return replace(table, frame=table.frame.iloc[rows].reset_index(drop=True))


def _spread(original: Table, table: Table, seed: int) -> Table:
    """Return a table whose labels for several values are replaced by one of these, at random."""
    frame = table.frame
    for number, column in enumerate(table.columns):
        if column not in original.columns:
            continue
        read = ReleasedColumn.of(original, table, column)
        if read.sets:
            rng = np.random.default_rng([seed, 6, number])
            frame = frame.assign(**{column: _drawn(read, rng).set_axis(frame.index)})
    return replace(table, frame=frame, value_sets={})


def _drawn(read: ReleasedColumn, rng: np.random.Generator) -> pd.Series:
    domain = read.domain
    if domain.numeric:
        values, single = domain.numbers, read.numbers
    else:
        values = np.array([str(label) for label in domain.labels.index], dtype=object)
        single = np.array([None if label in read.sets else label for label in read.labels], object)
    nothing = np.array([np.nan if domain.numeric else None], dtype=values.dtype)
    rows = np.append(single, nothing)[read.codes]
    for code, label in enumerate(read.labels):
        if label not in read.sets:
            continue
        chosen = np.flatnonzero(domain.chosen(read.sets[label]))
        if len(chosen):
            here = np.flatnonzero(read.codes == code)
            rows[here] = values[rng.choice(chosen, size=len(here))]
    return pd.Series(pd.to_datetime(rows, unit="D") if domain.of_dates else rows)
