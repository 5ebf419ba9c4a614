"""How many people a released row may be of: what it counts among those that are as near.

A row with a wide label fits many people, and so is one person's with less probability than a row
that names the values. It counts by one over the share of people whom its values fit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from alc_core.scenario.known_values import KnownValues
from alc_core.tables.codes.sets import IntervalSets, SetColumn

FloatArray = NDArray[np.float64]
# Rows that the whole range of a column is taken to have beside its single numbers: they say how
# a label that covers none of these is spread
_BETWEEN = 1e-3
_BITS = 20  # Of a weight; so sums do not depend on the order of the rows


def row_weights(tables: Sequence[KnownValues]) -> list[FloatArray]:
    """Return what rows count among those at one distance."""
    names = dict.fromkeys(name for known in tables for name in known.set_columns)
    if not names:
        return [np.broadcast_to(1.0, known.n_rows) for known in tables]
    weights = []
    for known in tables:
        fitting = np.ones(known.n_rows)
        for name in names:
            if name in known.set_columns:
                fitting *= _set_shares(known.set_columns[name])
            elif name in known.columns:
                _, place, rows = np.unique(
                    known.columns[name], return_inverse=True, return_counts=True
                )
                fitting *= rows[place] / known.n_rows
        mantissa, exponent = np.frexp(1.0 / fitting)
        weights.append(np.ldexp(np.round(np.ldexp(mantissa, _BITS)), exponent - _BITS))
    return weights


def _set_shares(column: SetColumn) -> FloatArray:
    """Return the share of people whom each row's value fits.

    Rows with a label are spread over what it covers as the single values are, evenly where it
    covers none of them; suppressed values tell nothing.
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
    """Return the shares of people in intervals and at single numbers."""
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
