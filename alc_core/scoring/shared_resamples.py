"""Resamples that the attacks of a campaign share: whoever is drawn twice is so in all of them.

The usual bootstrap of an attack draws its own targets. Whether one of many attacks is flagged by
chance depends on how they vary together, and they attack the same people. Here the weight of a
person in a resample follows from the person, the resample and the seed alone, so that attacks on
the same people vary together although each is resampled where it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.runtime.mixing import mixed
from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.outcomes import BootstrapCounts, accumulated, first_thresholds
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import ReadingName, resampled_losses

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Side = tuple[PrecisionRecallCurve, FloatArray, NDArray[np.bool_]]
"""A curve with the scores and the correctness that it was counted from."""

SHARED_RESAMPLES = 400
"""Resamples that a campaign shares."""

_CELLS = 4_000_000
"""Weights held at a time."""


def shared_losses(
    sides: Sequence[Side],
    units: NDArray[np.integer[Any]],
    scoring: ScoringParameters,
    *,
    seed: int,
    resamples: int = SHARED_RESAMPLES,
) -> dict[ReadingName, FloatArray]:
    """Return both readings of ALC in resamples of the people, the same for every attack.

    Parameters
    ----------
    sides : sequence of two tuples
        Attack and baseline: curve, scores and correctness of the same targets in the same order.
    units : ndarray of int of shape (n_targets,)
        Who is drawn together, by numbers that mean the same in all attacks.
    scoring : ScoringParameters
        How the counts are scored.
    seed : int
        Same seed, same weights.
    resamples : int
        How many.

    Returns
    -------
    dict of str to ndarray of shape (n_resamples,)
        By name of the reading.

    Notes
    -----
    The weights are Poisson with mean 1, the limit of drawing with replacement from many.
    """
    cells = [
        2 * first_thresholds(scores, curve) + correct.astype(np.int64)
        for curve, scores, correct in sides
    ]
    orders = [np.argsort(cell, kind="stable") for cell in cells]
    counts = [np.zeros((resamples, 2 * len(curve)), dtype=np.int64) for curve, _, _ in sides]
    attempts = np.empty(resamples, dtype=np.int64)
    step = max(1, _CELLS // len(units))
    for start in range(0, resamples, step):
        numbers = np.arange(start, min(start + step, resamples))
        weights = person_weights(units, numbers, seed=seed)
        attempts[numbers] = weights.sum(axis=1)
        for cell, order, total in zip(cells, orders, counts, strict=True):
            ordered = cell[order]
            starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
            sums = np.add.reduceat(weights[:, order], starts, axis=1)
            total[numbers[0] : numbers[-1] + 1, ordered[starts]] = sums
    attack, baseline = (accumulated(total) for total in counts)
    drawn = BootstrapCounts(
        attack=attack,
        baseline=baseline,
        attempts=attempts,
        recall_scale=sides[0][0].recall_scale,
    )
    return resampled_losses(drawn, scoring)


def person_weights(
    units: NDArray[np.integer[Any]], resamples: NDArray[np.integer[Any]], *, seed: int
) -> IntArray:
    """Return how often each person is drawn in each resample.

    Parameters
    ----------
    units : ndarray of int of shape (n_targets,)
        Numbers of the people.
    resamples : ndarray of int of shape (n_resamples,)
        Numbers of the resamples.
    seed : int
        Of all weights.

    Returns
    -------
    ndarray of int of shape (n_resamples, n_targets)
        Poisson with mean 1, independent between people and between resamples.
    """
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
