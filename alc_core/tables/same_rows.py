"""Rows equal in all columns, within and between tables.

Column by column, only rows that may still be equal are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import RowArray, places_in, spread_out
from alc_core.tables.table import Table
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.texts import (
    canonical_labels,
    distinct_codes,
    label_codes,
    numeric_values,
)

_MISSING = 0
_ELSEWHERE = -1
ROWS_LOOKED_UP = 50_000

# From values to their numbers in the original, or -1
Places = Callable[[pd.Series], NDArray[np.int64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copies:
    """Rows of a release that are the original's."""

    share: float  # Of released rows; 0 if below the least share
    identical: bool  # Whether both have the same rows, equally often
    unique: float = 0.0  # Share of released rows that are unique in the original


@dataclass(frozen=True, slots=True)
class Chance:
    """Chance that a stranger's row is in a table, with standard error."""

    share: float
    error: float


def chances(frame: pd.DataFrame) -> tuple[Chance, Chance]:
    """Return the chance that a stranger's row equals any, or any unique, row.

    Good and Turing's estimates, with Esty's (1983) standard errors.
    """
    rows, of = len(frame), _repeats(frame)
    twice, thrice = (int((of == times).sum()) for times in (2, 3))  # Rows: as many times the kinds
    once = rows - len(of)
    spread = once + twice - once**2 / rows
    return (
        Chance(len(of) / rows, math.sqrt(max(spread, 0.0)) / rows),
        Chance(twice / rows, math.sqrt(2 * (twice + thrice)) / rows),
    )


_CHANCES: WeakKeyDictionary[Table, dict[frozenset[str], tuple[Chance, Chance]]]
_CHANCES = WeakKeyDictionary()


def chances_in(table: Table, columns: Collection[str]) -> tuple[Chance, Chance]:
    """Return cached chances for some columns of a table."""
    known, key = _CHANCES.setdefault(table, {}), frozenset(columns)
    if key not in known:
        known[key] = chances(table.frame[list(columns)])
    return known[key]


def repeated_in(table: Table, columns: Collection[str]) -> float:
    """Return the share of rows equal to another in some columns."""
    return chances_in(table, columns)[0].share


def _repeats(frame: pd.DataFrame) -> NDArray[np.int64]:
    rows = np.arange(len(frame))
    groups = np.zeros(len(frame), dtype=np.int64)
    for column in _quickest_first(frame):
        if not len(rows):
            break
        codes, distinct = distinct_codes(_taken(frame[column], rows))
        groups = pd.factorize(groups * (len(distinct) + 1) + codes + 1)[0].astype(np.int64)
        repeated = np.bincount(groups)[groups] > 1
        rows, groups = rows[repeated], groups[repeated]
    return np.bincount(groups)[groups] if len(groups) else groups


def compare_rows(original: pd.DataFrame, release: pd.DataFrame, *, least: float = 0.0) -> Copies:
    """Look up released rows in the original."""
    rows = np.arange(len(release))
    groups = np.zeros(len(release), dtype=np.int64)
    own_groups = np.zeros(len(original), dtype=np.int64)
    for column in _quickest_first(release):
        taken = _taken(release[column], rows)
        own_codes, size, places = _numbered(original[column], taken)
        codes = places(taken)
        keys, own_groups = np.unique(own_groups * size + own_codes, return_inverse=True)
        groups = np.where(codes == _ELSEWHERE, _ELSEWHERE, groups * size + codes)
        groups = places_in(groups, keys)
        found = groups != _ELSEWHERE
        rows, groups = rows[found], groups[found]
        if not len(rows) or len(rows) < least * len(release):
            return Copies(share=0.0, identical=False)
    own = np.bincount(own_groups)
    identical = len(rows) == len(release) == len(original) and np.array_equal(
        np.bincount(groups), own
    )
    unique = int((own[groups] == 1).sum()) if len(rows) else 0
    return Copies(share=len(rows) / len(release), identical=identical, unique=unique / len(release))


@dataclass(frozen=True, slots=True, kw_only=True)
class NearRows:
    """Rows that agree in all columns but one."""

    released: float  # Share of released rows with such a row in the original
    people: float  # Share of the original's rows with such a row in the release
    expected: float  # Share of the original's rows with another such row there


def near_rows(original: pd.DataFrame, release: pd.DataFrame) -> NearRows:
    """Look up rows of each table in the other, without one column at a time.

    Values are summed as random numbers: without a column's, sums are equal if all other columns
    are. Very long tables are sampled.
    """
    own, theirs = random_numbers(original, release)
    own_sum, their_sum = (np.sum(each, axis=0, dtype=np.uint64) for each in (own, theirs))
    ask, ask_own = (spread_out(len(each), ROWS_LOOKED_UP) for each in (release, original))
    released, people = np.zeros(len(ask), dtype=bool), np.zeros(len(ask_own), dtype=bool)
    among = np.zeros(len(ask_own), dtype=bool)
    for own_column, their_column in zip(own, theirs, strict=True):
        rest, their_rest = np.sort(own_sum - own_column), np.sort(their_sum - their_column)
        asked, own_asked = (their_sum - their_column)[ask], (own_sum - own_column)[ask_own]
        released |= _times(asked, rest) > 0
        people |= _times(own_asked, their_rest) > 0
        among |= _times(own_asked, rest) > 1
    return NearRows(
        released=float(released.mean()), people=float(people.mean()), expected=float(among.mean())
    )


