"""Harmless verdicts that hide an attack clearly better than a guess at its own recall."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from alc_core.campaign.file.curve_table import CurveTable
from alc_core.campaign.rescore.outcome_codes import code_of, decide_all
from alc_core.campaign.rescore.rescoring import Rescored
from alc_core.scoring.curves import measure_counts
from alc_core.scoring.formulas import anonymity_loss
from alc_core.scoring.verdict import Verdict

IntArray = NDArray[np.int64]


def mixed_evidence(curves: CurveTable, rescored: Rescored) -> NDArray[np.bool_]:
    """Return which attacks :func:`caution` has something to say of.

    ALC compares attack and baseline each at its best point. A baseline that is almost sure of a
    few people can outweigh an attack that is right about many.

    Parameters
    ----------
    curves : CurveTable
        Counts of the finished attacks.
    rescored : Rescored
        The same attacks in the same order, scored.

    Returns
    -------
    ndarray of bool of shape (n_attacks,)
        False where there are too few targets.
    """
    scoring = rescored.scoring
    point = _nearest(curves, np.maximum(rescored.attack.predictions, 1))
    predictions = curves.baseline.predictions[point]
    alike = measure_counts(
        predictions,
        curves.baseline.true_predictions[point],
        predictions / curves.attempts * curves.recall_scale,
        scoring,
    )
    loss = anonymity_loss(rescored.attack.prc, alike.prc, kind=scoring.loss)
    outcome = decide_all(loss, (loss, loss), scoring)
    harmless = rescored.outcome <= code_of(Verdict.SAFE)
    apart = alike.upper < rescored.attack.precision_low
    cautioned: NDArray[np.bool_] = (
        rescored.usable & harmless & apart & (outcome != rescored.outcome)
    )
    return cautioned


def _nearest(curves: CurveTable, predictions: IntArray) -> IntArray:
    """Return the points of the baselines where they predict for about as many, in the logarithm."""
    made, starts = curves.baseline.predictions.astype(np.int64), curves.baseline.starts
    if not len(curves):
        return np.empty(0, dtype=np.int64)
    # One ascending sequence of all curves, so that a single search finds every place.
    offset = np.int64(2**32) * np.arange(len(curves))
    place = np.searchsorted(np.repeat(offset, np.diff(starts)) + made, offset + predictions)
    left, right = (np.clip(at, starts[:-1], starts[1:] - 1) for at in (place - 1, place))
    wanted = np.log(predictions)
    nearer = np.abs(np.log(made[left]) - wanted) <= np.abs(np.log(made[right]) - wanted)
    return np.where(nearer, left, right)
