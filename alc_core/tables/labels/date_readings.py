"""Reading of ambiguous released dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Self
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from alc_core.arrays import FloatArray, spread_out
from alc_core.errors import InputError
from alc_core.tables.kinds import infer_kind
from alc_core.tables.labels.worked_out import LinkedRows, Pairs
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.date_numbers import (
    LAST_YEAR,
    MONTHS_ONLY,
    NUMBER_SYSTEMS,
    are_day_numbers,
    days_of_numbers,
    days_of_parts,
    full_year,
)
from alc_core.tables.values.dates import datetime_values, month_number
from alc_core.tables.values.texts import (
    Codes,
    canonical_labels,
    coded_texts,
    distinct_codes,
    is_text,
    numeric_values,
)

DAY_FIRST, MONTH_FIRST = "day-first", "month-first"
ORDERS = (DAY_FIRST, MONTH_FIRST)
# By column how its dates are to be read
DateReadings = Mapping[str, str]

# Two numbers with a mark, or a number and a month's name, before a year
_PARTS = re.compile(
    r"(?<![0-9])([0-9]{1,2})(?:([./-])([0-9]{1,2})\2|[ .-]*([^\W\d_]{3,10})\.?[ -]*)"
    r"([0-9]{4}|[0-9]{2})(?![0-9])"
)
# Limits; see tests/unit/tables/labels/test_date_readings.py
_MOST_ROWS = 50_000  # Rows whose days are compared
_TRIED = 200  # Values tried before all are read
_NEARLY_ALL = 0.95  # Share of values that are dates, and near the other table
_MOSTLY = 0.5  # Share of linked rows, or of days in January
_CLEARLY = 0.1  # Difference of shares that settles a reading
_MARGIN = 0.02  # Share of the other dates' range that dates may exceed it
_NARROW = 0.2  # Share of the other dates' deviation below which the unit is wrong
_FEWEST_LINKED = 20  # Linked rows that settle a reading
_YEARS = (1800, 2100)
_FAR_OFF = 29_585.0  # 2051: later dates are placeholders
_ROOM = 31.0  # Days that released dates may exceed the original's


@dataclass(frozen=True, slots=True)
class DatesFound:
    """Possible readings of a column's dates."""

    readings: tuple[str, ...]  # Possible ones, the likeliest first
    is_settled: bool = False  # Whether the first is certain
    are_numbers: bool = False  # Whether numbers are read, not texts
    of_original: bool = False  # Whether it is the original's column


def with_date_readings(
    table: Table, readings: DateReadings, *, original: Table | None = None
) -> Table:
    """Return a table with dates read as given.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> table = alc.table_from_frame(pd.DataFrame({"born": ["05/01/1985", "07/01/1990"]}), name="a")
    >>> with_date_readings(table, {"born": "month-first"}).frame["born"].tolist()
    ['1985-05-01', '1990-07-01']
    """
    frame, guesses = table.frame, dict(table.guesses)
    read = dict(table.date_readings)
    for column, reading in readings.items():
        if column not in frame.columns or column in table.date_readings:
            continue
        values = (_Texts if reading in ORDERS else _Numbers).of(frame[column])
        if values is not None:
            known = original is not None and column in original.columns
            last_year = _last_year(original.frame[column]) if original and known else None
            frame = frame.assign(**{column: values.written(reading, last_year)})
            guesses[column], read[column] = infer_kind(frame[column]), reading
    if read == table.date_readings:
        return table
    return replace(table, frame=frame, guesses=guesses, date_readings=MappingProxyType(read))


def reading_of(text: str) -> tuple[str, str]:
    """Return column and reading from a text such as born=excel.

    Raises
    ------
    InputError
        If the reading is unknown.
    """
    column, equals, system = (part.strip() for part in text.rpartition("="))
    system = "sas" if system == "stata" else system  # Both count alike
    if not equals or not column or system not in NUMBER_SYSTEMS:
        raise InputError(
            f"--dates takes COLUMN=SYSTEM, such as born=excel, not '{text}'. Systems: "
            f"{', '.join(NUMBER_SYSTEMS)}."
        )
    return column, system


# By original and released table, held weakly
_Read = tuple[Table | None, Mapping[str, DatesFound]]
_READ: WeakKeyDictionary[Table, WeakKeyDictionary[Table, _Read]] = WeakKeyDictionary()


def with_read_dates(original: Table, release: Table) -> Table:
    """Return a release with dates read by the original's values.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> days = pd.date_range("1950-01-01", periods=400, freq="37D").strftime("%Y-%m-%d")
    >>> original = alc.table_from_frame(pd.DataFrame({"born": days}), name="a")
    >>> born = days.str.replace("-", "").astype(int)
    >>> release = alc.table_from_frame(pd.DataFrame({"born": born}), name="b")
    >>> dict(with_read_dates(original, release).date_readings)
    {'born': 'yyyymmdd'}
    """
    return _read(original, release)[0] or release


