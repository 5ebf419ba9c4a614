"""Intervals that are closed at the other end than is written, as some tools write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from alc_core.phrasing import percent
from alc_core.tables.sets.domain import Domain
from alc_core.tables.sets.linked import FEWEST_LINKED, Pairs
from alc_core.tables.sets.notation import Reading
from alc_core.tables.sets.value_sets import Interval
from alc_core.tables.values.texts import canonical_labels

_BETTER = 0.005
_FITTING = 0.9
_CLEARLY = 10.0

Ends = Mapping[str, tuple[Interval, Interval]]
"""Label to the interval as written, and closed at the other end."""


def swapped_bounds(
    domain: Domain,
    released: pd.Series,
    rows: Mapping[str, int],
    readings: Mapping[str, Reading | None],
    pairs: Pairs,
) -> tuple[Mapping[str, Interval], str]:
    """Find out whether a column's half-open intervals are closed at the other end than is written.

    Rows that are the same in both tables decide, else the shares of the labels.
    """
    ends = _either_way(readings)
    swapped = {label: other for label, (_, other) in ends.items()}
    if all(domain.share(written) == domain.share(other) for written, other in ends.values()):
        return {}, ""
    shares = _linked_shares(domain, released, ends, pairs)
    if shares is None or max(shares) < _FITTING:
        why = _by_shares(domain, rows, ends)
        return (swapped if why else {}), why
    written, other = shares
    if other <= written + _BETTER:
        return {}, ""
    return swapped, (
        f"The bounds are taken the other way round than written: so they fit {percent(other)} of"
        f" the rows that can be linked to the original, as written {percent(written)}."
    )


def _either_way(readings: Mapping[str, Reading | None]) -> Ends:
    """Return the intervals as written and closed at the other end, but for the outermost bound."""
    ends = {
        label: (reading.value_set, reading.other)
        for label, reading in readings.items()
        if reading is not None
        and reading.other is not None
        and isinstance(reading.value_set, Interval)
    }
    least = min((other.low for _, other in ends.values()), default=0.0)
    most = max((other.high for _, other in ends.values()), default=0.0)
    return {
        label: (
            written,
            replace(
                other,
                low_open=other.low_open and other.low > least,
                high_open=other.high_open and other.high < most,
            ),
        )
        for label, (written, other) in ends.items()
    }


def _linked_shares(
    domain: Domain, released: pd.Series, ends: Ends, pairs: Pairs
) -> tuple[float, float] | None:
    """Return which share of the linked rows either way fits, or None if there are too few."""
    of_original, of_release = pairs()
    if len(of_original) < FEWEST_LINKED:
        return None
    labels = canonical_labels(released.iloc[of_release]).to_numpy(dtype=object)
    numbers = domain.rows[of_original]
    fitting = np.zeros(2)
    linked = 0
    for label, intervals in ends.items():
        own = numbers[labels == label]
        own = own[~np.isnan(own)]
        linked += len(own)
        for side, interval in enumerate(intervals):
            low, high = interval.closed_bounds
            fitting[side] += np.count_nonzero((own >= low) & (own <= high))
    if linked < FEWEST_LINKED:
        return None
    return float(fitting[0] / linked), float(fitting[1] / linked)


def _by_shares(domain: Domain, rows: Mapping[str, int], ends: Ends) -> str:
    own = np.array([rows[label] for label in ends], dtype=np.float64)
    written, other = (
        _apart(own, [domain.share(intervals[side]) for intervals in ends.values()])
        for side in (0, 1)
    )
    if _CLEARLY * other >= written:
        return ""
    return (
        "The bounds are taken the other way round than written: so the shares of the labels fit"
        " the original's."
    )


def _apart(rows: np.ndarray, shares: Sequence[float]) -> float:
    """Return the total variation between labels' rows and what the original leads to expect."""
    expected = np.array(shares)
    return 0.5 * float(np.abs(expected / max(expected.sum(), 1e-12) - rows / rows.sum()).sum())
