"""Recognising the numbers of a column that stand for "no value", such as -9 or 999.

What is recognised takes people out of the targets, so it errs on the side of leaving values alone:
a number counts only where it stands apart from the others, and where several rows share it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Rule = Callable[[FloatArray, FloatArray], bool]
"""Takes codes and the other numbers, both ascending; returns whether the codes are no values."""

_SHARED_BY = 3
"""Rows that must have a code before it counts."""

_CLEAR_GAP = 2.0
"""A code lies farther from the other values than this many times their range."""

_NEGATIVE = frozenset(
    [*range(-9, 0), -66, -77, -88, *range(-99, -93)]
    + [-(10**digits - less) for digits in (3, 4, 5, 6) for less in (1, 2, 3, 4)]
    + [-666, -777, -888, -6666, -7777, -8888]
)
_SHORT = frozenset([77, 88, *range(94, 100)])
_LONG = frozenset(
    [10**digits - less for digits in range(3, 10) for less in (1, 2, 3, 4)]
    + [777, 888, 7777, 8888, 77777, 88888]
)
"""Too long to be one of a few categories by itself."""


def number_markers(numbers: FloatArray, counts: IntArray, *, few: bool) -> FloatArray:
    """Return those of a column's numbers that are codes for "no value".

    Examples
    --------
    >>> weeks = np.array([-9.0, -8.0, 0.0, 4.0, 12.0, 26.0, 52.0])
    >>> number_markers(weeks, np.array([7, 2, 9, 9, 9, 9, 9]), few=False).tolist()
    [-9.0, -8.0]
    >>> number_markers(np.arange(-2.0, 3.0), np.full(5, 9), few=True).tolist()
    []
    """
    order = np.argsort(numbers)
    numbers, counts = numbers[order], counts[order]
    low = _leading(numbers, counts, _NEGATIVE, _below_categories if few else _below)
    high = _leading(
        -numbers[low:][::-1],
        counts[low:][::-1],
        frozenset(-code for code in (_LONG if few else _LONG | _SHORT)),
        _is_apart,
    )
    return np.concatenate([numbers[:low], numbers[len(numbers) - high :]])


def outlying(numbers: FloatArray, counts: IntArray, candidates: frozenset[float]) -> FloatArray:
    """Return the candidates that lie clearly outside of the range of the other numbers."""
    order = np.argsort(numbers)
    numbers, counts = numbers[order], counts[order]
    low = _leading(numbers, counts, candidates, _is_apart)
    mirrored = frozenset(-code for code in candidates)
    high = _leading(-numbers[low:][::-1], counts[low:][::-1], mirrored, _is_apart)
    return np.concatenate([numbers[:low], numbers[len(numbers) - high :]])


def _leading(
    numbers: FloatArray, counts: IntArray, codes: frozenset[float] | frozenset[int], rule: Rule
) -> int:
    """Return how many of the least numbers are codes: as many as a rule allows."""
    most = 0
    while most < len(numbers) and float(numbers[most]) in codes:
        most += 1
    for leading in range(min(most, len(numbers) - 2), 0, -1):
        if counts[:leading].sum() >= _SHARED_BY and (
            rule(numbers[:leading], numbers[leading:])
            or _is_apart(numbers[:leading], numbers[leading:])
        ):
            return leading
    return 0


def _is_apart(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether codes lie below the rest by a clear gap."""
    return bool(rest[0] - codes[-1] > _CLEAR_GAP * (rest[-1] - rest[0]))


def _below(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether codes are the only negative numbers of a quantity.

    The numbers down to -2 and further without a hole are rather the lower part of its scale.
    """
    runs_on = bool(rest[0] == 0) and len(codes) > 1 and bool(codes[0] == -len(codes))
    return bool(rest[0] >= 0) and not runs_on and not _is_mirrored(codes, rest)


def _below_categories(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether codes are the only negative numbers of categories, and apart from them."""
    gap, step = rest[0] - codes[-1], np.diff(rest).min()
    return bool(rest[0] >= 0 and gap > step) and not _is_mirrored(codes, rest)


def _is_mirrored(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether a scale reaches as far below 0 as above, such as -2, -1, 1, 2."""
    return bool(rest[-1] == -codes[0])
