"""Numbers that are missing for a reason: texts among numbers, kept as NaN with a tag.

As in R and Stata, a missing number can be of several sorts. Whoever does not ask for the tag sees
a missing number; the tag is in the bits that a NaN leaves free, so it stays with the value.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from alc_core.tables.values.generalized import is_generalized
from alc_core.tables.values.no_value import says_no_value
from alc_core.tables.values.texts import parse_numbers

_SHORT = 2
"""Most characters of a text among numbers that is a code rather than a word."""

_MOST_CODES, _FEWEST_NUMBERS = 2, 3
"""Where numbers are categories."""

_BITS = np.int64(0x7FF8000000000000)


def tagged(tags: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return missing numbers with tags; 0 is plainly missing, as ``np.nan`` is."""
    return (tags.astype(np.int64) | _BITS).view(np.float64)


def tags(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the tag of each missing number; 0 of those without one, and of numbers."""
    found = np.ascontiguousarray(values).view(np.int64) & ~_BITS
    return np.where(np.isnan(values) & (found > 0), found, 0)


def texts_among_numbers(labels: Sequence[str]) -> list[str]:
    """Return those labels that are neither numbers nor say "no value" whatever the column."""
    numbers = parse_numbers(labels)
    return [
        label
        for label, number in zip(labels, numbers, strict=True)
        if np.isnan(number) and not says_no_value(label)
    ]


def short_codes(labels: Sequence[str], *, few: bool) -> list[str]:
    """Return the short texts of a column whose other values are numbers, such as N.

    Examples
    --------
    >>> short_codes(["1", "2", "3", "N"], few=True), short_codes(["1", "2", "low"], few=True)
    (['N'], [])
    """
    texts = texts_among_numbers(labels)
    if few and (len(texts) > _MOST_CODES or len(labels) - len(texts) < _FEWEST_NUMBERS):
        return []
    if any(map(is_generalized, texts)):
        return []
    return [text for text in texts if len(text) <= _SHORT]
