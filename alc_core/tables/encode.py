"""Encoding original and released tables together, so that equal values have equal codes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.errors import ColumnError
from alc_core.tables.table import ColumnKind, Table, missing_column_message
from alc_core.tables.values import (
    canonical_labels,
    date_format,
    datetime_values,
    is_text,
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
        Over all tables; both 0 where no value is present.
    """

    name: str
    minimum: float
    maximum: float

    @property
    def range(self) -> float:
        """Width of the scale, by which distances are divided."""
        return self.maximum - self.minimum

    def binned(self, bins: int) -> CategoricalCodes:
        """Return the codes of equal-width bins, labelled by their bounds."""
        edges = np.linspace(self.minimum, self.maximum, bins + 1)
        labels = tuple(
            f"[{low:.6g}, {high:.6g}{']' if number == bins - 1 else ')'}"
            for number, (low, high) in enumerate(itertools.pairwise(edges))
        )
        return CategoricalCodes(name=self.name, labels=labels)

    def to_bins(self, values: FloatArray, bins: int) -> CodeArray:
        """Return each value's bin; a missing value's code is `bins`."""
        width = self.range / bins if self.range > 0 else 1.0
        position = np.floor((values - self.minimum) / width)
        codes = np.clip(np.nan_to_num(position, nan=0.0), 0, bins - 1).astype(np.int32)
        return np.where(np.isnan(values), np.int32(bins), codes)


ColumnSpec = CategoricalCodes | ContinuousScale


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedTable:
    """The columns of one table as arrays: int32 codes, or float64 values with NaN for missing."""

    name: str
    n_rows: int
    columns: Mapping[str, CodeArray | FloatArray]

    def __len__(self) -> int:
        return self.n_rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedData:
    """Original and released tables, encoded together once for any number of scenarios.

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
    original: Table, releases: Sequence[Table], *, columns: Sequence[str] | None = None
) -> EncodedData:
    """Encode columns of original and release together.

    Parameters
    ----------
    original : Table
        Its column kinds apply to every table.
    releases : sequence of Table
        Tables of the release; a value seen in only one table is fine.
    columns : sequence of str, optional
        Which columns; by default all that are neither identifiers nor to be ignored. A column
        named here takes part whatever its kind (an identifier as categorical).

    Returns
    -------
    EncodedData
        Missing values are kept as a value of their own.

    Raises
    ------
    ColumnError
        If the original lacks a column.
    """
    if columns is None:
        unused = (ColumnKind.IDENTIFIER, ColumnKind.IGNORE)
        columns = [name for name, kind in original.kinds.items() if kind not in unused]
    tables = [original, *releases]
    specs: dict[str, ColumnSpec] = {}
    encoded: list[dict[str, CodeArray | FloatArray]] = [{} for _ in tables]
    for column in columns:
        if column not in original.columns:
            raise ColumnError(missing_column_message(original, column))
        holders = [number for number, table in enumerate(tables) if column in table.columns]
        series = [tables[number].frame[column] for number in holders]
        kind = original.kind(column)
        if kind.is_numeric:
            scale, values = _encode_continuous(column, series, kind)
            specs[column] = scale
            for number, numbers in zip(holders, values, strict=True):
                encoded[number][column] = numbers
        else:
            labels, codes = _encode_categorical(column, series)
            specs[column] = labels
            for number, code in zip(holders, codes, strict=True):
                encoded[number][column] = code
    results = [
        EncodedTable(name=table.name, n_rows=len(table), columns=arrays_of)
        for table, arrays_of in zip(tables, encoded, strict=True)
    ]
    return EncodedData(specs=specs, original=results[0], released=tuple(results[1:]))


def _encode_continuous(
    column: str, series: Sequence[pd.Series], kind: ColumnKind
) -> tuple[ContinuousScale, list[FloatArray]]:
    arrays = (
        _read_dates(series)
        if kind is ColumnKind.DATETIME
        else [numeric_values(values) for values in series]
    )
    present = [array[~np.isnan(array)] for array in arrays]
    present = [array for array in present if len(array)]
    low = min((float(array.min()) for array in present), default=0.0)
    high = max((float(array.max()) for array in present), default=0.0)
    return ContinuousScale(name=column, minimum=low, maximum=high), arrays


def _read_dates(series: Sequence[pd.Series]) -> list[FloatArray]:
    """Read the original's dates in their format, and the others in the same where it fits."""
    texts = series[0].dropna()
    found = date_format([str(text) for text in texts.unique()]) if is_text(texts) else None
    arrays = [datetime_values(series[0], format=found)]
    for values in series[1:]:
        alike, own = datetime_values(values, format=found), datetime_values(values)
        arrays.append(alike if np.isnan(alike).sum() <= np.isnan(own).sum() else own)
    return arrays


def _encode_categorical(
    column: str, series: Sequence[pd.Series]
) -> tuple[CategoricalCodes, list[CodeArray]]:
    factorized = [pd.factorize(canonical_labels(values), sort=False) for values in series]
    labels = sorted({str(label) for _, uniques in factorized for label in uniques})
    position = {label: code for code, label in enumerate(labels)}
    arrays = []
    for codes, uniques in factorized:
        # factorize marks a missing value by -1, which picks the last entry: the missing code.
        mapping = np.array([position[str(label)] for label in uniques] + [len(labels)], np.int32)
        arrays.append(mapping[codes])
    return CategoricalCodes(name=column, labels=tuple(labels)), arrays
