"""Values that stand for several values of the original: sets of labels, and intervals."""

from __future__ import annotations

import math
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from alc_core.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers between two bounds; for dates, days since 1970.

    Attributes
    ----------
    low, high : float
        The bounds; infinite where there is none.
    low_open, high_open : bool
        Whether the bound itself is left out.

    Raises
    ------
    ParameterError
        If the interval is empty.

    Examples
    --------
    >>> 40 in Interval(20, 40), 40 in Interval(20, 40, high_open=True)
    (True, False)
    """

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False

    def __post_init__(self) -> None:
        least, most = self.closed_bounds
        if not least <= most:
            raise ParameterError(f"An interval from {self.low} to {self.high} covers nothing.")

    @property
    def closed_bounds(self) -> tuple[float, float]:
        """Least and greatest number covered."""
        low = math.nextafter(self.low, math.inf) if self.low_open else self.low
        return low, math.nextafter(self.high, -math.inf) if self.high_open else self.high

    def __contains__(self, value: float) -> bool:
        low, high = self.closed_bounds
        return low <= value <= high


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Every value of a column, a missing one included: what a suppressed cell stands for."""


ANY = AnyValue()
"""What a suppressed cell stands for."""

SUPPRESSED_CELL = ""
"""Stands for an empty cell where labels are named."""

ValueSet = AbstractSet[str] | Interval | AnyValue
"""What a label stands for: labels of a categorical column, an interval of numbers, or anything."""
