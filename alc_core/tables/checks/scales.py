"""Checks of the scale of released numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from alc_core.arrays import FloatArray
from alc_core.phrasing import in_list
from alc_core.tables.checks.finding import Finding, Offer, Severity
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.labels.cut import cut_labels
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.value_sets import Domain

# Limits; see tests/unit/tables/checks/test_checks.py and test_scales.py
MOST_OUTSIDE = 0.5  # Share of values outside the original's range
LARGEST_SPREAD_RATIO = 20.0  # Ratio of the spreads (1st to 99th percentile)
_FEWEST_VALUES = 5  # Values compared
_MOST_CODES = 10_000  # Most codes, which a release may have cut
_ROWS_FOR_QUANTILES = 200  # Rows whose quantiles are compared
_FAR_OFF = 0.25  # Distance of the quantiles, in spreads
_ON_THE_LINE = 0.05  # Their residual on a line
_NEXT_TO_IT = 0.01  # Share of a range next to it
# Of single people's numbers on another scale. Of strangers' and noisy ones, at most 5% agree in a
# factor; of people's own, rounded, 62% to 94%
_FEWEST_SINGLE = 50  # Numbers that one row has
_MOST_SINGLE = 1000  # Released ones that are compared
_MOST_PAIRS = 1_000_000
_ONE_FACTOR = 0.15  # Share of them that agree in a factor, beyond any other factor
_CLEARLY = 8.0  # Standard errors of that
_AS_GOOD = 0.03  # Difference of such shares that says nothing
_NEXT_TO_ONE = 4.0  # Widths of a factor; nearer ones leave values next to their own
_WINDOW = 4.0  # Standard errors of the medians' ratio
# Of all numbers on a line. Strangers' are 0.7 and more of what chance sets apart, in 2,000 tables
_AS_MANY = 0.1  # Share by which the numbers of values differ
_CLOSER = 0.02  # Share of what chance sets the quantiles apart

# How numbers may be written, by what is said of it
_WRITTEN: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "": lambda numbers: numbers,
    "logarithms": np.log,
    "logarithms of 1 more": np.log1p,
    "square roots": np.sqrt,
}


COPIED = "copied"  # The case of a finding


def check_scale(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    """Ask about numbers or dates outside the original's scale."""
    kind = original.kind
    before = _finite(original.comparable(kind))
    after = _finite(release.comparable(kind))
    if min(len(before), len(after)) < _FEWEST_VALUES:
        return
    told = _other_scale(before, after) if kind is ColumnKind.CONTINUOUS else _shift(before, after)
    if told:
        offers = _read_back(release, told)
        yield release.found(Severity.QUESTION, "scale-changed", COPIED, offers=offers, **told)
        return
    room = _NEXT_TO_IT * float(np.ptp(before))
    outside = float(np.mean((after < before.min() - room) | (after > before.max() + room)))
    in_place = _same_location(before, after)
    ratio = _spread_ratio(before, after)
    facts: dict[str, Any]
    if outside > MOST_OUTSIDE:
        facts, in_place = {"outside": outside}, False
    elif ratio is not None and ratio > LARGEST_SPREAD_RATIO:
        # In the original's range: poor usefulness rather than another scale
        in_place |= outside <= _NEXT_TO_IT and not _is_stretched(before, after)
        facts = {"wider": ratio}
    elif ratio is not None and 0 < ratio < 1 / LARGEST_SPREAD_RATIO:
        facts = {"narrower": 1 / ratio}
    elif _is_stretched(before, after):
        facts = {"stretched": True}
    elif _are_ranks(after) and not _are_ranks(before):
        facts, in_place = {"ranks": True}, False
    else:
        return
    level, case = (Severity.WARNING, "in-place") if in_place else (Severity.QUESTION, "")
    cut = not in_place and _are_cut(original, release)
    offers = (Offer("categorical", in_list(release.column)),) if cut else ()
    yield release.found(level, "scale-changed", case, offers=offers, cut=cut, **facts)


