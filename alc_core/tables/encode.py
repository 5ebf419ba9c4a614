"""Encoding original and released tables together, so that equal values have equal codes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.errors import ColumnError
from alc_core.tables.set_codes import IntervalSets, LabelSets, SetColumn
from alc_core.tables.table import ColumnKind, Table, missing_column_message
from alc_core.tables.values.texts import (
    date_format,
    datetime_values,
    distinct_counts,
    is_text,
    label_codes,
    numeric_values,
)

FloatArray = NDArray[np.float64]
CodeArray = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoricalCodes:
    """A column compared by equality.

    Attributes
    ----------
    name : str
        The column.
    labels : tuple of str
        Label of each code, sorted; the code after the last one stands for a missing value.
    """

    name: str
    labels: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of codes, the missing value's included."""
        return len(self.labels) + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinuousScale:
    """A column with a distance: numbers, or days for points in time.

    Attributes
    ----------
    name : str
        The column.
    minimum, maximum : float
        Over original and release; both 0 where no value is present.
    bin_range : tuple of float, optional
        Least and greatest value of the original, which bins divide, so that they are the same
        whatever is released; by default the whole scale.
    """

    name: str
    minimum: float
    maximum: float
    bin_range: tuple[float, float] | None = None

    @property
    def range(self) -> float:
        """Width of the scale, by which distances are divided."""
        return self.maximum - self.minimum

    def binned(self, bins: int) -> CategoricalCodes:
        """Return the codes of equal-width bins, labelled by their bounds."""
        low, high = self.bin_range or (self.minimum, self.maximum)
        edges = np.linspace(low, high, bins + 1)
        labels = tuple(
            f"[{low:.6g}, {high:.6g}{']' if number == bins - 1 else ')'}"
            for number, (low, high) in enumerate(itertools.pairwise(edges))
        )
        return CategoricalCodes(name=self.name, labels=labels)

    def to_bins(self, values: FloatArray, bins: int) -> CodeArray:
        """Return each value's bin, the first or last for one outside; a missing one's is `bins`."""
        low, high = self.bin_range or (self.minimum, self.maximum)
        width = (high - low) / bins if high > low else 1.0
        position = np.floor((values - low) / width)
        codes = np.clip(np.nan_to_num(position, nan=0.0), 0, bins - 1).astype(np.int32)
        return np.where(np.isnan(values), np.int32(bins), codes)


ColumnSpec = CategoricalCodes | ContinuousScale


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

    def unknown_codes(self, column: str, bins: int) -> CategoricalCodes:
        """Return the codes under which a column is predicted, continuous ones cut into bins."""
        spec = self.specs[column]
        return spec if isinstance(spec, CategoricalCodes) else spec.binned(bins)

    def as_unknown(self, table: EncodedTable, column: str, bins: int) -> CodeArray:
        """Return a table's column under the codes of :meth:`unknown_codes`."""
        spec, values = self.specs[column], table.columns[column]
        if isinstance(spec, CategoricalCodes):
            return np.asarray(values, dtype=np.int32)
        return spec.to_bins(np.asarray(values, dtype=np.float64), bins)


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
            values = _encode_continuous(series, kind)
            for number, of_release in enumerate(specs):
                own = [
                    numbers
                    for holder, numbers in zip(holders, values, strict=True)
                    if holder and part_of[holder - 1] == number
                ]
                of_release[column] = _scale(column, values[0], own)
            _store(encoded, column, holders, values)
        else:
            labels, codes = _encode_categorical(column, series)
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


def _scale(column: str, original: FloatArray, released: Sequence[FloatArray]) -> ContinuousScale:
    bounds = [_bounds(array) for array in (original, *released)]
    present = [pair for pair in bounds if pair is not None]
    return ContinuousScale(
        name=column,
        minimum=min((low for low, _ in present), default=0.0),
        maximum=max((high for _, high in present), default=0.0),
        bin_range=bounds[0] or (0.0, 0.0),
    )


def _bounds(values: FloatArray) -> tuple[float, float] | None:
    """Return the least and greatest value, or None where all are missing."""
    if np.isnan(values).all():
        return None
    return float(np.nanmin(values)), float(np.nanmax(values))


def _encode_continuous(series: Sequence[pd.Series], kind: ColumnKind) -> list[FloatArray]:
    if kind is ColumnKind.DATETIME:
        return _read_dates(series)
    return [numeric_values(values) for values in series]


def _read_dates(series: Sequence[pd.Series]) -> list[FloatArray]:
    """Read the original's dates in their format, and the others in the same where it fits."""
    if not is_text(series[0]):
        return [datetime_values(values) for values in series]
    found = date_format([str(text) for text in distinct_counts(series[0])[1]])
    arrays = [datetime_values(series[0], format=found)]
    for values in series[1:]:
        alike, own = datetime_values(values, format=found), datetime_values(values)
        arrays.append(alike if np.isnan(alike).sum() <= np.isnan(own).sum() else own)
    return arrays


def _encode_categorical(
    column: str, series: Sequence[pd.Series]
) -> tuple[CategoricalCodes, list[CodeArray]]:
    factorized = [label_codes(values) for values in series]
    labels = sorted({label for _, found in factorized for label in found})
    position = {label: code for code, label in enumerate(labels)}
    arrays = []
    for codes, found in factorized:
        # A missing value's code of -1 picks the last entry: the code of missing values.
        mapping = np.array([position[label] for label in found] + [len(labels)], np.int32)
        arrays.append(mapping[codes])
    return CategoricalCodes(name=column, labels=tuple(labels)), arrays
