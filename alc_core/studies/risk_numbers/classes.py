"""Rows in classes of equal labels; l-diversity, t-closeness."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import BoolArray, FloatArray, IntArray
from alc_core.tables.households import joined
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.value_sets import SUPPRESSED_CELL
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.texts import label_codes, numeric_values


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassedRows:
    """The rows of a table by class."""

    # Of each class by column; missing has its own code
    codes: IntArray
    hidden: BoolArray  # Whether that label is suppressed
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

    def shared_by(self, person: IntArray) -> IntArray:
        """Return how many people share the rarest combination of each person's rows."""
        pairs = np.unique(np.column_stack([person, self.of_rows])[~self.nothing_told[self.of_rows]],
                          axis=0)  # fmt: skip
        people = np.bincount(pairs[:, 1], minlength=len(self.sizes))[pairs[:, 1]]
        starts = np.flatnonzero(np.diff(pairs[:, 0], prepend=-1))
        return np.minimum.reduceat(people, starts) if len(pairs) else people

    @property
    def nothing_told(self) -> BoolArray:
        """Classes with all values suppressed."""
        return np.asarray(self.hidden.all(axis=1), dtype=bool)

    @property
    def partly_hidden(self) -> BoolArray:
        """Classes with some values suppressed."""
        return np.asarray(self.hidden.any(axis=1) & ~self.nothing_told, dtype=bool)


def numbered_rows(codes: Sequence[IntArray], n_rows: int) -> IntArray:
    """Return row numbers from 0, equal for equal codes."""
    return functools.reduce(joined, codes, np.zeros(n_rows, dtype=np.int64))


def _codes(series: pd.Series, suppressed: Collection[str]) -> tuple[IntArray, BoolArray]:
    codes, labels = label_codes(series)
    hides = np.array([*(label in suppressed for label in labels), SUPPRESSED_CELL in suppressed])
    hidden = hides[codes]
    # After labels: one code for missing, one for suppressed
    numbers = np.where(codes < 0, len(labels), codes).astype(np.int64)
    return np.where(hidden, len(labels) + 1, numbers), hidden