def open_dates(original: Table, release: Table) -> Mapping[str, DatesFound]:
    """Return open readings of dates by column."""
    return _read(original, release)[1]


def _read(original: Table, release: Table) -> _Read:
    known = _READ.setdefault(original, WeakKeyDictionary())
    if release not in known:
        found = dict(_found(original, release))
        settled = {column: each.readings[0] for column, each in found.items() if each.is_settled}
        left = {column: each for column, each in found.items() if not each.is_settled}
        table = with_date_readings(release, settled, original=original)
        known[release] = (None if table is release else table, left)
        known[table] = (None, left) if table is not release else known[release]
    return known[release]


def _found(original: Table, release: Table) -> Iterator[tuple[str, DatesFound]]:
    shared = [column for column in release.columns if column in original.columns]
    for column in shared:
        if column in release.date_readings or column in release.value_sets:
            continue
        before, after = original.frame[column], release.frame[column]
        others = [each for each in shared if each != column and original.kind(each).is_compared]
        linked = LinkedRows(original.frame, release.frame, others)
        pairs = partial(linked.pairs, column)
        is_read = column in original.date_readings
        if original.kind(column) is ColumnKind.DATETIME:
            found = _of_texts(before, after, pairs, is_read=is_read) or _of_numbers(
                before, after, pairs
            )
        else:
            found = _of_original_numbers(before, after, pairs)
        if found is not None:
            yield column, found


def _of_texts(
    before: pd.Series, after: pd.Series, pairs: Pairs, *, is_read: bool
) -> DatesFound | None:
    """Find the order of day and month in texts."""
    own, released = (_Texts.of(each) for each in (before, after))
    if own is not None and len(own.orders) == 2 and not is_read:
        return _order_of_original(own, after, released, pairs)
    if released is None or not released.orders:
        return None
    last_year, (order, *others) = _last_year(before), released.orders
    if not others:
        return DatesFound((order,), True) if released.is_changed(order, last_year) else None
    days = {order: released.rows(released.days(order, last_year)) for order in ORDERS}
    if np.array_equal(days[DAY_FIRST], days[MONTH_FIRST], equal_nan=True):
        return None
    return DatesFound(*_ranked(datetime_values(before), days, pairs))


def _order_of_original(
    own: _Texts, after: pd.Series, released: _Texts | None, pairs: Pairs
) -> DatesFound | None:
    """Find whether the original's ambiguous dates are month first."""
    if released is not None and len(released.orders) == 2:
        as_read = own.rows(own.days(DAY_FIRST, _last_year(after)))
        read = {o: released.rows(released.days(o, _last_year(after))) for o in ORDERS}
        readings, is_settled = _ranked(as_read, read, pairs)
        exchanged = is_settled and readings[0] == MONTH_FIRST
        return DatesFound(readings, True) if exchanged else None
    if released is not None and (not released.orders or own.mark == released.mark):
        likely = released.orders == (MONTH_FIRST,)
        return DatesFound((MONTH_FIRST, DAY_FIRST), of_original=True) if likely else None
    days = datetime_values(after)
    if 2 * np.count_nonzero(np.isfinite(days)) < len(days):
        return None
    readings, is_settled = _ranked(
        days,
        {order: own.rows(own.days(order, _last_year(after))) for order in ORDERS},
        lambda: pairs()[::-1],
    )
    if is_settled and readings[0] == DAY_FIRST:
        return None
    return DatesFound(readings, of_original=True)


def _of_numbers(before: pd.Series, after: pd.Series, pairs: Pairs) -> DatesFound | None:
    """Find what released numbers count, if the original has dates."""
    numbers = _Numbers.of(after)
    alike = all(pd.api.types.is_numeric_dtype(each.dtype) for each in (before, after))
    if numbers is None or (alike and are_day_numbers(numbers.numbers)):
        return None
    days = datetime_values(before)
    candidates = _plausible(numbers, days, _last_year(before))
    readings, is_settled = _ranked(days, candidates, pairs)
    return DatesFound(readings, is_settled, are_numbers=True)


def _of_original_numbers(before: pd.Series, after: pd.Series, pairs: Pairs) -> DatesFound | None:
    """Find what the original's numbers count, if the release has dates."""
    if pd.api.types.is_numeric_dtype(after.dtype) or _Numbers.of(after) is not None:
        return None
    numbers = _Numbers.of(before)
    if numbers is None:
        return None
    days = datetime_values(after)
    if 2 * np.count_nonzero(np.isfinite(days)) < int(after.notna().sum()):
        return None
    candidates = _plausible(numbers, days, _last_year(after))
    readings, _ = _ranked(days, candidates, lambda: pairs()[::-1])
    return DatesFound(readings, are_numbers=True, of_original=True) if readings else None


