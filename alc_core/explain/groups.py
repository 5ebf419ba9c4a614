"""Groups of the people attacked: by the unknown value, by another column, numbers in quarters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.explain.trace import AttackTrace
from alc_core.tables.encode import CategoricalCodes, CodeArray, FloatArray, encode
from alc_core.tables.table import ColumnKind, Table

MISSING = "(missing)"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups:
    """To which group each target belongs."""

    column: str  # By which they are grouped
    names: tuple[str, ...]  # Of the groups, in the column's order
    codes: NDArray[np.int64]  # Place of each target's group in `names`


def group_columns(original: Table, unknown: str) -> tuple[str, ...]:
    """Return the columns by which people can be grouped, the unknown one first."""
    return (unknown, *(column for column in original.compared if column != unknown))


def group_targets(trace: AttackTrace, original: Table, column: str) -> Groups:
    """Group the people attacked."""
    if column == trace.codes.name:
        return _categories(column, trace.codes, trace.unknown)
    data = encode(original, [], columns=[column])
    values, spec = data.original.columns[column][trace.rows], data.specs[column]
    if isinstance(spec, CategoricalCodes):
        return _categories(column, spec, np.asarray(values, dtype=np.int32))
    dates = original.kind(column) is ColumnKind.DATETIME
    return _quarters(column, np.asarray(values, dtype=np.float64), dates=dates)


def _categories(column: str, spec: CategoricalCodes, values: CodeArray) -> Groups:
    order = _reading_order(spec.labels)
    place = np.empty(spec.size, dtype=np.int64)
    place[[*order, len(order)]] = np.arange(spec.size)
    names = (*(spec.labels[label] for label in order), MISSING)
    return Groups(column=column, names=names, codes=place[values])


def _reading_order(labels: Sequence[str]) -> list[int]:
    """Return the labels' places by value where all are numbers; else, and for bins, as they are."""
    try:
        numbers = [float(label) for label in labels]
    except ValueError:
        return list(range(len(labels)))
    return sorted(range(len(labels)), key=numbers.__getitem__)


def _quarters(column: str, values: FloatArray, *, dates: bool) -> Groups:
    present = values[~np.isnan(values)]
    if not len(present):
        return Groups(column=column, names=(MISSING,), codes=np.zeros(len(values), dtype=np.int64))
    edges = np.unique(np.quantile(present, [0.25, 0.5, 0.75]))
    place = np.searchsorted(edges, values, side="left")
    used, codes = np.unique(np.where(np.isnan(values), len(edges) + 1, place), return_inverse=True)
    names = []
    for number in used:
        inside = values[(place == number) & ~np.isnan(values)]
        names.append(_range(inside, dates=dates) if number <= len(edges) else MISSING)
    return Groups(column=column, names=tuple(names), codes=codes.astype(np.int64))


def _range(values: FloatArray, *, dates: bool) -> str:
    low, high = float(values.min()), float(values.max())
    words = [_day(end) if dates else f"{end:g}" for end in (low, high)]
    return words[0] if words[0] == words[1] else f"{words[0]} to {words[1]}"


def _day(days: float) -> str:
    return str(np.datetime64("1970-01-01") + np.timedelta64(int(np.floor(days)), "D"))
