"""The third kind of column code: released labels that each cover several values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.errors import InputError
from alc_core.tables.values.value_sets import Interval, ValueSet

FloatArray = NDArray[np.float64]
IntegerArray = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelSets:
    """A categorical column whose released labels cover labels of the original.

    Attributes
    ----------
    covered : ndarray of bool of shape (n_labels, n_codes)
        Whether a released label covers a code of the column; the last label is the missing one,
        which covers only itself.
    """

    covered: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        labels: tuple[str, ...],
        sets: Mapping[str, ValueSet],
        column: str,
        codes: tuple[str, ...],
    ) -> Self:
        """Look up what labels cover; one that is not declared covers itself.

        Raises
        ------
        InputError
            If a label covers nothing that the column has.
        """
        place = {label: code for code, label in enumerate(codes)}
        covered = np.zeros((len(labels) + 1, len(codes) + 1), dtype=bool)
        covered[-1, -1] = True
        for number, label in enumerate(labels):
            stands_for = sets.get(label, frozenset((label,)))
            if isinstance(stands_for, Interval):
                raise InputError(
                    f"'{label}' of column '{column}' stands for an interval, but the column is "
                    "categorical. Name the labels that it covers, or take the column as continuous."
                )
            found = [place[value] for value in stands_for if value in place]
            if not found and label in sets:
                raise InputError(
                    f"'{label}' of column '{column}' covers no value that the original has. "
                    "Correct what it stands for."
                )
            covered[number, found] = True
        return cls(covered=covered)

    def distances(self, values: NDArray[np.generic]) -> FloatArray:
        """Return 0 where a label covers a value, else 1.

        Parameters
        ----------
        values : ndarray of int32 of shape (n_values,)
            Codes of the column.

        Returns
        -------
        ndarray of shape (n_values, n_labels)
            The missing label's last.
        """
        return (~self.covered[:, np.asarray(values, dtype=np.int64)].T).astype(np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IntervalSets:
    """A continuous column whose released labels are intervals.

    Attributes
    ----------
    low, high : ndarray of shape (n_labels,)
        Least and greatest number that each label covers; the last label is the missing one, with
        NaN.
    range : float
        What distances are divided by.
    """

    low: FloatArray
    high: FloatArray
    range: float

    @classmethod
    def of(
        cls, labels: tuple[str, ...], sets: Mapping[str, ValueSet], column: str, width: float
    ) -> Self:
        """Look up what labels cover; one that is not declared must be a number.

        Raises
        ------
        InputError
            If a label is neither declared as an interval nor a number.
        """
        bounds = []
        for label in labels:
            interval = sets.get(label)
            if interval is None:
                try:
                    interval = Interval(float(label), float(label))
                except ValueError:
                    raise InputError(
                        f"'{label}' of column '{column}' is not a number, and nothing says which "
                        "numbers it stands for. Declare an interval for it."
                    ) from None
            if not isinstance(interval, Interval):
                raise InputError(
                    f"'{label}' of column '{column}' stands for labels, but the column is "
                    "continuous. Declare an interval for it."
                )
            bounds.append(interval.closed_bounds)
        low, high = np.array([*bounds, (np.nan, np.nan)], dtype=np.float64).T
        return cls(low=low, high=high, range=width)

    def distances(self, values: NDArray[np.generic]) -> FloatArray:
        """Return how far values lie outside the intervals, divided by the range, 1 at most.

        Parameters
        ----------
        values : ndarray of float64 of shape (n_values,)
            NaN where missing.

        Returns
        -------
        ndarray of shape (n_values, n_labels)
            A missing value is 0 from the missing label and 1 from all others.
        """
        numbers = np.asarray(values, dtype=np.float64)[:, None]
        outside = np.maximum(np.maximum(self.low - numbers, numbers - self.high), 0.0)
        scaled = np.minimum(outside / self.range, 1.0) if self.range > 0 else outside > 0
        both = np.isnan(numbers) & np.isnan(self.low)
        either = np.isnan(numbers) | np.isnan(self.low)
        return np.where(either, np.where(both, 0.0, 1.0), scaled).astype(np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SetColumn:
    """A released column of labels that each stand for several values.

    Attributes
    ----------
    labels : tuple of str
        Of each code; the code after the last one stands for a missing value.
    codes : ndarray of int32 of shape (n_rows,)
        Of the rows.
    sets : LabelSets or IntervalSets
        What the labels cover.
    """

    labels: tuple[str, ...]
    codes: IntegerArray
    sets: LabelSets | IntervalSets

    def distances(self, values: NDArray[np.generic]) -> FloatArray:
        """Return the distance of values of the original's column to each label, 0 if covered."""
        return self.sets.distances(values)
