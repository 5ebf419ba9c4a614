"""Encoding original and releases together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.tables.codes.columns import (
    CategoricalCodes,
    ColumnSpec,
    ContinuousScale,
    SpreadValues,
    encode_categorical,
    encode_continuous,
    scale_of,
)
from alc_core.tables.codes.sets import (
    IntervalSets,
    SetColumn,
    check_given,
    set_column,
    single_values,
)
from alc_core.tables.labels.date_readings import with_read_dates
from alc_core.tables.labels.find import with_found_sets
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.amounts import nearest_values
from alc_core.tables.values.dates import format_of
from alc_core.tables.values.generalized import tags

__all__ = [
    "CategoricalCodes", "ColumnSpec", "ContinuousScale", "EncodedData", "EncodedTable", "encode",
    "encode_releases",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedColumns:
    """Columns of some rows as arrays."""

    n_rows: int  # Number of rows
    # int32 codes, or float64 with NaN for missing
    columns: Mapping[str, CodeArray | FloatArray]
    # Released columns with generalized labels, not in `columns`
    set_columns: Mapping[str, SetColumn] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.n_rows

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return some of the rows."""
        columns = {name: values[rows] for name, values in self.columns.items()}
        sets = {name: column.take(rows) for name, column in self.set_columns.items()}
        return replace(self, n_rows=len(rows), columns=columns, set_columns=sets)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedTable(EncodedColumns):
    """The columns of one table as arrays."""

    name: str  # Of the table

    def has(self, column: str) -> bool:
        """Return whether the table has a column."""
        return column in self.columns or column in self.set_columns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedData:
    """Original and one release, encoded once for all scenarios."""

    specs: Mapping[str, ColumnSpec]  # How each column is encoded
    original: EncodedTable
    # Released tables, with their columns
    released: tuple[EncodedTable, ...]

    def unknown_codes(
        self, column: str, bins: int, markers: Sequence[str] = ()
    ) -> CategoricalCodes:
        """Return the codes to predict, continuous ones in bins."""
        spec = self.specs[column]
        if isinstance(spec, CategoricalCodes):
            return spec
        return self._scale(column, markers, bins).binned(bins)

    def as_unknown(
        self, table: EncodedTable, column: str, bins: int, markers: Sequence[str] = ()
    ) -> CodeArray:
        """Return a column under :meth:`unknown_codes`.

        Generalized labels get their likeliest code.
        """
        sets = table.set_columns.get(column)
        values = table.columns[column] if sets is None else sets.single
        single = self._codes_of(values, column, bins, markers)
        spread = self.spread(table, column, bins, markers)
        return single if spread is None else spread.likeliest(single)

    def spread(
        self, table: EncodedTable, column: str, bins: int, markers: Sequence[str] = ()
    ) -> SpreadValues | None:
        """Return an unknown column's generalized labels, if any."""
        sets = table.set_columns.get(column)
        if sets is None:
            return None
        single = self._codes_of(sets.single, column, bins, markers)
        coding = self.unknown_codes(column, bins, markers)
        rows = np.bincount(single[~sets.labelled], minlength=coding.size).astype(np.float64)
        if isinstance(sets.sets, IntervalSets):
            weights = sets.sets.weights(self._scale(column, markers, bins).edges(bins), rows)
        else:
            weights = sets.sets.weights(rows)
        labels = np.where(sets.labelled, sets.codes, -1).astype(np.int32)
        return SpreadValues(labels=labels, weights=weights)

    def has_equal_bins(self, column: str, bins: int, markers: Sequence[str]) -> bool:
        """Return whether a continuous column has bins of equal width."""
        return not self._scale(column, markers, bins).cuts

    def _scale(self, column: str, markers: Sequence[str], bins: int) -> ContinuousScale:
        scale = cast(ContinuousScale, self.specs[column])
        original = np.asarray(self.original.columns[column], np.float64)
        return scale.of_values(original, markers, bins)

    def _codes_of(
        self, values: CodeArray | FloatArray, column: str, bins: int, markers: Sequence[str]
    ) -> CodeArray:
        spec = self.specs[column]
        if isinstance(spec, CategoricalCodes):
            return np.asarray(values, dtype=np.int32)
        numbers = np.asarray(values, dtype=np.float64)
        if markers:
            numbers = np.where(spec.is_marker(numbers, markers), np.nan, numbers)
        return self._scale(column, markers, bins).to_bins(numbers, bins)

    def lacks_value(self, column: str, markers: Sequence[str]) -> NDArray[np.bool_]:
        """Return rows with a missing value or a marker."""
        spec, values = self.specs[column], self.original.columns[column]
        if isinstance(spec, ContinuousScale):
            numbers = np.asarray(values, dtype=np.float64)
            plain: NDArray[np.bool_] = np.isnan(numbers) & (tags(numbers) == 0)
            return plain | spec.is_marker(numbers, markers)
        return np.isin(values, [*spec.codes_of(markers), len(spec.labels)])


