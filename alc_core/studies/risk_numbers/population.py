"""Estimated population uniqueness, and people who fit each released class.

If values are at most coarsened, no class has more rows than people who fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray, places_in
from alc_core.runtime.kernels import mixed
from alc_core.studies.risk_numbers.classes import ClassedRows, ClassSizes, numbered_rows
from alc_core.tables.codes.encode import EncodedTable
from alc_core.tables.codes.sets import IntervalSets, LabelSets, SetColumn
from alc_core.tables.values.generalized import distinct_keys

_STARTS = (-1.0, 1.0)
# Of the discount's logit and the concentration's logarithm
_BOUNDS = ((-12.0, 8.0), (-7.0, 25.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationEstimate:
    """Uniqueness in a population of which the table is a simple random sample."""

    population: int  # People in it
    unique: float | None  # Share of rows unique in it (Pitman); None if no two rows are equal
    # Chance that a match with a unique row is correct (data intrusion simulation); None without
    # unique rows or pairs
    right_match: float | None


def population_estimate(found: ClassSizes, population: int) -> PopulationEstimate:
    """Estimate uniqueness in the population.

    References
    ----------
    Hoshino (2001), Applying Pitman's sampling formula to microdata disclosure risk assessment.
    Skinner and Elliot (2002), A measure of disclosure risk for microdata.
    """
    sizes = np.array(found.sizes, float)
    classes = np.array(found.rows, float) / sizes
    return PopulationEstimate(
        population=population,
        unique=_pitman(sizes, classes, population),
        right_match=_right_match(sizes, classes, population),
    )


def _right_match(sizes: FloatArray, classes: FloatArray, population: int) -> float | None:
    fraction = float(np.dot(sizes, classes)) / population
    unique, pairs = (float(classes[sizes == size].sum()) for size in (1, 2))
    if not unique or not pairs:
        return None
    return fraction * unique / (fraction * unique + (1 - fraction) * 2 * pairs)


def _pitman(sizes: FloatArray, classes: FloatArray, population: int) -> float | None:
    """Return the share of rows expected to be population-unique.

    By Pitman's formula person i + 1 differs from a unique one with probability (c + d + i - 1) / (c
    + i).
    """
    from scipy.special import gammaln

    rows, unique = float(np.dot(sizes, classes)), float(classes[sizes == 1].sum())
    if unique == rows:
        return None
    if not unique:
        return 0.0
    discount, concentration = _fitted(sizes, classes)
    both = concentration + discount
    stays = (
        gammaln(both + population - 1) - gammaln(both + rows - 1)
        - gammaln(concentration + population) + gammaln(concentration + rows)
    )  # fmt: skip
    return unique / rows * float(min(1.0, np.exp(stays)))


def _fitted(sizes: FloatArray, classes: FloatArray) -> tuple[float, float]:
    from scipy.optimize import minimize
    from scipy.special import expit, gammaln

    rows, number = float(np.dot(sizes, classes)), float(classes.sum())

    def loss(at: FloatArray) -> float:
        discount, concentration = float(expit(at[0])), float(np.exp(at[1]))
        ratio = concentration / discount
        likelihood = (
            (number - 1) * np.log(discount) + gammaln(ratio + number) - gammaln(ratio + 1)
            - gammaln(concentration + rows) + gammaln(concentration + 1)
            + np.dot(classes, gammaln(sizes - discount) - gammaln(1 - discount))
        )  # fmt: skip
        return -float(likelihood) / rows

    fits = [
        minimize(loss, [start, np.log(number)], method="L-BFGS-B", bounds=_BOUNDS)
        for start in _STARTS
    ]
    best = min(fits, key=lambda fit: float(fit.fun)).x
    return float(expit(best[0])), float(np.exp(best[1]))


KeyArray = NDArray[np.uint64]
Values = NDArray[np.generic]

NOT_COUNTED = -1  # In place of a number of people
# Most rows times columns of the original; further classes are not counted
_MOST_WORK = 60_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Column:
    original: Values  # Codes or numbers
    labels: IntArray  # Number of each class's label
    levels: IntArray  # By label; single values are level 0
    singles: IntArray  # Values of level 0, as in `distinct_keys`
    # Of the other labels, numbered after single values
    sets: LabelSets | IntervalSets | None

    def level(self, number: int) -> IntArray:
        """Return a level's label of each person; -1 if none."""
        members = np.flatnonzero(self.levels == number)
        if number == 0:
            return places_in(distinct_keys(self.original), self.singles)
        if isinstance(self.sets, IntervalSets):
            return _in_intervals(self.sets, members, self.original, len(self.singles))
        covered = cast(LabelSets, self.sets).covered
        of_codes = np.full(covered.shape[1], -1, dtype=np.int64)
        for label in members:
            of_codes[covered[label - len(self.singles)]] = label
        return of_codes[np.asarray(self.original, dtype=np.int64)]


