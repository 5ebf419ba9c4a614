"""Total variation distance of one- and two-column marginals."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.runtime.progress import Reporter
from alc_core.utility.coding import Coded

IntArray = NDArray[np.int64]

_DENSE = 1_000_000
"""Cells up to which a table of counts is laid out in full."""

_REPORTED = 16
"""Pairs between two reports of progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marginals:
    """How far the marginals of a release lie from those of the original."""

    columns: Mapping[str, float]  # Distance of each column that the release has
    # Distance of each two columns that one table of the release has together
    pairs: Mapping[tuple[str, str], float]
    # Mean distance of as many rows drawn at random from the original: what chance alone makes of a
    # perfect release
    column_chance: float
    pair_chance: float
    rows: int  # Rows of the original that were looked at
    released_rows: int  # The most rows of a released table that were looked at


def total_variation(first: IntArray, second: IntArray, *, size: int) -> float:
    """Return the total variation distance of two columns of codes.

    Half the sum of the absolute differences of the shares of each code: 0 where both have the same
    shares, 1 where no code is in both. 1 minus it is what SDMetrics calls TVComplement (one column)
    and ContingencySimilarity (two).

    Examples
    --------
    >>> total_variation(np.array([0, 0, 1, 1]), np.array([0, 0, 0, 2]), size=3)
    0.5
    """
    if size > _DENSE:
        both = np.unique(np.concatenate([first, second]), return_inverse=True)[1]
        first, second, size = both[: len(first)], both[len(first) :], int(both.max()) + 1
    shares = [np.bincount(codes, minlength=size) / len(codes) for codes in (first, second)]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def compare_marginals(
    coded: Coded, *, max_rows: int, rng: np.random.Generator, reporter: Reporter
) -> Marginals:
    """Compare all one- and two-column marginals of original and release."""
    original = _sampled(coded.original, max_rows, rng)
    released = [_sampled(table, max_rows, rng) for table in coded.released]
    n_rows = _rows(original)
    drawn = [_taken(original, rng.integers(n_rows, size=_rows(table))) for table in released]
    size = coded.size

    columns, column_chance = {}, []
    for column in coded.columns:
        holder = coded.holder(column)
        if holder is None:
            continue
        mine, theirs, fresh = (
            table[column] for table in (original, released[holder], drawn[holder])
        )
        columns[column] = total_variation(mine, theirs, size=size[column])
        column_chance.append(total_variation(mine, fresh, size=size[column]))

    pairs, pair_chance = {}, []
    every = list(itertools.combinations(coded.columns, 2))
    for done, (one, other) in enumerate(every):
        if done % _REPORTED == 0:
            reporter.report("Comparing pairs of columns", done, len(every))
        holder = coded.holder(one, other)
        if holder is None:
            continue
        cells = size[one] * size[other]
        mine, theirs, fresh = (
            table[one] * size[other] + table[other]
            for table in (original, released[holder], drawn[holder])
        )
        pairs[one, other] = total_variation(mine, theirs, size=cells)
        pair_chance.append(total_variation(mine, fresh, size=cells))
    return Marginals(
        columns=columns,
        pairs=pairs,
        column_chance=float(np.mean(column_chance)),
        pair_chance=float(np.mean(pair_chance)) if pair_chance else 0.0,
        rows=n_rows,
        released_rows=max(_rows(table) for table in released),
    )


def _rows(table: Mapping[str, IntArray]) -> int:
    return len(next(iter(table.values()), ()))


def _sampled(
    table: Mapping[str, IntArray], max_rows: int, rng: np.random.Generator
) -> dict[str, IntArray]:
    n_rows = _rows(table)
    if n_rows <= max_rows:
        return dict(table)
    return _taken(table, rng.choice(n_rows, size=max_rows, replace=False))


def _taken(table: Mapping[str, IntArray], rows: IntArray) -> dict[str, IntArray]:
    return {column: codes[rows] for column, codes in table.items()}
