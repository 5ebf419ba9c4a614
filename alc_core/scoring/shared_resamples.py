"""Resamples that the attacks of a campaign share: whoever is drawn twice is so in all of them.

The usual bootstrap of an attack draws its own targets. Whether one of many attacks is flagged by
chance depends on how they vary together, and they attack the same people. Here the weight of a
person in a resample follows from the person, the resample and the seed alone, so that attacks on
the same people vary together although each is resampled where it runs.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.runtime.kernels import mixed
from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import ReadingName, resampled
from alc_core.scoring.resamples import counted_again

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

SHARED_RESAMPLES = 400
"""Resamples that a campaign shares."""


def shared_losses(
    outcomes: Outcomes,
    units: NDArray[np.integer[Any]],
    scoring: ScoringParameters,
    *,
    seed: int,
    resamples: int = SHARED_RESAMPLES,
) -> dict[ReadingName, FloatArray]:
    """Return both readings of ALC in resamples of the people, the same for every attack.

    Notes
    -----
    The weights are Poisson with mean 1, the limit of drawing with replacement from many.
    """
    drawn = counted_again(
        outcomes,
        lambda numbers: person_weights(units, numbers, seed=seed),
        cap=scoring.precision_cap,
        resamples=resamples,
    )
    return resampled(drawn, scoring).losses


def person_weights(
    units: NDArray[np.integer[Any]], resamples: NDArray[np.integer[Any]], *, seed: int
) -> IntArray:
    """Return how often each person is drawn in each resample."""
    keys = mixed(mixed(np.array([seed], dtype=np.uint64)) + resamples.astype(np.uint64))
    people = mixed(units.astype(np.uint64))
    bits = mixed(keys[:, None] ^ people[None, :])
    uniform = (bits >> np.uint64(11)) * 2.0**-53
    return np.searchsorted(_poisson_steps(), uniform, side="right").astype(np.int64)


@cache
def _poisson_steps() -> FloatArray:
    """Return the distribution function of the Poisson distribution with mean 1, up to rounding."""
    from scipy.stats import poisson

    steps: FloatArray = poisson.cdf(np.arange(18), 1.0)
    return steps
