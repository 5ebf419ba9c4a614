"""What classes tell of a protected column: l-diversity and t-closeness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.table import ColumnKind
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.texts import label_codes, numeric_values

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diversity:
    """How the values of a protected column are spread over the classes."""

    column: str
    distinct: int  # Fewest different values in a class: distinct l-diversity
    entropy: float  # Least exponential of the entropy in a class: entropy l-diversity
    one_value: float  # Share of the rows whose class has a single value of the column
    # Largest distance of a class's distribution from that of the whole table: t-closeness
    closeness: float
    # Whether the distance is that of ordered numbers; else all values are equally far apart
    ordered: bool
    values: int  # Different values in the table
    without_value: int  # Rows in classes without a value; they take no part


def measure_diversity(
    column: str, kind: ColumnKind, values: pd.Series, of_rows: IntArray, in_class: NDArray[np.bool_]
) -> Diversity | None:
    """Measure how a protected column is spread over classes.

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
    """The values that occur in each class, by class and then by value."""

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
    """Return how far each class is from the whole, with all values equally far apart."""
    above = np.maximum(share - whole[cells.value], 0.0)
    return np.bincount(cells.place, weights=above).astype(np.float64)


def _ordered_distances(cells: _Cells, share: FloatArray, whole: FloatArray) -> FloatArray:
    """Return the earth mover's distance of each class from the whole, by ranks of the values.

    It is the mean over ranks of the absolute difference of the two cumulative distributions. That
    of a class is constant between two of its values, so that only these are gone through.
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
    """Return the values as numbers from 0, in order where they have one; -1 where missing."""
    codes, labels = label_codes(values)
    if not kind.is_numeric:
        return codes.astype(np.int64), False
    texts = pd.Series(labels, dtype=object)
    numbers = datetime_values(texts) if kind is ColumnKind.DATETIME else numeric_values(texts)
    if np.isnan(numbers).any():
        return codes.astype(np.int64), False
    rank = np.unique(numbers, return_inverse=True)[1]
    return np.append(rank, -1)[codes].astype(np.int64), True
