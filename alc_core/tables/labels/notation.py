"""Reading labels by notation: intervals, sets, masks, dates."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from alc_core.errors import ParameterError
from alc_core.tables.value_sets import ANY, Domain, Interval, ValueSet
from alc_core.tables.values.date_numbers import LAST_YEAR, full_year
from alc_core.tables.values.dates import datetime_values, fitting_format, iso_day, month_number
from alc_core.tables.values.generalized import (
    ABOVE,
    ABOVE_OPEN,
    AND_OVER,
    AND_UNDER,
    BEFORE_RANGE,
    BELOW,
    BELOW_OPEN,
)
from alc_core.tables.values.texts import canonical_labels

# A number with sign, currency, separators, exponent or multiplier
NUMBER = (
    r"[-+]?\s?[$€£¥]?\s?(?:[0-9](?:[0-9.,'\u2019 \u00a0\u202f]*[0-9])?|\.[0-9]+)"
    r"(?:[eE][-+]?[0-9]+)?(?:\s?[kKmM%€$£](?![^\W\d_]))?"
)
_INFINITE = re.compile(r"([-+])?\s*(?:inf(?:inity)?|\u221e)\Z", re.IGNORECASE)
_UNIT = re.compile(r"[^\W\d_]+\.?\Z")
_EXPONENT = re.compile(r"[-+]?[0-9.]+[eE][-+]?[0-9]+\Z")
_GROUPED_BY_DOTS, _GROUPED_BY_COMMAS = (
    re.compile(rf"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+\Z") for mark in (r"\.", ",")
)
_EPOCH = dt.date(1970, 1, 1)
_MULTIPLES = {"k": 1e3, "m": 1e6}
_DATE_PARTS = [
    re.compile(pattern.replace("YEAR", r"(?P<year>[0-9]{4})"))
    for pattern in (
        r"YEAR",
        r"YEAR[-/ ]?q(?P<quarter>[1-4])",
        r"q(?P<quarter>[1-4])[-/ ]?YEAR",
        r"YEAR[-/. ]?m?(?P<month>[0-9]{1,2})",
        r"(?P<month>[0-9]{1,2})[-/. ]YEAR",
        r"(?P<word>[^\W\d_]{3,9})\.?[-/ ]?YEAR",
        r"YEAR[-/ ]?(?P<word>[^\W\d_]{3,9})\.?",
        r"(?P<word>[^\W\d_]{3,9})\.?[-/ ]'?(?P<year>[0-9]{2})",
        r"YEAR[-/ ]?w(?P<week>[0-9]{2})",
    )
]
_DECADE = re.compile(r"'?([0-9]{1,3}0)['\u2019]?s\Z")

_WORDS = r"(?:[^\W\d_]{1,12}\.?)?"
_RANGE = re.compile(
    rf"(?:(?:{BEFORE_RANGE})\s+)?(?P<low>{NUMBER})\s*{_WORDS}\s*?"
    r"(?:-|\u2013|\u2014|to|through|bis|à|a|and|und|tot(?: en met)?|do"
    r"|\.{2,3}|~)\s*(?P<open>under|unter|<)?\s*"
    rf"(?P<high>{NUMBER})\s*{_WORDS}\Z",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"([\[\](])\s*(.*?)\s*([\])\[])\Z")
_OPEN_SIDE = re.compile(
    rf"(?:(?P<below_open>{BELOW_OPEN})|(?P<below>{BELOW})|(?P<above_open>{ABOVE_OPEN})"
    rf"|(?P<above>{ABOVE}))\s*(?P<number>[^*]+)\Z",
    re.IGNORECASE,
)
_AND_OVER, _AND_UNDER = (
    re.compile(rf"({NUMBER})\s*{_WORDS}\s*(?:{after})\s*{_WORDS}\Z", re.IGNORECASE)
    for after in (AND_OVER, AND_UNDER)
)
_DECADE_LABEL = re.compile(r"'?([0-9]*0)['\u2019]?s\Z")
_WILDCARD = re.compile(r"\*+(?:[0-9]+)?\Z")
_SUPPRESSED_WORDS = frozenset(
    {
        "suppressed", "redacted", "masked", "hidden", "withheld", "confidential", "undisclosed",
        "not disclosed", "not released", "removed", "any", "all", "(all)", "{*}", ":",
        "unterdrückt", "geheim", "gesperrt", "supprimé", "confidentiel", "suprimido",
    }
)  # fmt: skip
_PREFIX = re.compile(r"(.+?)\*[0-9]+\Z")
# In place of what was cut off: C32.-, C32.x, 10xxx, 101__
_TAIL = re.compile(
    r"(?:[.\-_#?\u2022\u2026\u2013]+\*?|(?<=[0-9.\-_])[xX]+|(?<=[A-Z])x+|(?<=[^xX])[xX]{2,})+\Z"
    r"|(?<=[A-Za-z][0-9])\*\Z|(?<=[A-Za-z][0-9]{2})\*\Z"
)


def read_bound(text: str, domain: Domain, *, last: bool = False) -> float | None:
    """Read an end of an interval, if a number or date.

    A day, month or year gives its beginning, or with `last` its end.
    """
    plain = text.strip()
    if infinite := _INFINITE.match(plain):
        return -math.inf if infinite.group(1) == "-" else math.inf
    if not domain.of_dates:
        return read_number(plain, domain)
    if (days := _days(plain, domain)) is None:
        return None
    begin, after = days
    end = after - 1 if domain.whole else math.nextafter(after, -math.inf)
    return max(begin, end) if last else begin


def read_number(text: str, domain: Domain) -> float | None:
    """Read a number with currency, unit and separators."""
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
    sign = plain[:1] if plain[:1] in "+-" else ""
    digits = plain[len(sign) :]
    if "," in digits and "." in digits:
        thousands = "," if digits.rindex(".") > digits.rindex(",") else "."
        return (sign + digits.replace(thousands, "").replace(",", "."),)
    if "," in digits:
        grouped = _GROUPED_BY_COMMAS.match(digits)
        return (sign + digits.replace(",", "" if grouped else "."),)
    if _GROUPED_BY_DOTS.match(digits):
        whole = sign + digits.replace(".", "")
        largest = float(np.abs(domain.numbers).max()) if len(domain.numbers) else 0.0
        if digits.count(".") > 1 or float(digits) * 100 < largest >= float(whole) / 2:
            return (whole,)
    return (plain,)


def _days(text: str, domain: Domain) -> tuple[float, float] | None:
    """Read a moment, day or part of dates: its beginning, and what follows."""
    found = fitting_format(text, domain.date_format)
    if found is None or found == "%Y-%m":
        return read_date_part(text, last_year=_last_year(domain))
    day = float(datetime_values(pd.Series([text], dtype=object), format=found)[0])
    return None if np.isnan(day) else (day, day if "%H" in found else day + 1)


def _last_year(domain: Domain) -> int:
    """Return the last date's year, the limit of two-digit years."""
    if not len(domain.numbers):
        return LAST_YEAR
    return int(iso_day(float(domain.numbers.max()))[:4])


