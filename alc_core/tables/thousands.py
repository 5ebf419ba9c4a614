"""Numbers with marks for thousands or decimals, settled by another table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pandas as pd

from alc_core.arrays import FloatArray
from alc_core.phrasing import quoted
from alc_core.tables.kinds import infer_kinds
from alc_core.tables.table import Table
from alc_core.tables.values.texts import distinct_codes, is_text, numeric_values, parse_numbers

_MOST = 0.5


def mark_of(table: Table, column: str) -> str:
    """Return the possible thousands mark: commas if kept as text."""
    return "," if is_text(table.frame[column]) else "."


def in_thousands(table: Table, column: str) -> FloatArray:
    """Return a column's numbers if marks separate thousands."""
    series = table.frame[column]
    if is_text(series):
        codes, distinct = distinct_codes(series)
        numbers = parse_numbers([str(text).replace(",", "") for text in distinct])
        return np.append(numbers, np.nan)[codes]
    numbers = numeric_values(series)
    has_mark = table.maybe_thousands[column] | (numbers != np.floor(numbers))
    return np.where(has_mark, np.round(1000 * numbers), numbers)


def as_thousands(table: Table, columns: Iterable[str], why: str) -> Table:
    """Return a table whose marks separate thousands in these columns."""
    names = list(columns)
    if not names:
        return table
    numbers = {name: pd.Series(in_thousands(table, name)) for name in names}
    note = f"Marks between digits in {quoted(names)} separate thousands: {why}."
    return _settled(table, numbers, note)


def with_thousands(original: Table, release: Table) -> Table:
    """Return a release with marks read by the original's values."""
    thousands: list[str] = []
    decimals: dict[str, pd.Series] = {}
    for column in release.maybe_thousands:
        if column not in original.columns or column in original.maybe_thousands:
            continue
        before = numeric_values(original.frame[column])
        before = before[np.isfinite(before)]
        as_is = numeric_values(release.frame[column])
        fits = [_lies(before, each) for each in (as_is, in_thousands(release, column))]
        if fits == [False, True]:
            thousands.append(column)
        elif fits == [True, False]:
            decimals[column] = pd.Series(as_is)
    release = as_thousands(release, thousands, "the original's values say so")
    note = f"Marks in {quoted([*decimals])} are decimal: the original's values say so."
    return _settled(release, decimals, note) if decimals else release


def _settled(table: Table, numbers: dict[str, pd.Series], note: str) -> Table:
    columns = pd.DataFrame(numbers)
    left = {name: found for name, found in table.maybe_thousands.items() if name not in numbers}
    return replace(
        table,
        frame=table.frame.assign(**numbers),
        guesses={**table.guesses, **infer_kinds(columns)},
        maybe_thousands=left,
        notes=(*table.notes, note),
    )


def _lies(before: FloatArray, numbers: FloatArray) -> bool:
    present = numbers[np.isfinite(numbers)]
    if not len(before) or not len(present):
        return False
    return float(np.mean((before.min() <= present) & (present <= before.max()))) >= _MOST