def row_keys(
    original: pd.DataFrame, release: pd.DataFrame
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return numbers of rows, equal if all columns are."""
    own, theirs = (np.array(each) for each in random_numbers(original, release))
    return own.sum(axis=0), theirs.sum(axis=0)


def once_in_both(own: NDArray[Any], theirs: NDArray[Any]) -> tuple[RowArray, RowArray]:
    """Return places of keys unique in each of two arrays."""
    once = []
    for keys in (own, theirs):
        values, first, times = np.unique(keys, return_index=True, return_counts=True)
        once.append((values[times == 1], first[times == 1]))
    _, left, right = np.intersect1d(once[0][0], once[1][0], assume_unique=True, return_indices=True)
    return once[0][1][left], once[1][1][right]


def random_numbers(
    original: pd.DataFrame, release: pd.DataFrame
) -> tuple[list[NDArray[np.uint64]], list[NDArray[np.uint64]]]:
    """Return random numbers of values, common to both tables, by column."""
    rng = np.random.default_rng(0)
    own, theirs = [], []
    for column in release.columns:
        codes, size, places = _numbered(original[column], release[column])
        numbers = rng.integers(0, 2**64, size + 1, dtype=np.uint64)  # The last is for new values
        own.append(numbers[codes])
        theirs.append(numbers[places(release[column])])
    return own, theirs


def _times(values: NDArray[np.uint64], among: NDArray[np.uint64]) -> NDArray[np.intp]:
    first, last = (np.searchsorted(among, values, side=side) for side in ("left", "right"))
    return np.asarray(last - first, dtype=np.intp)


def _quickest_first(frame: pd.DataFrame) -> list[str]:
    """Return columns with slow ones last: few rows remain for text."""

    def effort(column: str) -> int:
        dtype = frame[column].dtype
        if isinstance(dtype, pd.CategoricalDtype):
            return 0
        return 1 if pd.api.types.is_numeric_dtype(dtype) else 2

    return sorted(frame.columns, key=effort)


def _taken(series: pd.Series, rows: NDArray[np.intp]) -> pd.Series:
    return series if len(rows) == len(series) else series.iloc[rows]


def _numbered(original: pd.Series, release: pd.Series) -> tuple[NDArray[np.int64], int, Places]:
    """Return a column's value numbers in the original; 0 is missing."""
    if (as_numbers := _reader(original, release)) is not None:
        values = as_numbers(original)
        present = np.unique(values[~np.isnan(values)])

        def number(series: pd.Series) -> NDArray[np.int64]:
            numbers = as_numbers(series)
            return np.where(np.isnan(numbers), _MISSING, places_in(numbers, present, start=1))

        return number(original), len(present) + 1, number
    own_codes, labels = label_codes(original)
    positions = {label: code for code, label in enumerate(labels, start=1)}

    def place(series: pd.Series) -> NDArray[np.int64]:
        codes, distinct = distinct_codes(series)
        places = [
            _MISSING if label is None else positions.get(label, _ELSEWHERE)
            for label in canonical_labels(distinct)
        ]
        return np.asarray([*places, _MISSING], dtype=np.int64)[codes]

    return own_codes.astype(np.int64) + 1, len(labels) + 1, place


def _reader(*parts: pd.Series) -> Callable[[pd.Series], NDArray[np.float64]] | None:
    """Return a reader of columns stored as numbers, if they are."""
    dtypes = [part.dtype for part in parts]
    if all(pd.api.types.is_datetime64_any_dtype(dtype) for dtype in dtypes):
        return datetime_values
    if any(pd.api.types.is_bool_dtype(dtype) for dtype in dtypes):
        return None
    return numeric_values if all(map(pd.api.types.is_numeric_dtype, dtypes)) else None


def beyond(rows: NDArray[Any], others: NDArray[Any]) -> NDArray[np.bool_]:
    """Return keys left after each other key removes an equal one.

    >>> beyond(np.array([3, 5, 5, 7]), np.array([5, 7, 7])).tolist()
    [True, False, True, False]
    """
    keys, places = np.unique(np.concatenate([rows, others]), return_inverse=True)
    own, theirs = places[: len(rows)], places[len(rows) :]
    order = np.argsort(own, kind="stable")
    first = np.searchsorted(own[order], own[order])
    number = np.empty(len(own), dtype=np.intp)  # Of a row among equal ones
    number[order] = np.arange(len(own)) - first
    return number >= np.bincount(theirs, minlength=len(keys))[own]
