"""Rows that belong together, suspected from the data: households, and copies.

Rows of one household share the dwelling's columns. Columns count in which rows agree in small
groups far more often than independent people would, allowing for what columns predict of each
other, two by two. Copies agree in all columns or nearly so, and not by chance.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import spread_out
from alc_core.tables.table import Table
from alc_core.tables.values.texts import label_codes

# Limits, each tried at half and at twice its value on surveys of households, sdcMicro's test data
# and tables with and without copies: unless its comment says otherwise, the same is found.
LARGEST = 12  # Rows that may be of one household
_LEAST_ROWS = 100  # Rows of a table that is examined
_LOOKED_AT = 200_000  # Rows examined of a longer table
_CELLS = 2_500_000  # Pairs of rows that are compared at once
_ASKED = 40, 150  # Least and most rows whose nearest other row is looked for
_PAIRED = 5_000  # Rows that show how far two columns predict each other
_MOST_COLUMNS = 12  # Columns of a dwelling that are tried
_LEAST_SHARE = 0.3  # Share of rows that must be in small groups; at 0.6, copies are no household
_TIMES_CHANCE = 10.0  # Times as many pairs as by chance
_TOLD = 0.9  # Agreement by which a column follows from another; at 0.45, households are missed
_ODDS = 5.0  # Odds ratio of agreeing in a column of the dwelling; at 0, others are taken along
# Independent columns of a dwelling, not codes of one place; at 6, households are missed
_FEWEST_FACTS = 3
Codes = NDArray[np.int64]

# A column that says whose rows belong together, or several whose values together do
Household = str | tuple[str, ...] | None


def household_of(columns: Sequence[str]) -> Household:
    """Return a single column as such, several as a tuple, and none as None."""
    return columns[0] if len(columns) == 1 else tuple(columns) or None


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelyHouseholds:
    """Columns whose values together seem to identify the households of a table."""

    columns: tuple[str, ...]  # In the table's order
    # How many rows agree in all of them with at least one other and at most eleven, of how many
    rows: int
    of: int
    # Pairs of such rows, and how many there would be if rows agreed by chance
    pairs: float
    expected: float


_FOUND: WeakKeyDictionary[Table, dict[str | None, LikelyHouseholds | None]] = WeakKeyDictionary()


def likely_households(original: Table, person: str | None = None) -> LikelyHouseholds | None:
    """Find columns by which rows look like members of households."""
    found = _FOUND.setdefault(original, {})
    if person not in found:
        found[person] = _look(original, person)
    return found[person]


def _look(original: Table, person: str | None) -> LikelyHouseholds | None:
    frame = original.frame
    if person in frame.columns:
        frame = frame[~frame[person].duplicated() | frame[person].isna()]
    if len(frame) < _LEAST_ROWS:
        return None
    head = frame.iloc[:_LOOKED_AT]
    codes = _distinct_columns(head, [name for name in original.own_compared if name != person])
    if len(codes) < _FEWEST_FACTS:
        return None
    told = _told_by_others(codes)
    alone = {column: _agreeing(values) for column, values in codes.items()}
    agreed = _agreement_of_nearest(codes, told)
    order = sorted(codes, key=lambda c: (alone[c] - agreed[c]) / (1 - alone[c]))[:_MOST_COLUMNS]
    chance, tried = len(head) * (len(head) - 1) / 2, []
    for number, column in enumerate(order):
        chance *= max([alone[column], *(told[column].get(c, 0.0) for c in order[:number])])
        rows, _, pairs = _small_groups(_together(codes, order[: number + 1]))
        if rows >= _LEAST_SHARE * len(head) and pairs >= _TIMES_CHANCE * chance:
            tried.append((number + 1, pairs, chance))
    if not tried:
        return None
    size, pairs, expected = tried[-1]
    whole = _together(codes, order[:size])

    def is_shared(column: str) -> bool:
        """Return whether agreeing in the other columns makes agreement far likelier."""
        others = [c for c in order[:size] if c != column]
        usual = max([alone[column], *(told[column].get(c, 0.0) for c in others)])
        agree = _agreeing(whole) / _agreeing(_together(codes, others))
        return usual > _TOLD or agree * (1 - usual) >= _ODDS * usual * (1 - agree)

    shared = [column for column in order[:size] if is_shared(column)]
    own = [c for c in shared if all(told[c].get(other, 0.0) < _TOLD for other in shared)]
    rows = _small_groups(_together(codes, shared))[0]
    # Rows that are the same in all columns are one person's.
    if len(own) < _FEWEST_FACTS or _small_groups(_together(codes, list(codes)))[0] > rows / 2:
        return None
    columns = tuple(column for column in original.columns if column in shared)
    if len(head) < len(frame):
        rows = _small_groups(numbered(frame, columns))[0]
    return LikelyHouseholds(
        columns=columns, rows=rows, of=len(frame), pairs=pairs, expected=expected
    )


def _together(codes: Mapping[str, Codes], columns: Sequence[str]) -> Codes:
    parts = [codes[column] for column in columns]
    return functools.reduce(joined, parts, np.zeros_like(parts[0]))


def numbered(frame: pd.DataFrame, columns: Sequence[str]) -> Codes:
    """Return a number for each combination of values; missing is a value as well."""
    return _together({c: label_codes(frame[c])[0].astype(np.int64) + 1 for c in columns}, columns)


def _distinct_columns(frame: pd.DataFrame, columns: Sequence[str]) -> dict[str, Codes]:
    """Return codes of varying columns, richest first; of one-to-one columns the first."""
    found = {c: numbered(frame, [c]) for c in columns}
    kept: dict[str, Codes] = {}
    for column in sorted(found, key=lambda c: -found[c].max()):
        codes = found[column]
        alike = (c for c, other in kept.items() if other.max() == codes.max())
        if codes.max() > 0 and not any(joined(kept[c], codes).max() == codes.max() for c in alike):
            kept[column] = codes
    return kept


def _told_by_others(codes: Mapping[str, Codes]) -> dict[str, dict[str, float]]:
    """Return how often rows agree in a column if they agree in another.

    A column with small groups is left out: its groups may be the households.
    """
    n_rows = len(next(iter(codes.values())))
    step = max(1, n_rows // _PAIRED)
    some = {column: values[::step] for column, values in codes.items()}
    crowded = [c for c in some if _small_groups(some[c])[1] >= len(some[c]) / 2]
    told: dict[str, dict[str, float]] = {column: {} for column in codes}
    for column, other in itertools.permutations(codes, 2):
        if other in crowded:
            both = _agreeing(joined(some[column], some[other]))
            told[column][other] = both / _agreeing(some[other])
    return told


def _agreement_of_nearest(
    codes: Mapping[str, Codes], told: Mapping[str, Mapping[str, float]]
) -> dict[str, float]:
    """Return by column how often rows agree with the row that is like them in the rarest way."""
    n_rows = len(next(iter(codes.values())))
    least, most = _ASKED
    asked = spread_out(n_rows, max(least, min(most, _CELLS // n_rows)))
    rarity = {column: _rarity(values) for column, values in codes.items()}
    parents = _parents(told, list(codes))
    likeness = np.zeros((len(asked), n_rows), dtype=np.float32)
    for column, values in codes.items():
        same = values[asked][:, None] == values
        likeness += same * rarity[column][asked][:, None]
        if (parent := parents.get(column)) is not None:  # What another column tells is not rare
            both = _rarity(joined(codes[parent], values))
            given = np.minimum(both - rarity[parent] - rarity[column], 0)
            same &= codes[parent][asked][:, None] == codes[parent]
            likeness += same * given[asked][:, None]
    likeness[np.arange(len(asked)), asked] = -np.inf
    nearest = likeness.argmax(axis=1)
    return {c: float(np.mean(v[asked] == v[nearest])) for c, v in codes.items()}


def _parents(told: Mapping[str, Mapping[str, float]], order: Sequence[str]) -> dict[str, str]:
    """Return for each column the earlier one that predicts it best."""
    found = {}
    for number, column in enumerate(order):
        if before := [c for c in order[:number] if c in told[column]]:
            found[column] = max(before, key=told[column].__getitem__)
    return found


def _rarity(codes: Codes) -> NDArray[np.float32]:
    rarity: NDArray[np.float32] = -np.log(np.bincount(codes) / len(codes)).astype(np.float32)
    return rarity[codes]


def joined(one: Codes, other: Codes) -> Codes:
    """Return a number for each combination of two codes."""
    return pd.factorize(one * (int(other.max(initial=0)) + 1) + other)[0].astype(np.int64)


def _agreeing(codes: Codes) -> float:
    counts = np.bincount(codes).astype(np.float64)
    return float((counts * (counts - 1)).sum()) / (len(codes) * (len(codes) - 1))


def _small_groups(codes: Codes) -> tuple[int, int, float]:
    """Return rows in household-size groups, rows in larger ones, and pairs in the former."""
    counts = np.bincount(codes)
    small = counts[(counts > 1) & (counts <= LARGEST)].astype(np.int64)
    return (
        int(small.sum()),
        int(counts[counts > LARGEST].sum()),
        float((small * (small - 1)).sum()) / 2,
    )


# Columns in which a copy may differ; at 1, copies are missed, at 4, relatives are copies
MOST_DIFFERING = 2
# Columns of a table that may have copies; at 8, those of seven columns are missed
_LEAST_COLUMNS = 4
_MOST_COMPARED = 30  # Columns that are compared
_LEAST_COPIED = 0.05  # Share of rows that are copies; at 0.025, relatives are copies
_COPIES_TIMES_CHANCE = 2.0  # Times as many copies as by chance; at 4, near copies are missed
_BLOCKS = 3  # Sets of columns, of which a copy changes two at most; at 1, near copies are missed
# Rows that agree with a row in a block, on average; at 16, fewer near copies are found
_PARTNERS = 8.0
_MOST_EQUAL = 30.0  # Rows that may equal a row, on average


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LikelyCopies:
    """Rows of a table that seem to be copies of each other."""

    columns: tuple[str, ...]  # Those compared
    rows: int  # Rows that are a copy of another one, of how many
    of: int
    pairs: float  # Pairs of nearly equal rows that were counted, and how many chance explains
    expected: float
    groups: Codes  # A number for each row, the same for copies


_COPIES: WeakKeyDictionary[Table, LikelyCopies | None] = WeakKeyDictionary()


def likely_dependents(
    original: Table, person: str | None = None
) -> LikelyHouseholds | LikelyCopies | None:
    """Find columns by which rows look dependent: households, or copies."""
    found = likely_households(original, person)
    if found is None and person is None:  # a person's rows are kept together anyway
        return likely_copies(original)
    return found


def likely_copies(original: Table) -> LikelyCopies | None:
    """Find rows that agree in all columns but two at most, and not by chance.

    Among pairs of rows that agree in a few columns of many values, differences in the other columns
    are counted. If people are similar by chance, the logarithm of these counts is concave, as for a
    sum of independent events: pairs that differ in k columns are at most the square of those in k +
    1, divided by those in k + 2. Copies are more than twice as many.

    Of 204 draws of columns and rows from 17 tables without copies, 1 was suspected (these counts
    are 0.1 to 0.8 of the bound). Copies of 10% of the rows were found in 9 of 9 tables with columns
    of many values if one cell differs (0.84 to 1.00 of the pairs), in 8 of 9 if two do (0.63 to
    1.00); of 30%, in all (0.71 to 1.00). In 8 tables of few values or columns no copies are found:
    strangers are as similar there. It takes 0.02 s on 3,000 rows, 0.15 s on 200,000.
    """
    if original not in _COPIES:
        _COPIES[original] = _find_copies(original.frame, original.own_compared)
    return _COPIES[original]


def kept_together(original: Table, columns: Sequence[str]) -> Codes:
    """Return a number for each row, the same for rows that belong together.

    They agree in all `columns`. If these are all columns, near copies also belong together.
    """
    numbers = numbered(original.frame, columns)
    copies = likely_copies(original) if {*columns} >= {*original.own_compared} else None
    return numbers if copies is None else connected(numbers, copies.groups)


def _find_copies(frame: pd.DataFrame, columns: Sequence[str]) -> LikelyCopies | None:
    n_rows = len(frame)
    if len(columns) < _LEAST_COLUMNS or n_rows < _LEAST_ROWS:
        return None
    codes = _distinct_columns(frame, columns)
    codes = {column: codes[column] for column in list(codes)[:_MOST_COMPARED]}
    told, facts = _told_by_others(codes), dict[str, Codes]()
    for column, values in codes.items():  # What another column tells is the same difference twice.
        if all(told[column].get(other, 0.0) < _TOLD for other in facts):
            facts[column] = values
    equal = _agreeing(_together(codes, list(codes))) * n_rows
    if equal > _MOST_EQUAL:
        return None
    found = [
        pairs
        for block, key in _blocks(facts, most=_PARTNERS + equal)
        if (pairs := _bump(key, [facts[c] for c in facts if c not in block])) is not None
    ]
    if not found:
        return None
    links = np.unique(np.concatenate([pairs for pairs, _ in found], axis=1), axis=1)
    groups = _groups(links, n_rows, largest=LARGEST + 2 * int(equal))
    rows = int((np.bincount(groups)[groups] > 1).sum())
    if rows < _LEAST_COPIED * n_rows:
        return None
    return LikelyCopies(
        columns=tuple(columns), rows=rows, of=n_rows, pairs=links.shape[1],
        expected=sum(chance for _, chance in found), groups=groups,
    )  # fmt: skip


def _blocks(facts: dict[str, Codes], *, most: float) -> Iterator[tuple[list[str], Codes]]:
    """Yield disjoint sets of columns in which few rows agree, and their joint codes."""
    left = sorted(facts, key=lambda column: _agreeing(facts[column]))
    for _ in range(_BLOCKS):
        block: list[str] = []
        key = np.zeros(len(next(iter(facts.values()), ())), dtype=np.int64)
        while left and (not block or _agreeing(key) * len(key) > most):
            block.append(left.pop(0))
            key = joined(key, facts[block[-1]])
        if not block or _agreeing(key) * len(key) > most:
            return
        yield block, key


def _bump(key: Codes, others: Sequence[Codes]) -> tuple[NDArray[np.intp], float] | None:
    """Return pairs that agree in a block and nearly so elsewhere, and how many chance gives."""
    pairs = _pairs(key)
    differ = np.zeros(pairs.shape[1], dtype=np.int64)
    for values in others:
        differ += values[pairs[0]] != values[pairs[1]]
    counts = np.bincount(differ, minlength=len(others) + 1)
    for most in range(min(MOST_DIFFERING, len(others) - 2), -1, -1):
        chance = (counts[most + 1] + 1) ** 2 / (counts[most + 2] + 1)
        near = counts[: most + 1].sum()
        if counts[most] > _COPIES_TIMES_CHANCE * chance and 2 * near >= _LEAST_COPIED * len(key):
            return pairs[:, differ <= most], float(chance)
    return None


def _pairs(key: Codes) -> NDArray[np.intp]:
    order = np.argsort(key, kind="stable")
    size = np.bincount(key)[key[order]]
    first = np.cumsum(np.bincount(key)) - np.bincount(key)
    behind = size - 1 - (np.arange(len(key)) - first[key[order]])
    one = np.repeat(np.arange(len(key)), behind)
    other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(behind) - behind, behind)
    return np.stack([order[one], order[other]])


def _groups(links: NDArray[np.intp], n_rows: int, *, largest: int) -> Codes:
    """Give linked rows the same number, unless the group is too large to be copies."""
    linked = _linked(links, n_rows)
    crowded = np.bincount(linked)[linked] > largest
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
    """Give rows the same number if they share either number, directly or through others."""
    first = int(one.max()) + 1
    linked = _linked(np.stack([one, first + other]), first + int(other.max()) + 1)
    return np.unique(linked[one], return_inverse=True)[1].astype(np.int64)
