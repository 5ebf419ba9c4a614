"""Generalized labels, and missing numbers with a reason as tagged NaN.

The tag is in a NaN's unused bits; other code sees a missing number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from alc_core.tables.values.no_value import says_no_value
from alc_core.tables.values.texts import parse_numbers

# What stands before a bound
BELOW_OPEN = (
    r"<(?!=)|under|below|less than|fewer than|younger than|unter|weniger als|moins de|menos de"
    r"|minder dan|jonger dan|mniej niż|poniżej|meno di"
)
BELOW = r"<=|=<|\u2264|up to|at most|bis|jusqu'à|hasta|tot en met|fino a|até"
ABOVE_OPEN = (
    r">(?!=)|over|above|more than|older than|greater than|über|plus de|más de|meer dan|ouder dan"
    r"|powyżej|ponad|mais de"
)
ABOVE = r">=|=>|\u2265|at least|from|ab|à partir de|desde|vanaf|od"
# What stands after a bound
AND_OVER = (
    r"\+|plus|(?:and|or|&) (?:over|more|older|above)|(?:und|oder) (?:mehr|älter)"
    r"|et plus|ou plus|y más|o más|(?:en|of) (?:meer|ouder)"
    r"|i (?:więcej|starsi|powyżej)|e (?:più|oltre)"
    r"|(?:e|ou) mais|ve (?:üzeri|üstü|daha fazla)"
)
AND_UNDER = (
    r"(?:and|or|&) (?:under|less|fewer|younger|below)|(?:und|oder) (?:weniger|jünger)"
    r"|et moins|ou moins|y menos|o menos|(?:en|of) (?:minder|jonger)|i mniej|e meno|(?:e|ou) menos"
    r"|ve alt\u0131"
)
BEFORE_RANGE = r"between|from|ages?|aged|von|zwischen|de|entre"  # What stands before a range

_SIDE = rf"{BELOW_OPEN}|{BELOW}|{ABOVE_OPEN}|{ABOVE}"
_NUMBER = r"[-+]?[$€£]?[0-9]+(?:[.,][0-9]+)*(?:\s?[kKmM€%](?![a-z]))?"
_UNIT = r"(?:\s?(?:years?|yrs?|y|jahren?|jahre|ans|años|jaar|lat|anni|anos|yaş|hours?|h))?"
_RANGE = re.compile(
    rf"({_NUMBER})\s*(-|\u2013|\u2014|to|bis|à|a|tot(?: en met)?|do|\.{{2,3}}|~)\s*"
    rf"(?:(?:under|unter|<)\s*)?({_NUMBER}){_UNIT}\Z",
    re.IGNORECASE,
)
_BOUND = rf"(?:{_NUMBER}|[-+]?(?:inf|∞))?"
_INTERVAL = re.compile(
    rf"[\[\](]\s*({_BOUND})\s*(?:[,;]|\.\.|-)\s*({_BOUND})\s*[\])\[]\Z", re.IGNORECASE
)
_OPEN_SIDE = re.compile(rf"(?:{_SIDE})\s*{_NUMBER}{_UNIT}\Z", re.IGNORECASE)
_OPEN_END = re.compile(rf"({_NUMBER}){_UNIT}\s*(?:{AND_OVER}|{AND_UNDER})\Z", re.IGNORECASE)
_MASKED = re.compile(r"(?:\*+|\*+[ -]?\w+|[\w.-]*[0-9][ -]?\*+|\w[\w .-]*\*{2,})\Z")
_SET = re.compile(r"\{[^{}]+[,;|][^{}]+\}\Z")
_PHONE = re.compile(r"(?:[0-9]{3}-[0-9]{4}|[0-9]{5}-[0-9]{4}|[0-9]{2,5}-[0-9]{5,})\Z")
_SIDE_WORDS = "|".join(side for side in _SIDE.split("|") if side[0].isalpha())
# Quick signs of several values; the last is for months and quarters
_CANDIDATE = (
    r"(?s)[*{\[\](<>=≤≥]|\.\.|^\W*[0-9].*[^0-9.,\s]"
    rf"|^\W*(?i:{_SIDE_WORDS}|(?:{BEFORE_RANGE})\s).*[0-9]"
    r"|^\s*(?:\pL{3,9}\.?|[qQ][1-4])(?:[-/ ]?[0-9]{4}|[-/ ]'?[0-9]{2})\s*$"
)
_ROUND_END = re.compile(r"(?:[0-9]*0|[0-9]*[49]9)\Z")
_MONTHS = 12
_YEARS = (1800, 2200)


def is_generalized(label: str) -> bool:
    """Return whether a label covers several values.

    Not dates, phone numbers, negative numbers or hyphenated words.
    """
    text = label.strip()
    if not text:
        return False
    if _MASKED.match(text) or _SET.match(text) or _OPEN_SIDE.match(text):
        return True
    if end := _OPEN_END.match(text):
        return end.group(1) != "0"
    if interval := _INTERVAL.match(text):
        return bool(interval.group(1) or interval.group(2))
    between = _RANGE.match(text)
    return between is not None and _is_range(text, between.group(1), between.group(3))


def may_be_generalized(texts: pd.Series) -> NDArray[np.bool_]:
    """Return quickly which texts may cover several values."""
    found = pc.match_substring_regex(pa.array(texts), _CANDIDATE)
    return np.asarray(pc.fill_null(found, False), dtype=bool)


def generalized_mask(labels: pd.Series | pd.Index) -> NDArray[np.bool_]:
    """Return which labels are generalized."""
    return np.fromiter(
        (isinstance(label, str) and is_generalized(label) for label in labels), bool, len(labels)
    )


def _is_range(text: str, low: str, high: str) -> bool:
    if _PHONE.match(text) and not (_ROUND_END.match(low) or _ROUND_END.match(high)):
        return False
    padded = any(len(end) > 1 and end[0] == "0" and end[1:2].isdigit() for end in (low, high))
    if padded and len(low) != len(high):
        return False
    first, last = _magnitude(low), _magnitude(high)
    month_and_year = 1 <= first <= _MONTHS and _YEARS[0] <= last <= _YEARS[1]
    return first < last and not (month_and_year and "-" in text and first.is_integer())


def _magnitude(number: str) -> float:
    """Return a bound's value without thousands separators."""
    scale = {"k": 1e3, "m": 1e6}.get(number[-1:].lower(), 1.0)
    plain = re.sub(r"[^0-9.,-]", "", number)
    plain = re.sub(r"[.,](?=[0-9]{3}(?:[.,]|\Z))", "", plain).replace(",", ".")
    try:
        return float(plain) * scale
    except ValueError:
        return float("nan")


