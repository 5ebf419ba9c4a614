"""Checks of a released column's numbers, dates and storage against the original's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.checks.columns import check_column, check_released_identifier
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.labels import check_labels
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.checks.sentences import shown_labels
from alc_core.tables.kinds import MOST_CODES
from alc_core.tables.labels.column_sets import ColumnSets, label_rows
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.no_value import no_value_words
from alc_core.tables.values.tagged import texts_among_numbers
from alc_core.tables.values.texts import parse_numbers

MOST_OUTSIDE = 0.5
"""Share of release values outside the original's range above which the scale has changed."""

LARGEST_SPREAD_RATIO = 20.0
"""Ratio of the spreads (1st to 99th percentile) from which the scale has changed."""

_FEWEST_VALUES = 5
_ROWS_FOR_QUANTILES = 200
_FAR_OFF = 0.25
_ON_THE_LINE = 0.05
_NEXT_TO_IT = 0.01

_MOSTLY_SINGLE = 0.5


def check_scale(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    """Ask about numbers or dates that lie where the original has none."""
    kind = original.kind
    before = _finite(original.comparable(kind))
    after = _finite(release.comparable(kind))
    if len(before) < _FEWEST_VALUES or len(after) < _FEWEST_VALUES:
        return
    outside = float(np.mean((after < before.min()) | (after > before.max())))
    in_place = _same_location(before, after)
    ratio = _spread_ratio(before, after)
    times = None
    if outside > MOST_OUTSIDE:
        case = "outside"
    elif ratio is not None and ratio > LARGEST_SPREAD_RATIO:
        case, times = "wider", ratio
    elif ratio is not None and 0 < ratio < 1 / LARGEST_SPREAD_RATIO:
        case, times = "narrower", 1 / ratio
    elif _is_stretched(before, after):
        case = "stretched"
    else:
        return
    # Values that lie where the original's do may be poor utility rather than another scale.
    if in_place := in_place and case != "outside":
        case += "-in-place"
    level = Severity.WARNING if in_place else Severity.QUESTION
    yield release.found(level, "scale-changed", case, outside=outside, times=times)


def _same_location(before: NDArray[np.float64], after: NDArray[np.float64]) -> bool:
    """Return whether the release's median lies in the original's middle half, or next to it."""
    low, high = np.quantile(before, [0.25, 0.75])
    room = 0.0 if high > low else _NEXT_TO_IT * float(np.ptp(before))
    return bool(low - room <= np.median(after) <= high + room)


def _spread_ratio(before: NDArray[np.float64], after: NDArray[np.float64]) -> float | None:
    low, high = np.quantile(before, [0.01, 0.99])
    release_low, release_high = np.quantile(after, [0.01, 0.99])
    if high <= low:
        return None
    return float((release_high - release_low) / (high - low))


def _is_stretched(before: NDArray[np.float64], after: NDArray[np.float64]) -> bool:
    """Return whether the release's quantiles are a linear function of the original's, far off.

    A unit that differs by a small factor leaves most values of a skewed column in its range.
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


def check_storage(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    """Compare whether numbers and dates are readable in both tables."""
    unreadable = tuple(check_unreadable(original, release))
    yield from unreadable
    if unreadable or original.kind is ColumnKind.DATETIME:
        return
    stored = {original.is_stored_as_number, release.is_stored_as_number}
    if len(stored) == 2 and _all_numbers(original) and _all_numbers(release):
        as_text = release if original.is_stored_as_number else original
        yield as_text.found(Severity.WARNING, "text-numbers", "stored")


def check_unreadable(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    """Find text in a release where the original has numbers or dates."""
    if original.kind is ColumnKind.DATETIME:
        yield from _unreadable_dates(release)
    elif original.kind is ColumnKind.CONTINUOUS:
        yield from _unreadable_numbers(original, release)


def _all_numbers(profile: ColumnProfile) -> bool:
    if profile.is_stored_as_number:
        return True
    if not profile.is_stored_as_text or not profile.n_present:
        return False
    if np.isnan(parse_numbers([str(label) for label in profile.head])).any():
        return False
    return bool(np.isfinite(parse_numbers([str(label) for label in profile.labels.index])).all())


def _unreadable_numbers(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    """Find texts in a release that the original's numbers do not have; generalized ones aside."""
    if not release.is_stored_as_text:
        return
    labels = release.labels.drop(release.generalized.index)
    failing = labels[texts_among_numbers([str(label) for label in labels.index])]
    if len(failing) and original.is_stored_as_text:
        failing = failing[~failing.index.isin(original.labels.index)]
    if not len(failing):
        return
    share = float(failing.sum()) / release.n_present
    few = len(failing) <= MOST_CODES and share < MOST_OUTSIDE
    yield release.found(
        Severity.QUESTION if few else Severity.ERROR, "text-numbers", "few" if few else "many",
        share=share, labels=shown_labels(failing.index),
    )  # fmt: skip


def _unreadable_dates(release: ColumnProfile) -> Iterator[Finding]:
    present = ~release.missing
    if not present.any() or release.generalized.sum() > 0:
        return
    unreadable = int(np.isnan(release.days[present]).sum())
    if unreadable and release.is_stored_as_text:
        words = no_value_words(map(str, release.labels.index))
        unreadable -= int(release.labels[words].sum())
    if unreadable > 0:
        share = unreadable / int(present.sum())
        yield release.found(Severity.ERROR, "unreadable-dates", share=share)


def _finite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values[np.isfinite(values)]


def check_released(
    before: ColumnProfile,
    release: Table,
    sets: ColumnSets | None,
    profiles: Profiles,
    *,
    is_known: bool,
    is_unknown: bool,
) -> Iterator[Finding]:
    """Check a released column against the original's, but for labels that stand for several values.

    Where there are such labels, the few single values beside them say less.
    """
    share = 1.0
    if sets is not None and sets.labels:
        column = release.frame[before.column]
        single = column.where(~label_rows(column, sets.sets))
        release = replace(release, frame=pd.DataFrame({before.column: single}))
        share -= sets.share
    after = profiles.of(release, before.column)
    is_whole = share == 1
    if not is_whole and not after.n_present:
        return
    if share >= _MOSTLY_SINGLE:
        if not is_unknown and not (is_whole and after.kind is ColumnKind.IDENTIFIER):
            yield from check_column(after, is_known=is_known, is_unknown=is_unknown)
        if before.kind.is_numeric:
            yield from check_scale(before, after)
    if before.kind is ColumnKind.CATEGORICAL:
        yield from check_labels(before, after)
    if is_whole:
        yield from check_released_identifier(before, after)
        if before.kind is not ColumnKind.IDENTIFIER:
            yield from check_storage(before, after)
    else:
        yield from check_unreadable(before, after)
