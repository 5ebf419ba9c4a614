"""RAPID of any attack that gives probabilities, as a measure beside the anonymity loss."""

from __future__ import annotations

import numpy as np

from alc_core.measures.measure import Measured, MeasureNumber, PredictedTargets
from alc_core.measures.rapid_scores import GAIN, SCORES, category_scores
from alc_core.phrasing import percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.intervals import wilson_interval


class RapidMeasure:
    """Share of the attacked people whose true value an attack gives a high probability.

    The score is the normalized gain, the threshold the usual one. An attack that abstains puts
    nobody at risk. Other than :func:`~alc_core.studies.rapid.measuring.measure_rapid`, which
    trains on the release and predicts everybody, it reads what the attack said of its targets.

    References
    ----------
    Templ, Thees and Müller (2026), arXiv 2602.09235.
    """

    name = "rapid"
    title = "RAPID"
    method = (
        "Counts the people whose true value the attack gives a probability that is more than "
        f"{percent(SCORES[GAIN].usual)} of the way from the value's share to certainty."
    )
    reference = "Templ, Thees and Müller (2026), arXiv 2602.09235"
    numbers: tuple[MeasureNumber, ...] = (
        MeasureNumber(
            name="share",
            title="RAPID",
            help="Share of the attacked people who are at risk; higher is riskier. It does not "
            "tell what is known of everybody from what the release gives away: ALC does.",
            bounds=(0, 1),
        ),
    )

    def applies(self, predicted: PredictedTargets) -> bool:
        """Return whether the attack gives probabilities."""
        return predicted.probability is not None and len(predicted) > 0

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:
        """Return the share with Wilson's interval, over people or what belongs together."""
        score = SCORES[GAIN]
        given = np.nan_to_num(np.asarray(predicted.probability, np.float64), nan=0.0)
        gain = category_scores(GAIN, given, predicted.truth, predicted.prevalence)
        share = float(score.at_risk(gain, score.usual).mean())
        n_units = len(np.unique(predicted.units))
        confidence = predicted.scoring.confidence
        low, high = wilson_interval(share * n_units, n_units, confidence=confidence)
        return {"share": Measured(share, float(low), float(high))}

    def sentence(self, measured: dict[str, Measured], scenario: Scenario) -> str:
        """Say how many are at risk."""
        return (
            f"The attack gives the true value of {scenario.unknown} a high probability for "
            f"{percent(measured['share'].value)} of the people."
        )