def people_who_fit(
    original: EncodedTable, released: EncodedTable, columns: Sequence[str], classes: ClassedRows
) -> IntArray:
    """Count the people of the original who fit each class."""
    read = [_column(original, released, column, classes.first) for column in columns]
    patterns = numbered_rows([each.levels[each.labels] for each in read], len(classes.sizes))
    offsets = mixed(np.arange(1, len(columns) + 1, dtype=np.uint64))
    found = np.full(len(classes.sizes), NOT_COUNTED, dtype=np.int64)
    rows = np.bincount(patterns, weights=classes.sizes)
    work = 0
    for pattern in np.argsort(-rows, kind="stable"):
        work += len(original) * len(columns)
        if work > _MOST_WORK and pattern != np.argmax(rows):
            break
        members = np.flatnonzero(patterns == pattern)
        found[members] = _count_pattern(read, members, offsets, len(original))
    return found


def _count_pattern(
    read: Sequence[_Column], members: IntArray, offsets: KeyArray, n_people: int
) -> IntArray:
    """Count people by a summed hash of labels, all of one level."""
    people, wanted = np.zeros(n_people, np.uint64), np.zeros(len(members), np.uint64)
    covered = np.ones(n_people, dtype=bool)
    for column, offset in zip(read, offsets, strict=True):
        labels = column.labels[members]
        own = column.level(int(column.levels[labels[0]]))
        people += mixed(own.astype(np.uint64) + offset)
        covered &= own >= 0
        wanted += mixed(labels.astype(np.uint64) + offset)
    ordered, order = np.sort(people[covered]), np.argsort(wanted)
    wanted = wanted[order]  # Sorted keys are found several times faster
    last = np.searchsorted(ordered, wanted, side="right")
    found = np.empty(len(members), dtype=np.int64)
    found[order] = last - np.searchsorted(ordered, wanted, side="left")
    return found


def _column(
    original: EncodedTable, released: EncodedTable, column: str, first: IntArray
) -> _Column:
    values = original.columns[column]
    sets = released.set_columns.get(column)
    if sets is None:
        singles, labels = np.unique(
            distinct_keys(released.columns[column][first]), return_inverse=True
        )
        levels = np.zeros(len(singles), dtype=np.int64)
        return _Column(original=values, labels=labels, levels=levels, singles=singles, sets=None)
    single = sets.codes[first] == len(sets.labels)
    singles, place = np.unique(distinct_keys(sets.single[first][single]), return_inverse=True)
    labels = sets.codes[first].astype(np.int64) + len(singles)
    labels[single] = place
    levels = np.append(np.zeros(len(singles), dtype=np.int64), 1 + _disjoint_levels(sets))
    return _Column(original=values, labels=labels, levels=levels, singles=singles, sets=sets.sets)


def _disjoint_levels(column: SetColumn) -> IntArray:
    """Divide labels into few levels without overlaps."""
    sets = column.sets
    if isinstance(sets, LabelSets):
        order = np.argsort(-sets.covered.sum(axis=1), kind="stable")
        ranges = [sets.covered[label] for label in order]
        taken: list[NDArray[np.bool_]] = []
        levels = np.zeros(len(order), dtype=np.int64)
        for label, covers in zip(order, ranges, strict=True):
            level = next((n for n, used in enumerate(taken) if not (used & covers).any()), None)
            if level is None:
                level = len(taken)
                taken.append(np.zeros_like(covers))
            taken[level] = taken[level] | covers
            levels[label] = level
        return levels
    low = np.where(sets.any, -np.inf, sets.low)
    high = np.where(sets.any, np.inf, sets.high)
    ends: list[float] = []
    levels = np.zeros(len(low), dtype=np.int64)
    for label in np.lexsort((high, low)):
        level = next((n for n, end in enumerate(ends) if end < low[label]), None)
        if level is None:
            level = len(ends)
            ends.append(0.0)
        ends[level], levels[label] = float(high[label]), level
    return levels


def _in_intervals(sets: IntervalSets, members: IntArray, values: Values, after: int) -> IntArray:
    numbers = np.asarray(values, dtype=np.float64)
    every = members[sets.any[members - after]]
    if len(every):  # It covers everything: a level of its own
        return np.full(len(numbers), every[0], dtype=np.int64)
    order = members[np.argsort(sets.low[members - after], kind="stable")]
    place = np.searchsorted(sets.low[order - after], numbers, side="right") - 1
    label = order[np.maximum(place, 0)]
    inside = (place >= 0) & (numbers <= sets.high[label - after])
    return np.where(inside, label, -1).astype(np.int64)
