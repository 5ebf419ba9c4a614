"""New released numbers between few original ones, by noise or models."""

from __future__ import annotations

import numpy as np
import pandas as pd

from alc_core.arrays import FloatArray, IntArray
from alc_core.tables.values.texts import canonical_labels, label_codes, label_counts, parse_numbers

# Limits; see tests/unit/tables/checks/test_checks.py
_MOSTLY = 0.9  # Share of rows or codes
_MOST_TEXTS = 5  # Texts among the original's numbers
_FEWEST_NUMBERS = 10  # Original numbers from which few new ones are not codes
_FEWEST_CODES = 5  # Codes of a column
_TIMES = 4  # Finer codes per code
_WIDEST = 3.0  # Ratio of two spreads of one scale
_END = 0.05  # Quantile of the ends
_LITTLE = 0.2  # Total variation of numbers moved to the nearest
_TRIED = 100  # Values tried
_HALF = 0.5  # Share of these that are numbers


def are_amounts(known: pd.Series, found: pd.Series) -> bool:
    """Return whether new numbers are amounts near the original's, not codes.

    Rows by label.
    """
    before, rows = _numbers(known)
    after, n_after = _numbers(found)
    if not len(before) or len(known) - len(before) > _MOST_TEXTS:
        return False
    is_new = ~np.isin(after, before)
    new, n_new = after[is_new], n_after[is_new]
    texts = int(found.drop(known.index, errors="ignore").sum()) - int(n_new.sum())
    if not len(new) or texts > (1 - _MOSTLY) * n_new.sum():
        return False
    inside = float(n_new[(new > before[0]) & (new < before[-1])].sum()) >= _MOSTLY * n_new.sum()
    if not _of_one_scale((before, rows), (after, n_after), inside=inside):
        return False
    if _mostly_fractions(new, n_new) and not _mostly_fractions(before, rows):
        few = _FEWEST_NUMBERS <= len(before) > len(new)  # as many would be these, multiplied
        return len(new) > len(before) or (inside and few)
    if len(new) > _TIMES * max(len(before), _FEWEST_CODES):
        return True
    both_ends = bool(new[0] < before[0] and new[-1] > before[-1])
    codes = before[before == np.round(before)]
    still = len(codes) >= _FEWEST_CODES and np.isin(codes, after).mean() >= _MOSTLY
    return both_ends and bool(still)


def nearest_values(original: pd.Series, released: pd.Series) -> pd.Series:
    """Return a released column with new amounts moved to the original's nearest.

    Unchanged if not amounts.
    """
    if not _may_be_numbers(original):
        return released
    known, found = label_counts(original), label_counts(released)
    if found.index.isin(known.index).all() or not are_amounts(known, found):
        return released
    codes, labels = label_codes(released)
    before = _numbers(known)[0]
    places = np.searchsorted(_middles(before), parse_numbers(labels))
    near = [*canonical_labels(pd.Series(before)), None]
    is_number = np.isfinite(parse_numbers(labels))
    spelled = [
        near[place] if number else label
        for label, place, number in zip(labels, places, is_number, strict=True)
    ]
    values = np.asarray([*spelled, None], dtype=object)
    return pd.Series(values[codes], index=released.index, dtype=object)


def _may_be_numbers(series: pd.Series) -> bool:
    head = canonical_labels(series.iloc[:_TRIED]).dropna()
    return len(head) > 0 and bool(np.isfinite(parse_numbers([*map(str, head)])).mean() > _HALF)


def _numbers(counts: pd.Series) -> tuple[FloatArray, IntArray]:
    """Return numbers among labels, ascending, and rows."""
    numbers = parse_numbers([str(label) for label in counts.index])
    order = np.argsort(numbers)[: int(np.isfinite(numbers).sum())]
    return numbers[order], counts.to_numpy()[order]


def _mostly_fractions(numbers: FloatArray, rows: IntArray) -> bool:
    return bool(2 * rows[numbers != np.round(numbers)].sum() > rows.sum())


def _of_one_scale(
    before: tuple[FloatArray, IntArray], after: tuple[FloatArray, IntArray], *, inside: bool
) -> bool:
    """Return whether numbers have similar location and spread."""
    (numbers, rows), (released, n_after) = before, after
    low, high = float(numbers[0]), float(numbers[-1])
    (first, last), (start, end) = _ends(*before), _ends(*after)
    if inside and end - start >= (high - low) / 2:
        return True
    if _moved(before, after) <= _LITTLE and n_after[~np.isin(released, numbers)].sum() > (
        n_after.sum() / 2
    ):
        return True
    spread = last - first or high - low
    if not spread / _WIDEST <= end - start <= spread * _WIDEST:
        return False
    moved = abs(np.average(numbers, weights=rows) - np.average(released, weights=n_after))
    return bool(low - spread / 2 <= start and end <= high + spread / 2 and moved <= spread / 4)


def _moved(before: tuple[FloatArray, IntArray], after: tuple[FloatArray, IntArray]) -> float:
    """Return the total variation after moving numbers to the nearest."""
    places = np.searchsorted(_middles(before[0]), after[0])
    shares = np.bincount(places, after[1], minlength=len(before[0])) / after[1].sum()
    return float(np.abs(before[1] / before[1].sum() - shares).sum()) / 2


def _middles(numbers: FloatArray) -> FloatArray:
    return (numbers[1:] + numbers[:-1]) / 2


def _ends(numbers: FloatArray, rows: IntArray) -> tuple[float, float]:
    shares = np.cumsum(rows) / rows.sum()
    low, high = numbers[np.searchsorted(shares, [_END, 1 - _END])]
    return float(low), float(high)
