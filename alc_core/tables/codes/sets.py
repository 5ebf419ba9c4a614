"""Columns of generalized labels, as codes with what they cover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.errors import InputError
from alc_core.tables.codes.columns import CategoricalCodes, ColumnSpec
from alc_core.tables.table import Table
from alc_core.tables.value_sets import SUPPRESSED_CELL, AnyValue, Interval, ValueSet
from alc_core.tables.values.generalized import tags
from alc_core.tables.values.texts import label_codes

IntegerArray = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelSets:
    """Released labels that cover categories of the original."""

    # By label and code; the last code is missing
    covered: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        labels: tuple[str, ...],
        sets: Mapping[str, ValueSet],
        column: str,
        codes: tuple[str, ...],
    ) -> Self:
        """Look up what labels cover."""
        place = {label: code for code, label in enumerate(codes)}
        covered = np.zeros((len(labels), len(codes) + 1), dtype=bool)
        for number, label in enumerate(labels):
            stands_for = sets[label]
            if isinstance(stands_for, AnyValue):
                covered[number] = True
                continue
            if isinstance(stands_for, Interval):
                raise InputError(
                    f"'{label}' covers an interval, but column '{column}' is categorical. Name "
                    "labels, or make it continuous."
                )
            found = [place[value] for value in stands_for if value in place]
            if not found:
                raise InputError(
                    f"'{label}' of column '{column}' covers no value of the original. Correct it."
                )
            covered[number, found] = True
        return cls(covered=covered)

    def distances(self, values: NDArray[np.generic]) -> FloatArray:
        """Return distances from labels: 0 if covered, else 1."""
        covered = self.covered[:, np.asarray(values, dtype=np.int64)].T
        return np.where(covered, 0.0, 1.0)

    def weights(self, single: FloatArray) -> FloatArray:
        """Return each code's probability by label."""
        covered = self.covered.astype(np.float64)
        return _normalized(covered, single, even=covered)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IntervalSets:
    """Released labels that cover intervals."""

    # Least and greatest number by label, the scale's if unbounded
    low: FloatArray
    high: FloatArray
    any: NDArray[np.bool_]  # Labels that cover every value, also missing
    range: float  # What distances are divided by

    @classmethod
    def of(
        cls,
        labels: tuple[str, ...],
        sets: Mapping[str, ValueSet],
        column: str,
        scale: tuple[float, float],
    ) -> Self:
        """Look up what labels cover."""
        bounds = []
        for label in labels:
            covers = sets[label]
            if not isinstance(covers, Interval | AnyValue):
                raise InputError(
                    f"'{label}' covers labels, but column '{column}' is continuous. Declare an "
                    "interval."
                )
            low, high = covers.closed_bounds if isinstance(covers, Interval) else (-np.inf, np.inf)
            low = min(scale[0], high) if np.isinf(low) else low
            bounds.append((low, max(scale[1], low) if np.isinf(high) else high))
        ends = np.array(bounds, dtype=np.float64).reshape(-1, 2)
        every = np.array([isinstance(sets[label], AnyValue) for label in labels], dtype=bool)
        return cls(low=ends[:, 0], high=ends[:, 1], any=every, range=scale[1] - scale[0])

    def distances(self, values: NDArray[np.generic]) -> FloatArray:
        """Return distances from labels, divided by the range, at most 1."""
        numbers = np.asarray(values, dtype=np.float64)[:, None]
        nearest = np.maximum(np.maximum(self.low - numbers, numbers - self.high), 0.0)
        scaled = np.minimum(nearest / self.range, 1.0) if self.range > 0 else nearest > 0
        found = np.where(np.isnan(numbers), 1.0, scaled)
        return np.where(self.any, 0.0, found).astype(np.float64)

    def weights(self, edges: FloatArray, single: FloatArray) -> FloatArray:
        """Return each bin's probability by label."""
        lows, highs = edges[:-1], edges[1:]
        low = np.clip(self.low, edges[0], edges[-1])[:, None]
        high = np.clip(self.high, edges[0], edges[-1])[:, None]
        shared = np.maximum(np.minimum(high, highs) - np.maximum(low, lows), 0.0)
        widths = np.broadcast_to(highs - lows, shared.shape)
        shares = np.divide(shared, widths, out=np.ones_like(shared), where=widths > 0)
        point = shares.sum(axis=1) <= 0
        at = np.clip(np.searchsorted(edges, low[:, 0], side="right") - 1, 0, len(lows) - 1)
        shares[point, at[point]] = 1.0
        # Rounded: bins of one width weigh the same
        wide = np.divide(widths, widths[:, :1], out=np.ones_like(shared), where=widths[:, :1] > 0)
        even = shares * np.round(wide, 9)
        even = np.where(even.any(axis=1, keepdims=True), even, shares)
        others = np.repeat(self.any[:, None], len(single) - len(lows), axis=1)
        covered = np.column_stack([shares, others])
        return _normalized(covered, single, even=np.column_stack([even, others]))


