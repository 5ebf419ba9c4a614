"""Dates and times as days, from date types or text."""

from __future__ import annotations

import calendar
import datetime as dt
import math
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.tables.values.date_numbers import LAST_YEAR, days_of_numbers
from alc_core.tables.values.no_value import says_no_value
from alc_core.tables.values.texts import distinct_codes, distinct_counts, is_text, numeric_values

_DAYS = (
    "%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%y",
    "%d/%m/%y", "%m/%d/%y", "%d %b %Y", "%d %B %Y", "%d. %B %Y", "%b %d, %Y", "%B %d, %Y",
    "%d-%b-%Y", "%d-%b-%y", "%d%b%Y", "%d%b%y", "%d-%m-%y", "%m-%d-%y", "%m.%d.%Y", "%m.%d.%y",
    "%Y.%m.%d",
)  # fmt: skip
_TIMES = (
    "", " %H:%M:%S", " %H:%M", "T%H:%M:%S", "T%H:%M", " %H:%M:%S.%f", "T%H:%M:%S.%f",
    " %I:%M:%S %p", " %I:%M %p", ":%H:%M:%S", ":%H:%M",
)  # fmt: skip
_ZONED = (
    "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f%z",
    "%Y-%m-%d %H:%M:%S.%f%z",
)  # fmt: skip

# Tried in order; day before month if both fit
DATE_FORMATS = (
    *(day + time for day in _DAYS for time in _TIMES), *_ZONED, "%Y%m%dT%H%M%S", "%Y-%m",
)  # fmt: skip
# Patterns that rule most formats out
_DIRECTIVES = {
    "Y": "[0-9]{4}", "y": "[0-9]{2}", "b": r"[^\W\d_]{3,5}\.?", "B": r"[^\W\d_]+\.?",
    "f": "[0-9]{1,9}", "p": "[AaPp][Mm]", "z": "(?:Z|[+-].+)",
}  # fmt: skip
_SHAPES = {
    text_format: re.compile(
        r"\s*" + re.sub(
            "%([A-Za-z])", lambda part: _DIRECTIVES.get(part[1], "[0-9]{1,2}"),
            re.escape(text_format).replace(r"\ ", r"\s+"),
        ) + r"\s*\Z"
    )
    for text_format in DATE_FORMATS
}  # fmt: skip
# Spelling of stored moments: midnights as days
_MOMENTS = ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f")
_EPOCH = dt.date(1970, 1, 1)
_DATE_LIKE = re.compile(
    r"\s*(?:[0-9]{4}[-/.][0-9]{1,2}|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}|[0-9]{8}T"
    r"|[0-9]{1,2}[ .-]*[^\W\d_]{3,10}\.?[ -]*[0-9]{2,4}|[^\W\d_]{3,9}\.? [0-9]{1,2}, [0-9]{4})"
)
_ZONE = re.compile(r"(?:Z|[+-][0-9]{2}:?[0-9]{2})\Z")
# Months in German, French, Spanish, Italian, Dutch and Portuguese, by number
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "januar jänner janvier janv enero ene gennaio gen januari janeiro",
            "februar feber février févr fév febrero febbraio februari fevereiro fev",
            "märz mär mrz mars marzo maart mrt março",
            "avril avr abril abr aprile",
            "mai mayo maggio mag mei maio",
            "juni juin junio giugno giu junho",
            "juli juillet juil julio luglio lug julho",
            "août aoû agosto ago augustus",
            "septembre sept septiembre settembre set setembro",
            "oktober okt octobre octubre ottobre ott outubro out",
            "novembre noviembre novembro",
            "dezember dez décembre déc diciembre dic dicembre december dezembro",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_ENGLISH = {name[:3].lower(): number for number, name in enumerate(calendar.month_name) if name}
