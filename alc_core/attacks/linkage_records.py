"""Released records by groups of columns: equal combinations are weighed once.

A fine column, whose codes are many more than its places, is in a group by its places only; records
with a person's very code are weighed besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray, IntArray
from alc_core.attacks.linkage_columns import LinkedColumn

_FEW = 8  # Least records per combination in a group
_MANY = 4  # Least codes per place in a fine column


class FineColumns(NamedTuple):
    """Records by their codes in fine columns."""

    columns: IntArray
    held: IntArray  # By fine column, where its codes begin in `begun`
    begun: IntArray  # By fine column and code (one more each), where records begin in `holders`
    pairs: IntArray  # Likewise, the pair with the code's place
    holders: CodeArray  # Records by fine column and code


class GroupedRecords(NamedTuple):
    """Records as combinations of grouped columns, each combination as pairs of code and place."""

    members: CodeArray  # (n_groups, n_records), combination of each record
    columns: IntArray  # First column of each group, and the end
    begins: IntArray  # First combination of each group, and the end
    offsets: IntArray  # By column, from combination to pair
    pairs: CodeArray  # By column and combination
    firsts: IntArray  # First pair of each column, and the end
    codes: CodeArray  # By pair; negative if none, or in a fine column
    places: CodeArray  # By pair, the table's column
    fine: FineColumns
    weights: FloatArray  # Log weight of each record
    votes: FloatArray  # Exponentials, scaled to at most 1
    peak: float  # Greatest log weight


class _Pairs(NamedTuple):
    """A column's different pairs of code and place."""

    column: LinkedColumn
    fine: bool
    numbers: IntArray  # By record
    codes: CodeArray  # By pair
    places: CodeArray

    @classmethod
    def of(cls, column: LinkedColumn) -> Self:
        n_codes = len(np.unique(column.codes))
        often = n_codes * _FEW <= len(column.codes)
        fine = not often and len(np.unique(column.places)) * _MANY <= n_codes
        codes = np.full_like(column.codes, -1) if fine else column.codes
        numbers = _numbers(codes, column.places)
        holder = _holder(numbers)
        return cls(column, fine, numbers, codes[holder], column.places[holder])

    def __len__(self) -> int:
        return len(self.codes)


def grouped(
    columns: Sequence[LinkedColumn], weights: FloatArray
) -> tuple[tuple[LinkedColumn, ...], GroupedRecords]:
    """Return columns in group order, and grouped records."""
    paired = sorted(map(_Pairs.of, columns), key=len)
    groups: list[list[int]] = []
    members: list[IntArray] = []
    for at, pairs in enumerate(paired):
        both = _numbers(members[-1], pairs.numbers) if groups else None
        if both is None or _FEW * both.max(initial=0) > len(weights):
            groups.append([at])
            members.append(pairs.numbers)
        else:
            groups[-1].append(at)
            members[-1] = both
    holders = [_holder(each) for each in members]
    begins = np.cumsum([0, *map(len, holders)])
    firsts = np.cumsum([0, *map(len, paired)])
    told, offsets, filled = [], [], 0
    for group, holder, begin in zip(groups, holders, begins[:-1], strict=True):
        for at in group:
            told.append(paired[at].numbers[holder] + firsts[at])
            offsets.append(filled - begin)
            filled += len(holder)
    peak = float(weights.max())
    return tuple(pairs.column for pairs in paired), GroupedRecords(
        members=(np.stack(members) + begins[:-1, None]).astype(np.int32),
        columns=np.cumsum([0, *map(len, groups)]),
        begins=begins,
        offsets=np.array(offsets),
        pairs=np.concatenate(told).astype(np.int32),
        firsts=firsts,
        codes=np.concatenate([pairs.codes for pairs in paired]),
        places=np.concatenate([pairs.places for pairs in paired]),
        fine=_fine_columns(paired, firsts),
        weights=weights,
        votes=np.exp(weights - peak),
        peak=peak,
    )


def _fine_columns(paired: Sequence[_Pairs], firsts: IntArray) -> FineColumns:
    fine = [at for at, pairs in enumerate(paired) if pairs.fine]
    begun, seats, holders = ([np.zeros(0, np.int64)] for _ in range(3))
    for place, at in enumerate(fine):
        codes = paired[at].column.codes
        order = np.argsort(codes, kind="stable")
        begin = np.searchsorted(codes[order], np.arange(len(paired[at].column.shares) + 1))
        begun.append(begin + place * len(codes))
        seats.append(paired[at].numbers[order[np.minimum(begin, len(order) - 1)]] + firsts[at])
        holders.append(order)
    return FineColumns(
        columns=np.array(fine, dtype=np.int64),
        held=np.cumsum([len(each) for each in begun]),
        begun=np.concatenate(begun).astype(np.int64),
        pairs=np.concatenate(seats).astype(np.int64),
        holders=np.concatenate(holders).astype(np.int32),
    )


def _holder(numbers: IntArray) -> NDArray[np.intp]:
    """Return a record with each number."""
    holder = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.intp)
    holder[numbers] = np.arange(len(numbers))
    return holder


def _numbers(one: CodeArray | IntArray, other: CodeArray | IntArray) -> IntArray:
    keys = one.astype(np.int64) * (int(other.max(initial=0)) + 2) + other
    return np.asarray(np.unique(keys, return_inverse=True)[1], dtype=np.int64)