def _normalized(covered: FloatArray, single: FloatArray, even: FloatArray) -> FloatArray:
    """Spread rows over what they cover, over missing only if nothing else."""
    likely = covered * single
    even = even.copy()
    even[covered[:, :-1].any(axis=1), -1] = 0.0
    chosen = np.where(likely.sum(axis=1, keepdims=True) > 0, likely, even)
    shares: FloatArray = chosen / np.maximum(chosen.sum(axis=1, keepdims=True), 1e-300)
    return shares


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SetColumn:
    """A released column with generalized labels."""

    # By code; empty for an empty cell
    labels: tuple[str, ...]
    # By row; after the last label for single or missing values
    codes: IntegerArray
    sets: LabelSets | IntervalSets  # What the labels cover
    # Single values by row: codes, or numbers with NaN; -1 or NaN for labels
    single: IntegerArray | FloatArray

    @property
    def labelled(self) -> NDArray[np.bool_]:
        """Rows with a generalized label."""
        return np.asarray(self.codes < len(self.labels))

    @property
    def has_single(self) -> bool:
        """Whether any row has a single value or is missing."""
        return not self.labelled.all()

    @property
    def is_numeric(self) -> bool:
        """Whether the column's values have a distance."""
        return isinstance(self.sets, IntervalSets)

    @property
    def any_value(self) -> NDArray[np.bool_]:
        """Whether each label may be any value."""
        sets = self.sets
        every = sets.any if isinstance(sets, IntervalSets) else sets.covered.all(axis=1)
        return np.asarray(every)

    @property
    def widths(self) -> FloatArray:
        """Share of the column each label covers."""
        sets = self.sets
        if isinstance(sets, LabelSets):
            return np.asarray(sets.covered.mean(axis=1), dtype=np.float64)
        unit = sets.range if sets.range > 0 else 1.0
        return np.where(sets.any, 1.0, np.minimum((sets.high - sets.low) / unit, 1.0))

    @property
    def suppressed(self) -> NDArray[np.bool_]:
        """Whether each row may have any value."""
        return np.append(self.any_value, False)[self.codes]

    def take(self, rows: NDArray[np.intp]) -> SetColumn:
        """Return some of the rows."""
        return replace(self, codes=self.codes[rows], single=self.single[rows])

    def distances(self, values: NDArray[np.generic]) -> FloatArray:
        """Return distances of original values to each label."""
        return self.sets.distances(values)

    def corrections(self, values: NDArray[np.generic]) -> FloatArray:
        """Return corrections of distances to `single` for rows' labels."""
        found = self.distances(values)
        if self.has_single:
            # A labelled row counts 1 in `single`, but 0 from a missing number
            counted = np.zeros(len(values), dtype=bool)
            if self.is_numeric:
                numbers = np.asarray(values, np.float64)
                counted = np.isnan(numbers) & (tags(numbers) == 0)
            found = found - np.where(counted, 0.0, 1.0)[:, None]
        return np.column_stack([found, np.zeros(len(found))])


def single_values(table: Table, column: str) -> pd.Series:
    """Return a column without generalized labels."""
    series = table.frame[column]
    sets = table.value_sets.get(column, {})
    if not sets:
        return series
    codes, labels = label_codes(series)
    kept = np.array([label not in sets for label in labels] + [False])
    codes = np.where(kept[codes], codes, -1)
    return pd.Series(pd.Categorical.from_codes(codes, categories=pd.Index(labels, dtype=object)))


def check_given(
    given: Table,
    columns: Mapping[str, CodeArray | FloatArray],
    original: Mapping[str, CodeArray | FloatArray],
) -> None:
    """Refuse text among numbers without a user's set, if others have one.

    Codes of the original cover themselves.
    """
    for column in given.value_sets:
        numbers = columns.get(column)
        if numbers is None or numbers.dtype.kind != "f":
            continue
        sets = given.value_sets[column]
        codes, labels = label_codes(given.frame[column])
        single = np.array([label not in sets for label in labels] + [False])[codes]
        of_rows = tags(np.asarray(numbers, np.float64))
        own = np.unique(tags(np.asarray(original[column], np.float64)))
        shared = (of_rows > 0) & np.isin(of_rows, own)
        wrong = np.flatnonzero(single & np.isnan(numbers) & ~shared)
        if len(wrong):
            raise InputError(
                f"'{labels[codes[wrong[0]]]}' of column '{column}' is not a number. Declare an "
                "interval."
            )


def set_column(
    table: Table, column: str, single: CodeArray | FloatArray, spec: ColumnSpec
) -> SetColumn:
    """Return a released column with generalized labels as codes."""
    sets = table.value_sets[column]
    codes, labels = label_codes(table.frame[column])
    names = tuple(label for label in [*labels, SUPPRESSED_CELL] if label in sets)
    place = {name: number for number, name in enumerate(names)}
    mapping = [place.get(label, len(names)) for label in [*labels, SUPPRESSED_CELL]]
    of_rows = np.array(mapping, dtype=np.int32)[codes]
    if isinstance(spec, CategoricalCodes):
        covers: LabelSets | IntervalSets = LabelSets.of(names, sets, column, spec.labels)
        single = np.where(of_rows < len(names), np.int32(-1), single)
    else:
        covers = IntervalSets.of(names, sets, column, (spec.minimum, spec.maximum))
    return SetColumn(labels=names, codes=of_rows, sets=covers, single=single)
