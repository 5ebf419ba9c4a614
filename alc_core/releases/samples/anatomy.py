"""Anatomy: groups in which nobody can tell, from the group alone, who has which value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from alc_core.arrays import CodeArray
from alc_core.errors import InputError, ParameterError
from alc_core.phrasing import count
from alc_core.releases.groups import Groups
from alc_core.releases.registry import TableLike, as_table
from alc_core.tables.codes.encode import CategoricalCodes, encode
from alc_core.tables.read import table_from_frame

GROUP = "group_id"  # The column with the number of the group


class TooFrequentError(InputError):
    """One value has too many rows for groups in which every value is rare enough."""


def is_diverse(values: CodeArray, level: int) -> bool:
    """Return whether at most one in l rows has the same value."""
    return level == 1 or bool(np.bincount(values).max() * level <= len(values))


def check_diverse(values: CodeArray, level: int, coding: CategoricalCodes | None = None) -> None:
    """Refuse rows that no groups can be diverse of; the coding gives the value its name."""
    if is_diverse(values, level):
        return
    code, rows = int(np.bincount(values).argmax()), int(np.bincount(values).max())
    if coding is None:
        named = f"The value with code {code}"
    elif code == len(coding.labels):
        named = f"A missing value of column '{coding.name}'"
    else:
        named = f"'{coding.labels[code]}' of column '{coding.name}'"
    advice = (
        f"Choose a level of at most {len(values) // rows}, or another unknown column"
        if len(values) >= 2 * rows
        else "Choose another unknown column, or leave out rows with this value"
    )
    raise TooFrequentError(
        f"{named} has {count(rows)} of {count(len(values))} rows, more than one in {level}, so "
        f"that no groups can be {level}-diverse. {advice}."
    )


def check_level(level: int) -> None:
    """Refuse a level of diversity that protects nothing."""
    if level < 2:
        raise ParameterError(
            f"level must be at least 2, but is {level}: in a group with one value, all have it."
        )


def anatomy_groups(
    values: CodeArray, level: int, rng: np.random.Generator, *,
    coding: CategoricalCodes | None = None,
) -> CodeArray:  # fmt: skip
    """Put rows into groups of l rows with l different values, a few of them of l + 1.

    Each group takes one row, drawn at random, of each of the l values that have the most rows left.
    The last rows, fewer than l, are added to groups, drawn at random, that lack their value.

    References
    ----------
    Xiao and Tao (2006), Anatomy: Simple and effective privacy preservation.
    """
    check_level(level)
    if not len(values):
        raise InputError("There are no rows to put into groups.")
    check_diverse(values, level, coding)
    left = np.bincount(values)
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
    """Join groups with those next to them."""
    if merged < 1:
        raise ParameterError(f"The number of groups to merge must be at least 1, not {merged}.")
    most = max((int(groups.max(initial=0)) + 1) // merged, 1) - 1
    return np.minimum(groups // merged, most).astype(np.int32)


def _add_rest(
    values: CodeArray, groups: CodeArray, n_groups: int, rng: np.random.Generator
) -> None:
    """Add the rows without a group to groups that lack their value, in place."""
    for row in rng.permutation(np.flatnonzero(groups < 0)):
        holders = groups[(values == values[row]) & (groups >= 0)]
        lacking = np.setdiff1d(np.arange(n_groups), holders)
        groups[row] = rng.choice(lacking)


def anatomize(
    original: TableLike,
    *,
    unknown: str,
    known: Sequence[str],
    level: int,
    merged: int = 1,
    bins: int = 20,
    seed: int = 0,
) -> Groups:
    """Release the known columns with the number of a group, and each group's unknown values.

    For experiments, not for real publication: what the groups have in common tells more of their
    members than l-diversity promises, as the deFinetti attack shows.

    Parameters
    ----------
    original : Table, data frame or path
        The real people.
    unknown : str
        The column whose values are told of groups only.
    known : sequence of str
        The columns that are told of people; all others are left out.
    level : int
        The l of l-diversity, at least 2: groups have l people with l different values.
    merged : int, default 1
        How many groups, next to each other as they were made, become one.
    bins : int, default 20
        Equal-width bins in which values of a continuous unknown column count as the same.
    seed : int, default 0
        Same input and seed, same release.

    Returns
    -------
    Groups
        A table of people and one of values, joined by the number of the group.

    Raises
    ------
    ParameterError
        If `level` is below 2 or `merged` below 1.
    InputError
        If more than one in l people has the same value.

    Examples
    --------
    >>> import alc_core as alc
    >>> demo = alc.load_demo("fair")
    >>> release = anatomize(demo.original, unknown="occupation", known=["age", "educ"], level=2)
    >>> [table.columns for table in release.tables]
    [('group_id', 'age', 'educ'), ('group_id', 'occupation')]
    """
    original = as_table(original, name="original")
    data = encode(original, (), columns=[unknown])
    values = data.as_unknown(data.original, unknown, bins)
    rng = np.random.default_rng(seed)
    groups = anatomy_groups(values, level, rng, coding=data.unknown_codes(unknown, bins))
    groups = merge_groups(groups, merged)
    people, sensitive = (
        (order := rng.permutation(len(values)))[np.argsort(groups[order], kind="stable")]
        for _ in range(2)
    )
    name = f"{original.name} Anatomy {level}" + (f", {merged} merged" if merged > 1 else "")
    group = _new_name(GROUP, original.columns)
    parts = [(people, list(known), "people"), (sensitive, [unknown], unknown)]
    tables = []
    for rows, columns, part in parts:
        frame = original.frame[columns].iloc[rows].reset_index(drop=True)
        frame.insert(0, group, groups[rows])
        tables.append(table_from_frame(frame, name=f"{name}, {part}"))
    return Groups.of_tables(tables, name=name, original=original)


def _new_name(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name
