"""Rows of a release and of the original that are recognisably the same, by their other columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.values.texts import label_codes, numeric_values

IndexArray = NDArray[np.intp]

Pairs = Callable[[], tuple[IndexArray, IndexArray]]
"""Gives rows of the original and of the release that are the same; costs something."""

FEWEST_LINKED = 30
"""With fewer linked rows nothing is concluded from them."""

_MOST_ROWS = 200_000
_AGREEING = 0.9


class LinkedRows:
    """Pairs of rows that agree in every column that was released as it was, and with no other row.

    Where the release keeps the order of the rows, all rows are paired.

    Parameters
    ----------
    original, release : pandas.DataFrame
        The tables.
    columns : sequence of str
        Columns of both whose values were released as they were.
    """

    def __init__(
        self, original: pd.DataFrame, release: pd.DataFrame, columns: Sequence[str]
    ) -> None:
        self._original = original
        self._release = release
        self._columns = tuple(columns)

    @cached_property
    def pairs(self) -> tuple[IndexArray, IndexArray]:
        """Rows of the original, and those of the release that belong to them."""
        nobody = np.array([], dtype=np.intp)
        if not self._columns or not len(self._original) or not len(self._release):
            return nobody, nobody
        coded = [_together(self._original[name], self._release[name]) for name in self._columns]
        if len(self._original) == len(self._release) and _in_order(coded):
            rows = np.arange(len(self._original))[:: max(1, len(self._original) // _MOST_ROWS)]
            return rows, rows
        return _unique_pairs(coded)


def _together(before: pd.Series, after: pd.Series) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return common codes of two columns."""
    if all(pd.api.types.is_numeric_dtype(part.dtype) for part in (before, after)):
        numbers = np.concatenate([numeric_values(before), numeric_values(after)])
        codes = pd.factorize(numbers, use_na_sentinel=False)[0].astype(np.int64)
        return codes[: len(before)], codes[len(before) :]
    own, labels = label_codes(before)
    other, found = label_codes(after)
    position = {label: code for code, label in enumerate(labels)}
    places = [position.setdefault(label, len(position)) for label in found]
    return own.astype(np.int64) + 1, np.array([*places, -1], dtype=np.int64)[other] + 1


def _in_order(coded: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]]) -> bool:
    """Return whether the rows have the same order: most columns agree row by row, not by chance."""
    varied = [(a, b) for a, b in coded if _chance(a) < _AGREEING / 2]
    agreeing = sum(float(np.mean(a == b)) >= _AGREEING for a, b in varied)
    return bool(varied) and agreeing > len(varied) / 2


def _chance(codes: NDArray[np.int64]) -> float:
    return float(np.bincount(codes).max()) / len(codes)


def _unique_pairs(
    coded: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> tuple[IndexArray, IndexArray]:
    ordered = sorted(coded, key=lambda pair: -int(pair[0].max()))
    n_rows = len(ordered[0][0])
    groups = np.zeros(n_rows + len(ordered[0][1]), dtype=np.int64)
    rows = np.arange(len(groups))
    for number, pair in enumerate(ordered):
        codes = np.concatenate(pair)[rows]
        groups = pd.factorize(groups * (int(codes.max(initial=0)) + 1) + codes)[0].astype(np.int64)
        if number == 0 and len(rows) > 2 * _MOST_ROWS:
            kept = groups % -(-len(rows) // (2 * _MOST_ROWS)) == 0
            rows, groups = rows[kept], groups[kept]
    of_original = rows < n_rows
    size = int(groups.max(initial=0)) + 1
    once = np.bincount(groups[of_original], minlength=size) == 1
    once &= np.bincount(groups[~of_original], minlength=size) == 1
    places = np.zeros(size, dtype=np.intp)
    places[groups[of_original]] = rows[of_original]
    chosen = once[groups] & ~of_original
    return places[groups[chosen]], rows[chosen] - n_rows
