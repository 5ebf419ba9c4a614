"""The paper's general-purpose attack: the nearest rows' unknown value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.attacks.protocol import AttackType, Predictions, Predictor
from alc_core.parameter import Parameter
from alc_core.releases.counts import Counts
from alc_core.releases.groups import Groups
from alc_core.releases.microdata import Microdata, RowsView
from alc_core.runtime.machine import available_threads
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import CountedValues, likeliest_right
from alc_core.tables.codes.sets import IntervalSets, SetColumn
from alc_core.tables.values.generalized import distinct_keys

# Match counts of a batch of targets stay below this (16 MB)
_COUNTED_CELLS = 2_000_000


class BestRowMatch:
    """Predict the modal value of the nearest released rows.

    The distance is the mean over the known columns (Gower): 0 or 1 if categorical, the difference
    over the range of all tables if continuous, 1 if the released table lacks the column. A missing
    value is 0 from another and 1 from any value. A generalized label is as far as the nearest
    value it covers. All rows at the minimum over all tables match; beside generalized labels each
    is weighted by one over the share of people it matches (:func:`row_weights`). A row with a
    generalized unknown value is shared over what it covers, a row of a group over its group's
    values. Ties go to the first value in label order. The rank score is (1 - distance) · M / C,
    with M of the C matching rows holding the predicted value.

    Parameters
    ----------
    by_rarity : bool, default False
        Weight each matching row by one over its value's frequency in the release, to find rare
        values.
    threads : int, optional
        One per processor by default; results do not depend on it.

    References
    ----------
    Francis and Wagner (2025), section 5.2, equation 9.

    Examples
    --------
    >>> BestRowMatch().name
    'best row match'
    """

    name: str = "best row match"
    accepts = (Microdata, Groups, Counts)

    def __init__(self, *, by_rarity: bool = False, threads: int | None = None) -> None:
        self.by_rarity, self.threads = by_rarity, threads

    def prepare(self, view: RowsView, rng: np.random.Generator) -> Predictor:  # noqa: ARG002
        """Return the predictor, which scans the released tables."""
        counts = (np.bincount(each.unknown, minlength=view.unknown.size) for each in view.tables)
        weights = 1 / np.maximum(sum(counts), 1) if self.by_rarity else 1.0

        def modal(counts: FloatArray, closeness: FloatArray) -> tuple[NDArray[np.intp], FloatArray]:
            counts = counts * weights
            codes = np.arange(counts.shape[1])
            best, right = likeliest_right(counts, codes, near=view.unknown.near)
            return best, closeness * (right / counts.sum(axis=1))

        matched = matching(view, modal, threads=self.threads)
        return lambda targets: Predictions.of(*matched(targets))


def shares_of_values(counts: FloatArray, closeness: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return each value's share among the nearest rows, and their closeness."""
    return counts / counts.sum(axis=1, keepdims=True), closeness


