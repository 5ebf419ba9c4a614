"""What a model learns from, and whom it predicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from alc_core.attacks.released_columns import ReleasedColumns
from alc_core.baselines.features import FeatureCoding, Features
from alc_core.errors import InputError
from alc_core.phrasing import count, listed
from alc_core.releases.microdata import ReleasedRows
from alc_core.releases.release import Release
from alc_core.releases.unused import holds, used_columns
from alc_core.scenario.known_values import KnownValues
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import People
from alc_core.tables.codes.encode import (
    CategoricalCodes,
    ColumnSpec,
    EncodedData,
    EncodedTable,
    FloatArray,
    encode,
)
from alc_core.tables.table import Table

Truth = NDArray[np.int32] | FloatArray
"""Codes of categories, or numbers."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowsToLearn:
    """Known attributes and true values of rows that a model learns from."""

    rows: ReleasedColumns  # Their known attributes, and how people's look among them
    coding: FeatureCoding  # As a matrix
    truth: Truth  # Codes, or numbers
    notes: tuple[str, ...]  # What of the release is not used

    @property
    def features(self) -> Features:
        """Of the rows."""
        return self.coding.features(self.rows.known)

    def of_people(self, known: KnownValues) -> Features:
        """Return people's known attributes as these rows would show them."""
        return self.coding.features(self.rows.seen(known))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RapidPeople:
    """The people whose unknown attribute is predicted."""

    known: KnownValues  # Of those who have a value
    truth: Truth  # Codes, or numbers
    units: NDArray[np.int64]  # Rows with equal numbers belong together
    places: NDArray[np.intp]  # Their rows in the original
    codes: CategoricalCodes | None  # Of the unknown attribute; None where it is a number
    left_out: int  # Rows of the original without a value

    def __len__(self) -> int:
        return len(self.truth)


def rapid_rows(
    original: Table, release: Release, scenario: Scenario
) -> tuple[RapidPeople, RowsToLearn]:
    """Read people and released rows for one scenario."""
    data = encode(original, release.coded_tables(), columns=scenario.columns)
    column, spec = scenario.unknown, data.specs[scenario.unknown]
    places = np.flatnonzero(~data.lacks_value(column, scenario.markers))
    if not len(places):
        raise InputError(f"Nobody in '{original.name}' has a value of '{column}'.")
    people = RapidPeople(
        known=KnownValues.of(data.original, data.specs, scenario.known).take(places),
        truth=data.original.columns[column][places],
        units=People.of(original, scenario).units[places],
        places=places,
        codes=spec if isinstance(spec, CategoricalCodes) else None,
        left_out=len(original) - len(places),
    )
    return people, _to_learn(data, scenario, release)


def _to_learn(data: EncodedData, scenario: Scenario, release: Release) -> RowsToLearn:
    """Return the rows with a single value, of the tables that have the most known columns."""
    tables: list[ReleasedRows] = []
    values: list[Truth] = []
    notes: list[str] = []
    start = 0
    for table in data.released:
        if not (holds(table, scenario.unknown) and used_columns(table, scenario)):
            continue
        found = _single_values(table, data.specs[scenario.unknown], scenario)
        rows = np.flatnonzero(found.usable)
        if len(rows) < len(table):
            notes.append(
                f"{count(len(table) - len(rows))} rows of '{table.name}' have no single value of"
                f" '{scenario.unknown}'; nothing was learned from them."
            )
        known = KnownValues.of(table, data.specs, scenario.known).take(rows)
        numbers = np.arange(start, start + len(rows), dtype=np.int32)
        tables.append(ReleasedRows(name=table.name, known=known, unknown=numbers))
        values.append(found.values[rows])
        start += len(rows)
    if not start:
        raise InputError(
            f"Release '{release.name}' has no row with a value of '{scenario.unknown}' and a known "
            "attribute, so there is nothing to learn from. Choose other columns."
        )
    groups = ReleasedColumns.groups([table for table in tables if len(table)])
    learned = max(groups, key=lambda group: (len(group.known.specs), len(group.unknown)))
    absent = [name for name in scenario.known if name not in learned.known.specs]
    if absent:
        notes.append(f"The release does not tell {listed(absent)}; the model does without.")
    if len(groups) > 1:
        notes.append(
            f"The tables of the release have different columns; the model learned from those with"
            f" {listed(list(learned.known.specs))}."
        )
    return RowsToLearn(
        rows=learned,
        coding=FeatureCoding.of(learned.known),
        truth=cast(Truth, np.concatenate(values)[learned.unknown]),
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Single:
    values: Truth
    usable: NDArray[np.bool_]


def _single_values(table: EncodedTable, spec: ColumnSpec, scenario: Scenario) -> _Single:
    """Return a released column, and which rows have a single value that is one."""
    column = scenario.unknown
    sets = table.set_columns.get(column)
    values = table.columns[column] if sets is None else sets.single
    if isinstance(spec, CategoricalCodes):
        none = [*spec.codes_of(scenario.markers), spec.size - 1]
        usable = (values >= 0) & ~np.isin(values, none)
    else:
        numbers = np.asarray(values, dtype=np.float64)
        usable = ~(np.isnan(numbers) | spec.is_marker(numbers, scenario.markers))
    if sets is not None:
        usable &= sets.codes >= len(sets.labels)
    return _Single(values, np.asarray(usable, dtype=bool))
