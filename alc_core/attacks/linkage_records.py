"""Released records by groups of columns: equal combinations are weighed once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from alc_core.arrays import CodeArray, FloatArray, IntArray
from alc_core.attacks.linkage_columns import LinkedColumn

_FEW = 8  # Least records per combination in a group


class GroupedRecords(NamedTuple):
    """Records as combinations of grouped columns."""

    members: CodeArray  # (n_groups, n_records), combination of each record
    columns: IntArray  # First column of each group, and the end
    begins: IntArray  # First combination of each group, and the end
    offsets: IntArray  # By column, from combination to code
    codes: CodeArray  # By column and combination; negative if none
    places: CodeArray  # Likewise, the table's column
    weights: FloatArray  # Log weight of each record
    votes: FloatArray  # Exponentials, scaled to at most 1
    peak: float  # Greatest log weight


def grouped(
    columns: Sequence[LinkedColumn], weights: FloatArray
) -> tuple[tuple[LinkedColumn, ...], GroupedRecords]:
    """Return columns in group order, and grouped records."""
    numbered = [_numbers(column.codes, column.places) for column in columns]
    order = sorted(range(len(columns)), key=lambda at: numbered[at].max(initial=0))
    groups: list[list[LinkedColumn]] = []
    members: list[IntArray] = []
    for at in order:
        both = _numbers(members[-1], numbered[at]) if groups else None
        if both is None or _FEW * both.max(initial=0) > len(weights):
            groups.append([columns[at]])
            members.append(numbered[at])
        else:
            groups[-1].append(columns[at])
            members[-1] = both
    sizes = [int(each.max(initial=-1)) + 1 for each in members]
    begins = np.cumsum([0, *sizes])
    codes, places, offsets, filled = [], [], [], 0
    for group, own, begin, size in zip(groups, members, begins[:-1], sizes, strict=True):
        first = np.zeros(size, dtype=np.intp)
        first[own] = np.arange(len(own))
        for column in group:
            codes.append(column.codes[first])
            places.append(column.places[first])
            offsets.append(filled - begin)
            filled += size
    peak = float(weights.max())
    return tuple(itertools.chain.from_iterable(groups)), GroupedRecords(
        members=(np.stack(members) + begins[:-1, None]).astype(np.int32),
        columns=np.cumsum([0, *map(len, groups)]),
        begins=begins,
        offsets=np.array(offsets),
        codes=np.concatenate(codes),
        places=np.concatenate(places),
        weights=weights,
        votes=np.exp(weights - peak),
        peak=peak,
    )


def _numbers(one: CodeArray | IntArray, other: CodeArray | IntArray) -> IntArray:
    keys = one.astype(np.int64) * (int(other.max(initial=0)) + 2) + other
    return np.asarray(np.unique(keys, return_inverse=True)[1], dtype=np.int64)