def _last_year(series: pd.Series) -> int | None:
    """Return the year after the last date, placeholders aside."""
    days = datetime_values(series)
    days = days[days < _FAR_OFF]
    if not len(days):
        return None
    return int(np.datetime64(int(days.max()), "D").astype("datetime64[Y]").astype(np.int64)) + 1971


def _plausible(numbers: _Numbers, days: FloatArray, last_year: int | None) -> dict[str, FloatArray]:
    """Return days by each system that puts nearly all near the other table's."""
    known = days[np.isfinite(days)]
    if not len(known):
        return {}
    room = _ROOM + _MARGIN * float(np.ptp(known))
    found = {}
    for system in NUMBER_SYSTEMS:
        read = numbers.rows(numbers.days(system, last_year))
        inside = read[(read >= known.min() - room) & (read <= known.max() + room)]
        enough = len(inside) >= max(1.0, _NEARLY_ALL * np.count_nonzero(numbers.codes >= 0))
        if enough and inside.std() >= _NARROW * known.std():
            found[system] = read
    return found


def _ranked(
    days: FloatArray, candidates: Mapping[str, FloatArray], pairs: Pairs
) -> tuple[tuple[str, ...], bool]:
    """Return readings, likeliest first, and certainty.

    By the other table's days, firsts of months, then linked rows.
    """
    names = list(candidates)
    if len(names) < 2:
        return tuple(names), bool(names)
    known = np.floor(days[np.isfinite(days)])
    read = [np.floor(each[np.isfinite(each)]) for each in candidates.values()]
    read = [each[spread_out(len(each), _MOST_ROWS)] for each in read]
    if not len(known) or not all(map(len, read)):
        return tuple(names), False
    there = np.unique(known)
    fewest = min(len(np.unique(each)) for each in read)
    few = 1 / np.sqrt(fewest)
    shares = np.array([np.isin(each, there).mean() for each in read])
    order = np.argsort(-shares, kind="stable")
    if shares[order[0]] - shares[order[1]] > max(_CLEARLY, 2 * few):
        return tuple(names[at] for at in order), True
    if (first := _first_of_month(known, read)) is not None:
        return (names[first], *(name for name in names if name != names[first])), True
    order = np.argsort(_apart(known, read), kind="stable")
    return _linked(days, candidates, pairs, [names[at] for at in order])


def _linked(
    days: FloatArray, candidates: Mapping[str, FloatArray], pairs: Pairs, names: Sequence[str]
) -> tuple[tuple[str, ...], bool]:
    """Rank readings by nearness in linked rows."""
    of_days, of_candidates = pairs()
    if len(of_days) < _FEWEST_LINKED:
        return tuple(names), False
    near = np.array(
        [
            np.mean(np.abs(candidates[name][of_candidates] - days[of_days]) <= _ROOM)
            for name in names
        ]
    )
    order = np.argsort(-near, kind="stable")
    best, second = near[order[:2]]
    return tuple(names[at] for at in order), bool(best > _MOSTLY and second < best / 2)


def _first_of_month(known: FloatArray, read: Sequence[FloatArray]) -> int | None:
    days = [each.astype(np.int64).astype("datetime64[D]") for each in read]
    months = [each.astype("datetime64[M]") for each in days]
    firsts = [
        bool((month == day).all()) and len(np.unique(month.astype(np.int64) % 12)) > 2
        for month, day in zip(months, days, strict=True)
    ]
    known_months = known.astype(np.int64).astype("datetime64[D]").astype("datetime64[M]")
    in_january = np.mean(known_months.astype(np.int64) % 12 == 0)
    return firsts.index(True) if sum(firsts) == 1 and in_january < _MOSTLY else None


