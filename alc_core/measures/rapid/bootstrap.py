"""Bootstrap intervals of shares at risk, over people or whatever belongs together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from alc_core.measures.measure import Measured
from alc_core.scoring.intervals import wilson_interval

FloatArray = NDArray[np.float64]


def resampled(
    units: NDArray[np.int64],
    statistic: Callable[[FloatArray], FloatArray],
    *,
    resamples: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return a statistic of resamples, shape (resamples, n_numbers).

    Parameters
    ----------
    units : ndarray of int of shape (n_people,)
        Rows with equal numbers are drawn together.
    statistic : callable
        Takes how often each person was drawn, shape (n_people,); returns numbers.
    resamples : int
        How many.
    rng : numpy.random.Generator
        The only source of randomness.
    """
    numbers = np.unique(units, return_inverse=True)[1]
    n_units = int(numbers.max()) + 1
    return np.stack(
        [
            statistic(
                np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)[numbers].astype(
                    np.float64
                )
            )
            for _ in range(resamples)
        ]
    )


def percentile_interval(values: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray]:
    """Return the percentile interval of resampled numbers, along the first axis."""
    outside = (1 - confidence) / 2
    low, high = np.quantile(values, [outside, 1 - outside], axis=0)
    return low, high


def share_with_interval(
    share: float, low: float, high: float, n_units: int, confidence: float
) -> Measured:
    """Return a share with its interval; where all or none are at risk, Wilson's.

    Resamples of people who are all alike are all alike, too; that does not make the share certain.
    """
    if share in (0.0, 1.0):
        lower, upper = wilson_interval(share * n_units, n_units, confidence=confidence)
        return Measured(share, float(lower), float(upper))
    return Measured(share, low, high)
