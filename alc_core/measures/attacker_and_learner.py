"""Relative threat as a measure."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.measures.measure import Measured, MeasureNumber, PredictedTargets
from alc_core.phrasing import percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.intervals import mean_reach


class RelativeThreatMeasure:
    """Compare attacker and learner; the latter does not know the target is in the release.

    Needs attacks that distinguish both; excludes abstentions.

    References
    ----------
    Boreale, Corradi and Viscardi (2020), equations 16 to 18.
    """

    name = "relative threat"
    title = "Relative threat"
    method = "An attacker aware of who is in the release, against others."
    reference = "Boreale, Corradi and Viscardi (2020)"
    numbers: tuple[MeasureNumber, ...] = (
        MeasureNumber(
            name="rgt_attacker",
            title="Relative global threat",
            help="More people guessed correctly than by the learner.",
            bounds=(0, 1),
        ),
        MeasureNumber(
            name="gt_attacker",
            title="Threat by the attacker",
            help="Share of people the attacker guesses correctly.",
            bounds=(0, 1),
        ),
        MeasureNumber(
            name="gt_learner",
            title="Threat by the learner",
            help="The same for the learner.",
            bounds=(0, 1),
        ),
    )

    def applies(self, predicted: PredictedTargets) -> bool:
        """Return whether the attack distinguishes attacker and learner."""
        return predicted.learned_right is not None and not bool(predicted.abstained.all())

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:
        """Return the shares with normal intervals; dependent targets count together."""
        some, learned = ~predicted.abstained, predicted.learned_right
        if learned is None:
            return {}
        units = predicted.units[some]
        level = predicted.scoring.confidence
        by_attacker = predicted.attack_right[some].astype(np.float64)
        by_learner = learned[some].astype(np.float64)
        more = _mean(by_attacker - by_learner, units, level, low=-1.0)
        return {
            "rgt_attacker": Measured(*(max(0.0, each or 0.0) for each in astuple(more))),
            "gt_attacker": _mean(by_attacker, units, level),
            "gt_learner": _mean(by_learner, units, level),
        }

    def sentence(self, measured: dict[str, Measured], scenario: Scenario) -> str:
        """Say how many people attacker and learner guess right."""
        return (
            f"Aware that people are in the release, an attacker infers {scenario.wanted} for "
            f"{percent(measured['gt_attacker'].value)} of them, a learner for "
            f"{percent(measured['gt_learner'].value)}."
        )


def _mean(
    numbers: FloatArray, units: NDArray[np.int64], confidence: float, *, low: float = 0.0
) -> Measured:
    mean = float(numbers.mean())
    reach = mean_reach(numbers - mean, units, confidence)
    return Measured(mean, max(low, mean - reach), min(1.0, mean + reach))