_WORD = re.compile(r"[^\W\d_]{3,10}\.?")
_SAMPLE = 64  # Texts a format is tried on
_MANY_MOMENTS = 20  # Moments that show a common time of day
_OFFSETS = 3  # Most offsets of a zone's midnight, and hours between them


def date_format(texts: Sequence[str]) -> str | None:
    """Return the date format of all texts, if one."""
    sample = list(texts[:: max(1, len(texts) // _SAMPLE)])
    if not sample or not all(_DATE_LIKE.match(text) for text in sample):
        return None
    for candidate in DATE_FORMATS:
        if _fitting(sample, candidate) == len(sample) and (
            len(sample) == len(texts) or not _parse(texts, candidate).isna().any()
        ):
            return candidate
    return None


def usual_format(texts: Sequence[str]) -> str | None:
    """Return the date format of all, or most, texts.

    Examples
    --------
    >>> usual_format(["2020-01-31", "2020-02-01", "2021-02-30"])
    '%Y-%m-%d'
    """
    if (shared := date_format(texts)) is not None:
        return shared
    sample = [text for text in texts[:: max(1, len(texts) // _SAMPLE)] if _DATE_LIKE.match(text)]
    fits = {each: _fitting(sample, each) for each in DATE_FORMATS} if sample else {}
    likely = [each for each, n in fits.items() if 0 < n == max(fits.values())]
    best = max(likely, key=lambda each: _fitting(texts, each), default=None)
    return best if best is not None and 2 * _fitting(texts, best) > len(texts) else None


def format_of(series: pd.Series) -> str | None:
    """Return the format of most dates of a text column."""
    if not is_text(series):
        return None
    texts = [str(text) for text in distinct_counts(series)[1]]
    return usual_format([text for text in texts if not says_no_value(text)])


def fitting_format(text: str, usual: str | None) -> str | None:
    """Return a date's format: its column's, if that fits.

    Examples
    --------
    >>> fitting_format("03/05/1990", "%m/%d/%Y %H:%M"), fitting_format("03/05/1990", None)
    ('%m/%d/%Y', '%d/%m/%Y')
    >>> fitting_format("12", "%d %b %Y") is None  # A part of a date is no date
    True
    """
    day = usual.partition("%H")[0].rstrip(" T:") if usual else None
    own = (each for each in (usual, day) if each in _SHAPES and _fitting([text], each))
    return next(own, None) or date_format([text])


def _fitting(texts: Sequence[str], text_format: str) -> int:
    shape = _SHAPES[text_format]
    alike = [text for text in texts if shape.match(text)]
    return int(np.count_nonzero(_parse(alike, text_format).notna())) if alike else 0


def datetime_values(series: pd.Series, *, format: str | None = None) -> NDArray[np.float64]:  # noqa: A002
    """Read a column as points in time.

    Examples
    --------
    >>> import pandas as pd
    >>> datetime_values(pd.Series(["1970-01-02", None, "1970-01-11"])).tolist()
    [1.0, nan, 10.0]
    """
    if isinstance(series.dtype, pd.PeriodDtype):
        series = series.dt.to_timestamp()
    if pd.api.types.is_datetime64_any_dtype(series.dtype):
        return _moments_as_days(pd.DatetimeIndex(series))
    if pd.api.types.is_bool_dtype(series.dtype):
        return np.full(len(series), np.nan)
    if pd.api.types.is_numeric_dtype(series.dtype):
        return _days_of_digits(numeric_values(series))
    codes, distinct = distinct_codes(series)
    return np.append(_distinct_days(distinct, format), np.nan)[codes]


def _days_of_digits(numbers: FloatArray) -> FloatArray:
    """Read numbers such as 19700102 as days if nearly all are."""
    days = days_of_numbers(numbers, "yyyymmdd")
    few = 2 * np.count_nonzero(np.isfinite(days)) < np.count_nonzero(np.isfinite(numbers))
    return np.full(len(days), np.nan) if few else days


def iso_day(days: float) -> str:
    """Return the date of a :func:`datetime_values` point in time.

    Examples
    --------
    >>> iso_day(0.5), iso_day(-0.5)
    ('1970-01-01', '1969-12-31')
    """
    return str(np.datetime64(math.floor(days), "D"))


def _distinct_days(distinct: pd.Series, text_format: str | None) -> NDArray[np.float64]:
    values = distinct.tolist()
    days = np.full(len(values), np.nan)
    texts = [value.strip() if isinstance(value, str) else "" for value in values]
    written = np.asarray([bool(text) for text in texts], dtype=bool)
    if written.any():
        given = [text for text in texts if text]
        told = [text for text in given if not says_no_value(text)]
        found = text_format or usual_format(told)
        if found is not None and found not in _MOMENTS:
            days[written] = _moments_as_days(_parse(given, found))
        elif 2 * np.count_nonzero(~np.isnan(read := _labelled_moments(given))) > len(told) or found:
            days[written] = read
    for position, value in enumerate(values):
        if isinstance(value, dt.datetime):
            stamp = pd.DatetimeIndex([value])
            days[position] = _moments_as_days(stamp)[0]
        elif isinstance(value, dt.date):
            days[position] = float((value - _EPOCH).days)
    return days


def _labelled_moments(texts: Sequence[str]) -> NDArray[np.float64]:
    days = np.full(len(texts), np.nan)
    for each in _MOMENTS:
        if len(left := np.flatnonzero(np.isnan(days))):
            days[left] = _moments_as_days(_parse([texts[at] for at in left.tolist()], each))
    return days


def _parse(texts: Sequence[str], text_format: str) -> pd.DatetimeIndex:
    stripped = [text.strip() for text in texts]
    if "%z" in text_format:
        local = _parse([_ZONE.sub("", each) for each in stripped], text_format.removesuffix("%z"))
        if _are_midnights(local):
            return local
    if "%b" in text_format or "%B" in text_format:
        stripped = [_WORD.sub(_in_english, text) for text in stripped]
        text_format = text_format.replace("%B", "%b")
    found = pd.DatetimeIndex(
        pd.to_datetime(stripped, format=text_format, errors="coerce", utc="%z" in text_format)
    )
    if "%y" in text_format:
        found = found.where(~(found.year > LAST_YEAR), found - pd.DateOffset(years=100))
    return found


def _are_midnights(moments: pd.DatetimeIndex) -> bool:
    return bool((moments.isna() | (moments == moments.normalize())).all())


def _are_midnights_elsewhere(moments: pd.DatetimeIndex) -> bool:
    """Return whether moments share a time of day, summer time aside."""
    if len(moments) < _MANY_MOMENTS:
        return False
    hours = np.unique((moments - moments.normalize()).total_seconds().dropna() / 3600)
    few = 0 < len(hours) <= _OFFSETS and bool((hours % 0.5 == 0).all())
    return few and not _OFFSETS <= np.ptp(hours) <= 24 - _OFFSETS


def month_number(word: str) -> int:
    """Return a month's number by name or abbreviation; 0 for others."""
    plain = word.rstrip(".").lower()
    return _MONTHS.get(plain) or _ENGLISH.get(plain[:3], 0)


def _in_english(word: re.Match[str]) -> str:
    number = month_number(word[0])
    return calendar.month_name[number][:3] if number else word[0]


def _moments_as_days(moments: pd.DatetimeIndex) -> NDArray[np.float64]:
    if moments.tz is not None:
        local = moments.tz_localize(None)
        moments = local if _are_midnights(local) else moments.tz_convert("UTC").tz_localize(None)
        if _are_midnights_elsewhere(moments):
            moments = moments.round("D")
    missing = np.asarray(moments.isna())
    micros = np.asarray(moments.to_numpy(), dtype="datetime64[us]").astype(np.int64)
    days = micros / 86_400_000_000.0
    return np.where(missing, np.nan, days)