def read_date_part(text: str, *, last_year: int = LAST_YEAR) -> tuple[float, float] | None:
    """Read a decade, year, quarter, month or week: first day, and day after.

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
    match = next(filter(None, (pattern.fullmatch(plain) for pattern in _DATE_PARTS)), None)
    if match is None:
        return None
    parts = match.groupdict()
    year = int(parts["year"])
    year = full_year(year, last_year) if len(parts["year"]) == 2 else year
    if "week" in parts:
        return _week(year, int(parts["week"]))
    if "quarter" in parts:
        return _months(year, 3 * int(parts["quarter"]) - 2, 3)
    if "word" in parts:
        return _months(year, month_number(parts["word"]), 1)
    return _months(year, int(parts["month"]), 1) if "month" in parts else _months(year, 1, 12)


def _week(year: int, week: int) -> tuple[float, float] | None:
    try:
        start = float((dt.date.fromisocalendar(year, week, 1) - _EPOCH).days)
    except ValueError:
        return None
    return start, start + 7


def _months(year: int, month: int, count: int) -> tuple[float, float] | None:
    last = year * 12 + month - 1 + count
    if not 1 <= month <= 12 or year < 1 or last // 12 > 9998:
        return None
    start, stop = dt.date(year, month, 1), dt.date(last // 12, last % 12 + 1, 1)
    return float((start - _EPOCH).days), float((stop - _EPOCH).days)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelReading:
    """What a label covers by its notation."""

    value_set: ValueSet  # As it is written
    other: Interval | None = None  # With bounds taken the other way, if both are used
    doubt: str = ""  # What may be wrong with the reading


def is_suppressed_word(text: str) -> bool:
    """Return whether a text means suppressed or any."""
    return text.casefold() in _SUPPRESSED_WORDS


def read_label(label: str, domain: Domain) -> LabelReading | None:
    """Read a label the original lacks, if in a known notation."""
    text = label.strip()
    if _WILDCARD.match(text) or is_suppressed_word(text):
        return LabelReading(value_set=ANY)
    if text[:1] == "{" and text[-1:] == "}":
        return _enumeration(text[1:-1], domain)
    interval = read_interval(text, domain)
    if interval is None:
        return _begun(text, domain) or (_masked(text, domain) if "*" in text else None)
    if domain.numeric:
        return LabelReading(value_set=interval, other=_other_ends(text, domain))
    found = labels_inside(domain, interval)
    return LabelReading(value_set=found) if found else None


def read_interval(text: str, domain: Domain) -> Interval | None:
    """Read an interval of numbers or days, if so written."""
    part = read_date_part(text, last_year=_last_year(domain)) if domain.of_dates else None
    if part is not None:
        return Interval(part[0], part[1], high_open=True)
    for reader in (_bracketed, _one_sided, _ranged):
        if (found := reader(text, domain)) is not None:
            return found
    decade = None if domain.of_dates else _DECADE_LABEL.match(text)
    start = float(decade.group(1)) if decade else 0.0
    return Interval(start, start + 10, high_open=True) if decade else None


def labels_inside(domain: Domain, interval: Interval) -> frozenset[str]:
    """Return the original's labels within an interval."""
    found = set()
    for label, number in zip(domain.labels.index, domain.label_numbers, strict=True):
        if not np.isnan(number):
            if number in interval:
                found.add(str(label))
            continue
        own = read_interval(str(label), domain)
        if own is not None and all(bound in interval for bound in own.closed_bounds):
            found.add(str(label))
    return frozenset(found)


