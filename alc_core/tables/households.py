"""Likely households and copies.

Households share the dwelling's columns: rows agree in small groups far more often than independent
people, allowing for columns' pairwise predictions. Copies agree in nearly all columns, beyond
chance.
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

# Limits, each tried at half and twice its value on surveys of households, sdcMicro's test data and
# tables with and without copies; the same is found unless stated
LARGEST = 12  # Largest household
_LEAST_ROWS = 100  # Rows of a table that is examined
_LOOKED_AT = 200_000  # Rows examined of a longer table
_CELLS = 2_500_000  # Pairs of rows compared at once
_ASKED = 40, 150  # Least and most rows whose nearest is sought
_FEW = 500  # Rows that mostly show whether two columns tell each other
_COUNTED = 50_000  # Combinations of two columns' values that are counted as they are
_PAIRED = 5_000  # Rows to measure columns' predictions
_MOST_COLUMNS = 12  # Columns of a dwelling that are tried
_LEAST_SHARE = 0.3  # Share of rows in small groups; at 0.6, copies are not a household
_TIMES_CHANCE = 10.0  # Pairs relative to chance
_TOLD = 0.9  # Agreement of a column that follows from another; at 0.45, households are missed
_ODDS = 5.0  # Odds ratio of agreeing in a dwelling's column; at 0, others are included
# Independent columns of a dwelling; at 6, households are missed
_FEWEST_FACTS = 3
Codes = NDArray[np.int64]

# Household column, or several whose values together identify
Household = str | tuple[str, ...] | None


def household_of(columns: Sequence[str]) -> Household:
    """Return one column, several as a tuple, or None."""
    return columns[0] if len(columns) == 1 else tuple(columns) or None


def columns_of(household: Household) -> tuple[str, ...]:
    """Return the columns that identify a household; none without one."""
    return (household,) if isinstance(household, str) else household or ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelyHouseholds:
    """Columns that together seem to identify households."""

    columns: tuple[str, ...]  # In the table's order
    # Rows that agree in all with one to eleven others, and all rows
    rows: int
    of: int
    # Such pairs, and pairs by chance
    pairs: float
    expected: float


_FOUND: WeakKeyDictionary[Table, dict[str | None, LikelyHouseholds | None]] = WeakKeyDictionary()


def likely_households(original: Table, person: str | None = None) -> LikelyHouseholds | None:
    """Find columns by which rows look like households."""
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
        """Return whether agreeing in others makes agreement far likelier."""
        others = [c for c in order[:size] if c != column]
        usual = max([alone[column], *(told[column].get(c, 0.0) for c in others)])
        agree = _agreeing(whole) / _agreeing(_together(codes, others))
        return usual > _TOLD or agree * (1 - usual) >= _ODDS * usual * (1 - agree)

    shared = [column for column in order[:size] if is_shared(column)]
    own = [c for c in shared if all(told[c].get(other, 0.0) < _TOLD for other in shared)]
    rows = _small_groups(_together(codes, shared))[0]
    # Rows equal in all columns are one person's
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
    """Return numbers of combinations of values; missing is a value."""
    return _together({c: label_codes(frame[c])[0].astype(np.int64) + 1 for c in columns}, columns)


def _distinct_columns(frame: pd.DataFrame, columns: Sequence[str]) -> dict[str, Codes]:
    """Return codes of varying columns, richest first, without one-to-one copies."""
    found = {c: numbered(frame, [c]) for c in columns}
    kept: dict[str, Codes] = {}
    for column in sorted(found, key=lambda c: -found[c].max()):
        codes = found[column]
        alike = (other for other in kept.values() if other.max() == codes.max())
        if codes.max() > 0 and not any(_one_to_one(other, codes) for other in alike):
            kept[column] = codes
    return kept


def _one_to_one(one: Codes, other: Codes) -> bool:
    """Return whether codes of as many values tell each other; mostly a few rows say no."""
    few, every = slice(_FEW), slice(None)
    return all(joined(one[some], other[some]).max() <= other.max() for some in (few, every))


def _told_by_others(codes: Mapping[str, Codes]) -> dict[str, dict[str, float]]:
    """Return agreement in a column given another.

    Without columns of small groups, which may be the households.
    """
    n_rows = len(next(iter(codes.values())))
    step = max(1, n_rows // _PAIRED)
    some = {column: values[::step] for column, values in codes.items()}
    crowded = {c for c in some if _small_groups(some[c])[1] >= len(some[c]) / 2}
    alone = {column: _agreeing(some[column]) for column in crowded}
    told: dict[str, dict[str, float]] = {column: {} for column in codes}
    for column, other in itertools.combinations(codes, 2):
        if {column, other} & crowded:
            both = _agreeing_in_both(some[column], some[other])
            for one, by in ((column, other), (other, column)):
                if by in crowded:
                    told[one][by] = both / alone[by]
    return told


def _agreement_of_nearest(
    codes: Mapping[str, Codes], told: Mapping[str, Mapping[str, float]]
) -> dict[str, float]:
    """Return by column how often rows agree with their rarest match."""
    n_rows = len(next(iter(codes.values())))
    least, most = _ASKED
    asked = spread_out(n_rows, max(least, min(most, _CELLS // n_rows)))
    rarity = {column: _rarity(values) for column, values in codes.items()}
    parents = _parents(told, list(codes))
    likeness = np.zeros((len(asked), n_rows), dtype=np.float32)
    for column, values in codes.items():
        same = values[asked][:, None] == values
        likeness += same * rarity[column][asked][:, None]
        if (parent := parents.get(column)) is not None:  # Not rare if another column predicts it
            both = _rarity(joined(codes[parent], values))
            given = np.minimum(both - rarity[parent] - rarity[column], 0)
            same &= codes[parent][asked][:, None] == codes[parent]
            likeness += same * given[asked][:, None]
    likeness[np.arange(len(asked)), asked] = -np.inf
    nearest = likeness.argmax(axis=1)
    return {c: float(np.mean(v[asked] == v[nearest])) for c, v in codes.items()}


def _parents(told: Mapping[str, Mapping[str, float]], order: Sequence[str]) -> dict[str, str]:
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


def _agreeing_in_both(one: Codes, other: Codes) -> float:
    pairs = one * (int(other.max(initial=0)) + 1) + other
    few = int(pairs.max(initial=0)) < _COUNTED
    return _agreeing(pairs if few else pd.factorize(pairs)[0].astype(np.int64))


def _small_groups(codes: Codes) -> tuple[int, int, float]:
    """Return rows in household-size groups, in larger ones, and pairs in the former."""
    counts = np.bincount(codes)
    small = counts[(counts > 1) & (counts <= LARGEST)].astype(np.int64)
    return (
        int(small.sum()),
        int(counts[counts > LARGEST].sum()),
        float((small * (small - 1)).sum()) / 2,
    )


# Columns in which copies may differ; at 1, copies are missed, at 4, relatives are copies
MOST_DIFFERING = 2
# Least columns for copies; at 8, those of seven columns are missed
_LEAST_COLUMNS = 4
_MOST_COMPARED = 30  # Columns that are compared
_LEAST_COPIED = 0.05  # Share of copied rows; at 0.025, relatives are copies
_COPIES_TIMES_CHANCE = 2.0  # Copies relative to chance; at 4, near copies are missed
_BLOCKS = 3  # Sets of columns, of which copies change at most two; at 1, near copies are missed
# Mean rows that agree in a block; at 16, fewer near copies are found
_PARTNERS = 8.0
_MOST_EQUAL = 30.0  # Mean rows that may equal a row


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LikelyCopies:
    """Rows that seem to be copies of each other."""

    columns: tuple[str, ...]  # Those compared
    rows: int  # Copied rows, and all rows
    of: int
    pairs: float  # Pairs of nearly equal rows, and by chance
    expected: float
    groups: Codes  # By row, equal for copies


_COPIES: WeakKeyDictionary[Table, LikelyCopies | None] = WeakKeyDictionary()


def likely_dependents(
    original: Table, person: str | None = None
) -> LikelyHouseholds | LikelyCopies | None:
    """Find columns by which rows look like households or copies."""
    found = likely_households(original, person)
    if found is None and person is None:  # A person's rows stay together anyway
        return likely_copies(original)
    return found


def likely_copies(original: Table) -> LikelyCopies | None:
    """Find rows that agree in all but two columns, beyond chance.

    Among pairs that agree in a few columns of many values, differences in others are counted. By
    chance, the logarithm of these counts is concave, as for a sum of independent events: pairs that
    differ in k columns are at most the square of those in k + 1, divided by those in k + 2. Copies
    are more than twice as many.

    Of 204 draws from 17 tables without copies, 1 was suspected. Copies of 10% of the rows were
    found in 9 of 9 tables with columns of many values if one cell differs, in 8 of 9 if two do; of
    30%, in all. In 8 tables of few values or columns none are found: strangers are as similar.
    """
    if original not in _COPIES:
        _COPIES[original] = _find_copies(original.frame, original.own_compared)
    return _COPIES[original]


def kept_together(original: Table, columns: Sequence[str]) -> Codes:
    """Return a number by row, equal for rows that belong together.

    They agree in all `columns`; if these are all, near copies count too.
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
    for column, values in codes.items():  # A column another determines is the same difference twice
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
    """Yield disjoint sets of columns in which few rows agree, with joint codes."""
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
    """Return pairs equal in a block and nearly so elsewhere, and their number by chance."""
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
    """Give linked rows one number, unless too many for copies."""
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
    """Give rows one number if they share a number, also through others."""
    first = int(one.max()) + 1
    linked = _linked(np.stack([one, first + other]), first + int(other.max()) + 1)
    return np.unique(linked[one], return_inverse=True)[1].astype(np.int64)
