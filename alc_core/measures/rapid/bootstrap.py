"""Bootstrap intervals of shares at risk, over people or whatever belongs together."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from alc_core.scoring.intervals import wilson_interval

FloatArray = NDArray[np.float64]

_FEW = 20


def resampled(
    units: NDArray[np.int64],
    statistic: Callable[[FloatArray], FloatArray],
    *,
    resamples: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return a statistic of resamples, shape (resamples, n_numbers)."""
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


def with_few(
    shares: FloatArray, low: FloatArray, high: FloatArray, n_units: int, confidence: float
) -> tuple[FloatArray, FloatArray]:
    """Return intervals of shares, widened to Wilson's where few are at risk, or few are not.

    Resamples of very few say too little: of people who are all alike they are all alike, too,
    which does not make a share certain.
    """
    counts = shares * n_units
    few = np.minimum(counts, n_units - counts) < _FEW
    lower, upper = wilson_interval(counts, np.full_like(counts, n_units), confidence=confidence)
    return np.where(few, np.minimum(low, lower), low), np.where(few, np.maximum(high, upper), high)
