"""Released columns with labels that stand for several values, on the way to their codes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from alc_core.errors import InputError
from alc_core.tables.column_codes import CategoricalCodes, CodeArray, ColumnSpec, FloatArray
from alc_core.tables.sets.set_codes import IntervalSets, LabelSets, SetColumn
from alc_core.tables.sets.value_sets import SUPPRESSED_CELL
from alc_core.tables.table import Table
from alc_core.tables.values.tagged import tags
from alc_core.tables.values.texts import label_codes


def single_values(table: Table, column: str) -> pd.Series:
    """Return a column without the labels that stand for several values."""
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
    """Refuse text among numbers where the user has said what labels stand for, but not of it.

    Codes that the original has, too, stand for themselves.
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
                f"'{labels[codes[wrong[0]]]}' of column '{column}' is not a number, and nothing "
                "says which numbers it stands for. Declare an interval for it."
            )


def set_column(
    table: Table, column: str, single: CodeArray | FloatArray, spec: ColumnSpec
) -> SetColumn:
    """Return a released column whose labels stand for several values, as codes."""
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
