"""Columns as checks see them, computed once."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.labels.find import column_domain
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.value_sets import Domain
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.generalized import generalized_mask, may_be_generalized
from alc_core.tables.values.texts import blank_texts, canonical_labels, label_counts, numeric_values

_NO_LABELS = pd.Series([], index=pd.Index([], dtype=object), dtype=np.int64, name="count")
_PLAIN = "biufM"
_HEAD = 100  # Labels of the first rows
_FEW_VALUES = 20  # Values compared one by one
_MOST_SPREAD = 50_000  # Values sorted


class ColumnProfile:
    """A column of a table, for the checks."""

    def __init__(self, table: Table, column: str) -> None:
        self.table = table
        self.column = column
        self.series: pd.Series = table.frame[column]

    def found(self, severity: Severity, code: str, case: str = "", **facts: Any) -> Finding:
        """Return a finding about the column."""
        return Finding.of(severity, code, self.table.name, self.column, case=case, **facts)

    @property
    def kind(self) -> ColumnKind:
        """Its kind in its own table."""
        return self.table.kind(self.column)

    @cached_property
    def domain(self) -> Domain:
        """Its values, for reading labels."""
        return column_domain(self.table, self.column)

    @cached_property
    def labels(self) -> pd.Series:
        """Rows per canonical label; costly if many."""
        return label_counts(self.series)

    @cached_property
    def n_present(self) -> int:
        """Number of rows with a value."""
        if not self.is_stored_as_text:
            return int(self.series.notna().sum())
        if isinstance(self.series.dtype, pd.StringDtype):
            return int(self.series.notna().sum()) - int(blank_texts(self.series.dropna()).sum())
        return int(self.labels.sum())

    @cached_property
    def has_single_value(self) -> bool:
        """Whether all rows with a value have one."""
        if len(set(self.head)) > 1:
            return False
        if self.series.dtype.kind in _PLAIN:
            present = self.series.dropna()
            return len(present) > 0 and bool((present == present.iloc[0]).all())
        return len(self.labels) == 1

    @cached_property
    def head(self) -> pd.Series:
        """Labels of the first rows present."""
        start = int(np.argmax(self.series.notna()))
        return canonical_labels(self.series.iloc[start : start + _HEAD]).dropna()

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The column as numbers; not cached, as there may be millions."""
        return numeric_values(self.series)

    @cached_property
    def days(self) -> NDArray[np.float64]:
        """The column as points in time."""
        return datetime_values(self.series)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Whether each row's value is missing or blank."""
        absent = np.asarray(self.series.isna())
        if self.is_stored_as_text:
            absent = absent | np.asarray(self.series.isin(["", " "]))
        return absent

    @property
    def is_stored_as_text(self) -> bool:
        """Whether its type is text."""
        dtype = self.series.dtype
        return pd.api.types.is_object_dtype(dtype) or isinstance(
            dtype, (pd.StringDtype, pd.CategoricalDtype)
        )

    @property
    def is_stored_as_number(self) -> bool:
        """Whether its type is numeric, not boolean."""
        dtype = self.series.dtype
        return pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)

    @cached_property
    def generalized(self) -> pd.Series:
        """Rows per label that stands for several values."""
        if not self.is_stored_as_text:
            return _NO_LABELS
        labels = (
            label_counts(self.series[may_be_generalized(self.series)])
            if isinstance(self.series.dtype, pd.StringDtype)
            else self.labels
        )
        return labels[generalized_mask(labels.index)]

    @cached_property
    def has_few_values(self) -> bool:
        """Whether values are few enough to compare shares."""
        return int(self.series.nunique()) <= _FEW_VALUES

    @cached_property
    def spread(self) -> NDArray[np.float64]:
        """Numbers or days, sorted; a sample if long."""
        values = self.comparable(self.kind)
        values = values[:: max(1, len(values) // _MOST_SPREAD)]
        return np.sort(values[np.isfinite(values)])

    def comparable(self, kind: ColumnKind) -> NDArray[np.float64]:
        """Return the values on a kind's scale."""
        return self.days if kind is ColumnKind.DATETIME else self.numbers


class Profiles:
    """A check's column profiles, made on demand."""

    def __init__(self) -> None:
        self._profiles: dict[tuple[int, str], ColumnProfile] = {}

    def of(self, table: Table, column: str) -> ColumnProfile:
        """Return a column's profile, cached."""
        key = (id(table), column)
        if key not in self._profiles:
            self._profiles[key] = ColumnProfile(table, column)
        return self._profiles[key]
