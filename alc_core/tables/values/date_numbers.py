"""Numbers that are dates: by digits, or counted from a day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray

Years = TypeVar("Years", int, NDArray[np.int64])
MONTHS_ONLY = "yyyymm"
# Other years are not people's
_FIRST_YEAR, _LAST_YEAR = 1800, 2200
# Last two-digit year by default: dates are rather of births
LAST_YEAR = 2039
# Unit counted since a midnight, and units per day
_COUNTED: Mapping[str, tuple[str, float]] = {
    "excel": ("1899-12-30", 1),
    "excel1904": ("1904-01-01", 1),
    "sas": ("1960-01-01", 1),
    "unix": ("1970-01-01", 1),
    "unix-seconds": ("1970-01-01", 86_400),
    "unix-ms": ("1970-01-01", 86_400_000),
    "spss": ("1582-10-14", 86_400),
    "sas-seconds": ("1960-01-01", 86_400),
    "stata-ms": ("1960-01-01", 86_400_000),
}
_DIGITS = (
    "yyyymmdd", "ddmmyyyy", "mmddyyyy", "yymmdd", "ddmmyy", "mmddyy", "yyyyddd", MONTHS_ONLY,
)  # fmt: skip

# Readings of numbers as dates; Stata counts days as SAS does
NUMBER_SYSTEMS = (*_DIGITS, *_COUNTED, "stata-months", "years")


def days_of_numbers(numbers: FloatArray, system: str, *, last_year: int = LAST_YEAR) -> FloatArray:
    """Return numbers as days since 1970, NaN if not dates.

    Examples
    --------
    >>> days_of_numbers(np.array([19700102.0, 19701302.0]), "yyyymmdd").tolist()
    [1.0, nan]
    >>> days_of_numbers(np.array([25570.0]), "excel").tolist()
    [1.0]
    """
    if system in _COUNTED:
        start, per_day = _COUNTED[system]
        days = numbers / per_day + float(np.datetime64(start, "D").astype(np.int64))
    elif system == "stata-months":
        months = np.where(np.abs(numbers) < 12 * _LAST_YEAR, np.floor(numbers), np.nan)
        days = _first_days(months - 120)
    elif system == "years":
        year = np.where(np.abs(numbers) < 10 * _LAST_YEAR, np.floor(numbers), np.nan)
        begin, end = (_first_days((each - 1970) * 12) for each in (year, year + 1))
        days = np.round(begin + (numbers - year) * (end - begin))
    else:
        days = _days_of_digits(numbers, system, last_year)
    first, last = _first_days(np.array([_FIRST_YEAR - 1970.0, _LAST_YEAR - 1970.0]) * 12)
    return np.where((days >= first) & (days < last), days, np.nan)


def are_day_numbers(numbers: FloatArray) -> bool:
    """Return whether nearly all numbers are yyyymmdd, of many months."""
    inside = numbers[(numbers >= 19_000_101) & (numbers <= 20_301_231)]
    if len(inside) < 0.95 * len(numbers) or not len(inside):
        return False
    days = days_of_numbers(pd.unique(inside), "yyyymmdd")
    if np.isnan(days).any() or len(days) <= _FEWEST_DAYS:
        return False
    return len(np.unique(np.floor(days / 31))) > _FEWEST_MONTHS


_FEWEST_DAYS = 20  # Distinct days of a column of day numbers
_FEWEST_MONTHS = 2  # Distinct months of it


def full_year(two_digits: Years, last_year: int) -> Years:
    """Return the latest year up to a limit of two digits."""
    return last_year - (last_year - two_digits) % 100


def days_of_parts(
    year: NDArray[np.int64], month: NDArray[np.int64], day: NDArray[np.int64]
) -> FloatArray:
    """Return days since 1970, NaN if impossible."""
    valid = (month >= 1) & (month <= 12) & (day >= 1)
    valid &= (year >= _FIRST_YEAR) & (year < _LAST_YEAR)
    months = np.where(valid, (year - 1970) * 12.0 + month - 1, np.nan)
    first = _first_days(months)
    return np.where(day <= _first_days(months + 1) - first, first + day - 1, np.nan)


def _first_days(months: FloatArray) -> FloatArray:
    known = np.nan_to_num(months).astype(np.int64)
    days = known.astype("datetime64[M]").astype("datetime64[D]").astype(np.float64)
    return np.where(np.isnan(months), np.nan, days)


def _days_of_digits(numbers: FloatArray, system: str, last_year: int) -> FloatArray:
    fits = (numbers == np.floor(numbers)) & (numbers > 0) & (numbers < 10 ** len(system))
    whole = np.where(fits, numbers, 0).astype(np.int64)

    def part(letter: str) -> NDArray[np.int64]:
        end, size = system.rfind(letter) + 1, system.count(letter)
        return np.asarray(whole // 10 ** (len(system) - end) % 10**size, dtype=np.int64)

    year = part("y") if "yyyy" in system else full_year(part("y"), last_year)
    one = np.ones_like(year)
    if system == "yyyyddd":
        day = part("d")
        days = days_of_parts(year, one, one) + day - 1
        days = np.where((day >= 1) & (day <= 366), days, np.nan)
    else:
        days = days_of_parts(year, part("m"), one if system == MONTHS_ONLY else part("d"))
    return np.where(fits, days, np.nan)
