"""How many people a combination of columns singles out, exactly and fast.

Every value of every column stands for a random-looking 64-bit number, and a combination for the sum
of its values' numbers. To add a column to a set is one addition per row, and to count the people
who are alone with their combination is one sort. That two different combinations get the same sum
somewhere in a table of a million rows has a probability below one in ten million. Where people have
several records, fewer bits are left to a combination, and of a million rows about one may be
miscounted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.runtime.kernels import mixed
from alc_core.tables.codes.encode import EncodedTable

KeyArray = NDArray[np.uint64]

_PERSON_COST = 3  # Where people have several records, counting takes this many times as long


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Uniqueness:
    """How well a set of columns identifies a person; the larger, the better."""

    # Share of people whose combination of values nobody else has. A person with several records
    # counts by the share of them: it is the chance that one of them, drawn at random, singles the
    # person out.
    singled_out: float
    combinations: int  # Different combinations of values


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HashedRows:
    """The rows of a table, ready to be counted by any set of columns; answers are remembered.

    Examples
    --------
    >>> table = EncodedTable(name="t", n_rows=3, columns={"a": np.array([0, 0, 1], np.int32)})
    >>> HashedRows.of(table, ["a"]).uniqueness(["a"])
    Uniqueness(singled_out=0.3333333333333333, combinations=2)
    """

    # Each column's values as random-looking numbers, equal for equal values. A missing value is a
    # value; numbers are equal only if they are exactly so.
    keys: Mapping[str, KeyArray]
    n_rows: int
    person: KeyArray | None = None  # Number of the person, from 0; by default every row is a person
    records: NDArray[np.int64] | None = None  # Rows of each person
    _known: dict[frozenset[str], Uniqueness] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, table: EncodedTable, columns: Sequence[str], *, person: NDArray[np.int64] | None = None
    ) -> HashedRows:
        """Read columns of an encoded table."""
        keys = {column: _keys(table.columns[column], n) for n, column in enumerate(columns, 1)}
        if person is None:
            return cls(keys=keys, n_rows=len(table))
        _, number, records = np.unique(person, return_inverse=True, return_counts=True)
        return cls(keys=keys, n_rows=len(table), person=number.astype(np.uint64), records=records)

    @property
    def cost(self) -> int:
        """What one count costs, in rows sorted."""
        return max(1, self.n_rows) * (1 if self.person is None else _PERSON_COST)

    def uniqueness(self, columns: Collection[str]) -> Uniqueness:
        """Count the people whom a set of columns singles out."""
        asked = frozenset(columns)
        if asked not in self._known:
            total = np.zeros(self.n_rows, dtype=np.uint64)
            for column in asked:
                total += self.keys[column]
            self._known[asked] = _count(total, self.person, self.records)
        return self._known[asked]


def _keys(values: CodeArray | FloatArray, number: int) -> KeyArray:
    """Turn a column's values into random-looking numbers that differ from other columns'."""
    if values.dtype.kind == "f":
        # Adding 0 makes -0 and 0 equal in their bits, too.
        plain = np.where(np.isnan(values), np.nan, values + 0.0).astype(np.float64)
        bits = plain.view(np.uint64)
    else:
        bits = values.astype(np.int64).view(np.uint64)
    offset = mixed(np.array([number], dtype=np.uint64))
    return mixed(bits + offset)


def _count(
    keys: KeyArray, person: KeyArray | None, records: NDArray[np.int64] | None
) -> Uniqueness:
    if len(keys) == 0:
        return Uniqueness(singled_out=0.0, combinations=0)
    if person is None or records is None:
        starts = _starts(np.sort(keys))
        sizes = np.diff(starts, append=len(keys))
        return Uniqueness(singled_out=int(np.sum(sizes == 1)) / len(keys), combinations=len(starts))
    # In one number: the key, cut to what is left of 64 bits, and then the person.
    bits = np.uint64(len(records).bit_length())
    packed = np.sort((keys >> bits << bits) | person)
    starts = _starts(packed >> bits)
    sizes = np.diff(starts, append=len(packed))
    within = (np.uint64(1) << bits) - np.uint64(1)
    owner = packed[starts] & within
    alone = owner == packed[starts + sizes - 1] & within
    if alone.all():
        return Uniqueness(singled_out=1.0, combinations=len(starts))
    share = float(np.sum(sizes[alone] / records[owner[alone]])) / len(records)
    return Uniqueness(singled_out=share, combinations=len(starts))


def _starts(ordered: KeyArray) -> NDArray[np.intp]:
    """Return where each run of equal numbers begins."""
    return np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
