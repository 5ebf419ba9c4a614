"""A released column by its labels, and with values in place of generalized ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.tables.labels.find import column_domain, plain_rows, with_found_sets
from alc_core.tables.table import Table
from alc_core.tables.value_sets import AnyValue, Domain, ValueSet
from alc_core.tables.values.texts import label_codes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleasedColumn:
    """A released column by its distinct labels."""

    codes: NDArray[np.int32]  # Each row's label; -1 if missing
    labels: list[str]
    sets: Mapping[str, ValueSet]  # Generalized labels
    domain: Domain  # The original's values

    @classmethod
    def of(cls, original: Table, table: Table, column: str) -> ReleasedColumn:
        """Read a column, with what its labels cover."""
        found = with_found_sets(original, table, [column])
        codes, labels = label_codes(table.frame[column])
        return cls(
            codes=codes,
            labels=labels,
            sets=found.value_sets.get(column, {}),
            domain=column_domain(original, column),
        )

    @property
    def numbers(self) -> FloatArray:
        """The labels as numbers or days; NaN for others."""
        labels = pd.Series(self.labels, dtype=object)
        return plain_rows(self.domain, labels, list(self.sets))

    @property
    def single(self) -> list[str]:
        """The labels that stand for one value."""
        return [label for label in self.labels if label not in self.sets]

    def drawn(self, rng: np.random.Generator) -> pd.Series:
        """Return the rows, each generalized label as one value it covers, equally likely.

        A label of any value is missing.
        """
        domain = self.domain
        if domain.of_dates:
            values, single = domain.numbers, self.numbers
        elif domain.numeric:  # Texts among numbers are values of their own
            values, single = (
                np.array(each, dtype=object) for each in (domain.numbers, self.numbers)
            )
            for place in np.flatnonzero(np.isnan(self.numbers)):
                if self.labels[place] not in self.sets:
                    single[place] = self.labels[place]
        else:
            values = np.array([str(label) for label in domain.labels.index], dtype=object)
            single = np.array(
                [None if label in self.sets else label for label in self.labels], object
            )
        nothing = np.array([np.nan if domain.numeric else None], dtype=values.dtype)
        rows = np.append(single, nothing)[self.codes]
        for code, label in enumerate(self.labels):
            if isinstance(covers := self.sets.get(label), AnyValue | None):
                continue
            chosen = np.flatnonzero(domain.chosen(covers))
            if len(chosen):
                here = np.flatnonzero(self.codes == code)
                rows[here] = values[rng.choice(chosen, size=len(here))]
        if domain.of_dates:
            return pd.Series(pd.to_datetime(rows, unit="D"))
        return pd.Series(rows).infer_objects()


def with_labels_drawn(
    original: Table, table: Table, *, seed: Sequence[int]
) -> tuple[Table, tuple[str, ...]]:
    """Return a released table without generalized labels, and where values were drawn.

    See :meth:`ReleasedColumn.drawn`.
    """
    columns, drawn = {}, []
    for number, column in enumerate(table.columns):
        if column not in original.compared:
            continue
        read = ReleasedColumn.of(original, table, column)
        if read.sets:
            rows = read.drawn(np.random.default_rng([*seed, number]))
            columns[column] = rows.set_axis(table.frame.index)
            if not all(isinstance(covers, AnyValue) for covers in read.sets.values()):
                drawn.append(column)
    return replace(table, frame=table.frame.assign(**columns), value_sets={}), tuple(drawn)
