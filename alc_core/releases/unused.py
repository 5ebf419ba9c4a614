"""Columns of a scenario that attacks on released rows cannot use, and whether that is a proof."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.scenario.scenario import Scenario
from alc_core.tables.checks.values import MANY_MADE, is_made
from alc_core.tables.codes.encode import CategoricalCodes, EncodedData, EncodedTable
from alc_core.tables.table import TOGETHER

MOST_UNMATCHED = 0.5  # Share of a column's released values, from which on it could not be matched


@dataclass(frozen=True, slots=True)
class _Matched:
    present: int
    matched: int
    distinct: int
    made: int = 0


def unused_columns(
    data: EncodedData, scenario: Scenario
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the known columns that are absent and the columns that are unmatched.

    Absent: none of the tables has it, or it has a single value of its own in all rows, so that
    nobody can be found by it. Unmatched: most values are not the original's, as where they were
    renamed, or labels were made for the release: somebody who knows what they mean can use them.
    """
    tables = [
        table
        for table in data.released
        if holds(table, scenario.unknown) and used_columns(table, scenario)
    ]
    absent, unmatched = [], []
    for column in scenario.columns:
        parts = [_matched(data, table, column) for table in tables if holds(table, column)]
        present = sum(part.present for part in parts)
        matched = sum(part.matched for part in parts)
        told_apart = max((part.distinct for part in parts), default=0) > 1
        if not present or not (told_apart or matched):
            absent.append(column)
        elif _mostly_others(present, matched) or (
            sum(part.made for part in parts) >= MANY_MADE * present
        ):
            unmatched.append(column)
    return tuple(column for column in absent if column in scenario.known), tuple(unmatched)


def unmatched_columns(data: EncodedData, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the released tables of which most values are not the original's."""
    found = []
    for column in columns:
        parts = [_matched(data, table, column) for table in data.released if holds(table, column)]
        if _mostly_others(sum(p.present for p in parts), sum(p.matched for p in parts)):
            found.append(column)
    return tuple(found)


def _mostly_others(present: int, matched: int) -> bool:
    return matched < MOST_UNMATCHED * present


def used_columns(table: EncodedTable, scenario: Scenario) -> list[str]:
    """Return the known columns that a released table has."""
    return [c for c in scenario.known if c in table.columns or c in table.set_columns]


def holds(table: EncodedTable, column: str) -> bool:
    """Return whether a released table has a column."""
    return column in table.columns or column in table.set_columns


def _matched(data: EncodedData, table: EncodedTable, column: str) -> _Matched:
    """Count a column's released values, and those of them that the original has.

    A label that stands for several values is one of them, unless it may be any.
    """
    sets = table.set_columns.get(column)
    if sets is None:
        return _single(data, column, table.columns[column])
    labelled = sets.codes < len(sets.labels)
    single = _single(data, column, sets.single[~labelled])
    labels = np.unique(sets.codes[labelled & ~sets.suppressed])
    rows = int(np.count_nonzero(labelled & ~sets.suppressed))
    return _Matched(
        single.present + rows, single.matched + rows, single.distinct + len(labels), single.made
    )


def _known(spec: CategoricalCodes, occurs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which labels the original has; of several columns, all parts of them."""
    if not spec.together:
        return occurs
    pieces = [label.split(TOGETHER) for label in spec.labels]
    own = [{*each} for each in zip(*itertools.compress(pieces, occurs), strict=True)]
    return np.array([all(map(set.__contains__, own, each)) for each in pieces])


def _single(data: EncodedData, column: str, values: CodeArray | FloatArray) -> _Matched:
    """Count single values."""
    spec, original = data.specs[column], data.original.columns[column]
    if isinstance(spec, CategoricalCodes):
        size = len(spec.labels)
        rows = np.bincount(values.astype(np.intp), minlength=size + 1)[:size]
        people = np.bincount(original.astype(np.intp), minlength=size + 1)[:size]
        present, known = int(rows.sum()), _known(spec, people > 0)
        made = rows[is_made(rows, present, int(people.sum())) & ~known]
        return _Matched(
            present, int(rows[known].sum()), int(np.count_nonzero(rows)), int(made.sum())
        )
    numbers = np.asarray(values, dtype=np.float64)
    numbers = numbers[np.isfinite(numbers)]
    before = np.asarray(original, dtype=np.float64)
    before = before[np.isfinite(before)]
    if not len(numbers) or not len(before):
        return _Matched(0, 0, 0)
    low, high = float(before.min()), float(before.max())
    inside = int(np.count_nonzero((numbers >= low) & (numbers <= high)))
    return _Matched(len(numbers), inside, 1 if np.ptp(numbers) == 0 else 2)
