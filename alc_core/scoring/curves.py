"""Precision-recall curves as counts per threshold, and the best point on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.errors import InputError

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrecisionRecallCurve:
    """How many predictions are made, and how many are true, at each rank-score threshold.

    A prediction is made where the rank score is at or above the threshold, so predictions with
    equal scores are kept or dropped together.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Distinct rank scores, descending.
    predictions : ndarray of int of shape (n_thresholds,)
        Predictions at or above each threshold, strictly increasing.
    true_predictions : ndarray of int of shape (n_thresholds,)
        Those of them that are correct.
    attempts : int
        Targets attacked, abstentions included.
    recall_scale : float
        Factor from predictions / attempts to recall: 1 for random targets and for equation 5,
        N'/D for equation 4.
    """

    thresholds: FloatArray
    predictions: IntArray
    true_predictions: IntArray
    attempts: int
    recall_scale: float = 1.0

    def __len__(self) -> int:
        return len(self.thresholds)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrecisionRecallCurve):
            return NotImplemented
        return (
            self.attempts == other.attempts
            and self.recall_scale == other.recall_scale
            and np.array_equal(self.thresholds, other.thresholds)
            and np.array_equal(self.predictions, other.predictions)
            and np.array_equal(self.true_predictions, other.true_predictions)
        )

    __hash__ = None  # type: ignore[assignment]

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
    """Count predictions and true predictions at every distinct rank score.

    Parameters
    ----------
    scores : array-like of shape (n_predictions,)
        Rank scores, finite.
    correct : array-like of bool of shape (n_predictions,)
        Whether each prediction is true.
    attempts : int, optional
        Targets attacked; `n_predictions` unless more abstained.
    recall_scale : float, default 1
        See :class:`PrecisionRecallCurve`.
    max_thresholds : int, optional
        Keep at most this many thresholds, those nearest to an even spacing in log recall; by
        default all.

    Returns
    -------
    PrecisionRecallCurve
        The order of the predictions makes no difference.

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
            f"scores and correct must be one-dimensional and equally long, but have shapes "
            f"{score.shape} and {truth.shape}."
        )
    if len(score) == 0:
        raise InputError("A precision-recall curve needs at least one prediction; there is none.")
    if not np.all(np.isfinite(score)):
        raise InputError(
            f"{int(np.sum(~np.isfinite(score)))} of {len(score)} rank scores are not finite. "
            "An attack that cannot rank a target must abstain."
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
    """Return indices of the counts nearest to a geometric grid from the first to the last."""
    wanted = np.geomspace(counts[0], counts[-1], at_most)
    right = np.clip(np.searchsorted(counts, wanted), 1, len(counts) - 1)
    left = right - 1
    nearer_left = wanted - counts[left] <= counts[right] - wanted
    return np.unique(np.append(np.where(nearer_left, left, right), len(counts) - 1))
