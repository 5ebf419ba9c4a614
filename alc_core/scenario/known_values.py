"""The known attributes of people or released rows, as attacks and baselines see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.tables.codes.encode import ColumnSpec, EncodedTable
from alc_core.tables.codes.sets import SetColumn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnownValues:
    """The known attributes of some rows. The unknown attribute is not in here.

    Attributes
    ----------
    specs : mapping of str to ColumnSpec
        How each known column is encoded, in the scenario's order.
    columns : mapping of str to ndarray of shape (n_rows,)
        int32 codes or float64 values. A released table may have only some of the known columns.
    n_rows : int
        Number of rows.
    set_columns : mapping of str to SetColumn
        Known columns of released rows whose labels stand for several values.
    """

    specs: Mapping[str, ColumnSpec]
    columns: Mapping[str, CodeArray | FloatArray]
    n_rows: int
    set_columns: Mapping[str, SetColumn] = field(default_factory=dict)

    @classmethod
    def of(cls, table: EncodedTable, specs: Mapping[str, ColumnSpec], known: Sequence[str]) -> Self:
        """Take those known columns that an encoded table has."""
        return cls(
            specs={column: specs[column] for column in known},
            columns={c: table.columns[c] for c in known if c in table.columns},
            n_rows=len(table),
            set_columns={c: table.set_columns[c] for c in known if c in table.set_columns},
        )

    def __len__(self) -> int:
        return self.n_rows

    def take(self, rows: NDArray[np.intp]) -> KnownValues:
        """Return the known attributes of some of the rows."""
        columns = {name: values[rows] for name, values in self.columns.items()}
        sets = {name: column.take(rows) for name, column in self.set_columns.items()}
        return KnownValues(specs=self.specs, columns=columns, n_rows=len(rows), set_columns=sets)
