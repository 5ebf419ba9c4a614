"""Finding out what the labels of a released column stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.phrasing import percent
from alc_core.tables.sets.codes import interval_codes, may_be_codes
from alc_core.tables.sets.column_sets import ColumnSets, HowFound, UnreadLabel, label_set
from alc_core.tables.sets.domain import Domain
from alc_core.tables.sets.extremes import end_codes, is_suppressed, suppressed_numbers
from alc_core.tables.sets.grouped import MOST_LABELS, grouped_values
from alc_core.tables.sets.linked import Pairs
from alc_core.tables.sets.notation import read_label
from alc_core.tables.sets.value_sets import ANY, SUPPRESSED_CELL, Interval, ValueSet
from alc_core.tables.sets.written_bounds import swapped_bounds
from alc_core.tables.values.generalized import is_generalized, may_be_generalized
from alc_core.tables.values.no_value_words import no_value_words, says_no_value
from alc_core.tables.values.texts import (
    canonical_labels,
    label_codes,
    label_counts,
    numeric_values,
    parse_numbers,
)

FloatArray = NDArray[np.float64]

_SETTLED = 0.01
"""Share of people whose values may be left open without a word."""

_NEARLY_ALL = 0.95
"""Share of people from which on a word does not say what it means by the rows that have it."""


@dataclass(kw_only=True, eq=False)
class _Search:
    """A released column beside the original's, and what was found so far."""

    column: str
    domain: Domain
    released: pd.Series
    pairs: Pairs
    rows: dict[str, int] = field(default_factory=dict)
    found: dict[str, tuple[ValueSet, HowFound, str]] = field(default_factory=dict)
    unread: list[UnreadLabel] = field(default_factory=list)

    def add(self, label: str, covers: ValueSet, how: HowFound, doubt: str = "") -> None:
        self.found[label] = (covers, how, doubt)

    def result(self) -> ColumnSets | None:
        if not self.found and not self.unread:
            return None
        labels = [
            label_set(
                self.domain,
                label,
                covers,
                rows=self.rows,
                n_rows=len(self.released),
                found=how,
                doubt=doubt,
            )
            for label, (covers, how, doubt) in self.found.items()
        ]
        return ColumnSets(
            column=self.column,
            numeric=self.domain.numeric,
            labels=tuple(sorted(labels, key=lambda label: (-label.rows, label.label))),
            unread=tuple(self.unread),
            n_rows=len(self.released),
        )


def find_column_sets(
    column: str, domain: Domain, released: pd.Series, pairs: Pairs
) -> ColumnSets | None:
    """Find the labels of a released column that stand for several values of the original."""
    search = _Search(column=column, domain=domain, released=released, pairs=pairs)
    is_number = pd.api.types.is_numeric_dtype(released.dtype) and not domain.of_dates
    if not is_number:
        _read_labels(search)
    if domain.numeric and not domain.of_dates:
        _number_codes(search)
    _suppressed_cells(search)
    return search.result()


def plain_rows(domain: Domain, released: pd.Series, labels: Sequence[str]) -> FloatArray:
    """Return the released numbers or days, NaN where a label stands for several values."""
    numbers = (
        Domain(released, numeric=True, of_dates=True).rows
        if domain.of_dates
        else numeric_values(released)
    )
    if not labels:
        return numbers
    return np.where(np.asarray(canonical_labels(released).isin(list(labels))), np.nan, numbers)


def _read_labels(search: _Search) -> None:
    """Read the labels that the original does not have."""
    search.rows = _candidates(search.released)
    new = [label for label in search.rows if not _is_value(label, search.domain)]
    readings = {label: read_label(label, search.domain) for label in new}
    swapped, why = swapped_bounds(
        search.domain, search.released, search.rows, readings, search.pairs
    )
    left: list[str] = []
    for label, reading in readings.items():
        if reading is None:
            left.append(label)
        elif label in swapped:
            search.add(label, swapped[label], HowFound.NOTATION, why)
        else:
            search.add(label, reading.value_set, HowFound.NOTATION, reading.doubt)
    left = list(_without_a_value(search, left))
    groups, doubt = _groups(search, left)
    for label, covers in groups.items():
        search.add(label, covers, HowFound.LINKED, doubt)
        left.remove(label)
    search.unread += _unreadable(search, left)
    _doubt_uncovered(search)


def _candidates(released: pd.Series) -> dict[str, int]:
    """Return rows per label; of text with many labels only of those that may stand for several."""
    if isinstance(released.dtype, pd.StringDtype):
        released = released[may_be_generalized(released)]
    return {str(label): int(count) for label, count in label_counts(released).items()}


def _is_value(label: str, domain: Domain) -> bool:
    if domain.numeric and not domain.of_dates:
        return bool(np.isfinite(parse_numbers([label])[0])) or domain.has(label)
    return domain.has(label)


