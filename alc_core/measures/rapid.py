"""RAPID and its scores.

References
----------
Templ, Thees and Müller (2026), arXiv 2602.09235; the conditional ratio and the normalized
cross-entropy are those of the R package riskutility.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from alc_core.arrays import BoolArray, CodeArray, FloatArray
from alc_core.errors import ParameterError
from alc_core.measures.measure import Measured, MeasureNumber, PredictedTargets
from alc_core.phrasing import percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.intervals import wilson_interval
from alc_core.tables.table import ColumnKind

# Added to both magnitudes: errors are defined at 0
SMALLEST = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A score of how well a person's value was predicted."""

    name: str  # On the command line and in files
    title: str  # In tables and beside controls
    help: str  # What it compares, in a sentence
    # True: error, at risk below the tolerance; False: probability, at risk above the threshold
    numeric: bool = False
    usual: float  # Default threshold or tolerance
    low: float = 0.0  # Range of a curve's thresholds
    high: float = 0.99

    def at_risk(self, scores: FloatArray, cut: float) -> BoolArray:
        """Return the people at risk at a threshold or tolerance."""
        return scores < cut if self.numeric else scores > cut

    def check(self, cut: float) -> None:
        """Refuse an invalid threshold or tolerance."""
        if self.numeric and not 0 < cut < np.inf:
            raise ParameterError(f"The tolerance must be above 0, not {cut}.")
        if not self.numeric and not (np.isfinite(cut) and cut < self.highest):
            raise ParameterError(f"The threshold must be below {self.highest:g}, not {cut}.")

    @property
    def highest(self) -> float:
        """Upper bound of a categorical score."""
        return np.inf if self.name == CONDITIONAL else 1.0


GAIN, CONDITIONAL, ENTROPY = "gain", "conditional", "cross-entropy"
SYMMETRIC, RELATIVE, ABSOLUTE = "symmetric", "relative", "absolute"

SCORES = {
    score.name: score
    for score in (
        Score(
            name=GAIN,
            title="Normalized gain",
            help="Probability of the true value beyond its share.",
            usual=0.3,
        ),
        Score(
            name=CONDITIONAL,
            title="Conditional ratio",
            help="Probability of the true value over its mean.",
            usual=1.0,
            high=3.0,
        ),
        Score(
            name=ENTROPY,
            title="Normalized cross-entropy",
            help="1: certain of the true value. 0: all values alike.",
            usual=0.5,
        ),
        Score(
            name=SYMMETRIC,
            title="Symmetric relative error",
            help="Error over the mean true and predicted magnitude.",
            numeric=True,
            usual=0.10,
            low=0.01,
            high=0.5,
        ),
        Score(
            name=RELATIVE,
            title="Relative error",
            help="Error over the true magnitude.",
            numeric=True,
            usual=0.10,
            low=0.01,
            high=0.5,
        ),
        Score(
            name=ABSOLUTE,
            title="Absolute error",
            help="Error in the column's unit; in days for dates.",
            numeric=True,
            usual=2.0,
            high=np.inf,
        ),
    )
}


def fitting_scores(kind: ColumnKind) -> tuple[str, ...]:
    """Return the scores that fit a column, the default first.

    Dates have no relative size: they are compared in days.
    """
    if kind is ColumnKind.DATETIME:
        return (ABSOLUTE,)
    return tuple(name for name, score in SCORES.items() if score.numeric == kind.is_numeric)


def category_scores(
    name: str, probability: FloatArray, truth: CodeArray, prevalence: FloatArray
) -> FloatArray:
    """Score the probabilities of true values.

    References
    ----------
    Templ, Thees and Müller (2026): (g - b) / (1 - b).
    """
    if name == GAIN:
        share = prevalence[truth]
        return np.divide(
            probability - share, 1.0 - share, out=np.zeros_like(probability), where=share < 1.0
        )
    if name == CONDITIONAL:
        sums = np.bincount(truth, weights=probability, minlength=len(prevalence))
        rows = np.bincount(truth, minlength=len(prevalence))
        mean = np.divide(sums, rows, out=np.zeros_like(sums), where=rows > 0)[truth]
        return np.divide(probability, mean, out=np.zeros_like(probability), where=mean > 0)
    n_values = int((prevalence > 0).sum())
    if n_values < 2:
        return np.zeros_like(probability)
    least = np.finfo(np.float64).tiny
    return np.asarray(1.0 + np.log(np.maximum(probability, least)) / np.log(n_values))


def number_scores(name: str, truth: FloatArray, predicted: FloatArray) -> FloatArray:
    """Return how far predicted numbers are from the true ones.

    References
    ----------
    Templ, Thees and Müller (2026): 2 |y - ŷ| / (|y| + |ŷ| + 2 δ), δ = 0.01.
    """
    error = np.abs(truth - predicted)
    if name == SYMMETRIC:
        return np.asarray(2 * error / (np.abs(truth) + np.abs(predicted) + 2 * SMALLEST))
    if name == RELATIVE:
        return np.asarray(error / (np.abs(truth) + SMALLEST))
    return error


def shares_at_risk(
    score: Score, scores: FloatArray, cuts: FloatArray, weights: FloatArray | None = None
) -> FloatArray:
    """Return the share of people at risk at each cut."""
    order = np.argsort(scores, kind="stable")
    counted = np.ones(len(scores)) if weights is None else weights[order]
    below = np.concatenate([[0.0], np.cumsum(counted)])
    if score.numeric:
        found = below[np.searchsorted(scores[order], cuts, side="left")]
    else:
        found = below[-1] - below[np.searchsorted(scores[order], cuts, side="right")]
    return np.asarray(found / below[-1])


class RapidMeasure:
    """Share of the attacked people whose true value an attack makes very likely.

    The normalized gain at its default threshold, read off the attack's predictions; abstaining puts
    nobody at risk.

    References
    ----------
    Templ, Thees and Müller (2026), arXiv 2602.09235.
    """

    name = "rapid"
    title = "RAPID"
    method = (
        f"People whose true value gets a probability over {percent(SCORES[GAIN].usual)} of the way "
        "from its share to 1."
    )
    reference = "Templ, Thees and Müller (2026), arXiv 2602.09235"
    numbers: tuple[MeasureNumber, ...] = (
        MeasureNumber(
            name="share",
            title="RAPID",
            help="Unlike ALC, RAPID includes what is known anyway.",
            bounds=(0, 1),
        ),
    )

    def applies(self, predicted: PredictedTargets) -> bool:
        """Return whether the attack gives probabilities."""
        return predicted.probability is not None and len(predicted) > 0

    def measure(self, predicted: PredictedTargets) -> dict[str, Measured]:
        """Return the share with Wilson's interval over people or units."""
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
            f"The true value of '{scenario.wanted}' gets a high probability for "
            f"{percent(measured['share'].value)} of people attacked."
        )
