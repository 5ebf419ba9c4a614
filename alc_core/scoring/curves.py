"""Precision-recall curves as counts per threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.arrays import BoolArray, FloatArray, IntArray
from alc_core.errors import InputError
from alc_core.scoring.formulas import recall_weight
from alc_core.scoring.intervals import wilson_interval
from alc_core.scoring.parameters import ScoringParameters


class EqualInAll:
    """A dataclass equal if all fields are; arrays compare as a whole."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names: Any = fields(self)  # type: ignore[arg-type]
        pairs = ((getattr(self, each.name), getattr(other, each.name)) for each in names)
        return all(
            np.array_equal(one, two) if isinstance(one, np.ndarray) else one == two
            for one, two in pairs
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrecisionRecallCurve(EqualInAll):
    """Predictions and correct ones at each rank-score threshold.

    Predictions are made at or above a threshold: ties stay together.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Distinct rank scores, descending.
    predictions : ndarray of int of shape (n_thresholds,)
        Strictly increasing.
    true_predictions : ndarray of int of shape (n_thresholds,)
        Correct ones.
    attempts : int
        Targets attacked, abstentions included.
    recall_scale : float
        Factor from predictions / attempts to recall: 1 for random targets and for equation 5,
        N'/D for equation 4.

    Examples
    --------
    >>> import alc_core as alc
    >>> curve = alc.precision_recall_curve([0.9, 0.5], [True, False])
    >>> curve.true_predictions.tolist()
    [1, 1]
    """

    thresholds: FloatArray
    predictions: IntArray
    true_predictions: IntArray
    attempts: int
    recall_scale: float = 1.0

    def __len__(self) -> int:
        return len(self.thresholds)

    @property
    def recall(self) -> FloatArray:
        """Recall (coverage) at each threshold (equations 3 to 5)."""
        return self.predictions / self.attempts * self.recall_scale


def precision_recall_curve(
    scores: ArrayLike,
    correct: ArrayLike,
    *,
    attempts: int | None = None,
    recall_scale: float = 1.0,
    max_thresholds: int | None = None,
) -> PrecisionRecallCurve:
    """Count predictions and true ones at each distinct rank score.

    Parameters
    ----------
    scores : array-like of shape (n_predictions,)
        Rank scores, finite.
    correct : array-like of bool of shape (n_predictions,)
        True predictions.
    attempts : int, optional
        Targets attacked; `n_predictions` unless more abstained.
    recall_scale : float, default 1
        See :class:`PrecisionRecallCurve`.
    max_thresholds : int, optional
        Thresholds kept, nearest to an even spacing in log recall; by default all.

    Returns
    -------
    PrecisionRecallCurve
        Independent of the order of predictions.

    Raises
    ------
    InputError
        If there is no prediction, a score is not finite, or lengths differ.

    Examples
    --------
    >>> curve = precision_recall_curve([0.9, 0.5, 0.9, 0.1], [True, False, True, False])
    >>> curve.predictions.tolist(), curve.true_predictions.tolist()
    ([2, 3, 4], [2, 2, 2])
    """
    score = np.asarray(scores, dtype=np.float64)
    truth = np.asarray(correct, dtype=bool)
    if score.ndim != 1 or score.shape != truth.shape:
        raise InputError(
            f"scores and correct must be one-dimensional and equally long, not of shapes "
            f"{score.shape} and {truth.shape}."
        )
    if len(score) == 0:
        raise InputError("A precision-recall curve needs at least one prediction.")
    if not np.all(np.isfinite(score)):
        raise InputError(
            f"{int(np.sum(~np.isfinite(score)))} of {len(score)} rank scores are not finite. "
            "Abstain there."
        )
    total = len(score) if attempts is None else attempts
    if total < len(score):
        raise InputError(f"attempts is {total}, fewer than the {len(score)} predictions.")
    order = np.argsort(-score, kind="stable")
    ordered = score[order]
    last_of_tie = np.append(ordered[1:] != ordered[:-1], True)
    keep = np.flatnonzero(last_of_tie)
    if max_thresholds is not None and len(keep) > max_thresholds:
        keep = keep[_evenly_in_log(keep + 1, max_thresholds)]
    return PrecisionRecallCurve(
        thresholds=ordered[keep],
        predictions=(keep + 1).astype(np.int64),
        true_predictions=np.cumsum(truth[order])[keep].astype(np.int64),
        attempts=total,
        recall_scale=recall_scale,
    )


def _evenly_in_log(counts: NDArray[np.integer], at_most: int) -> NDArray[np.intp]:
    wanted = np.geomspace(counts[0], counts[-1], at_most)
    right = np.clip(np.searchsorted(counts, wanted), 1, len(counts) - 1)
    left = right - 1
    nearer_left = wanted - counts[left] <= counts[right] - wanted
    return np.unique(np.append(np.where(nearer_left, left, right), len(counts) - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveMeasures:
    """Measures of every threshold of a curve."""

    # True predictions / predictions (equation 1), with Wilson interval
    measured_precision: FloatArray
    precision_low: FloatArray
    precision_high: FloatArray
    # Midpoint of the interval (equation 2), at most `scoring.precision_cap`
    precision: FloatArray
    recall: FloatArray
    prc: FloatArray
    # PRC of the interval's bounds; the lower selects the threshold
    prc_low: FloatArray
    prc_high: FloatArray
    narrow: BoolArray  # Whether within `scoring.max_interval_width`


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPoint:
    """One threshold of a curve, measured.

    Attributes
    ----------
    precision : float
        Midpoint of `measured_interval` (equation 2), at most ``scoring.precision_cap``.
    measured_precision : float
        Equation 1.
    measured_interval : tuple of float
        Wilson interval, not capped.
    recall : float
        Coverage (equations 3 to 5).
    prc : float
        Precision-recall coefficient (equation 6).
    prc_interval : tuple of float
        PRC of `measured_interval`.
    threshold : float
        Lowest rank score of a prediction.
    predictions, true_predictions, attempts : int
        Counts behind the measures.

    Examples
    --------
    >>> import alc_core as alc
    >>> curve = alc.precision_recall_curve([0.9, 0.5] * 50, [True, False] * 50)
    >>> alc.best_measure(curve, alc.ScoringParameters()).recall
    0.5
    """

    precision: float
    measured_interval: tuple[float, float]
    measured_precision: float
    recall: float
    prc: float
    prc_interval: tuple[float, float]
    threshold: float
    predictions: int
    true_predictions: int
    attempts: int


def measure_curve(curve: PrecisionRecallCurve, scoring: ScoringParameters) -> CurveMeasures:
    """Measure every threshold of a curve."""
    return measure_counts(curve.predictions, curve.true_predictions, curve.recall, scoring)


def measure_counts(
    predictions: NDArray[np.integer],
    true_predictions: NDArray[np.integer],
    recall: FloatArray,
    scoring: ScoringParameters,
) -> CurveMeasures:
    """Measure counts of any shape; see :func:`measure_curve`."""
    lower, upper = wilson_interval(true_predictions, predictions, confidence=scoring.confidence)
    precision = np.minimum((lower + upper) / 2, scoring.precision_cap)
    made = np.maximum(predictions, 1)
    bounds = (np.minimum(bound, scoring.precision_cap) for bound in (lower, upper))
    covered = np.minimum(recall, 1.0)
    weight = recall_weight(covered, scoring.alpha, scoring.r_min)
    prcs = (
        np.where(covered > scoring.r_min, weight * each, covered) for each in (precision, *bounds)
    )
    prc, prc_low, prc_high = prcs
    return CurveMeasures(
        measured_precision=true_predictions / made,
        precision_low=lower,
        precision_high=upper,
        precision=precision,
        recall=recall,
        prc=prc,
        prc_low=prc_low,
        prc_high=prc_high,
        narrow=upper - lower <= scoring.max_interval_width,
    )


def best_measure(curve: PrecisionRecallCurve, scoring: ScoringParameters) -> MeasuredPoint:
    """Return the point whose PRC by the lower bound of precision is best.

    The paper takes the highest PRC among thresholds with a narrow interval; the lowest recall then
    depends on the number of targets. A lower bound does not.

    Among ties, the highest recall.

    References
    ----------
    Francis and Wagner (2025), sections 3.5 and 3.6.

    Examples
    --------
    >>> curve = precision_recall_curve([0.9, 0.5] * 50, [True, False] * 50)
    >>> best_measure(curve, ScoringParameters()).predictions
    50
    """
    measures = measure_curve(curve, scoring)
    return _measure(curve, measures, int(best_places(measures.prc_low)))


def measure_of(true_predictions: int, people: int, scoring: ScoringParameters) -> MeasuredPoint:
    """Return the measure at recall 1."""
    curve = PrecisionRecallCurve(
        thresholds=np.zeros(1),
        predictions=np.array([people]),
        true_predictions=np.array([true_predictions]),
        attempts=people,
    )
    return best_measure(curve, scoring)


def best_places(prc_low: FloatArray) -> NDArray[np.intp]:
    """Return the last place of the maximum on the last axis."""
    places: NDArray[np.intp] = prc_low.shape[-1] - 1 - np.argmax(prc_low[..., ::-1], axis=-1)
    return places


# Fewer show little of rare certainty
LEAST_SEEN = 20


def highest_prc(curve: PrecisionRecallCurve, scoring: ScoringParameters) -> tuple[float, float]:
    """Return an upper bound of the PRC at the truly best threshold, and with the cap.

    The highest upper bound of all thresholds, with the errors of precision and recall. Below
    :data:`LEAST_SEEN` predictions the confidence is squared, since chance leads among many
    thresholds. An attack that distinguishes fewer people may correctly distinguish one more.
    """
    many = curve.predictions >= LEAST_SEEN
    many[-1] = True
    most = np.where(many, *(_bounds(curve, scoring, power) for power in (1, 2))).max(axis=1)
    if len(curve) == 1 or curve.predictions[-2] < LEAST_SEEN:
        one = np.array([curve.recall_scale / (curve.attempts + 1)])
        weight = recall_weight(one, scoring.alpha, scoring.r_min)
        most = np.maximum(most, scoring.precision_cap * weight)
    return float(most[0]), float(most[1])


def _bounds(curve: PrecisionRecallCurve, scoring: ScoringParameters, power: int) -> FloatArray:
    confidence = scoring.confidence**power
    lower, upper = wilson_interval(curve.true_predictions, curve.predictions, confidence=confidence)
    _, share = wilson_interval(curve.predictions, curve.attempts, confidence=confidence)
    recall, wider = (
        recall_weight(np.minimum(each, 1.0), scoring.alpha, scoring.r_min)
        for each in (curve.recall, share * curve.recall_scale)
    )
    middle = (lower + upper) / 2
    most = recall * middle + np.hypot(recall * (upper - middle), (wider - recall) * middle)
    return np.array([most, np.minimum(most, scoring.precision_cap * wider)])


def measure_at(
    curve: PrecisionRecallCurve,
    predictions: int,
    scoring: ScoringParameters,
    *,
    beyond: tuple[int, int] = (0, 0),
) -> MeasuredPoint:
    """Return the measure at a number of predictions."""
    place, true_predictions = counts_at(
        curve.predictions, curve.true_predictions, np.asarray(predictions + beyond[0])
    )
    alone = PrecisionRecallCurve(
        thresholds=curve.thresholds[[int(place)]],
        predictions=np.asarray([predictions]),
        true_predictions=np.asarray([true_predictions - beyond[1]], dtype=np.int64),
        attempts=curve.attempts,
        recall_scale=curve.recall_scale,
    )
    return _measure(alone, measure_curve(alone, scoring), 0)


def counts_at(
    predictions: NDArray[np.integer], true_predictions: NDArray[np.integer], wanted: IntArray
) -> tuple[IntArray, IntArray]:
    """Return a number of predictions' place on a curve, and expected true ones."""
    place = (predictions < wanted[..., None]).sum(axis=-1)
    made, right = (
        [_taken(counts, place - 1), _taken(counts, place)]
        for counts in (predictions, true_predictions)
    )
    return place, expected_true(wanted, made, right)


def expected_true(
    wanted: IntArray, made: Sequence[IntArray], right: Sequence[IntArray]
) -> IntArray:
    """Interpolate true predictions between two thresholds, rounded."""
    share = (wanted - made[0]) / np.maximum(made[1] - made[0], 1)
    expected: IntArray = np.floor(right[0] + share * (right[1] - right[0]) + 0.5).astype(np.int64)
    return expected


def _taken(counts: NDArray[np.integer], place: NDArray[np.integer]) -> IntArray:
    found = np.take_along_axis(counts, np.maximum(place, 0)[..., None], axis=-1)[..., 0]
    return np.where(place < 0, 0, found)


def _measure(curve: PrecisionRecallCurve, measures: CurveMeasures, best: int) -> MeasuredPoint:
    return MeasuredPoint(
        precision=float(measures.precision[best]),
        measured_interval=(
            float(measures.precision_low[best]),
            float(measures.precision_high[best]),
        ),
        measured_precision=float(measures.measured_precision[best]),
        recall=float(measures.recall[best]),
        prc=float(measures.prc[best]),
        prc_interval=(float(measures.prc_low[best]), float(measures.prc_high[best])),
        threshold=float(curve.thresholds[best]),
        predictions=int(curve.predictions[best]),
        true_predictions=int(curve.true_predictions[best]),
        attempts=curve.attempts,
    )