def _without_a_value(search: _Search, labels: Sequence[str]) -> Iterator[str]:
    """Take those labels as suppressed that say "no value" more often than the original does."""
    domain = search.domain
    words = set(no_value_words([*map(str, search.rows)]))
    own = no_value_words([*map(str, domain.labels.index)]) if words else []
    before = int(domain.labels[own].sum()) + int(domain.series.isna().sum())
    still = sum(search.rows.get(label, 0) for label in own) + int(search.released.isna().sum())
    expected = max(0, before - still)
    for label in labels:
        if label in words and is_suppressed(
            search.rows[label], len(search.released), expected, len(domain.series)
        ):
            search.add(label, ANY, HowFound.SUPPRESSED)
        else:
            yield label


def _groups(search: _Search, labels: Sequence[str]) -> tuple[Mapping[str, ValueSet], str]:
    """Look up in linked rows what new words cover, and what may be wrong with it."""
    words = [label for label in labels if not says_no_value(label)]
    if not words or len(words) > MOST_LABELS or search.domain.of_dates:
        return {}, ""
    of_original, of_release = search.pairs()
    before = canonical_labels(search.domain.series.iloc[of_original]).to_numpy(dtype=object)
    after = canonical_labels(search.released.iloc[of_release]).to_numpy(dtype=object)
    groups, settled = grouped_values(before, after, words)
    covers: dict[str, ValueSet] = dict(groups)
    if search.domain.numeric:
        numbers = {label: parse_numbers(list(values)) for label, values in groups.items()}
        covers = {
            label: Interval(float(np.nanmin(each)), float(np.nanmax(each)))
            for label, each in numbers.items()
            if np.isfinite(each).any()
        }
    found = {
        label: each for label, each in covers.items() if search.domain.share(each) < _NEARLY_ALL
    }
    left = 1 - search.domain.share(settled)
    if search.domain.numeric or left < _SETTLED:
        return found, ""
    return found, (
        f"Seen in few rows: it may also cover values of {percent(left)} of the people. Say what it"
        " covers if you know."
    )


def _unreadable(search: _Search, labels: Sequence[str]) -> Iterator[UnreadLabel]:
    for label in labels:
        if is_generalized(label):
            reason = "It stands for several values, but for none that the original has."
            yield UnreadLabel(label=label, rows=search.rows[label], reason=reason)


def _doubt_uncovered(search: _Search) -> None:
    """Note intervals that the original has no value in."""
    for label, (covers, how, doubt) in list(search.found.items()):
        if how is not HowFound.NOTATION or not isinstance(covers, Interval) or doubt:
            continue
        if not np.any(search.domain.chosen(covers)):
            search.add(label, covers, how, "The original has no such value.")


def _number_codes(search: _Search) -> None:
    """Find numbers that stand for suppressed values, for intervals, or for all beyond them."""
    domain, released = search.domain, search.released
    labelled = list(search.found)
    numbers = plain_rows(domain, released, labelled)
    if not np.isfinite(numbers).any():
        return
    for number in suppressed_numbers(domain, numbers):
        label = _label_of(number)
        search.rows[label] = int(np.count_nonzero(numbers == number))
        search.add(label, ANY, HowFound.SUPPRESSED)
        numbers = np.where(numbers == number, np.nan, numbers)
    so_far = len(search.found)
    if not labelled and may_be_codes(domain, numbers):
        of_original, of_release = search.pairs()
        linked = (domain.rows[of_original], numbers[of_release])
        for each in interval_codes(domain, numbers, linked):
            label = _label_of(each.code)
            search.rows[label] = int(np.count_nonzero(numbers == each.code))
            search.add(label, each.interval, HowFound.CODES, each.doubt)
    if len(search.found) > so_far:
        return
    for number, interval in end_codes(domain, numbers):
        label = _label_of(number)
        search.rows[label] = int(np.count_nonzero(numbers == number))
        how = HowFound.TOP if np.isinf(interval.high) else HowFound.BOTTOM
        search.add(label, interval, how)


def _label_of(number: float) -> str:
    return str(canonical_labels(pd.Series([number])).iloc[0])


def _suppressed_cells(search: _Search) -> None:
    """Take missing cells as suppressed where the original has values, and the release some."""
    own, before = search.released, search.domain.series
    without = int(np.count_nonzero(_empty(own)))
    if without == len(own):
        return
    if is_suppressed(without, len(own), int(np.count_nonzero(_empty(before))), len(before)):
        search.rows[SUPPRESSED_CELL] = without
        search.add(SUPPRESSED_CELL, ANY, HowFound.SUPPRESSED)


def _empty(series: pd.Series) -> NDArray[np.bool_]:
    """Return which cells are missing or blank."""
    if pd.api.types.is_numeric_dtype(series.dtype):
        return np.asarray(series.isna())
    return label_codes(series)[0] < 0
