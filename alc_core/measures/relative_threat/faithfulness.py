"""How close what a release teaches comes to what the original would teach.

References
----------
Boreale, Corradi and Viscardi (2020), definition 2 and equation 21.
"""

from __future__ import annotations

import numpy as np

from alc_core.group_posterior.chain import Draws
from alc_core.group_posterior.chances import Victims, ideal_parameters
from alc_core.group_posterior.kernels import joint_sums
from alc_core.group_posterior.sampler import Posterior
from alc_core.group_posterior.tables import CodeArray, FloatArray

_DRAWN = 10_000


def distances_from_ideal(
    posterior: Posterior, known: CodeArray, unknown: CodeArray, *, seed: int
) -> FloatArray:
    """Return the empirical total variation distance, by each batch.

    People are drawn from what the original teaches (p_I); for each it is compared how likely the
    release makes them.
    """
    domain, rng = posterior.table.domain, np.random.default_rng([seed, 15])
    nobody = Victims.of(domain, np.full((1, len(domain.sizes)), -1, dtype=np.int32))
    log_values, log_cells = ideal_parameters(known, unknown, posterior.prior, nobody)
    values = rng.choice(domain.n_values, size=_DRAWN, p=np.exp(log_values)).astype(np.int32)
    places = np.empty((_DRAWN, len(domain.sizes)), dtype=np.int32)
    ideal = log_values[values]
    for attribute, (start, end) in enumerate(
        zip(domain.offsets[:-1], domain.offsets[1:], strict=True)
    ):
        cumulative = np.cumsum(np.exp(log_cells[:, start:end]), axis=1)[values]
        drawn = (rng.random((_DRAWN, 1)) > cumulative[:, :-1]).sum(axis=1)
        places[:, attribute] = start + drawn
        ideal = ideal + log_cells[values, places[:, attribute]]
    learned = np.stack([_learned(batch, places, values) for batch in posterior.batches])
    means = np.vstack([_without_each(learned), learned.mean(axis=0)])
    return np.asarray(np.abs(1.0 - means / np.exp(ideal)).mean(axis=1) / 2)


def _learned(batch: Draws, places: CodeArray, values: CodeArray) -> FloatArray:
    sums = np.zeros(len(values))
    joint_sums(batch.log_values, batch.log_cells, places, values, sums)
    return np.asarray(sums / len(batch.log_values))


def _without_each(estimates: FloatArray) -> FloatArray:
    """Return the mean of all batches but one, for each."""
    total = estimates.sum(axis=0)
    return np.asarray((total - estimates) / (len(estimates) - 1))