def matching(
    view: RowsView,
    read: Callable[[FloatArray, FloatArray], tuple[NDArray[Any], ...]] = shares_of_values,
    *,
    threads: int | None = None,
) -> Callable[[KnownValues], list[NDArray[Any]]]:
    """Return a function that reads the nearest rows' unknown values."""
    from alc_core.attacks.nearest_rows import GowerTable, alike_in_order, nearest_rows

    in_order = [table.take(alike_in_order(table.known)) for table in view.tables]
    counted = CountedValues.of(
        [(table.unknown, table.spread) for table in in_order], view.unknown.size
    )
    columns = (column for table in in_order for column in table.known.set_columns.values())
    n_labels = sum(len(column.labels) for column in columns)
    weights = row_weights([table.known for table in in_order])

    def read_portion(targets: KnownValues) -> tuple[NDArray[Any], ...]:
        tables = [
            GowerTable.of(table, targets, values, each)
            for table, values, each in zip(in_order, counted.numbers, weights, strict=True)
        ]
        distance, counts = nearest_rows(tables, counted.size)
        return read(counted.by_code(counts), 1 - distance / len(view.known))

    def read_all(targets: KnownValues) -> list[NDArray[Any]]:
        workers = threads or available_threads()
        largest = max(1, _COUNTED_CELLS // (counted.size + 2 * n_labels))
        n_portions = max(min(workers, len(targets)), -(-len(targets) // largest))
        portions = np.array_split(np.arange(len(targets)), n_portions)
        results = Parallel(n_jobs=workers, prefer="threads")(
            delayed(read_portion)(targets.take(rows)) for rows in portions
        )
        return [np.concatenate(parts) for parts in zip(*results, strict=True)]

    return read_all


BEST_ROW_MATCH = AttackType(
    name=BestRowMatch.name,
    method="Predicts the most frequent value of the closest rows (Gower).",
    reference="Francis and Wagner (2025), section 5.2",
    accepts=BestRowMatch.accepts,
    make=BestRowMatch,
    seconds=(0.03, 0.002),
    parameters=(
        Parameter(
            name="by_rarity",
            title="Rare values count more",
            help="Weights each row by the rarity of its value.",
            default=False,
        ),
    ),
)


# Mass spread evenly over a range, for labels that cover no single number
_BETWEEN = 1e-3
_BITS = 20  # Rounds weights, so sums do not depend on row order
_MOST_DOUBLED = 900  # Largest exponent of 2 of a weight, so sums stay finite


def row_weights(tables: Sequence[KnownValues]) -> list[FloatArray]:
    """Return the weights of rows at equal distance."""
    names = dict.fromkeys(name for known in tables for name in known.set_columns)
    if not names:
        return [np.broadcast_to(1.0, known.n_rows) for known in tables]
    weights = []
    for known in tables:
        # Products over many columns underflow: exponents are separate
        fitting, halved = np.ones(known.n_rows), np.zeros(known.n_rows, dtype=np.int64)
        for name in names:
            if name in known.set_columns:
                fitting *= set_shares(known.set_columns[name])
            elif name in known.columns:
                _, place, rows = np.unique(
                    distinct_keys(known.columns[name]), return_inverse=True, return_counts=True
                )
                fitting *= rows[place] / known.n_rows
            fitting, exponent = np.frexp(fitting)
            halved -= exponent
        mantissa, exponent = np.frexp(1.0 / fitting)
        weights.append((np.round(np.ldexp(mantissa, _BITS)), exponent + halved))
    most = max(int(doubled.max(initial=0)) for _, doubled in weights)
    shift = max(0, most - _MOST_DOUBLED)
    return [
        np.ldexp(rounded, np.maximum(doubled - shift, -_MOST_DOUBLED) - _BITS)
        for rounded, doubled in weights
    ]


def set_shares(column: SetColumn) -> FloatArray:
    """Return the share of people each row's value matches.

    Labels are spread over what they cover; suppressed values match everyone.
    """
    n_labels = len(column.labels)
    rows = np.bincount(column.codes, minlength=n_labels + 1)[:n_labels].astype(np.float64)
    rows[column.any_value] = 0.0
    is_single = column.codes == n_labels
    single = column.single[is_single]
    if isinstance(column.sets, IntervalSets):
        of_labels, of_single = _interval_shares(column.sets, rows, single.astype(np.float64))
    else:
        covered = column.sets.covered
        counts = np.bincount(single, minlength=covered.shape[1]).astype(np.float64)
        people = counts + rows @ column.sets.weights(counts)
        people /= max(people.sum(), 1.0)
        of_labels, of_single = covered @ people, people[single]
    of_labels[column.any_value] = 1.0
    shares = np.append(of_labels, 1.0)[column.codes]
    shares[is_single] = of_single
    return shares


def _interval_shares(
    sets: IntervalSets, rows: FloatArray, single: FloatArray
) -> tuple[FloatArray, FloatArray]:
    numbers = single[~np.isnan(single)]
    ends = np.unique([sets.low, sets.high])
    points = np.concatenate([numbers, (ends[:-1] + ends[1:]) / 2, sets.low])
    between = np.append(np.diff(ends), np.zeros(len(rows))) + sets.range / len(points)
    people = np.append(np.ones(len(numbers)), _BETWEEN * between / max(between.sum(), 1e-300))
    order = np.argsort(points, kind="stable")
    points, people = points[order], people[order]

    def inside(low: FloatArray, high: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        return np.searchsorted(points, low), np.searchsorted(points, high, side="right")

    first, last = inside(sets.low, sets.high)
    below = np.append(0.0, np.cumsum(people))
    more = rows / (below[last] - below[first])
    added = np.zeros(len(points) + 1)
    np.add.at(added, first, more)
    np.add.at(added, last, -more)
    below = np.append(0.0, np.cumsum(people * (1.0 + np.cumsum(added)[:-1])))
    missing = np.count_nonzero(np.isnan(single))
    at, after = inside(single, single)
    of_single = np.where(np.isnan(single), missing, below[after] - below[at])
    return (below[last] - below[first]) / (below[-1] + missing), of_single / (below[-1] + missing)
