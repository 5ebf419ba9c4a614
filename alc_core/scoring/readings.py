"""The two readings of an anonymity loss, with their intervals and the verdict they give together.

The paper compares attack and baseline each at its own best point. A baseline that is sure of a few
people then hides an attack that is right about many. The second reading measures the baseline where
it predicts for as many people as the attack does at its best. The more severe of the two decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.formulas import LossKind, anonymity_loss, off_scale, on_scale
from alc_core.scoring.intervals import difference_interval
from alc_core.scoring.measuring import (
    Measure,
    best_measure,
    best_places,
    counts_at,
    measure_at,
    measure_counts,
)
from alc_core.scoring.outcomes import BootstrapCounts
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import SEVERITY, Verdict, decide

FloatArray = NDArray[np.float64]
Interval = tuple[float, float]
ReadingName = Literal["alc", "alc_equal_recall"]

READINGS: tuple[ReadingName, ...] = ("alc", "alc_equal_recall")
"""The paper's first."""

READING_TITLES: dict[ReadingName, str] = {"alc": "ALC", "alc_equal_recall": "ALC at equal recall"}
"""The readings as people see them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPoints:
    """The points of attack and baseline that both readings compare.

    Attributes
    ----------
    attack, baseline : Measure
        Each at its best.
    baseline_alike : Measure
        The baseline where it predicts for as many targets as the attack at its best.
    """

    attack: Measure
    baseline: Measure
    baseline_alike: Measure

    @classmethod
    def of(
        cls,
        attack: PrecisionRecallCurve,
        baseline: PrecisionRecallCurve,
        scoring: ScoringParameters,
    ) -> ComparedPoints:
        """Choose and measure the points of two curves of the same targets."""
        best = best_measure(attack, scoring)
        return cls(
            attack=best,
            baseline=best_measure(baseline, scoring),
            baseline_alike=measure_at(baseline, best.predictions, scoring),
        )

    def losses(self, kind: LossKind) -> dict[ReadingName, float]:
        """Return both readings (equation 8, or 7 where absolute)."""
        attack = self.attack.prc
        return {
            "alc": anonymity_loss(attack, self.baseline.prc, kind=kind),
            "alc_equal_recall": anonymity_loss(attack, self.baseline_alike.prc, kind=kind),
        }


def reading_intervals(
    points: ComparedPoints, counts: BootstrapCounts, scoring: ScoringParameters
) -> dict[ReadingName, Interval]:
    """Return the interval of each reading.

    Parameters
    ----------
    points : ComparedPoints
        Of all targets.
    counts : BootstrapCounts
        Of the resamples, in each of which the points are chosen again.
    scoring : ScoringParameters
        Its `confidence` is the level of the intervals.

    Returns
    -------
    dict of str to tuple of float
        Percentiles over the resamples; at least so wide that they hold the reading itself. Where a
        precision behind it has a wider interval than ``scoring.max_interval_width``, the
        resamples of so few predictions vary too little (not at all where all are right): then the
        interval is also at least as wide as the intervals of the two precisions make it.
    """
    losses = points.losses(scoring.loss)
    tail = (1 - scoring.confidence) / 2
    found: dict[ReadingName, Interval] = {}
    baselines: dict[ReadingName, Measure] = {
        "alc": points.baseline,
        "alc_equal_recall": points.baseline_alike,
    }
    for name, resampled in resampled_losses(counts, scoring).items():
        low, high = np.quantile(resampled, [tail, 1 - tail])
        sides = points.attack, baselines[name]
        widest = max(np.subtract(*side.precision_interval[::-1]) for side in sides)
        bounds = [(float(low), float(high)), (losses[name], losses[name])]
        if widest > scoring.max_interval_width:
            bounds.append(interval_of_difference(*sides, kind=scoring.loss))
        found[name] = min(low for low, _ in bounds), max(high for _, high in bounds)
    return found


def resampled_losses(
    counts: BootstrapCounts, scoring: ScoringParameters
) -> dict[ReadingName, FloatArray]:
    """Return both readings in every resample.

    Parameters
    ----------
    counts : BootstrapCounts
        From :func:`bootstrap`.
    scoring : ScoringParameters
        Parameters of the PRC, kind of loss.

    Returns
    -------
    dict of str to ndarray of shape (n_resamples,)
        By name of the reading.
    """
    best: list[FloatArray] = []
    rows = np.arange(len(counts.attempts))
    made = np.empty(0, dtype=np.int64)
    for predictions, true_predictions in (counts.attack, counts.baseline):
        recall = predictions / counts.attempts[:, None] * counts.recall_scale
        measures = measure_counts(predictions, true_predictions, recall, scoring)
        place = best_places(measures.prc_low)
        best.append(measures.prc[rows, place])
        made = predictions[rows, place] if len(best) == 1 else made
    _, right = counts_at(*counts.baseline, made)
    recall = made / counts.attempts * counts.recall_scale
    alike = measure_counts(made, right, recall, scoring).prc
    return {
        "alc": anonymity_loss(best[0], best[1], kind=scoring.loss),
        "alc_equal_recall": anonymity_loss(best[0], alike, kind=scoring.loss),
    }


def interval_of_difference(attack: Measure, baseline: Measure, *, kind: LossKind) -> Interval:
    """Return the interval of a loss that follows from the intervals of both PRCs.

    On the scale of :func:`on_scale` a relative loss is a difference, too.

    Parameters
    ----------
    attack, baseline : Measure
        The points compared.
    kind : {"relative", "absolute"}
        Which ALC.
    """
    ends = np.array([(side.prc, *side.prc_interval) for side in (attack, baseline)])
    first, second = on_scale(np.minimum(ends, 1 - 1e-12), kind).tolist()
    low, high = off_scale(np.array(difference_interval(first, second)), kind)
    return float(low), float(high)


def nothing_left(points: ComparedPoints, scoring: ScoringParameters) -> bool:
    """Return whether the baseline is as right as counts, about as many people as the attack."""
    return points.baseline_alike.precision >= scoring.precision_cap


def decisive(
    losses: dict[ReadingName, float],
    intervals: dict[ReadingName, Interval],
    scoring: ScoringParameters,
) -> ReadingName:
    """Return the more severe of the readings: by its verdict, then by its value.

    Parameters
    ----------
    losses, intervals : dict
        By name of the reading.
    scoring : ScoringParameters
        Holds the limits.
    """

    def severity(name: ReadingName) -> tuple[int, float]:
        verdict = decide(losses[name], intervals[name], scoring)
        return SEVERITY.index(verdict), losses[name]

    return max(losses, key=severity)


def verdict_of(
    points: ComparedPoints, intervals: dict[ReadingName, Interval], scoring: ScoringParameters
) -> Verdict:
    """Return the verdict of the decisive reading, unless nothing was left to learn."""
    if nothing_left(points, scoring):
        return Verdict.NOTHING_LEFT
    losses = points.losses(scoring.loss)
    name = decisive(losses, intervals, scoring)
    return decide(losses[name], intervals[name], scoring)
