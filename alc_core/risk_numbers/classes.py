"""Rows of a table by class: those with the same labels in all chosen columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.table import Table
from alc_core.tables.value_sets import SUPPRESSED_CELL
from alc_core.tables.values.texts import label_codes

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassedRows:
    """The rows of a table by class."""

    # Label of each class in each column; a missing value has a code of its own, too
    codes: IntArray
    hidden: BoolArray  # Whether that label is a suppressed value
    sizes: IntArray  # Rows of each class
    first: IntArray  # The first row of each class
    of_rows: IntArray  # Class of each row

    @classmethod
    def of(
        cls,
        table: Table,
        columns: Sequence[str],
        suppressed: Mapping[str, Collection[str]] | None = None,
    ) -> Self:
        """Put the rows of a table into classes."""
        hiding = suppressed or {}
        read = [_codes(table.frame[column], hiding.get(column, ())) for column in columns]
        of_rows = numbered_rows([codes for codes, _ in read], len(table))
        sizes = np.bincount(of_rows)
        first = np.full(len(sizes), len(table), dtype=np.int64)
        np.minimum.at(first, of_rows, np.arange(len(table)))
        return cls(
            codes=np.column_stack([codes[first] for codes, _ in read]),
            hidden=np.column_stack([hidden[first] for _, hidden in read]),
            sizes=sizes.astype(np.int64),
            first=first,
            of_rows=of_rows,
        )

    @property
    def nothing_told(self) -> BoolArray:
        """Classes whose values are all suppressed: nobody can be found by them."""
        return np.asarray(self.hidden.all(axis=1), dtype=bool)

    @property
    def partly_hidden(self) -> BoolArray:
        """Classes of which some values are suppressed, and some are not."""
        return np.asarray(self.hidden.any(axis=1) & ~self.nothing_told, dtype=bool)


def numbered_rows(codes: Sequence[IntArray], n_rows: int) -> IntArray:
    """Return a number from 0 for each row, the same for the same codes."""
    found = np.zeros(n_rows, dtype=np.int64)
    for each in codes:
        width = int(each.max(initial=0)) + 1
        found = pd.factorize(found * width + each)[0].astype(np.int64)
    return found


def _codes(series: pd.Series, suppressed: Collection[str]) -> tuple[IntArray, BoolArray]:
    """Return each row's label as a number, and whether it is a suppressed value."""
    codes, labels = label_codes(series)
    hides = np.array([*(label in suppressed for label in labels), SUPPRESSED_CELL in suppressed])
    hidden = hides[codes]
    # After the labels: one code for a missing value, and one for all suppressed ones.
    numbers = np.where(codes < 0, len(labels), codes).astype(np.int64)
    return np.where(hidden, len(labels) + 1, numbers), hidden