def _other_ends(text: str, domain: Domain) -> Interval | None:
    """Read a half-open interval in brackets as closed at the other end."""
    match = _BRACKETS.match(text)
    if match is None or (match.group(1) in "](") == (match.group(3) in "[)"):
        return None
    inner = match.group(2)
    found = _bracketed(f"[{inner})" if match.group(1) in "](" else f"({inner}]", domain)
    return found if found is not None and math.isfinite(found.low + found.high) else None


def _interval(
    low: float | None, high: float | None, *, low_open: bool = False, high_open: bool = False
) -> Interval | None:
    if low is None or high is None:
        return None
    try:
        return Interval(
            low, high, low_open and not math.isinf(low), high_open and not math.isinf(high)
        )
    except ParameterError:
        return None


def _bracketed(text: str, domain: Domain) -> Interval | None:
    match = _BRACKETS.match(text)
    if match is None:
        return None
    ends = _split_ends(match.group(2))
    if ends is None:
        return None
    return between(ends, domain, low_open=match.group(1) in "](", high_open=match.group(3) in "[)")


def between(
    ends: tuple[str, str], domain: Domain, *, low_open: bool, high_open: bool
) -> Interval | None:
    """Read an interval's ends; an empty text is unbounded."""
    low = -math.inf if not ends[0] else read_bound(ends[0], domain, last=low_open)
    high = math.inf if not ends[1] else read_bound(ends[1], domain, last=not high_open)
    return _interval(low, high, low_open=low_open, high_open=high_open)


def _split_ends(inner: str) -> tuple[str, str] | None:
    for separator in (r"\s*;\s*", r"\s*\.\.\s*", r"\s*,\s+", r"\s+-\s+"):
        parts = re.split(separator, inner)
        if len(parts) == 2:
            return parts[0], parts[1]
    parts = inner.split(",")
    if len(parts) % 2 == 0:
        half = len(parts) // 2
        return ",".join(parts[:half]).strip(), ",".join(parts[half:]).strip()
    bounds = re.fullmatch(rf"({NUMBER})-({NUMBER}|inf(?:inity)?|\u221e)", inner, re.IGNORECASE)
    return (bounds.group(1), bounds.group(2)) if bounds else None


def _one_sided(text: str, domain: Domain) -> Interval | None:
    if match := _AND_OVER.match(text):
        return _interval(read_bound(match.group(1), domain), math.inf)
    if match := _AND_UNDER.match(text):
        return _interval(-math.inf, read_bound(match.group(1), domain, last=True))
    match = _OPEN_SIDE.match(text)
    if match is None:
        return None
    last = bool(match.group("below") or match.group("above_open"))
    bound = read_bound(match.group("number"), domain, last=last)
    if match.group("below_open") or match.group("below"):
        return _interval(-math.inf, bound, high_open=bool(match.group("below_open")))
    return _interval(bound, math.inf, low_open=bool(match.group("above_open")))