# Highest risk for the European Medicines Agency (policy 0070) and Health Canada
USUAL_THRESHOLD = 0.09
_BAND_STARTS = (1, 2, 3, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeBand:
    """Rows in classes of about the same size."""

    label: str  # The sizes in words
    rows: int  # Rows in such classes
    share: float  # Of all rows in classes


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSizes:
    """Rows by how many people share their combination."""

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
        """The k of k-anonymity; 0 without classes."""
        return self.sizes[0] if self.sizes else 0

    @property
    def highest_risk(self) -> float:
        """One over the smallest class: highest prosecutor's or journalist's risk."""
        return 1.0 / self.sizes[0] if self.sizes else 0.0

    @property
    def mean_risk(self) -> float:
        """Mean of one over the class size: share of rows that random guesses find."""
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
        """Return the share of rows with a risk above a threshold; see :func:`least_size`."""
        return self.below(least_size(threshold))

    def bands(self) -> tuple[SizeBand, ...]:
        """Return the rows by ranges of sizes, for a histogram."""
        sizes, rows = np.array(self.sizes), np.array(self.rows, dtype=np.int64)
        found = []
        for least, end in itertools.pairwise((*_BAND_STARTS, math.inf)):
            label = f"{least}+" if end == math.inf else f"{least}-{end - 1}"
            number = int(rows[(sizes >= least) & (sizes < end)].sum())
            found.append(
                SizeBand(
                    label=str(least) if end == least + 1 else label,
                    rows=number,
                    share=number / self.total if self.total else 0.0,
                )
            )
        return tuple(found)


def least_size(threshold: float) -> int:
    """Return the smallest class size a risk threshold allows.

    Guidelines write 0.09 for classes of 11: a rounded 1 / k.

    Examples
    --------
    >>> [least_size(threshold) for threshold in (0.7, 0.5, 0.4, 0.33, 0.2, 0.09, 0.05)]
    [2, 2, 3, 3, 5, 11, 20]
    """
    nearest = max(1, round(1.0 / threshold))
    decimals = len(f"{threshold}".partition(".")[2])
    is_rounded = round(1.0 / nearest, decimals) == threshold
    return nearest if is_rounded else math.ceil(1.0 / threshold)


_MOST_WORK = 200_000_000  # Most classes times columns compared


def sizes_with_any_value(classes: ClassedRows) -> ClassSizes | None:
    """Count rows that may be each row's person; suppressed values are any.

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
    both = np.concatenate([one, other])
    columns = [classes.codes[both, column] for column in told]
    place = numbered_rows(columns, len(both))
    rows = np.bincount(place[len(one) :], weights=classes.sizes[other], minlength=len(both))
    return rows[place[: len(one)]].astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diversity:
    """Spread of a protected column's values over classes."""

    column: str
    distinct: int  # Fewest different values in a class: distinct l-diversity
    entropy: float  # Least exponential of the entropy in a class: entropy l-diversity
    one_value: float  # Share of rows in classes with a single value
    # Largest distance of a class's distribution from the table's: t-closeness
    closeness: float
    # Whether it is of ordered numbers; else values are equally distant
    ordered: bool
    values: int  # Different values in the table
    without_value: int  # Rows in classes with a missing value, excluded


def measure_diversity(
    column: str, kind: ColumnKind, values: pd.Series, of_rows: IntArray, in_class: NDArray[np.bool_]
) -> Diversity | None:
    """Measure a protected column's spread over classes.

    References
    ----------
    Machanavajjhala and others (2007), l-diversity. Li, Li and Venkatasubramanian (2007),
    t-closeness.
    """
    codes, ordered = _ordered_codes(kind, values)
    present = codes >= 0
    used = in_class & present
    if not used.any():
        return None
    whole = np.bincount(codes[present]).astype(np.float64)
    cells = _Cells.of(of_rows[used], codes[used], len(whole))
    share = cells.rows / cells.totals[cells.place]
    entropy = np.bincount(cells.place, weights=-share * np.log(share))
    distinct = np.bincount(cells.place)
    whole /= whole.sum()
    measure = _ordered_distances if ordered else _equal_distances
    return Diversity(
        column=column,
        distinct=int(distinct.min()),
        entropy=float(np.exp(max(0.0, entropy.min()))),
        one_value=float(cells.totals[distinct == 1].sum() / cells.totals.sum()),
        closeness=float(np.clip(measure(cells, share, whole).max(), 0.0, 1.0)),
        ordered=ordered,
        values=int(np.count_nonzero(whole)),
        without_value=int(np.count_nonzero(in_class & ~present)),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Cells:
    place: IntArray
    value: IntArray
    rows: FloatArray
    totals: FloatArray

    @classmethod
    def of(cls, classes: IntArray, codes: IntArray, n_values: int) -> _Cells:
        pairs, rows = np.unique(classes * n_values + codes, return_counts=True)
        _, place = np.unique(pairs // n_values, return_inverse=True)
        counted: FloatArray = rows.astype(np.float64)
        return cls(
            place=place.astype(np.int64),
            value=pairs % n_values,
            rows=counted,
            totals=np.bincount(place, weights=counted).astype(np.float64),
        )


def _equal_distances(cells: _Cells, share: FloatArray, whole: FloatArray) -> FloatArray:
    above = np.maximum(share - whole[cells.value], 0.0)
    return np.bincount(cells.place, weights=above).astype(np.float64)


def _ordered_distances(cells: _Cells, share: FloatArray, whole: FloatArray) -> FloatArray:
    """Return classes' earth mover's distance from the whole, by ranks.

    The mean over ranks of the absolute difference of the cumulative distributions; a class's is
    constant between its values.
    """
    steps = len(whole) - 1
    if steps < 1:
        return np.zeros(len(cells.totals))
    below = np.cumsum(whole)[:-1]
    summed = np.concatenate([[0.0], np.cumsum(below)])
    starts = np.flatnonzero(np.diff(cells.place, prepend=-1))
    ends = np.append(cells.value[1:], steps)
    ends[np.append(starts[1:] - 1, len(ends) - 1)] = steps
    cumulated = np.cumsum(share)
    before = np.concatenate([[0.0], cumulated])[starts]
    level = cumulated - before[cells.place]
    crossing = np.clip(np.searchsorted(below, level), cells.value, ends)
    area = (
        level * (2 * crossing - cells.value - ends)
        + summed[ends] + summed[cells.value] - 2 * summed[crossing]
    )  # fmt: skip
    first = summed[cells.value[starts]]
    found: FloatArray = (np.bincount(cells.place, weights=area) + first) / steps
    return found


def _ordered_codes(kind: ColumnKind, values: pd.Series) -> tuple[IntArray, bool]:
    """Return values as numbers from 0, ordered if possible; -1 if missing."""
    codes, labels = label_codes(values)
    if not kind.is_numeric:
        return codes.astype(np.int64), False
    texts = pd.Series(labels, dtype=object)
    numbers = datetime_values(texts) if kind is ColumnKind.DATETIME else numeric_values(texts)
    if np.isnan(numbers).any():
        return codes.astype(np.int64), False
    rank = np.unique(numbers, return_inverse=True)[1]
    return np.append(rank, -1)[codes].astype(np.int64), True