SHORT = 2  # Most characters of a code among numbers
_FEWEST_NUMBERS = 3  # Where numbers are categories
_BITS = np.int64(0x7FF8000000000000)


def tagged(tags: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return tagged missing numbers; 0 is plain, like ``np.nan``."""
    return (tags.astype(np.int64) | _BITS).view(np.float64)


def tags(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return missing numbers' tags; 0 for others."""
    found = np.ascontiguousarray(values).view(np.int64) & ~_BITS
    return np.where(np.isnan(values) & (found > 0), found, 0)


def distinct_keys(values: NDArray[Any]) -> NDArray[np.int64]:
    """Return whole numbers, equal for equal codes or tagged numbers."""
    if values.dtype.kind != "f":
        return values.astype(np.int64)
    numbers = values.astype(np.float64)
    plain = np.where(np.isnan(numbers), tagged(tags(numbers)), numbers + 0.0)  # -0 is 0
    return plain.view(np.int64)


def texts_among_numbers(labels: Sequence[str]) -> list[str]:
    """Return labels that are neither numbers nor always missing."""
    numbers = parse_numbers(labels)
    return [
        label
        for label, number in zip(labels, numbers, strict=True)
        if np.isnan(number) and not says_no_value(label)
    ]


def texts_beside_numbers(labels: Sequence[str], *, few: bool) -> list[str]:
    """Return texts among numbers that are unlike these.

    Texts with a digit, such as 2A, and several letters among few numbers are like them.

    Examples
    --------
    >>> texts_beside_numbers(["1", "2", "3", "N"], few=True)
    ['N']
    >>> texts_beside_numbers(["01", "02", "03", "2A"], few=True)
    []
    """
    texts = texts_among_numbers(labels)
    unlike = [text for text in texts if not (any(map(str.isdigit, text)) or is_generalized(text))]
    if not few:
        return unlike
    numbers = len(labels) - len(texts)
    alone = len(unlike) == 1 and len(unlike[0]) <= SHORT and numbers >= _FEWEST_NUMBERS
    return unlike if alone and numbers > len(texts) else []
