"""Whether the row with a person's value is the person's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import IntArray, mid_ranks
from alc_core.tables.own_together import some_alike
from alc_core.tables.same_rows import random_numbers
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.texts import canonical_labels, numeric_values

# Limits; see tests/unit/tables/checks/test_pseudonyms.py and test_own.py
LEAST_STRENGTH = 0.2  # Least strength for a row to be the person's
_MOST_ROWS = 20_000  # Rows examined
_FEWEST_LINKED = 35  # Rows with a value of the original
_BINS = 8  # Ranges of numbers
_MOST_LABELS = 20  # Labels kept apart
_FEWEST_EACH = 5  # Rows of each
_BESIDE = (1, -1, 2, -2, 7)  # Shifts of people, ordered by value
_STANDARD_ERRORS = 6.0  # Of chi-square
_DIGITS = 20  # Digits of padded numbers in labels


class RowsByValue(NamedTuple):
    """Released rows with a value of the original's people."""

    returning: float  # Share of the original's values released
    # Best column's association with the person's, from 0 (nearest values') to 1
    strength: float


def rows_by_value(
    original: Table, release: Table, column: str, *, alone: bool = False
) -> RowsByValue | None:
    """Return how far rows with a person's value are the person's, if clear.

    `alone`: only values of single people; else the first person with each.

    A column counts if it depends on the person's more than on nearest people's, beyond the value
    and the order.
    """
    own, released = some_alike(original.frame, release.frame, by=column, most=_MOST_ROWS)
    own, released = (frame[frame[column].notna()] for frame in (own, released))
    (keys,), (its_keys,) = random_numbers(own[[column]], released[[column]])
    values, first, times = np.unique(keys, return_index=True, return_counts=True)
    if alone:
        values, first = values[times == 1], first[times == 1]
    its_values, its_first = np.unique(its_keys, return_index=True)
    _, left, right = np.intersect1d(values, its_values, assume_unique=True, return_indices=True)
    people, rows = first[left], its_first[right]
    order = np.argsort(_places(own[column].iloc[people]), kind="stable")
    people, rows = people[order], rows[order]
    others = [c for c in release.columns if c in original.own_compared and c != column]
    if len(people) < _FEWEST_LINKED or not others:
        return None
    found = [
        _strength(
            _coarse(own[c].iloc[people], original.kind(c)),
            _coarse(released[c].iloc[rows], release.kind(c)),
        )
        for c in others
    ]
    seen = [each for each in found if each is not None]
    return RowsByValue(len(people) / len(values), max(seen)) if seen else None


def _places(values: pd.Series) -> IntArray:
    """Return values' order, with P9 before P10."""
    ordered = values
    if not pd.api.types.is_numeric_dtype(values.dtype):
        pad = canonical_labels(values).str.replace
        ordered = pad(r"[0-9]+", lambda digits: digits[0].zfill(_DIGITS), regex=True)
    return pd.factorize(ordered, sort=True)[0].astype(np.int64)


def _coarse(values: pd.Series, kind: ColumnKind) -> IntArray:
    """Return equal-size ranges, or labels with rare ones merged."""
    if kind.is_numeric or kind is ColumnKind.DATETIME:
        numbers = (datetime_values if kind is ColumnKind.DATETIME else numeric_values)(values)
        codes = np.floor(mid_ranks(numbers, numbers) * _BINS).astype(np.int64)
    else:
        codes = pd.factorize(canonical_labels(values), use_na_sentinel=False)[0].astype(np.int64)
    codes = codes - codes.min()
    counts = np.bincount(codes)
    least = max(_FEWEST_EACH, math.isqrt(len(codes)), np.sort(counts)[-_MOST_LABELS:][0])
    rare = counts < least
    rest = int(counts[rare].sum())
    joined = np.where(rare, len(counts) if rest >= least else int(counts.argmax()), -1)
    codes = np.where(rare[codes], joined[codes], codes)
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def _strength(own: IntArray, released: IntArray) -> float | None:
    """Return two columns' dependence beyond neighbours, 0 to 1.

    None if one is constant.
    """
    sizes = int(own.max()) + 1, int(released.max()) + 1
    if min(sizes) < 2:
        return None
    beside = max(_dependence(np.roll(own, step), released, sizes) for step in _BESIDE)
    more = _dependence(own, released, sizes) - beside
    freedom = (sizes[0] - 1) * (sizes[1] - 1)
    error = math.sqrt(2 * (freedom + 2 * beside * len(own)))
    if more * len(own) < _STANDARD_ERRORS * error:
        return 0.0
    return min(1.0, math.sqrt(more / (min(sizes) - 1)))


def _dependence(own: IntArray, released: IntArray, sizes: Sequence[int]) -> float:
    pairs = np.bincount(own * sizes[1] + released, minlength=sizes[0] * sizes[1])
    table: NDArray[np.float64] = pairs.reshape(sizes) / len(own)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    return float(((table - expected) ** 2 / expected).sum())