def encode(
    original: Table,
    release: Sequence[Table],
    *,
    columns: Sequence[str] | None = None,
    as_written: bool = False,
) -> EncodedData:
    """Encode original and release together; see :func:`encode_releases`."""
    return encode_releases(original, [release], columns=columns, as_written=as_written)[0]


def encode_releases(
    original: Table,
    releases: Sequence[Sequence[Table]],
    *,
    columns: Sequence[str] | None = None,
    as_written: bool = False,
) -> tuple[EncodedData, ...]:
    """Encode an original and several releases."""
    if columns is None:
        columns = original.compared
    given = [
        original,
        *(with_read_dates(original, table) for release in releases for table in release),
    ]
    tables = [
        original,
        *(
            replace(table, value_sets={})
            if as_written
            else with_found_sets(original, table, columns)
            for table in given[1:]
        ),
    ]
    part_of = np.repeat(np.arange(len(releases)), [len(release) for release in releases])
    specs: list[dict[str, ColumnSpec]] = [{} for _ in releases]
    encoded: list[dict[str, Any]] = [{} for _ in tables]
    for column in columns:
        original.require(column)
        holders = [number for number, table in enumerate(tables) if column in table.columns]
        series = [single_values(tables[number], column) for number in holders]
        kind = original.kind(column)
        arrays: Sequence[Any]
        if kind.is_numeric:
            written = format_of(series[0]) if kind is ColumnKind.DATETIME else None
            values, codes_among = encode_continuous(series, kind, written)
            arrays = values
            for number, of_release in enumerate(specs):
                own = [
                    numbers
                    for holder, numbers in zip(holders, values, strict=True)
                    if holder and part_of[holder - 1] == number
                ]
                of_release[column] = scale_of(column, kind, values[0], own, codes_among, written)
        else:
            if column not in original.overrides and not as_written:
                series[1:] = [nearest_values(series[0], each) for each in series[1:]]
            labels, arrays = encode_categorical(column, series, together=original.together(column))
            for of_release in specs:
                of_release[column] = labels
        for number, array in zip(holders, arrays, strict=True):
            encoded[number][column] = array
    results = [
        EncodedTable(name=table.name, n_rows=len(table), columns=arrays_of)
        for table, arrays_of in zip(tables, encoded, strict=True)
    ]
    for number, release in zip(part_of.tolist(), range(1, len(tables)), strict=True):
        if tables[release].value_sets:
            results[release] = _with_set_columns(
                given[release], tables[release], results[release], results[0], specs[number]
            )
    return tuple(
        EncodedData(
            specs=of_release,
            original=results[0],
            released=tuple(results[place + 1] for place in np.flatnonzero(part_of == number)),
        )
        for number, of_release in enumerate(specs)
    )


def _with_set_columns(
    given: Table,
    table: Table,
    encoded: EncodedTable,
    original: EncodedTable,
    specs: Mapping[str, ColumnSpec],
) -> EncodedTable:
    check_given(given, encoded.columns, original.columns)
    found = {
        column: set_column(table, column, single, specs[column])
        for column, single in encoded.columns.items()
        if column in table.value_sets
    }
    plain = {name: array for name, array in encoded.columns.items() if name not in found}
    return replace(encoded, columns=plain, set_columns=found)
