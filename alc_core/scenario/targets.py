"""People behind rows: known values, units, targets, folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import RowArray, some_rows
from alc_core.errors import InputError
from alc_core.scenario.scenario import Scenario
from alc_core.tables.codes.encode import ColumnSpec, EncodedColumns, EncodedTable
from alc_core.tables.households import Household, connected, kept_together
from alc_core.tables.table import Table
from alc_core.tables.values.texts import canonical_labels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnownValues(EncodedColumns):
    """The known columns of some rows, without the unknown one.

    Attributes
    ----------
    specs : mapping of str to ColumnSpec
        By known column, in the scenario's order.
    columns : mapping of str to ndarray of shape (n_rows,)
        int32 codes or float64 values; a release may lack some.
    n_rows : int
    set_columns : mapping of str to SetColumn
        Released columns with generalized labels.

    Examples
    --------
    >>> import alc_core as alc
    >>> from alc_core.tables.codes.encode import encode
    >>> data = encode(alc.load_demo("fair").original, (), columns=["age"])
    >>> len(KnownValues.of(data.original, data.specs, ["age"]))
    6366
    """

    specs: Mapping[str, ColumnSpec]

    @classmethod
    def of(cls, table: EncodedTable, specs: Mapping[str, ColumnSpec], known: Sequence[str]) -> Self:
        """Take the known columns of an encoded table."""
        return cls(
            specs={column: specs[column] for column in known},
            columns={c: table.columns[c] for c in known if c in table.columns},
            n_rows=len(table),
            set_columns={c: table.set_columns[c] for c in known if c in table.set_columns},
        )

    @property
    def suppressed(self) -> NDArray[np.bool_]:
        """Whether all of a row's columns are suppressed."""
        if self.columns or not self.set_columns:
            return np.zeros(len(self), dtype=bool)
        every = [column.suppressed for column in self.set_columns.values()]
        return np.asarray(np.logical_and.reduce(every), dtype=bool)


_ROWS_FOR_FIVE_FOLDS = 10_000

# Fewest people left by balancing: ±0.05 of any precision
ENOUGH_TARGETS = 400
_MOST_OTHERS = 3
"""Most people left by balancing, times those with other values.

More hide a leak: 100 others among 300, 400 or 1,000 targets, all exposed, read as ALC 0.85, 0.80 or
0.51.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class People:
    """People of the original's rows, and who may be attacked."""

    # Whether in the pre-targeted selection
    eligible: NDArray[np.bool_]
    # None if each row is a person
    person: NDArray[np.int64] | None
    units: NDArray[np.int64]  # Household, or else person, of each row
    # Original columns behind each selection column
    selected_by: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, original: Table, scenario: Scenario) -> People:
        """Read person, household and selection from the original."""
        person = _numbers(original, scenario.person)
        household = _numbers(original, scenario.household)
        if person is not None and household is not None:
            units = connected(person, household)
        else:
            given = person if household is None else household
            units = np.arange(len(original), dtype=np.int64) if given is None else given
        return cls(
            eligible=_eligible_rows(original, scenario),
            person=person,
            units=units,
            selected_by={name: original.base([name]) for name in scenario.selection.where},
        )

    def __len__(self) -> int:
        return len(self.units)

    @property
    def count(self) -> int:
        """Number of people."""
        return len(self) if self.person is None else int(self.person.max()) + 1

    @property
    def most_rows(self) -> int:
        """Most rows of one person."""
        return 1 if self.person is None else int(np.bincount(self.person).max())

    def among(self, rows: NDArray[np.bool_]) -> int:
        """Return how many people have one of some rows."""
        return int(rows.sum()) if self.person is None else len(np.unique(self.person[rows]))


def _numbers(table: Table, column: Household) -> NDArray[np.int64] | None:
    """Return numbers of distinct values; each missing one is another person.

    Several columns: missing is a value; see :func:`kept_together`.
    """
    if column is None:
        return None
    table.require(*((column,) if isinstance(column, str) else column))
    if not isinstance(column, str):
        return kept_together(table, column)
    codes, uniques = pd.factorize(canonical_labels(table.frame[column]))
    numbers = codes.astype(np.int64)
    missing = numbers < 0
    numbers[missing] = len(uniques) + np.arange(missing.sum())
    return numbers


def _eligible_rows(table: Table, scenario: Scenario) -> NDArray[np.bool_]:
    eligible = np.ones(len(table), dtype=bool)
    for column, values in scenario.selection.where.items():
        table.require(column)
        wanted = canonical_labels(pd.Series(list(values), dtype=object))
        eligible &= canonical_labels(table.frame[column]).isin(list(wanted)).to_numpy(dtype=bool)
    if not eligible.any():
        raise InputError(
            f"Nobody in '{table.name}' is selected: no row has "
            f"{' and '.join(scenario.selection.conditions)}. Check the values."
        )
    return eligible


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TargetPlan:
    """Targets in order, and who is held out together."""

    # Rows held out while their targets are predicted; together all rows
    folds: tuple[RowArray, ...]
    targets: tuple[RowArray, ...]  # Target rows per fold, shuffled
    could: NDArray[np.bool_]  # Possible targets before down-sampling
    units: NDArray[np.int64]  # Household, or else person, of each row
    population: int
    recall_scale: float  # 1, or N'/D relative to the population (equation 4)
    # Share of the dominating value before down-sampling, if down-sampled
    down_sampled_share: float | None
    people: int  # Possible targets before down-sampling
    # People each target represents: more than 1 if thinned
    weights: NDArray[np.float64]
    # By row: the person's records that could be the target
    records: NDArray[np.int64]
    without_value: int = 0  # Without an unknown value

    @property
    def n_targets(self) -> int:
        """Number of targets."""
        return sum(len(rows) for rows in self.targets)


