"""Whom the original's rows are about, and who of them may be attacked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.errors import ColumnError, InputError
from alc_core.scenario.scenario import Scenario
from alc_core.tables.households import Household, numbered
from alc_core.tables.table import Table, missing_column_message
from alc_core.tables.values.texts import canonical_labels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class People:
    """Whom the original's rows are about, and who of them may be attacked."""

    # Whether the row belongs to the pre-targeted selection; all do where there is none
    eligible: NDArray[np.bool_]
    # Number of the person; None where every row is a person of its own
    person: NDArray[np.int64] | None
    units: NDArray[np.int64]  # Number of the household, or else of the person, of every row

    @classmethod
    def of(cls, original: Table, scenario: Scenario) -> People:
        """Read person, household and selection from the original."""
        person = _numbers(original, scenario.person)
        household = _numbers(original, scenario.household)
        return cls(
            eligible=_eligible_rows(original, scenario),
            person=person,
            units=_dependents(person, household, len(original)),
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
        """Return how many people have at least one of some rows."""
        return int(rows.sum()) if self.person is None else len(np.unique(self.person[rows]))


def _numbers(table: Table, column: Household) -> NDArray[np.int64] | None:
    """Return a number for each distinct value; every missing one counts as another person.

    Of several columns every combination has a number, and a missing value is a value.
    """
    if column is None:
        return None
    for name in (column,) if isinstance(column, str) else column:
        if name not in table.columns:
            raise ColumnError(missing_column_message(table, name))
    if not isinstance(column, str):
        return numbered(table.frame, column)
    codes, uniques = pd.factorize(canonical_labels(table.frame[column]))
    numbers = codes.astype(np.int64)
    missing = numbers < 0
    numbers[missing] = len(uniques) + np.arange(missing.sum())
    return numbers


def _dependents(
    person: NDArray[np.int64] | None, household: NDArray[np.int64] | None, n_rows: int
) -> NDArray[np.int64]:
    """Join rows that share a person or a household, directly or through others."""
    if person is None or household is None:
        given = person if household is None else household
        return np.arange(n_rows, dtype=np.int64) if given is None else given
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_people, n_households = int(person.max()) + 1, int(household.max()) + 1
    size = n_people + n_households
    links = coo_array(
        (np.ones(len(person), dtype=np.int8), (person, n_people + household)), shape=(size, size)
    )
    _, component = connected_components(links, directed=False)
    return np.unique(component[person], return_inverse=True)[1].astype(np.int64)


def _eligible_rows(table: Table, scenario: Scenario) -> NDArray[np.bool_]:
    eligible = np.ones(len(table), dtype=bool)
    for column, values in scenario.selection.where.items():
        if column not in table.columns:
            raise ColumnError(missing_column_message(table, column))
        wanted = canonical_labels(pd.Series(list(values), dtype=object))
        eligible &= canonical_labels(table.frame[column]).isin(list(wanted)).to_numpy(dtype=bool)
    if not eligible.any():
        conditions = " and ".join(
            f"{column} = {' or '.join(values)}"
            for column, values in scenario.selection.where.items()
        )
        raise InputError(
            f"Nobody in '{table.name}' is selected: no row has {conditions}. "
            "Check the spelling of the values, or choose others."
        )
    return eligible
