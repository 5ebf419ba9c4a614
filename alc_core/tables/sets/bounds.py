"""Reading the ends of an interval: numbers as people write them, dates, and parts of dates."""

from __future__ import annotations

import calendar
import datetime as dt
import math
import re

import numpy as np
import pandas as pd

from alc_core.tables.sets.domain import Domain
from alc_core.tables.values.dates import date_format, datetime_values

NUMBER = (
    r"[-+]?\s?[$€£¥]?\s?(?:[0-9](?:[0-9.,'\u2019 \u00a0\u202f]*[0-9])?|\.[0-9]+)"
    r"(?:[eE][-+]?[0-9]+)?(?:\s?[kKmM%€$£](?![^\W\d_]))?"
)
"""A number with sign, currency, separators, exponent or multiplier."""

_INFINITE = re.compile(r"([-+])?\s*(?:inf(?:inity)?|\u221e)\Z", re.IGNORECASE)
_UNIT = re.compile(r"[^\W\d_]+\.?\Z")
_EXPONENT = re.compile(r"[-+]?[0-9.]+[eE][-+]?[0-9]+\Z")
_GROUPED_BY_DOTS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+\Z")
_EPOCH = dt.date(1970, 1, 1)
_MULTIPLES = {"k": 1e3, "m": 1e6}
_MONTHS = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
}
_YEAR = re.compile(r"([0-9]{4})\Z")
_YEAR_MONTH = re.compile(r"([0-9]{4})[-/. ]?(?:m)?([0-9]{1,2})\Z", re.IGNORECASE)
_MONTH_YEAR = re.compile(r"([0-9]{1,2})[-/. ]([0-9]{4})\Z")
_WORD_YEAR = re.compile(r"([^\W\d_]{3,9})\.?[-/ ]?([0-9]{4})\Z")
_YEAR_WORD = re.compile(r"([0-9]{4})[-/ ]?([^\W\d_]{3,9})\.?\Z")
_QUARTER = re.compile(r"([0-9]{4})[-/ ]?Q([1-4])\Z|Q([1-4])[-/ ]?([0-9]{4})\Z", re.IGNORECASE)
_DECADE = re.compile(r"'?([0-9]{1,3}0)['\u2019]?s\Z")


def read_bound(text: str, domain: Domain) -> float | None:
    """Read one end of an interval; None if it is neither a number nor a date.

    Of dates the result is the first day; infinities are numbers, too.
    """
    plain = text.strip()
    if infinite := _INFINITE.match(plain):
        return -math.inf if infinite.group(1) == "-" else math.inf
    if domain.of_dates:
        return _day(plain)
    return read_number(plain, domain)


def read_number(text: str, domain: Domain) -> float | None:
    """Read a number as people write it, with currency, unit and separators."""
    plain = re.sub(r"[$€£¥%\s\u00a0\u202f'\u2019]", "", text)
    scale = 1.0
    if plain[-1:].lower() in _MULTIPLES and plain[-2:-1].isdigit():
        scale, plain = _MULTIPLES[plain[-1].lower()], plain[:-1]
    unit = _UNIT.search(plain)
    if unit and not _EXPONENT.match(plain):
        plain = plain[: unit.start()]
    for spelled in _spellings(plain, domain):
        try:
            return float(spelled) * scale
        except ValueError:
            continue
    return None


def _spellings(plain: str, domain: Domain) -> tuple[str, ...]:
    """Return how a number may be meant, the likelier first."""
    sign = plain[:1] if plain[:1] in "+-" else ""
    digits = plain[len(sign) :]
    if "," in digits and "." in digits:
        thousands = "," if digits.rindex(".") > digits.rindex(",") else "."
        return (sign + digits.replace(thousands, "").replace(",", "."),)
    if "," in digits:
        grouped = re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+", digits)
        return (sign + digits.replace(",", "" if grouped else "."),)
    if _GROUPED_BY_DOTS.match(digits):
        whole = sign + digits.replace(".", "")
        largest = float(np.abs(domain.numbers).max()) if len(domain.numbers) else 0.0
        if digits.count(".") > 1 or float(digits) * 100 < largest >= float(whole) / 2:
            return (whole,)
    return (plain,)


def _day(text: str) -> float | None:
    found = date_format([text])
    if found is not None and found != "%Y-%m":
        day = datetime_values(pd.Series([text], dtype=object), format=found)[0]
        return None if np.isnan(day) else float(day)
    part = read_date_part(text)
    return None if part is None else part[0]


def read_date_part(text: str) -> tuple[float, float] | None:
    """Read a decade, year, quarter or month: its first day, and the first day after it.

    Examples
    --------
    >>> read_date_part("1970-02"), read_date_part("Feb 1970"), read_date_part("1970")
    ((31.0, 59.0), (31.0, 59.0), (0.0, 365.0))
    """
    plain = text.strip().lower()
    if match := _DECADE.match(plain):
        start = int(match.group(1))
        start += 1900 if start < 100 else 0
        return _months(start, 1, 120)
    if match := _YEAR.match(plain):
        return _months(int(match.group(1)), 1, 12)
    if match := _QUARTER.match(plain):
        year, quarter = match.group(1) or match.group(4), match.group(2) or match.group(3)
        return _months(int(year), 3 * int(quarter) - 2, 3)
    if match := _YEAR_MONTH.match(plain):
        return _months(int(match.group(1)), int(match.group(2)), 1)
    if match := _MONTH_YEAR.match(plain):
        return _months(int(match.group(2)), int(match.group(1)), 1)
    if (match := _WORD_YEAR.match(plain)) and match.group(1) in _MONTHS:
        return _months(int(match.group(2)), _MONTHS[match.group(1)], 1)
    if (match := _YEAR_WORD.match(plain)) and match.group(2) in _MONTHS:
        return _months(int(match.group(1)), _MONTHS[match.group(2)], 1)
    return None


def _months(year: int, month: int, count: int) -> tuple[float, float] | None:
    last = year * 12 + month - 1 + count
    if not 1 <= month <= 12 or year < 1 or last // 12 > 9998:
        return None
    start, stop = dt.date(year, month, 1), dt.date(last // 12, last % 12 + 1, 1)
    return float((start - _EPOCH).days), float((stop - _EPOCH).days)
