"""The Bayesian attacker of Boreale, Corradi and Viscardi."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.attacks.protocol import AttackType, NotedPredictor, Predictions, Predictor
from alc_core.group_posterior.released import READABLE, GroupedRelease
from alc_core.group_posterior.settings import PARAMETERS, RANGES, SamplerSettings
from alc_core.parameter import Value
from alc_core.releases.microdata import RowsView
from alc_core.scenario.targets import KnownValues


class BayesianAttacker:
    """Infer by Bayes' rule which value of a group is the target's.

    The release shows how likely known values are for each unknown one, and so how likely each row
    is the target's (:mod:`alc_core.group_posterior`). The rank score is the posterior of the
    likeliest value; without generalized labels, its share among rows that equal the target. The
    attack abstains if no row can be the target's.

    References
    ----------
    Boreale, Corradi and Viscardi (2020), equations 8 and 15.
    """

    name: str = "bayesian"
    accepts = READABLE

    def __init__(self, *, ranges: int = int(RANGES.default), **settings: Value) -> None:
        self.ranges = ranges
        self.settings = settings

    def prepare(self, view: RowsView, rng: np.random.Generator) -> Predictor:
        """Run the chains, and return the predictor with a note on convergence."""
        from alc_core.group_posterior.chances import Victims, attacker, learner, shares
        from alc_core.group_posterior.sampler import sample

        release = GroupedRelease.of(view, ranges=self.ranges)
        seed = int(rng.integers(2**31))
        settings = SamplerSettings(**self.settings, seed=seed)  # type: ignore[arg-type]
        posterior = sample(release.table, settings)

        def of_codes(probabilities: FloatArray) -> FloatArray:
            found = np.zeros((len(probabilities), view.unknown.size))
            found[:, : probabilities.shape[1]] = probabilities
            return np.asarray(np.minimum(found, 1.0))

        def predict(targets: KnownValues) -> Predictions:
            victims = Victims.of(release.table.domain, release.coding.people(targets))
            found = of_codes(shares(attacker(posterior, victims).mean(axis=0)))
            learned = of_codes(learner(posterior, victims).mean(axis=0))
            abstained: NDArray[np.bool_] = np.asarray(np.isnan(found).any(axis=1))
            found[abstained] = 0.0
            return replace(
                Predictions.likeliest(found[victims.of_row], view.unknown),
                abstained=abstained[victims.of_row],
                learned=learned[victims.of_row],
            )

        return NotedPredictor(
            predict=predict,
            notes=(*posterior.diagnostics.warnings, *release.notes),
            converged=posterior.diagnostics.converged,
        )


BAYESIAN = AttackType(
    name=BayesianAttacker.name,
    method="Bayes' rule, knowing that the person is in the release.",
    reference="Boreale, Corradi and Viscardi (2020)",
    accepts=BayesianAttacker.accepts,
    make=BayesianAttacker,
    fits_model=True,
    seconds=(10.0, 0.4),
    usual=False,
    parameters=(*PARAMETERS, RANGES),
)
