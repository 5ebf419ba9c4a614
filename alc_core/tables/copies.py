"""Copies among the rows of a table: rows that are the same, or nearly so, and not by chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.households import (
    LARGEST,
    LEAST_ROWS,
    TOLD,
    Codes,
    LikelyHouseholds,
    agreeing,
    distinct_columns,
    joined,
    likely_households,
    numbered,
    told_by_others,
)
from alc_core.tables.table import Table

MOST_DIFFERING = 2
"""Columns in which a copy may differ."""

_LEAST_COLUMNS = 4
_MOST_COLUMNS = 30
_LEAST_COPIED = 0.05
_TIMES_CHANCE = 2.0
_BLOCKS = 3
"""As many as find each copy: it differs within two of them at most."""
_PARTNERS = 8.0
"""Rows that agree with a row in the columns of a block, in the mean at most."""
_LEAST_OTHERS = 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LikelyCopies:
    """Rows of a table that seem to be copies of each other."""

    columns: tuple[str, ...]  # Those compared
    rows: int  # Rows that are a copy of another one, of how many
    of: int
    pairs: float  # Pairs of nearly equal rows that were counted, and how many chance explains
    expected: float
    groups: Codes  # A number for each row, the same for copies


_FOUND: WeakKeyDictionary[Table, LikelyCopies | None] = WeakKeyDictionary()


def likely_dependents(
    original: Table, person: str | None = None
) -> LikelyHouseholds | LikelyCopies | None:
    """Find columns by which rows look dependent: of one household, or copies of each other."""
    return likely_households(original, person) or likely_copies(original, person)


def likely_copies(original: Table, person: str | None = None) -> LikelyCopies | None:
    """Find rows that are the same in all columns but two at most, and not by chance.

    Of the pairs of rows that agree in a few columns of many values it is counted in how many of
    the others they differ. Where people are alike by chance, the logarithm of the counts is
    concave, as that of a sum of independent events is: those that differ in k columns are at most
    the square of those in k + 1, over those in k + 2. Copies are more than twice as many. With a
    person column there are none to be found: a person's rows are kept together.
    """
    if person is not None:
        return None
    if original not in _FOUND:
        _FOUND[original] = _look(original.frame, original.compared)
    return _FOUND[original]


def kept_together(original: Table, columns: Sequence[str]) -> Codes:
    """Return a number for each row, the same for those that belong together.

    They agree in all `columns`. If these are all columns, copies that nearly do belong together,
    too.
    """
    numbers = numbered(original.frame, columns)
    copies = likely_copies(original) if {*columns} >= {*original.compared} else None
    return numbers if copies is None else connected(numbers, copies.groups)


def _look(frame: pd.DataFrame, columns: Sequence[str]) -> LikelyCopies | None:
    n_rows = len(frame)
    if len(columns) < _LEAST_COLUMNS or n_rows < LEAST_ROWS:
        return None
    codes = distinct_columns(frame, columns)
    codes = {column: codes[column] for column in list(codes)[:_MOST_COLUMNS]}
    told, facts = told_by_others(codes), dict[str, Codes]()
    for column, values in codes.items():  # What another column tells is the same difference twice.
        if all(told[column].get(other, 0.0) < TOLD for other in facts):
            facts[column] = values
    found = [
        pairs
        for block, key in _blocks(facts)
        if (pairs := _bump(key, [facts[c] for c in facts if c not in block])) is not None
    ]
    if not found:
        return None
    links = np.unique(np.concatenate([pairs for pairs, _ in found], axis=1), axis=1)
    groups = _groups(links, n_rows)
    rows = int((np.bincount(groups)[groups] > 1).sum())
    if rows < _LEAST_COPIED * n_rows:
        return None
    return LikelyCopies(
        columns=tuple(columns), rows=rows, of=n_rows, pairs=links.shape[1],
        expected=sum(chance for _, chance in found), groups=groups,
    )  # fmt: skip


def _blocks(facts: dict[str, Codes]) -> Iterator[tuple[list[str], Codes]]:
    """Yield sets of columns in which few rows agree, no column in two, and their joint codes."""
    left = sorted(facts, key=lambda column: agreeing(facts[column]))
    for _ in range(_BLOCKS):
        block: list[str] = []
        key = np.zeros(len(next(iter(facts.values()), ())), dtype=np.int64)
        while left and (not block or agreeing(key) * len(key) > _PARTNERS):
            block.append(left.pop(0))
            key = joined(key, facts[block[-1]])
        if not block or agreeing(key) * len(key) > _PARTNERS:
            return
        yield block, key


def _bump(key: Codes, others: Sequence[Codes]) -> tuple[NDArray[np.intp], float] | None:
    """Return the pairs that agree in a block and nearly so elsewhere, where chance has few.

    Also how many of them chance explains.
    """
    if len(others) < _LEAST_OTHERS:
        return None
    pairs = _pairs(key)
    differ = np.zeros(pairs.shape[1], dtype=np.int64)
    for values in others:
        differ += values[pairs[0]] != values[pairs[1]]
    counts = np.bincount(differ, minlength=len(others) + 1)
    for most in range(min(MOST_DIFFERING, len(others) - 2), -1, -1):
        chance = (counts[most + 1] + 1) ** 2 / (counts[most + 2] + 1)
        near = counts[: most + 1].sum()
        if counts[most] > _TIMES_CHANCE * chance and 2 * near >= _LEAST_COPIED * len(key):
            return pairs[:, differ <= most], float(chance)
    return None


def _pairs(key: Codes) -> NDArray[np.intp]:
    """Return all pairs of rows with the same key, shape (2, n_pairs)."""
    order = np.argsort(key, kind="stable")
    size = np.bincount(key)[key[order]]
    first = np.cumsum(np.bincount(key)) - np.bincount(key)
    behind = size - 1 - (np.arange(len(key)) - first[key[order]])
    one = np.repeat(np.arange(len(key)), behind)
    other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(behind) - behind, behind)
    return np.stack([order[one], order[other]])


def _groups(links: NDArray[np.intp], n_rows: int) -> Codes:
    """Give linked rows the same number; large groups are no copies of one row."""
    linked = _linked(links, n_rows)
    crowded = np.bincount(linked)[linked] > LARGEST
    return np.unique(
        np.where(crowded, linked.max() + 1 + np.arange(n_rows), linked), return_inverse=True
    )[1].astype(np.int64)


def _linked(links: NDArray[np.integer], size: int) -> Codes:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    matrix = coo_array((np.ones(links.shape[1], dtype=np.int8), tuple(links)), shape=(size, size))
    numbers: Codes = connected_components(matrix, directed=False)[1].astype(np.int64)
    return numbers


def connected(one: Codes, other: Codes) -> Codes:
    """Give rows that share either of two numbers the same one, directly or through others."""
    first = int(one.max()) + 1
    linked = _linked(np.stack([one, first + other]), first + int(other.max()) + 1)
    return np.unique(linked[one], return_inverse=True)[1].astype(np.int64)