def _read_back(release: ColumnProfile, told: Mapping[str, Any]) -> tuple[Offer, ...]:
    """Return the answer that reads values on the original's scale, if it can be written."""
    days, factor, column = told.get("days"), told.get("factor"), release.column
    plus = told.get("plus")
    if column in release.table.same_columns.values():
        return ()
    match told.get("how"):
        case None if plus is not None:
            source = f"{column} - {plus}{'' if factor is None else f' / {factor}'}"
        case None:
            step = f"/ {factor}" if days is None else f"{'-' if days > 0 else '+'} {abs(days)}"
            source = f"{column} {step}"
        case "logarithms" if factor is None:
            source = f"log {column}"
        case "logarithms of 1 more" if factor is None:
            source = f"log {column} - 1"
        case _:
            return ()
    return (Offer("same", f"{source}={column}"),)


def rescaled(original: Table, release: Table) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield columns whose numbers of single people return on another scale, with the facts."""
    profiles = Profiles()
    for column in original.own_compared:
        if column in release.columns and original.kind(column).is_numeric:
            pair = profiles.of(original, column), profiles.of(release, column)
            yield from (
                (column, found.facts) for found in check_scale(*pair) if found.case == COPIED
            )


def _are_cut(original: ColumnProfile, release: ColumnProfile) -> bool:
    domain = Domain(original.series, numeric=False)
    return (
        original.kind is ColumnKind.CONTINUOUS
        and max(original.series.nunique(), release.series.nunique()) <= _MOST_CODES
        and bool(cut_labels(domain, {str(k): int(n) for k, n in release.labels.items()}))
    )


def _same_location(before: FloatArray, after: FloatArray) -> bool:
    """Return whether the median is in or next to the original's middle half."""
    low, high = np.quantile(before, [0.25, 0.75])
    room = 0.0 if high > low else _NEXT_TO_IT * float(np.ptp(before))
    return bool(low - room <= np.median(after) <= high + room)


def _spread_ratio(before: FloatArray, after: FloatArray) -> float | None:
    low, high = np.quantile(before, [0.01, 0.99])
    release_low, release_high = np.quantile(after, [0.01, 0.99])
    if high <= low:
        return None
    return float((release_high - release_low) / (high - low))


def _is_stretched(before: FloatArray, after: FloatArray) -> bool:
    """Return whether quantiles are a distant linear function.

    Small factors leave most values of a skewed column in range.
    """
    levels = np.linspace(0.05, 0.95, 19)
    quantiles, moved = np.quantile(before, levels), np.quantile(after, levels)
    spread, release_spread = np.ptp(quantiles), np.ptp(moved)
    if spread == 0 or release_spread == 0 or min(len(before), len(after)) < _ROWS_FOR_QUANTILES:
        return False
    if float(np.mean(np.abs(moved - quantiles))) < _FAR_OFF * spread:
        return False
    slope, level = np.polyfit(quantiles, moved, 1)
    rest = np.abs(moved - (slope * quantiles + level))
    return bool(rest.max() < _ON_THE_LINE * release_spread)


def _are_ranks(numbers: FloatArray) -> bool:
    """Return whether every whole number between the ends occurs, as of ranks with ties or not."""
    n_values = len(np.unique(numbers))
    without_gap = np.ptp(numbers) < n_values and not np.any(numbers % 1)
    return bool(without_gap) and n_values >= _ROWS_FOR_QUANTILES


def _other_scale(before: FloatArray, after: FloatArray) -> dict[str, Any]:
    """Return the scale on which numbers of single people return, if clear.

    Their logarithms then differ by a constant more often than by any other.
    """
    own, released = _single(before), _single(after)
    if min(len(own), len(released)) < _FEWEST_SINGLE:
        return {}
    # The width of a factor, by rounding
    width = max(_step(each) / float(np.median(each)) for each in (own, released))
    found: list[tuple[float, float, str]] = []
    for how, written in _WRITTEN.items():
        values = written(own)
        values = values[values > 0]
        if len(values) >= _FEWEST_SINGLE:
            common = _common_difference(np.log(values), np.log(released), max(width, 1e-6))
            found.append((*common, how))
    most = max(found)[0]
    share, logarithm, how = next(each for each in found if each[0] >= most - _AS_GOOD)  # Plainest
    plain = abs(logarithm) < _NEXT_TO_ONE * width
    if share < _ONE_FACTOR or (plain and not how):
        return {} if plain and share >= _ONE_FACTOR else _on_a_line(before, after)
    # With as many digits as are known
    factors = (f"{np.exp(logarithm):.{digits}g}" for digits in range(1, 17))
    factor = next(text for text in factors if abs(np.log(float(text)) - logarithm) < width)
    return {
        "share": share, "singled": len(released), "how": how or None,
        "factor": None if plain else factor,
    }  # fmt: skip


