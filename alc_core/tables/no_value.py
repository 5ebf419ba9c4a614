"""Recognising the values of a column that stand for "no value", such as ?, N/A, -9 or 999."""

from __future__ import annotations

import enum

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.no_value import no_value_words, number_markers, outlying
from alc_core.tables.values.tagged import short_codes
from alc_core.tables.values.texts import (
    canonical_labels,
    label_counts,
    numeric_values,
    parse_numbers,
)

_PLACEHOLDER_DATES = (
    "0001-01-01", "1000-01-01", "1753-01-01", "1800-01-01", "1899-12-30", "1899-12-31",
    "1900-01-01", "1901-01-01", "1970-01-01", "2099-12-31", "2100-01-01", "2199-12-31",
    "2200-01-01", "2261-12-31", "2999-12-31", "3000-01-01", "4712-12-31", "9998-12-31",
    "9999-01-01", "9999-12-31",
)  # fmt: skip
_DAYS = frozenset(datetime_values(pd.Series(_PLACEHOLDER_DATES)).tolist())


class WhyNoValue(enum.StrEnum):
    """Why a value is taken to mean that there is none, in words; a word says it itself."""

    WORD = ""
    TEXT = "a text among numbers"
    NUMBER = "a number apart from the others"
    DATE = "a date apart from the others"


def recognised_markers(table: Table, column: str) -> dict[str, WhyNoValue]:
    """Return the values of a column that look like "no value", beside empty cells, and why.

    Examples
    --------
    >>> import pandas as pd
    >>> from alc_core.tables.read import table_from_frame
    >>> ages = [*range(18, 90), 99, 999, 999, 999, "N"]
    >>> found = recognised_markers(table_from_frame(pd.DataFrame({"age": ages}), name="a"), "age")
    >>> {label: why.value for label, why in found.items()}
    {'N': 'a text among numbers', '999': 'a number apart from the others'}
    """
    series, kind = table.frame[column], table.kind(column)
    few = not kind.is_numeric
    if not kind.is_compared or not series.notna().any():
        return {}
    if pd.api.types.is_numeric_dtype(series.dtype):  # booleans are
        values = numeric_values(series)
        found, counts = np.unique(values[np.isfinite(values)], return_counts=True)
        apart = canonical_labels(pd.Series(number_markers(found, counts, few=few))).tolist()
        return dict.fromkeys(apart, WhyNoValue.NUMBER)
    of_label = label_counts(series)
    words = no_value_words(map(str, of_label.index))
    rest = of_label.drop(words)
    texts = [] if kind is ColumnKind.DATETIME else short_codes([*map(str, rest.index)], few=few)
    rest = rest.drop(texts)
    labels, counts = [str(label) for label in rest.index], rest.to_numpy()
    is_date = kind is ColumnKind.DATETIME
    numbers = _days(labels) if is_date else parse_numbers(labels)
    codes = np.empty(0)
    if np.isfinite(numbers).all():
        codes = (
            outlying(numbers, counts, _DAYS)
            if is_date
            else number_markers(numbers, counts, few=few)
        )
    apart = [labels[place] for place in np.flatnonzero(np.isin(numbers, codes))]
    return {
        **dict.fromkeys(words, WhyNoValue.WORD),
        **dict.fromkeys(texts, WhyNoValue.TEXT),
        **dict.fromkeys(apart, WhyNoValue.DATE if is_date else WhyNoValue.NUMBER),
    }


def _days(labels: list[str]) -> NDArray[np.float64]:
    return datetime_values(pd.Series(labels, dtype=object))
