"""How many rows look alike: sizes of classes, and the risks that are defined by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.errors import ParameterError

IntArray = NDArray[np.int64]

USUAL_THRESHOLD = 0.09
"""Risk that the European Medicines Agency (policy 0070) and Health Canada take as the highest."""

_BAND_STARTS = (1, 2, 3, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeBand:
    """Rows in classes of about the same size."""

    least: int  # Smallest size
    most: int | None  # Largest size; None without an end
    rows: int  # Rows in such classes
    share: float  # Of all rows in classes

    @property
    def label(self) -> str:
        """The sizes in words."""
        if self.most is None:
            return f"{self.least}+"
        return f"{self.least}" if self.most == self.least else f"{self.least}-{self.most}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSizes:
    """Rows by how many people share their combination of values."""

    sizes: tuple[int, ...]  # The sizes that occur, ascending
    rows: tuple[int, ...]  # Rows whose class has each size

    @classmethod
    def of(cls, sizes: IntArray, rows: IntArray | None = None) -> Self:
        """Count the rows by size."""
        found, place = np.unique(sizes, return_inverse=True)
        weights = sizes if rows is None else rows
        counted = np.bincount(place, weights=weights, minlength=len(found)).astype(np.int64)
        return cls(sizes=tuple(found.tolist()), rows=tuple(counted.tolist()))

    @property
    def total(self) -> int:
        """Rows in classes."""
        return sum(self.rows)

    @property
    def smallest(self) -> int:
        """The k of k-anonymity; 0 where no row is in a class."""
        return self.sizes[0] if self.sizes else 0

    @property
    def highest_risk(self) -> float:
        """One over the smallest class: the prosecutor's or journalist's highest risk."""
        return 1.0 / self.sizes[0] if self.sizes else 0.0

    @property
    def mean_risk(self) -> float:
        """Mean of one over the class size: share of rows that random guesses in classes find."""
        if not self.sizes:
            return 0.0
        return float(np.dot(1.0 / np.array(self.sizes), self.rows) / self.total)

    @property
    def unique(self) -> float:
        """Share of rows that are alone in their class."""
        return self.below(2)

    def below(self, size: int) -> float:
        """Return the share of rows in classes of fewer than `size`."""
        rows = sum(n for each, n in zip(self.sizes, self.rows, strict=True) if each < size)
        return rows / self.total if self.total else 0.0

    def above_threshold(self, threshold: float) -> float:
        """Return the share of rows whose risk is above a threshold; see :func:`least_size`."""
        return self.below(least_size(threshold))

    def bands(self) -> tuple[SizeBand, ...]:
        """Return the rows by ranges of sizes, for a histogram."""
        ends = (*_BAND_STARTS[1:], None)
        sizes, rows = np.array(self.sizes), np.array(self.rows)
        found = []
        for least, end in zip(_BAND_STARTS, ends, strict=True):
            inside = (sizes >= least) & (sizes < (end or np.inf))
            number = int(rows[inside].sum()) if len(rows) else 0
            found.append(
                SizeBand(
                    least=least,
                    most=None if end is None else end - 1,
                    rows=number,
                    share=number / self.total if self.total else 0.0,
                )
            )
        return tuple(found)


def check_threshold(threshold: float) -> float:
    """Return a threshold of risk."""
    if not 0 < threshold <= 1:
        raise ParameterError(
            f"The threshold of risk is a probability above 0, such as 0.09, not {threshold:g}."
        )
    return threshold


def least_size(threshold: float) -> int:
    """Return the smallest class size that a threshold of risk allows.

    It is the nearest whole number, as guidelines use it: they write 0.09 and mean classes of 11.

    Examples
    --------
    >>> [least_size(threshold) for threshold in (0.5, 0.33, 0.2, 0.09, 0.05)]
    [2, 3, 5, 11, 20]
    """
    return max(1, round(1.0 / threshold))
