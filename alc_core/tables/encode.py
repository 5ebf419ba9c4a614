"""Encoding original and released tables together, so that equal values have equal codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.errors import ColumnError
from alc_core.tables.column_codes import (
    CategoricalCodes,
    CodeArray,
    ColumnSpec,
    ContinuousScale,
    FloatArray,
    encode_categorical,
    encode_continuous,
    scale_of,
)
from alc_core.tables.set_codes import IntervalSets, LabelSets, SetColumn
from alc_core.tables.table import ColumnKind, Table, missing_column_message
from alc_core.tables.values.texts import label_codes

__all__ = [
    "CategoricalCodes",
    "CodeArray",
    "ColumnSpec",
    "ContinuousScale",
    "EncodedData",
    "EncodedTable",
    "FloatArray",
    "encode",
    "encode_releases",
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedTable:
    """The columns of one table as arrays.

    Attributes
    ----------
    name : str
        Of the table.
    n_rows : int
        Number of rows.
    columns : mapping of str to ndarray of shape (n_rows,)
        int32 codes, or float64 values with NaN for missing.
    set_columns : mapping of str to SetColumn
        Released columns whose labels stand for several values; they are not among `columns`.
    """

    name: str
    n_rows: int
    columns: Mapping[str, CodeArray | FloatArray]
    set_columns: Mapping[str, SetColumn] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.n_rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedData:
    """Original and one release, encoded together once for any number of scenarios.

    Attributes
    ----------
    specs : mapping of str to ColumnSpec
        How each column is encoded.
    original : EncodedTable
        The original.
    released : tuple of EncodedTable
        The tables of the release, each with the columns that it has.
    """

    specs: Mapping[str, ColumnSpec]
    original: EncodedTable
    released: tuple[EncodedTable, ...]

    def unknown_codes(
        self, column: str, bins: int, markers: Sequence[str] = ()
    ) -> CategoricalCodes:
        """Return the codes under which a column is predicted, continuous ones cut into bins.

        Parameters
        ----------
        column : str
            The unknown attribute.
        bins : int
            Of a continuous one.
        markers : sequence of str
            Its values that stand for "no value". Of a continuous column they do not stretch the
            bins and share the code of missing values; categories keep their codes.
        """
        spec = self.specs[column]
        if isinstance(spec, CategoricalCodes):
            return spec
        numbers = np.asarray(self.original.columns[column], dtype=np.float64)
        return spec.of_values(numbers, markers).binned(bins)

    def as_unknown(
        self, table: EncodedTable, column: str, bins: int, markers: Sequence[str] = ()
    ) -> CodeArray:
        """Return a table's column under the codes of :meth:`unknown_codes`."""
        spec, values = self.specs[column], table.columns[column]
        if isinstance(spec, CategoricalCodes):
            return np.asarray(values, dtype=np.int32)
        numbers = np.asarray(values, dtype=np.float64)
        if not markers:
            return spec.to_bins(numbers, bins)
        before = np.asarray(self.original.columns[column], dtype=np.float64)
        present = np.where(spec.is_marker(numbers, markers), np.nan, numbers)
        return spec.of_values(before, markers).to_bins(present, bins)

    def lacks_value(self, column: str, markers: Sequence[str]) -> NDArray[np.bool_]:
        """Return which rows of the original have no value: a missing one, or a marker."""
        spec, values = self.specs[column], self.original.columns[column]
        if isinstance(spec, ContinuousScale):
            numbers = np.asarray(values, dtype=np.float64)
            return np.isnan(numbers) | spec.is_marker(numbers, markers)
        return np.isin(values, [*spec.codes_of(markers), len(spec.labels)])


def encode(
    original: Table, release: Sequence[Table], *, columns: Sequence[str] | None = None
) -> EncodedData:
    """Encode columns of original and release together; see :func:`encode_releases`."""
    return encode_releases(original, [release], columns=columns)[0]


def encode_releases(
    original: Table, releases: Sequence[Sequence[Table]], *, columns: Sequence[str] | None = None
) -> tuple[EncodedData, ...]:
    """Encode columns of an original and of several releases of it.

    Parameters
    ----------
    original : Table
        Its column kinds apply to every table.
    releases : sequence of sequence of Table
        The tables of each release; a value seen in only one table is fine.
    columns : sequence of str, optional
        Which columns; by default all that are neither identifiers nor to be ignored. A column
        named here takes part whatever its kind (an identifier as categorical).

    Returns
    -------
    tuple of EncodedData
        Of each release. They share the original's arrays and the codes; a continuous column's
        scale is that of the original and the one release, so that no release changes the distances
        of another. Missing values are kept as a value of their own.

    Raises
    ------
    ColumnError
        If the original lacks a column.
    """
    if columns is None:
        unused = (ColumnKind.IDENTIFIER, ColumnKind.IGNORE)
        columns = [name for name, kind in original.kinds.items() if kind not in unused]
    tables = [original, *(table for release in releases for table in release)]
    part_of = np.repeat(np.arange(len(releases)), [len(release) for release in releases])
    specs: list[dict[str, ColumnSpec]] = [{} for _ in releases]
    encoded: list[dict[str, CodeArray | FloatArray]] = [{} for _ in tables]
    for column in columns:
        if column not in original.columns:
            raise ColumnError(missing_column_message(original, column))
        holders = [
            number
            for number, table in enumerate(tables)
            if column in table.columns and column not in table.value_sets
        ]
        series = [tables[number].frame[column] for number in holders]
        kind = original.kind(column)
        if kind.is_numeric:
            values = encode_continuous(series, kind)
            for number, of_release in enumerate(specs):
                own = [
                    numbers
                    for holder, numbers in zip(holders, values, strict=True)
                    if holder and part_of[holder - 1] == number
                ]
                of_release[column] = scale_of(column, kind, values[0], own)
            _store(encoded, column, holders, values)
        else:
            labels, codes = encode_categorical(column, series)
            for of_release in specs:
                of_release[column] = labels
            _store(encoded, column, holders, codes)
    results = [
        EncodedTable(name=table.name, n_rows=len(table), columns=arrays_of)
        for table, arrays_of in zip(tables, encoded, strict=True)
    ]
    for number, release in zip(part_of.tolist(), range(1, len(tables)), strict=True):
        results[release] = replace(
            results[release], set_columns=_set_columns(tables[release], columns, specs[number])
        )
    return tuple(
        EncodedData(
            specs=of_release,
            original=results[0],
            released=tuple(results[place + 1] for place in np.flatnonzero(part_of == number)),
        )
        for number, of_release in enumerate(specs)
    )


def _set_columns(
    table: Table, columns: Sequence[str], specs: Mapping[str, ColumnSpec]
) -> dict[str, SetColumn]:
    found: dict[str, SetColumn] = {}
    for column in columns:
        if column not in table.value_sets:
            continue
        sets, spec = table.value_sets[column], specs[column]
        codes, labels = label_codes(table.frame[column])
        names = tuple(str(label) for label in labels)
        found[column] = SetColumn(
            labels=names,
            codes=np.where(codes < 0, len(names), codes).astype(np.int32),
            sets=LabelSets.of(names, sets, column, spec.labels)
            if isinstance(spec, CategoricalCodes)
            else IntervalSets.of(names, sets, column, spec.range),
        )
    return found


def _store(
    encoded: Sequence[dict[str, CodeArray | FloatArray]],
    column: str,
    holders: Sequence[int],
    arrays: Sequence[CodeArray | FloatArray],
) -> None:
    for number, array in zip(holders, arrays, strict=True):
        encoded[number][column] = array