def _ranged(text: str, domain: Domain) -> Interval | None:
    if domain.of_dates:
        for separator in (
            r"\s*(?:\.\.|~|/)\s*",
            r"\s+(?:-|\u2013|to|bis)\s+",
            r"(?<=[0-9]{4})[-\u2013](?=[0-9]{1,2}[./])",
            r"(?<=-[0-9]{2})[-\u2013](?=[0-9]{4}-[0-9]{2}-)",
            r"(?<=^[0-9]{4})[-\u2013](?=[0-9]{4}\Z)",
        ):
            parts = re.split(separator, text)
            if len(parts) == 2:
                high = read_bound(parts[1], domain, last=True)
                return _interval(read_bound(parts[0], domain), high)
        return None
    match = _RANGE.match(text)
    if match is None:
        return None
    low, high = (read_number(match.group(name), domain) for name in ("low", "high"))
    if low is None or high is None or low > high:
        return None
    if match.group("open"):
        return Interval(low, high, high_open=True)
    return _widened(Interval(low, high), domain)


def _widened(interval: Interval, domain: Domain) -> Interval:
    """Close the gap to the next whole number if 20-29 describes fractions."""
    low, high = interval.low, interval.high
    numbers = domain.numbers if domain.numeric else domain.label_numbers
    gap = (numbers > high) & (numbers < high + 1)
    whole = float(low).is_integer() and float(high).is_integer()
    ends_before = (low % 5 == 0) and ((high + 1) % 5 == 0)
    if whole and ends_before and gap.any():
        return Interval(low, high + 1, high_open=True)
    return interval


def _enumeration(inner: str, domain: Domain) -> LabelReading | None:
    for separator in (";", "|", ","):
        parts = [part.strip().strip("'\"") for part in inner.split(separator)]
        if len(parts) > 1 or separator == ",":
            break
    if not domain.numeric:
        labels = canonical_labels(pd.Series(parts, dtype=object)).dropna()
        found = frozenset(filter(domain.has, labels))
        return LabelReading(value_set=found) if found else None
    numbers = [read_bound(part, domain) for part in parts]
    known = [number for number in numbers if number is not None]
    if not known or len(known) < len(parts):
        return None
    ends = (read_bound(part, domain, last=True) for part in parts)
    return _hull(min(known), max(e for e in ends if e is not None), len(set(known)), domain)


def _masked(text: str, domain: Domain) -> LabelReading | None:
    """Read masked characters: one per star, or a prefix."""
    labels = domain.labels_from(text[: text.index("*")])
    exact = re.compile(re.escape(text).replace(r"\*", ".") + r"\Z")
    found = [label for label in labels if exact.match(label)]
    if not found:
        prefix = _PREFIX.match(text)
        pattern = (
            re.escape(prefix.group(1)) + ".*"
            if prefix
            else re.sub(r"(?:\\\*)+", ".*", re.escape(text))
        )
        found = [label for label in labels if re.match(pattern + r"\Z", label)]
    return _of_labels(found, domain)


def _begun(text: str, domain: Domain) -> LabelReading | None:
    stem = _TAIL.sub("", text)
    if stem in ("", text):
        return None
    found = domain.labels_from(stem)
    if stem.isdecimal():  # numbers may have lost leading zeros
        found = [label for label in found if not label.isdecimal()] + [
            label
            for label in {*found, *domain.labels_from(stem.lstrip("0"))}
            if label.isdecimal() and label.zfill(len(text)).startswith(stem)
        ]
    return _of_labels(found, domain)


def _of_labels(found: Sequence[str], domain: Domain) -> LabelReading | None:
    """Read labels of the original as a set, or interval holding them."""
    if not found:
        return None
    if not domain.numeric:
        return LabelReading(value_set=frozenset(found))
    if domain.of_dates:
        return None
    numbers = domain.label_numbers[np.asarray(domain.labels.index.isin(found))]
    return _hull(float(numbers.min()), float(numbers.max()), len(found), domain)


def _hull(low: float, high: float, n_values: int, domain: Domain) -> LabelReading:
    """Return the interval of some values, with a doubt if it holds others."""
    hull = Interval(low, high)
    between = np.count_nonzero(domain.chosen(hull)) > n_values
    doubt = "Read as all values from least to greatest." if between else ""
    return LabelReading(value_set=hull, doubt=doubt)