def _apart(known: FloatArray, read: Sequence[FloatArray]) -> FloatArray:
    """Return distances of readings' quantiles from the known, in deviations."""
    levels = np.linspace(0.005, 0.995, 100)
    before, scale = np.quantile(known, levels), max(float(known.std()), 1.0)
    return np.array([np.abs(np.quantile(each, levels) - before).mean() / scale for each in read])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Values:
    series: pd.Series
    codes: Codes
    labels: list[str]

    def rows(self, days: FloatArray) -> FloatArray:
        return np.append(days, np.nan)[self.codes]

    def replaced(self, labels: Sequence[str]) -> pd.Series:
        texts = np.array([*labels, None], dtype=object)[self.codes]
        plain = pd.Series(texts, index=self.series.index, name=self.series.name, dtype="str")
        return coded_texts(plain.to_frame()).iloc[:, 0]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Texts(_Values):
    """Texts with day, month and year in some order."""

    mark: str  # Stands between them
    orders: tuple[str, ...]  # Those that all texts allow
    has_short_years: bool  # Whether years have two digits

    @classmethod
    def of(cls, series: pd.Series) -> Self | None:
        """Return a column's texts, if such dates."""
        if pd.api.types.is_numeric_dtype(series.dtype) or not is_text(series):
            return None
        codes, distinct = distinct_codes(series)
        tried = distinct.iloc[spread_out(len(distinct), _TRIED)].tolist() if len(distinct) else []
        if 2 * sum(_PARTS.search(text) is not None for text in tried) <= len(tried):
            return None
        labels = distinct.tolist()
        parts = [part for text in tried for part in _PARTS.finditer(text)]
        orders = _orders(parts)
        if len(orders) == 2:
            orders = _orders(part for text in labels for part in _PARTS.finditer(text))
        return cls(
            series=series, codes=codes, labels=labels, orders=orders, mark=parts[0][2] or "",
            has_short_years=any(len(part[5]) == 2 for part in parts),
        )  # fmt: skip

    def days(self, order: str, last_year: int | None) -> FloatArray:
        """Return labels' days; of a range the first."""
        found = (_PARTS.search(text) for text in self.labels)
        parts = [(0, 0, 0) if each is None else _parts(each, order, last_year) for each in found]
        day, month, year = np.array(parts, dtype=np.int64).reshape(-1, 3).T
        return days_of_parts(year, month, day)

    def is_changed(self, order: str, last_year: int | None) -> bool:
        """Return whether order or century differ from what texts suggest."""
        if order == DAY_FIRST and not self.has_short_years:
            return False
        found = self.days(order, last_year)
        plain = np.floor(datetime_values(pd.Series(self.labels, dtype=object)))
        differs = np.isfinite(found) & (plain != found)
        return bool(differs[np.isfinite(plain) | (order == MONTH_FIRST)].any())

    def written(self, order: str, last_year: int | None) -> pd.Series:
        """Return the column with the year first, unless so read anyway."""
        if not self.is_changed(order, last_year):
            return self.series

        def year_first(part: re.Match[str]) -> str:
            day, month, year = _parts(part, order, last_year)
            return f"{year:04}-{month:02}-{day:02}" if month else part[0]

        return self.replaced([_PARTS.sub(year_first, text) for text in self.labels])


def _orders(parts: Iterable[re.Match[str]]) -> tuple[str, ...]:
    """Return orders all dates allow; a month's name is second."""
    first = second = 0
    named = False
    for part in parts:
        first, second = max(first, int(part[1])), max(second, int(part[3] or 0))
        named |= part[3] is None
    allowed = ((DAY_FIRST, first, second), (MONTH_FIRST, second, 99 if named else first))
    return tuple(order for order, day, month in allowed if day <= 31 and month <= 12)


def _parts(found: re.Match[str], order: str, last_year: int | None) -> tuple[int, int, int]:
    """Return day, month and year; month 0 if not a month."""
    day, month, year = int(found[1]), int(found[3] or 0), int(found[5])
    if found[4] is not None:
        month = month_number(found[4])
    elif order == MONTH_FIRST:
        day, month = month, day
    return day, month, year if len(found[5]) == 4 else full_year(year, last_year or LAST_YEAR)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Numbers(_Values):
    numbers: FloatArray  # Of the labels

    @classmethod
    def of(cls, series: pd.Series) -> Self | None:
        """Return a column's numbers, unless years."""
        if pd.api.types.is_bool_dtype(series.dtype):
            return None
        if not pd.api.types.is_numeric_dtype(series.dtype) and not is_text(series):
            return None
        codes, distinct = distinct_codes(series)
        tried = distinct.iloc[spread_out(len(distinct), _TRIED)] if len(distinct) else distinct
        if not len(tried) or np.isfinite(numeric_values(tried)).mean() < _NEARLY_ALL:
            return None
        numbers = numeric_values(distinct)
        known = numbers[np.isfinite(numbers)]
        if ((known == np.floor(known)) & (known >= _YEARS[0]) & (known <= _YEARS[1])).all():
            return None
        labels = [label or "" for label in canonical_labels(distinct)]
        return cls(series=series, codes=codes, labels=labels, numbers=numbers)

    def days(self, system: str, last_year: int | None) -> FloatArray:
        return days_of_numbers(self.numbers, system, last_year=last_year or LAST_YEAR)

    def written(self, system: str, last_year: int | None) -> pd.Series:
        days = self.days(system, last_year)
        known = np.isfinite(days)
        seconds = np.round(np.where(known, days, 0) * 86_400).astype(np.int64)
        unit = "M" if system == MONTHS_ONLY else "s" if (seconds % 86_400).any() else "D"
        written = seconds.astype("datetime64[s]").astype(f"datetime64[{unit}]").astype(str)
        texts = zip(known.tolist(), written.tolist(), self.labels, strict=True)
        return self.replaced([date if is_date else label for is_date, date, label in texts])
