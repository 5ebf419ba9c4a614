"""Rows in groups, each of which has its values of the unknown attribute in no order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.tables.encode import CodeArray, FloatArray
from alc_core.tables.sets.spread import SpreadValues


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedRows:
    """Which group each row is in, and which values of the unknown attribute each group has.

    Attributes
    ----------
    group : ndarray of int32 of shape (n_rows,)
        Group of each row, 0 to n_groups - 1.
    starts : ndarray of int64 of shape (n_groups + 1,)
        Where the values of each group begin; those of group g are
        ``values[starts[g]:starts[g + 1]]``. Each group has as many values as rows.
    values : ndarray of int32 of shape (n_rows,)
        Codes of the unknown attribute, sorted within each group.
    """

    group: CodeArray
    starts: NDArray[np.int64]
    values: CodeArray

    @classmethod
    def of(cls, group: CodeArray, value_group: CodeArray, values: CodeArray) -> Self:
        """Put values, each with its group, in the order of the groups.

        Parameters
        ----------
        group : ndarray of int32 of shape (n_rows,)
            Group of each row, each from 0 to the highest at least once.
        value_group, values : ndarray of int32 of shape (n_rows,)
            Group and code of each value.
        """
        sizes = np.bincount(group)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        order = np.lexsort((values, value_group))
        return cls(group=group, starts=starts, values=values[order].astype(np.int32))

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of rows, and of values, of each group."""
        return np.diff(self.starts)

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the same groups with all values dealt out to them at random."""
        value_group = np.repeat(np.arange(self.n_groups), self.sizes)
        values = rng.permutation(self.values)
        return replace(self, values=values[np.lexsort((values, value_group))])

    def shares(self, n_codes: int) -> FloatArray:
        """Return how much of each group each code of the unknown attribute makes up.

        Returns
        -------
        ndarray of shape (n_groups, n_codes)
            Rows that add up to 1.
        """
        return group_shares(np.repeat(np.arange(self.n_groups), self.sizes), self.values, n_codes)


def group_shares(
    value_group: NDArray[np.integer],
    values: CodeArray,
    n_codes: int,
    spread: SpreadValues | None = None,
) -> FloatArray:
    """Return how much of each group each code makes up.

    Parameters
    ----------
    value_group, values : ndarray of int of shape (n_values,)
        Group and code of each value.
    n_codes : int
        Of the unknown attribute.
    spread : SpreadValues, optional
        Values that stand for several; they are shared out over what they cover.

    Returns
    -------
    ndarray of shape (n_groups, n_codes)
        Rows that add up to 1.
    """
    n_groups = int(value_group.max()) + 1
    labels = np.full(len(values), -1) if spread is None else spread.labels
    single = labels < 0
    cells = value_group[single].astype(np.int64) * n_codes + values[single]
    counts = np.bincount(cells, minlength=n_groups * n_codes).reshape(n_groups, n_codes)
    shares = counts.astype(np.float64)
    if spread is not None:
        np.add.at(shares, value_group[~single], spread.weights[labels[~single]])
    return np.asarray(shares / np.bincount(value_group)[:, None], dtype=np.float64)


def spread_over_rows(group: CodeArray, shares: FloatArray) -> tuple[CodeArray, SpreadValues | None]:
    """Return what each row may have, by what its group has.

    Parameters
    ----------
    group : ndarray of int32 of shape (n_rows,)
        Group of each row.
    shares : ndarray of shape (n_groups, n_codes)
        As :func:`group_shares` returns them.

    Returns
    -------
    codes : ndarray of int32 of shape (n_rows,)
        The group's most frequent code, the first of several.
    spread : SpreadValues or None
        The rows whose group has more than one code; groups with the same shares have one label.
    """
    codes = shares.argmax(axis=1).astype(np.int32)[group]
    mixed = np.flatnonzero(shares.max(axis=1) < 1)
    if not len(mixed):
        return codes, None
    distinct, alike = np.unique(shares[mixed], axis=0, return_inverse=True)
    labels = np.full(len(shares), -1, dtype=np.int32)
    labels[mixed] = alike.reshape(-1)
    return codes, SpreadValues(labels=labels[group], weights=distinct)
