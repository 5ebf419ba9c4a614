"""Both readings of an anonymity loss, with intervals and verdict.

The paper compares attack and baseline each at its best point, where guessable people can hide the
others. The second reading covers people the baseline does not know: the attack at its best, the
baseline with as many predictions. The more severe reading decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.arrays import BoolArray, FloatArray, IntArray
from alc_core.runtime.kernels import mixed
from alc_core.scoring.curves import (
    CurveMeasures,
    MeasuredPoint,
    PrecisionRecallCurve,
    best_measure,
    best_places,
    counts_at,
    highest_prc,
    measure_at,
    measure_counts,
    measure_curve,
)
from alc_core.scoring.formulas import anonymity_loss, off_scale, on_scale
from alc_core.scoring.intervals import normal_quantile
from alc_core.scoring.outcomes import (
    BootstrapCounts,
    Outcomes,
    Rest,
    counted_again,
    first_thresholds,
)
from alc_core.scoring.parameters import LossKind, ScoringParameters
from alc_core.scoring.verdict import Verdict, judge, verdict_of

Interval = tuple[float, float]
ReadingName = Literal["alc", "alc_rest"]
# By reading, and `EXPOSED`: the share of people exposed
Intervals = dict[str, Interval]
READINGS: tuple[ReadingName, ...] = ("alc", "alc_rest")  # The paper's first
EXPOSED = "exposed"

# Titles for people
READING_TITLES: dict[ReadingName, str] = {
    "alc": "ALC, everyone",
    "alc_rest": "ALC, hard to guess",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPoints:
    """Points of attack and baseline for both readings."""

    attack: MeasuredPoint  # Each at its best
    baseline: MeasuredPoint
    # Among the rest; recall is a share of all targets
    attack_rest: MeasuredPoint
    baseline_rest: MeasuredPoint
    known: int  # Guessable targets, and the baseline's correct ones
    known_right: int
    # In the rest, at :attr:`Rest.exposing`: people only the attack gets right, minus people only
    # the baseline does
    gain: float
    exposing: int
    # Whether a precision in the rest has a narrow interval
    narrow: bool
    # Of the attack's PRC, of all and in the rest; see :func:`highest_prc`
    highest: tuple[float, float]
    highest_rest: tuple[float, float]

    @classmethod
    def of(
        cls,
        attack: PrecisionRecallCurve,
        baseline: PrecisionRecallCurve,
        rest: Rest,
        scoring: ScoringParameters,
    ) -> ComparedPoints:
        """Choose and measure points; `rest` is that of ``scoring.precision_cap``."""
        among = best_measure(rest.attack, scoring)
        exposing = rest.exposing
        return cls(
            attack=best_measure(attack, scoring),
            baseline=best_measure(baseline, scoring),
            attack_rest=among,
            baseline_rest=measure_at(
                baseline, among.predictions, scoring, beyond=(rest.known, rest.known_right)
            ),
            known=rest.known,
            known_right=rest.known_right,
            gain=float(rest.gain[exposing]),
            exposing=int(
                first_thresholds(rest.attack.thresholds[exposing : exposing + 1], attack)[0]
            ),
            narrow=bool(measure_curve(rest.attack, scoring).narrow.any()),
            highest=highest_prc(attack, scoring),
            highest_rest=highest_prc(rest.attack, scoring),
        )

    @property
    def rest(self) -> int:
        """Number of targets that are not guessable."""
        return self.attack.attempts - self.known

    def losses(self, kind: LossKind) -> dict[ReadingName, float]:
        """Return both readings (equation 8, or 7 if absolute)."""
        return {
            "alc": anonymity_loss(self.attack.prc, self.baseline.prc, kind=kind),
            "alc_rest": anonymity_loss(self.attack_rest.prc, self.baseline_rest.prc, kind=kind),
        }


def reading_intervals(
    points: ComparedPoints, counts: BootstrapCounts, scoring: ScoringParameters
) -> Intervals:
    """Return the interval of each reading, and of the gain.

    Bootstrap percentiles, widened by the intervals of both PRCs: resamples vary too little at the
    cap or with few predictions, and their best threshold is not the true one.

    The gain's interval ends at the highest upper bound of all thresholds.
    """
    losses, drawn = points.losses(scoring.loss), resampled(counts, scoring)
    tail = (1 - scoring.confidence) / 2
    found: Intervals = {}
    compared: dict[ReadingName, tuple[tuple[MeasuredPoint, MeasuredPoint], tuple[float, float]]] = {
        "alc": ((points.attack, points.baseline), points.highest),
        "alc_rest": ((points.attack_rest, points.baseline_rest), points.highest_rest),
    }
    for name, (sides, most) in compared.items():
        low, high = np.quantile(drawn[name], [tail, 1 - tail])
        attack, baseline = ((side.prc, *side.prc_interval) for side in sides)
        least, largest = interval_of_difference(attack, baseline, most, kind=scoring.loss)
        found[name] = (
            min(float(low), losses[name], float(least)),
            max(float(high), losses[name], float(largest)),
        )
    gain = points.attack.attempts * counts.gain / counts.attempts[:, None]
    reach = gain.mean(axis=0) + normal_quantile(scoring.confidence) * gain.std(axis=0)
    lowest = np.quantile(gain[:, points.exposing], tail)
    highest = np.quantile(gain[:, np.argmax(reach)], 1 - tail)
    found[EXPOSED] = min(float(lowest), points.gain), max(float(highest), points.gain)
    return found


def resampled(counts: BootstrapCounts, scoring: ScoringParameters) -> dict[ReadingName, FloatArray]:
    """Return both readings per resample of ``scoring.precision_cap``."""
    rows = np.arange(len(counts.attempts))

    def measured(made: IntArray, right: IntArray) -> CurveMeasures:
        share = made.T / counts.attempts * counts.recall_scale
        return measure_counts(made, right, share.T, scoring)

    prc, places, made = [], [], []
    for predictions, true_predictions in (counts.attack, counts.baseline, counts.rest):
        measures = measured(predictions, true_predictions)
        places.append(best_places(measures.prc_low))
        prc.append(measures.prc[rows, places[-1]])
        made.append(predictions[rows, places[-1]])
    known, known_right = counts.known
    _, right = counts_at(*counts.baseline, made[2] + known)
    alike = measured(made[2], right - known_right).prc
    return {
        "alc": anonymity_loss(prc[0], prc[1], kind=scoring.loss),
        "alc_rest": anonymity_loss(prc[2], alike, kind=scoring.loss),
    }


def interval_of_difference(
    attack: Sequence[ArrayLike],
    baseline: Sequence[ArrayLike],
    highest: Sequence[ArrayLike],
    *,
    kind: LossKind,
) -> tuple[FloatArray, FloatArray]:
    """Return the interval of losses from those of both PRCs.

    `highest` bounds the attack's PRC, alone and with the cap. On :func:`on_scale`, a relative loss
    is also a difference; see :func:`difference_interval`.
    """
    most, capped = (np.maximum(each, attack[2]) for each in highest)
    (a, a_low, a_high), (b, b_low, b_high) = (
        [on_scale(np.minimum(each, 1 - 1e-12), kind) for each in side]
        for side in ([*attack[:2], most], baseline)
    )
    low = off_scale(a - b - np.hypot(a - a_low, b_high - b), kind)
    high = off_scale(a - b + np.hypot(a_high - a, b - b_low), kind)
    return low, np.minimum(high, anonymity_loss(capped, baseline[1], kind=kind))


def few_left(rest: ArrayLike, attempts: ArrayLike, scoring: ScoringParameters) -> BoolArray:
    """Return whether too few targets are not guessable."""
    return np.asarray(rest) <= (1 - scoring.precision_cap) * np.asarray(attempts)


def nothing_left(points: ComparedPoints, scoring: ScoringParameters) -> bool:
    """Return whether too few are left to measure well."""
    return not points.narrow and bool(few_left(points.rest, points.attack.attempts, scoring))


def judged(
    points: ComparedPoints,
    intervals: Mapping[str, Interval],
    scoring: ScoringParameters,
    *,
    few: bool = False,
    unmatched: bool = False,
    converged: bool = True,
) -> tuple[Verdict, ReadingName]:
    """Return verdict and deciding reading; see :func:`judge`."""
    losses = points.losses(scoring.loss)
    code, by_rest = judge(
        [(losses[name], *intervals[name]) for name in READINGS],
        scoring,
        few=few,
        nothing_left=nothing_left(points, scoring),
        unmatched=unmatched,
        unconverged=not converged,
    )
    return verdict_of(code), READINGS[int(by_rest)]


SHARED_RESAMPLES = 400  # Resamples that a campaign shares


def shared_numbers(
    outcomes: Outcomes,
    units: NDArray[np.integer[Any]],
    scoring: ScoringParameters,
    *,
    seed: int,
    resamples: int = SHARED_RESAMPLES,
) -> dict[str, FloatArray]:
    """Return both readings and the gain in resamples shared by all attacks.

    A person's weight depends only on person, resample and seed: attacks on the same people vary
    together. Weights are Poisson(1), the limit of drawing with replacement.
    """
    drawn = counted_again(
        outcomes,
        lambda numbers: person_weights(units, numbers, seed=seed),
        cap=scoring.precision_cap,
        resamples=resamples,
    )
    rest = Rest.of(outcomes, scoring.precision_cap)
    exposing = rest.attack.thresholds[rest.exposing : rest.exposing + 1]
    gain = drawn.gain[:, first_thresholds(exposing, outcomes.attack)[0]]
    counted = outcomes.attempts * gain / np.maximum(drawn.attempts, 1)
    readings = resampled(drawn, scoring)
    return {**{str(name): readings[name] for name in READINGS}, EXPOSED: counted}


def person_weights(
    units: NDArray[np.integer[Any]], resamples: NDArray[np.integer[Any]], *, seed: int
) -> IntArray:
    """Return each person's weight in each resample."""
    keys = mixed(mixed(np.array([seed], dtype=np.uint64)) + resamples.astype(np.uint64))
    people = mixed(units.astype(np.uint64))
    bits = mixed(keys[:, None] ^ people[None, :])
    uniform = (bits >> np.uint64(11)) * 2.0**-53
    return np.searchsorted(_poisson_steps(), uniform, side="right").astype(np.int64)


@cache
def _poisson_steps() -> FloatArray:
    """Return the distribution function of Poisson(1), up to rounding."""
    from scipy.stats import poisson

    steps: FloatArray = poisson.cdf(np.arange(18), 1.0)
    return steps
