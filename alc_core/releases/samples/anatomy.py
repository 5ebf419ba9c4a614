"""Anatomy: groups in which nobody can tell, from the group alone, who has which value."""

from __future__ import annotations

import numpy as np

from alc_core.errors import InputError, ParameterError
from alc_core.tables.encode import CodeArray


def check_level(level: int) -> None:
    """Refuse a level of diversity that protects nothing.

    Raises
    ------
    ParameterError
        If it is below 2.
    """
    if level < 2:
        raise ParameterError(
            f"level must be at least 2, but is {level}: in a group with one value, all have it."
        )


def anatomy_groups(values: CodeArray, level: int, rng: np.random.Generator) -> CodeArray:
    """Put rows into groups of l rows with l different values, a few of them of l + 1.

    Each group takes one row, drawn at random, of each of the l values that have the most rows left.
    The last rows, fewer than l, are added to groups, drawn at random, that lack their value.

    Parameters
    ----------
    values : ndarray of int32 of shape (n_rows,)
        Codes of the unknown attribute.
    level : int
        The l of l-diversity, at least 2.
    rng : numpy.random.Generator
        The only source of randomness.

    Returns
    -------
    ndarray of int32 of shape (n_rows,)
        Number of each row's group, from 0 in the order in which groups are made.

    Raises
    ------
    ParameterError
        If the level is below 2.
    InputError
        If more than one in l rows has the same value.

    References
    ----------
    Xiao and Tao (2006), Anatomy: Simple and effective privacy preservation.
    """
    check_level(level)
    left = np.bincount(values)
    commonest = int(left.argmax()) if len(left) else 0
    if not len(values) or level * left[commonest] > len(values):
        raise TooFrequentError(commonest, int(left.max(initial=0)), len(values), level)
    rows = rng.permutation(len(values))
    rows = rows[np.argsort(values[rows], kind="stable")]
    last = np.cumsum(left)
    groups = np.full(len(values), -1, dtype=np.int32)
    number = 0
    while np.count_nonzero(left) >= level:
        # Of values with as many rows left, chance decides.
        taken = np.argsort(-(left + rng.random(len(left))))[:level]
        groups[rows[last[taken] - left[taken]]] = number
        left[taken] -= 1
        number += 1
    _add_rest(values, groups, number, rng)
    return groups


def merge_groups(groups: CodeArray, merged: int) -> CodeArray:
    """Join groups with those next to them.

    Parameters
    ----------
    groups : ndarray of int32 of shape (n_rows,)
        As :func:`anatomy_groups` numbers them.
    merged : int
        How many become one, at least 1; the last may be made of more.
    """
    if merged < 1:
        raise ParameterError(f"The number of groups to merge must be at least 1, not {merged}.")
    most = max((int(groups.max(initial=0)) + 1) // merged, 1) - 1
    return np.minimum(groups // merged, most).astype(np.int32)


class TooFrequentError(InputError):
    """One value has too many rows for groups in which every value is rare enough.

    Parameters
    ----------
    code : int
        The value's code.
    count, n_rows : int
        Its rows, and all rows.
    level : int
        The l of l-diversity.
    """

    def __init__(self, code: int, count: int, n_rows: int, level: int) -> None:
        self.code, self.count, self.n_rows, self.level = code, count, n_rows, level
        super().__init__(self.message(f"The value with code {code}"))

    def message(self, value: str) -> str:
        """Say what is wrong, with the value named."""
        if not self.n_rows:
            return "There are no rows to put into groups."
        most = self.n_rows // self.count
        advice = (
            f"Choose a level of at most {most}, or another unknown column"
            if most >= 2
            else "Choose another unknown column, or leave rows with this value out"
        )
        return (
            f"{value} has {self.count:,} of {self.n_rows:,} rows, which is more than one in "
            f"{self.level}, so that no groups can be {self.level}-diverse. {advice}."
        )


def _add_rest(
    values: CodeArray, groups: CodeArray, n_groups: int, rng: np.random.Generator
) -> None:
    """Add the rows without a group to groups that lack their value, in place."""
    for row in rng.permutation(np.flatnonzero(groups < 0)):
        holders = groups[(values == values[row]) & (groups >= 0)]
        lacking = np.setdiff1d(np.arange(n_groups), holders)
        groups[row] = rng.choice(lacking)
