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
_FEWEST_PER_LABEL = 3
_LEAST_SHARE = 0.5


def grouped_values(
    before: NDArray[np.object_], after: NDArray[np.object_], new: Sequence[str]
) -> Mapping[str, frozenset[str]]:
    """Return which values of the original new labels cover.

    Only where the recoding is plain: nearly every row of a value that got a new label got the same
    one, and values that the release has, too, stayed what they were. Labels that were only renamed,
    one for one, are no groups.

    Parameters
    ----------
    before, after : ndarray of str or None of shape (n_linked,)
        Labels of linked rows in the original and in the release.
    new : sequence of str
        Labels of the release that the original does not have.

    Returns
    -------
    mapping of str to frozenset of str
        Of those labels that enough rows have; empty if the rows say something else.
    """
    pairs = pd.DataFrame({"before": before, "after": after}).dropna()
    if len(pairs) < FEWEST_LINKED or not new or len(set(pairs["after"])) == 1:
        return {}
    is_new = pairs["after"].isin(list(new))
    same = pairs.loc[~is_new & pairs["after"].isin(pairs["before"])]
    if len(same) and float((same["before"] == same["after"]).mean()) < _CONSISTENT:
        return {}
    counts = pairs[is_new].groupby(["before", "after"], sort=True).size()
    if not len(counts):
        return {}
    most = counts.groupby(level="before").max()
    if float(most.sum()) / float(counts.sum()) < _CONSISTENT:
        return {}
    of_value = pairs["before"].value_counts()
    found: dict[str, set[str]] = {}
    for value, label, count in counts.rename("rows").reset_index().itertuples(index=False):
        if count >= _LEAST_SHARE * of_value[value]:
            found.setdefault(str(label), set()).add(str(value))
    if all(len(values) == 1 for values in found.values()):
        return {}
    rows = counts.groupby(level="after").sum()
    return {
        label: frozenset(values)
        for label, values in found.items()
        if rows[label] >= _FEWEST_PER_LABEL
    }
