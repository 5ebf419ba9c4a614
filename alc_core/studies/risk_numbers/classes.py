"""Rows of a table by class: those with the same labels in all chosen columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.errors import ParameterError
from alc_core.tables.table import Table
from alc_core.tables.value_sets import SUPPRESSED_CELL
from alc_core.tables.values.texts import label_codes

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassedRows:
    """The rows of a table by class."""

    # Label of each class in each column; a missing value has a code of its own, too
    codes: IntArray
    hidden: BoolArray  # Whether that label is a suppressed value
    sizes: IntArray  # Rows of each class
    first: IntArray  # The first row of each class
    of_rows: IntArray  # Class of each row

    @classmethod
    def of(
        cls,
        table: Table,
        columns: Sequence[str],
        suppressed: Mapping[str, Collection[str]] | None = None,
    ) -> Self:
        """Put the rows of a table into classes."""
        hiding = suppressed or {}
        read = [_codes(table.frame[column], hiding.get(column, ())) for column in columns]
        of_rows = numbered_rows([codes for codes, _ in read], len(table))
        sizes = np.bincount(of_rows)
        first = np.full(len(sizes), len(table), dtype=np.int64)
        np.minimum.at(first, of_rows, np.arange(len(table)))
        return cls(
            codes=np.column_stack([codes[first] for codes, _ in read]),
            hidden=np.column_stack([hidden[first] for _, hidden in read]),
            sizes=sizes.astype(np.int64),
            first=first,
            of_rows=of_rows,
        )

    @property
    def nothing_told(self) -> BoolArray:
        """Classes whose values are all suppressed: nobody can be found by them."""
        return np.asarray(self.hidden.all(axis=1), dtype=bool)

    @property
    def partly_hidden(self) -> BoolArray:
        """Classes of which some values are suppressed, and some are not."""
        return np.asarray(self.hidden.any(axis=1) & ~self.nothing_told, dtype=bool)


def numbered_rows(codes: Sequence[IntArray], n_rows: int) -> IntArray:
    """Return a number from 0 for each row, the same for the same codes."""
    found = np.zeros(n_rows, dtype=np.int64)
    for each in codes:
        width = int(each.max(initial=0)) + 1
        found = pd.factorize(found * width + each)[0].astype(np.int64)
    return found


def _codes(series: pd.Series, suppressed: Collection[str]) -> tuple[IntArray, BoolArray]:
    """Return each row's label as a number, and whether it is a suppressed value."""
    codes, labels = label_codes(series)
    hides = np.array([*(label in suppressed for label in labels), SUPPRESSED_CELL in suppressed])
    hidden = hides[codes]
    # After the labels: one code for a missing value, and one for all suppressed ones.
    numbers = np.where(codes < 0, len(labels), codes).astype(np.int64)
    return np.where(hidden, len(labels) + 1, numbers), hidden


USUAL_THRESHOLD = 0.09
"""Risk that the European Medicines Agency (policy 0070) and Health Canada take as the highest."""

