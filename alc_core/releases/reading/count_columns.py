"""A known column of published counts: which value of a person is counted in which row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.checks.counts import is_total
from alc_core.tables.encode import CategoricalCodes, CodeArray, ColumnSpec, EncodedTable, FloatArray
from alc_core.tables.found_sets import column_domain
from alc_core.tables.sets.notation import read_label
from alc_core.tables.sets.set_codes import IntervalSets, LabelSets
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.texts import canonical_labels, label_counts

_MOST = 0.5
_GROUPED = (
    r"(s|groups?|grp|ranges?|bands?|brackets?|class(es)?|cat(egor(y|ies))?|bins?|intervals?|years"
    r"|recoded?|coded?|gruppen?|klassen?)*"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedColumn:
    """The distinct values and ranges by which a release counts people."""

    # Single values in ascending order, each a row: int32 codes or float64 numbers
    values: CodeArray | FloatArray
    # Labels that stand for several values; they are the rows after these
    sets: LabelSets | IntervalSets | None = None
    n_sets: int = 0  # How many

    @classmethod
    def of(cls, table: EncodedTable, column: str, spec: ColumnSpec) -> tuple[Self, CodeArray]:
        """Find the values that a table of cells has in a column."""
        found = table.set_columns.get(column)
        single = table.columns[column] if found is None else found.single
        missing = single < 0 if isinstance(spec, CategoricalCodes) else np.isnan(single)
        values = cast(CodeArray | FloatArray, np.unique(single[~missing]))
        rows = np.full(len(table), -1, dtype=np.int32)
        rows[~missing] = np.searchsorted(values, single[~missing])
        if found is None:
            return cls(values=values), rows
        labelled = found.codes < len(found.labels)
        rows[labelled] = len(values) + found.codes[labelled]
        return cls(values=values, sets=found.sets, n_sets=len(found.labels)), rows

    @property
    def n_rows(self) -> int:
        """Number of values and ranges."""
        return len(self.values) + self.n_sets

    def rows(self, values: CodeArray | FloatArray) -> CodeArray:
        """Return the row that counts each value: its own, else the narrowest range around it."""
        found = np.full(len(values), -1, dtype=np.int32)
        if len(self.values):
            places = np.minimum(np.searchsorted(self.values, values), len(self.values) - 1)
            found = np.where(self.values[places] == values, places, found).astype(np.int32)
        if self.sets is None:
            return found
        distinct, back = np.unique(values, return_inverse=True)
        label = _narrowest(self.sets, distinct)[back.reshape(-1)]
        in_range = (found < 0) & (label >= 0)
        found[in_range] = len(self.values) + label[in_range]
        return found


def _narrowest(sets: LabelSets | IntervalSets, values: NDArray[np.generic]) -> CodeArray:
    """Return which label covers each value, that which covers least of several; else -1.

    A label that covers every value tells nothing, and counts as covering none.
    """
    if isinstance(sets, IntervalSets):
        numbers = np.asarray(values, dtype=np.float64)
        inside = (sets.low[:, None] <= numbers) & (numbers <= sets.high[:, None])
        covers: NDArray[np.bool_] = np.asarray(inside, dtype=np.bool_)
        nothing, width = sets.any, sets.high - sets.low
    else:
        covers = sets.covered[:, np.asarray(values, dtype=np.int64)]
        nothing = np.asarray(sets.covered.all(axis=1), dtype=np.bool_)
        width = sets.covered.sum(axis=1).astype(np.float64)
    narrowest = [label for label in np.argsort(width, kind="stable") if not nothing[label]]
    found = np.full(len(values), -1, dtype=np.int32)
    for label in reversed(narrowest):
        found[covers[label]] = label
    return found


def values_of(original: Table, column: str, labels: Sequence[str]) -> frozenset[str]:
    """Return those labels that are values of a column, or ranges and sets of them."""
    given = pd.Series(list(labels), dtype="str")
    known = set(canonical_labels(pd.Series(label_counts(original.frame[column]).index)))
    spelled = dict(zip(given, canonical_labels(given), strict=True))
    found = {label for label, spelling in spelled.items() if spelling in known}
    rest = [label for label in spelled if label not in found]
    if rest and original.kind(column).is_compared:
        domain = column_domain(original, column)
        read = {label: read_label(label, domain) for label in rest}
        found |= {label for label, covers in read.items() if covers is not None}
    return frozenset(found)


def named_after(
    column: str, values: pd.Series, candidates: Sequence[str], original: Table
) -> str | None:
    """Return the original's column that a column of counts is about by its name and values."""
    labels = [str(label) for label in label_counts(values).index if not is_total(str(label))]
    if not labels:
        return None
    named = [c for c in candidates if _is_group_of(column, c)]
    whole = [c for c in candidates if not named and original.kind(c) is ColumnKind.CATEGORICAL]
    for candidate in sorted(named, key=len, reverse=True):
        if len(values_of(original, candidate, labels)) >= _MOST * len(labels):
            return candidate
    same = [c for c in whole if set(labels) <= set(label_counts(original.frame[c]).index)]
    return same[0] if len(same) == 1 and len(labels) > 1 else None


def _is_group_of(column: str, candidate: str) -> bool:
    name, start = (re.sub(r"[\W_]+", "", each.casefold()) for each in (column, candidate))
    return name.startswith(start) and bool(re.fullmatch(_GROUPED, name[len(start) :]))
