"""ALC where everyone is guessed: the no-recall variant, and the prior approach.

Without recall, ALC compares the same predictions; the prior approach attacks members and
non-members.
"""

from __future__ import annotations

import math

import numpy as np

from alc_core.arrays import BoolArray, effective_number
from alc_core.measures.measure import Measured, MeasureNumber, PredictedTargets
from alc_core.phrasing import percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.curves import measure_of
from alc_core.scoring.formulas import anonymity_loss
from alc_core.scoring.intervals import wilson_interval
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import interval_of_difference

NO_RECALL = "no recall"
# Non-members: targets without their own rows in the release, or people of a holdout
OWN_ROW_OUT, HOLDOUT = "prior approach", "prior approach with holdout"
Counted = tuple[int, int]  # Correct predictions, people guessed


def loss_of_all(attack: Counted, other: Counted, scoring: ScoringParameters) -> dict[str, Measured]:
    """Return ALC at recall 1 with its interval, and both precisions.

    Precision is the midpoint of Wilson's interval, and equals PRC.
    """
    sides = [measure_of(*each, scoring) for each in (attack, other)]
    loss = anonymity_loss(sides[0].prc, sides[1].prc, kind=scoring.loss)
    ours, others = ((side.prc, *side.prc_interval) for side in sides)
    highest = (ours[2],) * 2  # No threshold is chosen at recall 1
    low, high = map(float, interval_of_difference(ours, others, highest, kind=scoring.loss))
    return {"alc": Measured(loss, low, high)} | {
        name: Measured(side.measured_precision, *side.measured_interval)
        for name, side in zip(("attack", "other"), sides, strict=True)
    }


class _OfEverybody:
    title: str
    compared: str
    numbers: tuple[MeasureNumber, ...]

    def __init__(self, *, name: str, title: str, compared: str, method: str, reference: str):
        self.name, self.title, self.compared = name, title, compared
        self.method, self.reference = method, reference
        self.numbers = (
            MeasureNumber(
                name="alc", title=title, like_alc=True, bounds=(-math.inf, 1),
                help=f"The gain over {compared}. It misses attacks on few.",
            ),
            MeasureNumber(
                name="attack", title="Attack on everyone", bounds=(0, 1),
                help="Share of targets the attack guesses correctly.",
            ),
            MeasureNumber(
                name="other", title="Compared with", bounds=(0, 1),
                help=f"The same share by {compared}.",
            ),
        )  # fmt: skip

    def sentence(self, measured: dict[str, Measured], scenario: Scenario) -> str:
        attack, other = (percent(measured[name].value) for name in ("attack", "other"))
        return (
            f"{attack} of the attack's answers about '{scenario.wanted}' are correct, {other} for "
            f"{self.compared}."
        )


class NoRecall(_OfEverybody):
    """The same predictions of attack and baseline, compared where everybody is guessed.

    References
    ----------
    Francis and Wagner (2025), section 6.2.
    """

    def __init__(self) -> None:
        super().__init__(
            name=NO_RECALL, title="ALC without recall", compared="the baseline",
            method="Attack and baseline answer for everyone.",
            reference="Francis and Wagner (2025), section 6.2",
        )  # fmt: skip
        self.numbers += (
            MeasureNumber(
                name="only", title="Only the attack", bounds=(0, 1),
                help="Share of targets only the attack guesses correctly.",
            ),
            MeasureNumber(
                name="rare", title="Attack, by rarity", bounds=(0, 1),
                help="Share the attack guesses correctly, each value weighing the same.",
            ),
            MeasureNumber(
                name="rare_other", title="Baseline, by rarity", bounds=(0, 1),
                help="Share the baseline guesses correctly, each value weighing the same.",
            ),
        )  # fmt: skip

    def applies(self, predicted: PredictedTargets) -> bool:
        """Return whether anyone was attacked."""
        return len(predicted) > 0

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:
        """Return loss and both precisions over all targets."""
        sides = predicted.attack_right, predicted.baseline_right
        attack, other = ((int(right.sum()), len(right)) for right in sides)
        alone = int((predicted.attack_right & ~predicted.baseline_right).sum())
        only = measure_of(alone, len(predicted), predicted.scoring)
        return loss_of_all(attack, other, predicted.scoring) | {
            "only": Measured(only.measured_precision, *only.measured_interval),
            "rare": by_rarity(predicted, predicted.attack_right),
            "rare_other": by_rarity(predicted, predicted.baseline_right),
        }

    def sentence(self, measured: dict[str, Measured], scenario: Scenario) -> str:
        """Say also for how many people only the attack is correct."""
        only = percent(measured["only"].value)
        both = super().sentence(measured, scenario)
        return f"{both} Only the attack is correct for {only} of people attacked."


def by_rarity(predicted: PredictedTargets, right: BoolArray) -> Measured:
    """Return the share of correct guesses, weighted by one over the true value's prevalence.

    Wilson's interval with Kish's effective number of targets.
    """
    weights = 1 / predicted.prevalence[predicted.truth]
    share = float(np.average(right, weights=weights))
    effective = effective_number(weights)
    confidence = predicted.scoring.confidence
    low, high = wilson_interval(share * effective, effective, confidence=confidence)
    return Measured(share, float(low), float(high))


class PriorApproach(_OfEverybody):
    """The same attack on members and on non-members, where everyone is guessed.

    The study of the same name measures it, with another run.

    References
    ----------
    Giomi, Boenisch, Wehmeyer and Tasnádi (2022); Francis and Wagner (2025), section 6.1.
    """

    def __init__(self, name: str, others: str) -> None:
        super().__init__(
            name=name, title=name.capitalize(), compared=f"the same attack on {others}",
            method=f"The same attack on {others}.",
            reference="Giomi et al. (2022); Francis and Wagner (2025), section 6.1",
        )  # fmt: skip

    def applies(self, predicted: PredictedTargets) -> bool:  # noqa: ARG002
        """Return False: it needs another run."""
        return False

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:  # noqa: ARG002
        """Return nothing."""
        return {}