_BAND_STARTS = (1, 2, 3, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeBand:
    """Rows in classes of about the same size."""

    least: int  # Smallest size
    most: int | None  # Largest size; None without an end
    rows: int  # Rows in such classes
    share: float  # Of all rows in classes

    @property
    def label(self) -> str:
        """The sizes in words."""
        if self.most is None:
            return f"{self.least}+"
        return f"{self.least}" if self.most == self.least else f"{self.least}-{self.most}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSizes:
    """Rows by how many people share their combination of values."""

    sizes: tuple[int, ...]  # The sizes that occur, ascending
    rows: tuple[int, ...]  # Rows whose class has each size

    @classmethod
    def of(cls, sizes: IntArray, rows: IntArray | None = None) -> Self:
        """Count the rows by size."""
        found, place = np.unique(sizes, return_inverse=True)
        weights = sizes if rows is None else rows
        counted = np.bincount(place, weights=weights, minlength=len(found)).astype(np.int64)
        return cls(sizes=tuple(found.tolist()), rows=tuple(counted.tolist()))

    @property
    def total(self) -> int:
        """Rows in classes."""
        return sum(self.rows)

    @property
    def smallest(self) -> int:
        """The k of k-anonymity; 0 where no row is in a class."""
        return self.sizes[0] if self.sizes else 0

    @property
    def highest_risk(self) -> float:
        """One over the smallest class: the prosecutor's or journalist's highest risk."""
        return 1.0 / self.sizes[0] if self.sizes else 0.0

    @property
    def mean_risk(self) -> float:
        """Mean of one over the class size: share of rows that random guesses in classes find."""
        if not self.sizes:
            return 0.0
        return float(np.dot(1.0 / np.array(self.sizes), self.rows) / self.total)

    @property
    def unique(self) -> float:
        """Share of rows that are alone in their class."""
        return self.below(2)

    def below(self, size: int) -> float:
        """Return the share of rows in classes of fewer than `size`."""
        rows = sum(n for each, n in zip(self.sizes, self.rows, strict=True) if each < size)
        return rows / self.total if self.total else 0.0

    def above_threshold(self, threshold: float) -> float:
        """Return the share of rows whose risk is above a threshold; see :func:`least_size`."""
        return self.below(least_size(threshold))

    def bands(self) -> tuple[SizeBand, ...]:
        """Return the rows by ranges of sizes, for a histogram."""
        ends = (*_BAND_STARTS[1:], None)
        sizes, rows = np.array(self.sizes), np.array(self.rows)
        found = []
        for least, end in zip(_BAND_STARTS, ends, strict=True):
            inside = (sizes >= least) & (sizes < (end or np.inf))
            number = int(rows[inside].sum()) if len(rows) else 0
            found.append(
                SizeBand(
                    least=least,
                    most=None if end is None else end - 1,
                    rows=number,
                    share=number / self.total if self.total else 0.0,
                )
            )
        return tuple(found)


def check_threshold(threshold: float) -> float:
    """Return a threshold of risk."""
    if not 0 < threshold <= 1:
        raise ParameterError(
            f"The threshold of risk is a probability above 0, such as 0.09, not {threshold:g}."
        )
    return threshold


def least_size(threshold: float) -> int:
    """Return the smallest class size that a threshold of risk allows.

    It is the nearest whole number, as guidelines use it: they write 0.09 and mean classes of 11.

    Examples
    --------
    >>> [least_size(threshold) for threshold in (0.5, 0.33, 0.2, 0.09, 0.05)]
    [2, 3, 5, 11, 20]
    """
    return max(1, round(1.0 / threshold))


_MOST_WORK = 200_000_000
"""Classes times columns that are compared; with more nothing is counted."""


def sizes_with_any_value(classes: ClassedRows) -> ClassSizes | None:
    """Count for each row the rows that may be the same person, suppressed values being any.

    References
    ----------
    Templ, Kowarik and Meindl (2015), Statistical disclosure control for micro-data using the R
    package sdcMicro.
    """
    hidden, n_classes = classes.hidden, len(classes.sizes)
    if not classes.partly_hidden.any():
        return None
    pattern = numbered_rows(list(hidden.T.astype(np.int64)), n_classes)
    groups = [np.flatnonzero(pattern == number) for number in range(int(pattern.max()) + 1)]
    if len(groups) * n_classes * hidden.shape[1] > _MOST_WORK:
        return None
    alike = np.zeros(n_classes, dtype=np.int64)
    for one in groups:
        for other in groups:
            told = np.flatnonzero(~(hidden[one[0]] | hidden[other[0]]))
            alike[one] += _matching(classes, one, other, told)
    return ClassSizes.of(alike, classes.sizes)


def _matching(classes: ClassedRows, one: IntArray, other: IntArray, told: IntArray) -> IntArray:
    """Return the rows of other classes that agree with each class in the told columns."""
    both = np.concatenate([one, other])
    columns = [classes.codes[both, column] for column in told]
    place = numbered_rows(columns, len(both))
    rows = np.bincount(place[len(one) :], weights=classes.sizes[other], minlength=len(both))
    return rows[place[: len(one)]].astype(np.int64)