def plan_targets(
    people: People,
    scenario: Scenario,
    unknown: NDArray[np.int32],
    *,
    folds: int | None,
    rng: np.random.Generator,
    lacking: NDArray[np.bool_] | None = None,
) -> TargetPlan:
    """Select targets, and assign rows to folds."""
    n_rows, units = len(people), people.units
    present = np.ones(n_rows, dtype=bool) if lacking is None else ~lacking
    could = people.eligible & present
    candidates = _one_per_person(np.flatnonzero(could), people.person, rng)
    if not len(candidates):
        who = "Nobody selected" if scenario.selection.where else "Nobody"
        besides = " or ".join(["an empty cell", *(f"'{marker}'" for marker in scenario.markers)])
        raise InputError(
            f"{who} has a value of '{scenario.unknown}': all have {besides}. Choose another "
            "column, or include missing values."
        )
    if not present.all() and len(np.unique(unknown[candidates])) < 2:
        raise InputError(
            f"All people with a value of '{scenario.unknown}' have the same one. Choose another "
            "column, or include missing values."
        )
    with_value = people.among(present)
    pretargeted = bool(scenario.selection.where)
    scale = (
        len(candidates) / with_value
        if pretargeted and scenario.selection.recall == "population"
        else 1.0
    )
    share: float | None = None
    attackable, weights = len(candidates), np.ones(n_rows)
    if scenario.down_sample:
        everyone = candidates
        candidates, share = _down_sample(candidates, unknown, rng)
        if share is not None:
            before, after = (np.bincount(unknown[each]) for each in (everyone, candidates))
            thinned = int(np.argmax(before))
            weights[unknown == thinned] = before[thinned] / after[thinned]
    fold_of_unit = _assign_folds(units, unknown, folds or default_folds(n_rows), rng)
    fold_of_row = fold_of_unit[units]
    is_target = np.zeros(n_rows, dtype=bool)
    is_target[candidates] = True
    parts = [np.flatnonzero(fold_of_row == fold) for fold in range(int(fold_of_unit.max()) + 1)]
    return TargetPlan(
        folds=tuple(parts),
        targets=tuple(rng.permutation(rows[is_target[rows]]) for rows in parts),
        could=could,
        units=units,
        population=people.count,
        recall_scale=scale,
        down_sampled_share=share,
        people=attackable,
        weights=weights,
        records=_records(could, people.person),
        without_value=people.count - with_value,
    )


def _one_per_person(
    rows: RowArray, person: NDArray[np.int64] | None, rng: np.random.Generator
) -> RowArray:
    if person is None:
        return rows
    shuffled = rng.permutation(rows)
    _, first = np.unique(person[shuffled], return_index=True)
    return np.sort(shuffled[first])


def _records(could: NDArray[np.bool_], person: NDArray[np.int64] | None) -> NDArray[np.int64]:
    if person is None:
        return np.ones(len(could), dtype=np.int64)
    numbers = 2 * person + could
    return np.bincount(numbers)[numbers]


def _down_sample(
    rows: RowArray, unknown: NDArray[np.int32], rng: np.random.Generator
) -> tuple[RowArray, float | None]:
    counts = np.bincount(unknown[rows])
    dominating = int(np.argmax(counts))
    most, total = int(counts[dominating]), len(rows)
    size = down_sampled_size(most, total)
    if size == total:
        return rows, None
    dominated = unknown[rows] == dominating
    kept = rng.choice(rows[dominated], size=size - (total - most), replace=False)
    return np.sort(np.concatenate([rows[~dominated], kept])), most / total


def down_sampled_size(most: int, total: int) -> int:
    """Return the people left when the most frequent value is thinned."""
    others = total - most
    if others == 0 or others >= most:
        return total
    return min(total, max(2 * others, ENOUGH_TARGETS), _MOST_OTHERS * others)


def default_folds(n_rows: int) -> int:
    """Return the default number of folds."""
    return 5 if n_rows >= _ROWS_FOR_FIVE_FOLDS else 10


def _assign_folds(
    units: NDArray[np.int64], unknown: NDArray[np.int32], folds: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Deal units by unknown value, so that every fold leaves out as many of each.

    Without a random tenth of 500 people, the majority of a balanced column is often the minority of
    those left out: the most frequent value is correct for 44%.
    """
    sizes = np.bincount(units)
    if len(sizes) < 2:
        raise InputError("All rows belong to one person or household. Name another column.")
    values = np.empty(len(sizes), dtype=unknown.dtype)
    values[units] = unknown  # The last row's
    order = rng.permutation(len(sizes))
    order = order[np.lexsort((sizes[order], values[order]))]
    fold_of_unit = np.empty(len(sizes), dtype=np.int64)
    fold_of_unit[order] = np.arange(len(sizes)) % folds
    return fold_of_unit


def training_rows(
    plan: TargetPlan, fold: int, *, at_most: int, rng: np.random.Generator
) -> RowArray:
    """Return rows outside a fold, at most so many."""
    others = [rows for number, rows in enumerate(plan.folds) if number != fold]
    return some_rows(np.concatenate(others), at_most, rng)
