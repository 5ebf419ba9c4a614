"""Days between the dates of a row, which stay if all are shifted together."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from alc_core.arrays import FloatArray
from alc_core.tables.labels.date_readings import with_read_dates
from alc_core.tables.labels.find import plain_columns
from alc_core.tables.own_together import Returning, own_together
from alc_core.tables.table import ColumnKind, Table, once_of_both
from alc_core.tables.values.dates import datetime_values

_ALL_PAIRS = 4  # Of more dates, neighbours in time are compared
_DIGITS = 5  # Of days: about a second
# Standard errors, and most, by which two samples of days differ (Kolmogorov and Smirnov)
_ALIKE, _MOST_APART = 1.95, 0.1


class Days(NamedTuple):
    """The days from one date to another."""

    first: str
    last: str

    @property
    def name(self) -> str:
        """Its name as a derived column (:mod:`alc_core.scenario.derived`)."""
        return f"days from {self.first} to {self.last}"


class KeptIntervals(NamedTuple):
    """Intervals that are people's own in a release, alone or with other columns."""

    intervals: tuple[Days, ...]
    together: Returning  # With the columns that belong to them


def read_interval(text: str, columns: Collection[str]) -> Days | None:
    """Return the interval of a name, if it is one of two columns.

    >>> read_interval("days from born to died", ["born", "died"]).last
    'died'
    """
    if not text.startswith("days from "):
        return None
    between = text.removeprefix("days from ")
    splits = (match.span() for match in re.finditer(" to ", between))
    found = (Days(between[:start], between[end:]) for start, end in splits)
    return next((each for each in found if {*each} <= {*columns}), None)


def kept_intervals(original: Table, release: Table) -> KeptIntervals | None:
    """Return intervals that lead to rows of a release whose dates do not."""
    return _kept(original, with_read_dates(original, release))


@once_of_both
def _kept(original: Table, release: Table) -> KeptIntervals | None:
    plain = plain_columns(original, release)
    dates = [column for column in plain if original.kind(column) is ColumnKind.DATETIME]
    intervals = {each.name: each for each in _intervals(original, dates)}
    if not intervals:
        return None
    own, released = (_with_days(table, [*intervals.values()]) for table in (original, release))
    for found in own_together(own, released, [*plain, *intervals]):
        columns = {*found.together.columns}
        shifted = tuple(
            each for name, each in intervals.items() if name in columns and not {*each} <= columns
        )
        if shifted:
            return KeptIntervals(shifted, found.together)
    return None


def missing_days(original: Table, missing: Collection[str]) -> dict[Days, FloatArray]:
    """Return the days between dates of which one is missing in a release."""
    dates = [c for c in original.own_compared if original.kind(c) is ColumnKind.DATETIME]
    asked = [each for each in _intervals(original, dates) if not {*each}.isdisjoint(missing)]
    return dict(zip(asked, _days(original, asked), strict=True))


def days_like(days: Mapping[Days, FloatArray], numbers: FloatArray) -> Days | None:
    """Return the interval whose days are distributed like released numbers."""
    from scipy.stats import ks_2samp

    released = numbers[np.isfinite(numbers)]
    for interval, each in days.items():
        own = each[np.isfinite(each)]
        if len(own) and len(released):
            most = min(_ALIKE * math.sqrt(1 / len(own) + 1 / len(released)), _MOST_APART)
            if ks_2samp(own, released).statistic <= most:
                return interval
    return None


def with_intervals(
    original: Table, tables: Iterable[Table], known: Sequence[str]
) -> tuple[str, ...]:
    """Return known columns, with kept intervals in place of dates that are shifted."""
    kept = (kept_intervals(original, table) for table in tables)
    every = itertools.chain.from_iterable(each.intervals for each in kept if each is not None)
    told = [each for each in dict.fromkeys(every) if {*each} <= {*known}]
    dates = {*itertools.chain(*told)}
    return (*(c for c in known if c not in dates), *(each.name for each in told))


def _intervals(original: Table, dates: Sequence[str]) -> Iterator[Days]:
    middle = {c: float(np.nanmedian(datetime_values(original.frame[c]))) for c in dates}
    in_time = sorted(dates, key=middle.__getitem__)
    few = len(dates) <= _ALL_PAIRS
    pairs = itertools.combinations(in_time, 2) if few else itertools.pairwise(in_time)
    return itertools.starmap(Days, pairs)


def _with_days(table: Table, intervals: Sequence[Days]) -> Table:
    for each, days in zip(intervals, _days(table, intervals), strict=True):
        values = pd.Series(days, index=table.frame.index)
        table = table.with_worked_out(each.name, values, ColumnKind.CONTINUOUS)
    return table


def _days(table: Table, intervals: Sequence[Days]) -> Iterator[FloatArray]:
    read = {c: datetime_values(table.frame[c]) for c in {*itertools.chain(*intervals)}}
    return (days_between(read[each.first], read[each.last]) for each in intervals)


def days_between(first: FloatArray, last: FloatArray) -> FloatArray:
    """Return days, equal if dates are as far apart."""
    return np.round(last - first, _DIGITS)
