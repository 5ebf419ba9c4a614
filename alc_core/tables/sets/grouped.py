"""New words that stand for groups of values: what they cover, seen from linked rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.sets.linked import FEWEST_LINKED

MOST_LABELS = 500
"""With more new labels than this they are not groups but other values."""

_CONSISTENT = 0.95
_FEWEST_REPEATED = 10
_FEWEST_PER_LABEL = 3
_LEAST_SHARE = 0.5
_LEAST_RATE = 0.25
_FEW_ROWS = 2
_ENOUGH_ROWS = 3


def grouped_values(
    before: NDArray[np.object_], after: NDArray[np.object_], new: Sequence[str]
) -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    """Return which values of the original new labels cover.

    Only where the recoding is plain: nearly every row of a value that got a new label got the same
    one, about as many as of the label's other values, and labels that the release has, too, stayed
    what they were. Labels that were only renamed, one for one, are no groups.
    """
    unknown: tuple[Mapping[str, frozenset[str]], frozenset[str]] = ({}, frozenset())
    pairs = pd.DataFrame({"before": before, "after": after}).dropna()
    if len(pairs) < FEWEST_LINKED or not new or len(set(pairs["after"])) == 1:
        return unknown
    is_new = pairs["after"].isin(list(new))
    same = pairs.loc[~is_new & pairs["after"].isin(pairs["before"])]
    if len(same) and float((same["before"] == same["after"]).mean()) < _CONSISTENT:
        return unknown
    counts = pairs[is_new].groupby(["before", "after"], sort=True).size()
    of_values = counts.groupby(level="before")
    repeated = float((of_values.sum() - 1).sum())
    agreeing = float((of_values.max() - 1).sum())
    if repeated < _FEWEST_REPEATED or agreeing < _CONSISTENT * repeated:
        return unknown
    own = counts[counts >= _LEAST_SHARE * of_values.transform("sum")].rename("rows").reset_index()
    people = pairs["before"].value_counts()
    own["people"] = own["before"].map(people)
    of_labels = own.groupby("after")[["rows", "people"]].transform("sum")
    usual = of_labels["rows"] / of_labels["people"]
    own = own[own["rows"] >= _LEAST_RATE * usual * own["people"] - _FEW_ROWS]
    if not own["after"].duplicated().any():
        return unknown
    rows = counts.groupby(level="after").sum()
    found = {
        str(label): frozenset(map(str, values))
        for label, values in own.groupby("after")["before"]
        if rows[label] >= _FEWEST_PER_LABEL
    }
    settled = people.index[people * usual.min() >= _ENOUGH_ROWS]
    return found, frozenset(map(str, settled)).union(*found.values())
