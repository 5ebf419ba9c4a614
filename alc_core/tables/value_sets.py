"""What a label may stand for: labels, an interval, anything; and the values it is taken of."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.errors import ParameterError
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.texts import label_counts, numeric_values, parse_numbers

SUPPRESSED_CELL = ""
"""Stands for an empty cell where labels are named."""


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers between two bounds; for dates, days since 1970.

    Attributes
    ----------
    low, high : float
        The bounds; infinite where there is none.
    low_open, high_open : bool
        Whether the bound itself is left out.

    Raises
    ------
    ParameterError
        If the interval is empty.

    Examples
    --------
    >>> 40 in Interval(20, 40), 40 in Interval(20, 40, high_open=True)
    (True, False)
    """

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False

    def __post_init__(self) -> None:
        least, most = self.closed_bounds
        if not least <= most:
            raise ParameterError(f"An interval from {self.low} to {self.high} covers nothing.")

    @property
    def closed_bounds(self) -> tuple[float, float]:
        """Least and greatest number covered."""
        low = math.nextafter(self.low, math.inf) if self.low_open else self.low
        return low, math.nextafter(self.high, -math.inf) if self.high_open else self.high

    def __contains__(self, value: float) -> bool:
        low, high = self.closed_bounds
        return low <= value <= high


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Every value of a column, a missing one included: what a suppressed cell stands for."""


ANY = AnyValue()
"""What a suppressed cell stands for."""

ValueSet = AbstractSet[str] | Interval | AnyValue
"""What a label stands for: labels of a categorical column, an interval of numbers, or anything."""


class Domain:
    """A column of the original, as what labels cover is worked out."""

    def __init__(self, series: pd.Series, *, numeric: bool, of_dates: bool = False) -> None:
        self.series = series
        self.numeric = numeric
        self.of_dates = of_dates

    @cached_property
    def rows(self) -> FloatArray:
        """Number or day of every row, NaN where there is none."""
        return datetime_values(self.series) if self.of_dates else numeric_values(self.series)

    @cached_property
    def _counted(self) -> tuple[FloatArray, IntArray]:
        present = self.rows[~np.isnan(self.rows)]
        values, counts = np.unique(present, return_counts=True)
        return values.astype(np.float64), counts.astype(np.int64)

    @property
    def numbers(self) -> FloatArray:
        """The distinct numbers or days, ascending."""
        return self._counted[0]

    @property
    def number_counts(self) -> IntArray:
        """Rows of each distinct number or day."""
        return self._counted[1]

    @cached_property
    def labels(self) -> pd.Series:
        """Rows per canonical label."""
        return label_counts(self.series)

    @cached_property
    def label_numbers(self) -> FloatArray:
        """The labels as numbers, NaN where they are none."""
        return parse_numbers([str(label) for label in self.labels.index])

    @cached_property
    def _sorted_labels(self) -> list[str]:
        return sorted(str(label) for label in self.labels.index)

    def labels_from(self, start: str) -> list[str]:
        """Return the labels that begin with a text, in order of characters."""
        labels = self._sorted_labels
        first = bisect_left(labels, start)
        return labels[first : bisect_right(labels, start, lo=first, key=lambda x: x[: len(start)])]

    def has(self, label: str) -> bool:
        """Return whether the original has a label itself."""
        return label in self.labels.index

    def chosen(self, value_set: ValueSet) -> NDArray[np.bool_]:
        """Return which distinct values a set covers: numbers ascending, or labels in order.

        An interval covers nothing of a column without distances; its labels have to be named.
        """
        size = len(self.numbers) if self.numeric else len(self.labels)
        if isinstance(value_set, AnyValue):
            return np.ones(size, dtype=bool)
        if isinstance(value_set, Interval):
            if not self.numeric:
                return np.zeros(size, dtype=bool)
            low, high = value_set.closed_bounds
            return (self.numbers >= low) & (self.numbers <= high)
        if self.numeric:
            return np.zeros(size, dtype=bool)
        return np.asarray(self.labels.index.isin(list(value_set)), dtype=bool)

    def share(self, value_set: ValueSet) -> float:
        """Return the share of the original's rows with a value that have one a set covers."""
        counts = self.number_counts if self.numeric else self.labels.to_numpy()
        return float(counts[self.chosen(value_set)].sum()) / max(1, int(counts.sum()))
