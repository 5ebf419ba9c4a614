"""The anonymity loss coefficient: the measure that gives the verdict."""

from __future__ import annotations

from alc_core.measures.measure import Measured, MeasureNumber, PredictedTargets
from alc_core.phrasing import percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.outcomes import Rest, bootstrap
from alc_core.scoring.readings import READING_TITLES, ComparedPoints, reading_intervals


class AnonymityLoss:
    """Compare the attack's precision and recall with those of the baseline.

    References
    ----------
    Francis and Wagner (2025), equations 6 to 8.
    """

    name = "anonymity loss"
    title = "Anonymity loss (ALC)"
    method = (
        "Compares the attack's precision and recall with those of the best prediction for the same "
        "people from the original without them."
    )
    reference = "Francis and Wagner (2025)"
    numbers: tuple[MeasureNumber, ...] = (
        MeasureNumber(
            name="alc",
            title="ALC",
            help="Share of what the baseline leaves to be learned that the attack learns; 1 at "
            "most, 0 or less where nothing is learned. Attack and baseline are each at their best.",
        ),
        MeasureNumber(
            name="alc_rest",
            title=READING_TITLES["alc_rest"],
            help="The same among the people whom the baseline does not know anyway, the baseline "
            "where it predicts for as many of them as the attack.",
        ),
    )

    def applies(self, predicted: PredictedTargets) -> bool:
        """Return whether there is something to measure: always."""
        return len(predicted) > 0

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:
        """Return both readings with their bootstrap intervals over targets."""
        outcomes, scoring = predicted.outcomes, predicted.scoring
        cap = scoring.precision_cap
        rest = Rest.of(outcomes, cap)
        points = ComparedPoints.of(outcomes.attack, outcomes.baseline, rest, scoring)
        counts = bootstrap(outcomes, cap=cap, resamples=predicted.resamples, seed=predicted.seed)
        intervals = reading_intervals(points, counts, scoring)
        return {
            name: Measured(loss, *intervals[name])
            for name, loss in points.losses(scoring.loss).items()
        }

    def sentence(self, measured: dict[str, Measured], scenario: Scenario) -> str:
        """Say what share of what guessing would miss the attack learns."""
        loss = max(each.value for each in measured.values())
        if loss <= 0:
            return f"The attack learns nothing about {scenario.wanted} beyond the baseline."
        return (
            f"The attack learns {percent(loss)} of what the baseline leaves to be learned about "
            f"{scenario.wanted}."
        )