def _on_a_line(before: FloatArray, after: FloatArray) -> dict[str, Any]:
    """Return by which line all numbers are the original's, if much closer than strangers'."""
    if abs(len(before) - len(after)) > _AS_MANY * len(before):
        return {}
    levels = np.linspace(0.02, 0.98, 97)
    own, found = np.quantile(before, levels), np.quantile(after, levels)
    # How far the quantiles of strangers are apart
    chance = float(np.subtract(*np.quantile(before, [0.75, 0.25]))) / np.sqrt(len(before))
    for quantiles in (own, own[::-1]):
        slope, level = np.polyfit(quantiles, found, 1)
        rest = float(np.abs(found - slope * quantiles - level).max())
        if rest < _CLOSER * abs(slope) * chance:
            break
    else:
        return {}
    if np.abs(found - quantiles).max() < chance:  # They are as they were
        return {}
    room = max(rest, 1e-6 * chance)
    factor = _shortest(slope, room / np.ptp(quantiles))
    plus = _shortest(float(np.median(found - float(factor) * quantiles)), room)
    return {
        "share": 1.0, "singled": len(after), "factor": None if factor == "1" else factor,
        "plus": plus,
    }  # fmt: skip


def _shortest(number: float, room: float) -> str:
    texts = (f"{float(f'{number:.{digits}g}'):.12g}" for digits in range(1, 13))
    return next((text for text in texts if abs(float(text) - number) <= room), f"{number:.12g}")


def _shift(before: FloatArray, after: FloatArray) -> dict[str, Any]:
    """Return by how many days single people's dates are shifted, if clear."""
    earliest = min(before.min(), after.min()) - 1
    own, released = _single(before - earliest), _single(after - earliest)
    if min(len(own), len(released)) < _FEWEST_SINGLE:
        return {}
    share, days = _common_difference(own, released, min(1.0, max(_step(own), _step(released))))
    if share < _ONE_FACTOR or abs(days) < 1:
        return {}
    return {"share": share, "singled": len(released), "days": round(days)}


def _single(numbers: FloatArray) -> FloatArray:
    """Return positive numbers that one row has, in order."""
    distinct, rows = np.unique(numbers[numbers > 0], return_counts=True)
    return np.asarray(distinct[rows == 1])


def _step(numbers: FloatArray) -> float:
    steps = np.diff(numbers)
    return float(np.quantile(steps[steps > 1e-9 * numbers[-1]], 0.02))


def _common_difference(own: FloatArray, released: FloatArray, width: float) -> tuple[float, float]:
    """Return the share of released numbers with the commonest difference beyond others, and it."""
    middle = float(np.median(released) - np.median(own))
    spread = float(np.subtract(*np.quantile(own, [0.75, 0.25])))
    reach = max(_WINDOW * spread / np.sqrt(min(len(own), len(released))), 50 * width)
    width = max(width, reach / _MOST_PAIRS)
    others = released[np.random.default_rng(0).permutation(len(released))[:_MOST_SINGLE]]
    first = np.searchsorted(own, others - middle - reach)
    pairs = np.searchsorted(own, others - middle + reach) - first
    kept = np.cumsum(pairs) <= _MOST_PAIRS
    others, first, pairs = others[kept], first[kept], pairs[kept]
    if not pairs.sum():
        return 0.0, 0.0
    partners = np.repeat(first - np.cumsum(pairs) + pairs, pairs) + np.arange(pairs.sum())
    whose = np.repeat(np.arange(len(others)), pairs)
    differences = others[whose] - own[partners]
    bins = ((differences - middle + reach) / width).astype(np.intp)
    # Each number once a bin: dense ones have several partners there
    counts = np.bincount(np.unique(bins * len(others) + whose) // len(others), minlength=2)
    counts = counts[:-1] + counts[1:]  # It may lie between two
    most = int(counts.argmax())
    elsewhere = counts[np.abs(np.arange(len(counts)) - most) > 2].max(initial=0)
    beyond = float(counts[most] - elsewhere)
    if beyond < _CLEARLY * np.sqrt(elsewhere + 1):
        return 0.0, 0.0
    agreeing = differences[(bins == most) | (bins == most + 1)]
    return beyond / len(others), float(np.median(agreeing))


def _finite(values: FloatArray) -> FloatArray:
    return np.asarray(values[np.isfinite(values)])
