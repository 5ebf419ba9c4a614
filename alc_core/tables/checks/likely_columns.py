"""Which columns of a released table are likely to be the original's under other names."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.table import Table
from alc_core.tables.values.texts import bare_text

_NEAR_NAME = 0.8
_SAME_LABELS = 0.8
"""Share of the labels of both columns, or of the rows that both have of each label."""
_SAME_SPREAD = 0.9
"""The same share for numbers and for two labels: many columns have those in common."""
_FEW_LABELS = 2
_DOUBT = 0.02
"""Two columns that are alike by this much leave open which one it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelyColumn:
    """A released column that may be one of the original's under another name."""

    column: str  # What the release calls it
    of: str  # The original's column
    why: str = ""  # What speaks for it, such as "with the same values"; empty where it is the name


_Pair = tuple[float, LikelyColumn]
"""How much speaks for a column, and the column."""


def likely_columns(
    original: Table, release: Table, profiles: Profiles | None = None
) -> tuple[LikelyColumn, ...]:
    """Suggest which columns that only a released table has are which that it lacks.

    Names that are nearly equal count first, then values: the same labels, or numbers that are
    spread alike. Each column is in one suggestion at most, the best one; of two that are alike
    nothing is said. A column that is not compared is suggested by its name only.

    Parameters
    ----------
    original : Table
        The table of real people.
    release : Table
        One released table.
    profiles : Profiles or None
        Of their columns, where they are there already.

    Returns
    -------
    tuple of LikelyColumn
        In the order of the release's columns. It may be wrong: it is for the user to say so.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> jobs = ["nurse", "teacher", "baker"] * 20
    >>> original = alc.table_from_frame(pd.DataFrame({"age": range(60), "job": jobs}), name="a")
    >>> release = alc.table_from_frame(pd.DataFrame({"age": range(60), "work": jobs}), name="b")
    >>> [(found.column, found.of, found.why) for found in likely_columns(original, release)]
    [('work', 'job', 'with the same values')]
    """
    profiles = Profiles() if profiles is None else profiles
    missing = [name for name in original.columns if name not in release.columns]
    others = [name for name in release.columns if name not in original.columns]
    found = _best(_near_names(missing, others))
    missing = [name for name in missing if name not in {each.of for each in found}]
    others = [name for name in others if name not in {each.column for each in found}]
    own, theirs = (
        [profiles.of(table, name) for name in names if table.kind(name).is_compared]
        for table, names in ((original, missing), (release, others))
    )
    found += _best(_without_doubt(_same_values(own, theirs)))
    return tuple(sorted(found, key=lambda each: release.columns.index(each.column)))


def _near_names(missing: Sequence[str], others: Sequence[str]) -> list[_Pair]:
    pairs = []
    for of, column in itertools.product(missing, others):
        bare = (bare_text(of), bare_text(column))
        digits = [re.findall(r"\d+", name) for name in bare]
        if all(digits) and digits[0] != digits[1]:
            continue  # income_2019 is not income_2020
        score = difflib.SequenceMatcher(None, *bare).ratio()
        if score >= _NEAR_NAME:
            pairs.append((score, LikelyColumn(column=column, of=of)))
    return pairs


def _same_values(own: Sequence[ColumnProfile], theirs: Sequence[ColumnProfile]) -> list[_Pair]:
    pairs = []
    for before, after in itertools.product(own, theirs):
        numbers = before.is_stored_as_number and after.is_stored_as_number
        few = before.has_few_values and after.has_few_values
        if before.kind.is_numeric and before.kind is after.kind and not few:
            score, why = _spread(before, after), "with numbers that are spread alike"
            enough = score >= _SAME_SPREAD
        elif not numbers and (before.is_stored_as_number or after.is_stored_as_number):
            continue
        else:
            score, labels = _shared_rows(before, after), _shared_labels(before, after)
            why = "with the same values"
            two = max(len(before.labels), len(after.labels)) <= _FEW_LABELS
            enough = score >= _SAME_SPREAD if numbers or two else max(score, labels) >= _SAME_LABELS
        if enough:
            pairs.append((score, LikelyColumn(column=after.column, of=before.column, why=why)))
    return pairs


def _shared_rows(before: ColumnProfile, after: ColumnProfile) -> float:
    """Return one minus the total variation of two distributions of labels; 0 for one label."""
    own, other = before.labels, after.labels
    both = own.index.intersection(other.index)
    if len(both) < 2:
        return 0.0
    shares = own[both].to_numpy() / own.sum(), other[both].to_numpy() / other.sum()
    return float(np.minimum(*shares).sum())


def _shared_labels(before: ColumnProfile, after: ColumnProfile) -> float:
    both = len(before.labels.index.intersection(after.labels.index))
    either = len(before.labels) + len(after.labels) - both
    return both / either if both > 1 else 0.0


def _spread(before: ColumnProfile, after: ColumnProfile) -> float:
    """Return one minus the largest difference of two distribution functions.

    A value that more than half of the rows of both have, such as 0, tells columns apart badly:
    the others are compared alone, too.
    """
    own, other = before.spread, after.spread
    scores = [_alike(own, other)]
    if own.size and other.size and (common := float(np.median(own))) == float(np.median(other)):
        halves = [np.mean(values == common) > 0.5 for values in (own, other)]
        if all(halves):
            scores.append(_alike(own[own != common], other[other != common]))
    return min(scores)


def _alike(own: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    if own.size < 2 or other.size < 2:
        return 0.0
    places = np.concatenate([own, other])
    below = [np.searchsorted(each, places, side="right") / each.size for each in (own, other)]
    return float(1 - np.abs(below[0] - below[1]).max())


def _without_doubt(pairs: Sequence[_Pair]) -> list[_Pair]:
    """Leave out pairs beside which another one of the same column is as good."""
    return [
        (score, likely)
        for score, likely in pairs
        if not any(
            other is not likely
            and abs(its_score - score) <= _DOUBT
            and (other.of == likely.of or other.column == likely.column)
            for its_score, other in pairs
        )
    ]


def _best(pairs: Sequence[_Pair]) -> list[LikelyColumn]:
    """Return each column in its best pair only."""
    found: list[LikelyColumn] = []
    taken: set[tuple[str, str]] = set()
    for _, likely in sorted(pairs, key=lambda pair: -pair[0]):
        sides = {("of", likely.of), ("column", likely.column)}
        if not sides & taken:
            taken |= sides
            found.append(likely)
    return found
