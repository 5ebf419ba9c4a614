"""A relative threat that nothing was measured for."""

from alc_core.group_posterior.settings import SamplerSettings
from alc_core.studies.relative_threat.result import (
    ESTIMATES,
    LevelHistogram,
    MonteCarloEstimate,
    ThreatSummary,
)


def made_threat(release="groups", *, original="", converged=True):
    """An attacker who guesses a tenth more than the learner."""
    values = dict.fromkeys(ESTIMATES, MonteCarloEstimate(0.5, 0.01))
    values |= {
        "gt_attacker": MonteCarloEstimate(0.4, 0.01),
        "gt_learner": MonteCarloEstimate(0.3, 0.01),
        "rgt_attacker": MonteCarloEstimate(0.1, 0.01),
    }
    warning = () if converged else ("Do not rely on these numbers.",)
    levels = LevelHistogram(edges=(-1.0, 0.0, 1.0), counts=(3, 7), skewness=0.5)
    return ThreatSummary(
        release=release,
        fingerprint=original,
        known=("age", "city"),
        unknown="job",
        estimates=values,
        baseline_accuracy=0.2,
        ideal_accuracy=0.35,
        levels={"median": 1.2, "p95": 2.0, "max": 5.0, "at_least_2": 0.05},
        of_attacker=levels,
        of_learner=None,
        people=1_000,
        absent=0,
        converged=converged,
        chains="The chains have converged." if converged else "The chains have not converged.",
        settings=SamplerSettings(),
        steps=500,
        notes=(*warning, "A note."),
    )
