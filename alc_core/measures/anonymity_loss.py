"""The anonymity loss, which gives the verdict."""

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
    method = "Precision and recall against the best guess without the person's record."
    reference = "Francis and Wagner (2025)"
    numbers: tuple[MeasureNumber, ...] = (
        MeasureNumber(
            name="alc",
            title="ALC",
            help=(
                "Share of the gap left by the baseline that the attack closes; 0 or less: nothing."
            ),
        ),
        MeasureNumber(
            name="alc_rest",
            title=READING_TITLES["alc_rest"],
            help="The same among people hard to guess.",
        ),
    )

    def applies(self, predicted: PredictedTargets) -> bool:
        """Return whether anyone was attacked."""
        return len(predicted) > 0

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:
        """Return both readings with bootstrap intervals."""
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
        """Say what share of the gap left by the baseline the attack closes."""
        loss = max(each.value for each in measured.values())
        if loss <= 0:
            return f"The attack learns nothing about {scenario.wanted} beyond the baseline."
        return (
            f"About {scenario.wanted}, the attack closes {percent(loss)} of the gap left by the "
            "baseline."
        )
