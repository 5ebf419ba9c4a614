"""What came of every target, attack and baseline side by side, and the bootstrap over targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.errors import InputError
from alc_core.plain_values import from_plain
from alc_core.scoring.curves import PrecisionRecallCurve, precision_recall_curve

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcomes:
    """Attack and baseline outcomes of all targets, without any value of a person.

    Attributes
    ----------
    attack, baseline : PrecisionRecallCurve
        Counts per threshold.
    joint : ndarray of int of shape (n_targets, 4)
        Per target, in an order of their own: index of the first attack threshold at which the
        attack predicts, whether it is right, and the same two of the baseline.
    units : ndarray of int of shape (n_targets,)
        Which targets belong together (a household); the bootstrap draws units.
    """

    attack: PrecisionRecallCurve
    baseline: PrecisionRecallCurve
    joint: IntArray
    units: IntArray

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcomes):
            return NotImplemented
        return (
            self.attack == other.attack
            and self.baseline == other.baseline
            and np.array_equal(self.joint, other.joint)
            and np.array_equal(self.units, other.units)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def attempts(self) -> int:
        """Targets attacked."""
        return len(self.joint)

    @classmethod
    def from_predictions(
        cls,
        attack_scores: ArrayLike,
        attack_correct: ArrayLike,
        baseline_scores: ArrayLike,
        baseline_correct: ArrayLike,
        *,
        units: ArrayLike | None = None,
        recall_scale: float = 1.0,
        max_thresholds: int | None = None,
    ) -> Self:
        """Count paired predictions of attack and baseline for the same targets.

        Parameters
        ----------
        attack_scores, baseline_scores : array-like of shape (n_targets,)
            Rank scores, finite. An abstention of the attack is already replaced by the baseline's
            prediction with score 0.
        attack_correct, baseline_correct : array-like of bool of shape (n_targets,)
            Whether each prediction is true.
        units : array-like of int of shape (n_targets,), optional
            Targets with equal numbers are drawn together; by default each alone.
        recall_scale, max_thresholds
            See :func:`precision_recall_curve`.

        Returns
        -------
        Outcomes
            Without units, equal for any order of the targets.
        """
        curves, columns = [], []
        for scores, correct in (
            (attack_scores, attack_correct),
            (baseline_scores, baseline_correct),
        ):
            curve = precision_recall_curve(
                scores, correct, recall_scale=recall_scale, max_thresholds=max_thresholds
            )
            curves.append(curve)
            columns.append(first_thresholds(np.asarray(scores, dtype=np.float64), curve))
            columns.append(np.asarray(correct, dtype=np.int64))
        if len(columns[0]) != len(columns[2]):
            raise InputError(
                f"Attack and baseline must predict for the same targets, but there are "
                f"{len(columns[0])} and {len(columns[2])} predictions."
            )
        joint = np.column_stack(columns)
        order, numbers = _canonical_order(joint, units)
        return cls(attack=curves[0], baseline=curves[1], joint=joint[order], units=numbers)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists; with :meth:`from_dict` lossless."""
        data: dict[str, Any] = {
            "attempts": self.attempts,
            "recall_scale": self.attack.recall_scale,
            "attack": _curve_to_dict(self.attack),
            "baseline": _curve_to_dict(self.baseline),
            "joint": self.joint.T.tolist(),
        }
        if not np.array_equal(self.units, np.arange(self.attempts)):
            data["units"] = self.units.tolist()
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Build from :meth:`to_dict`'s result."""
        shared = {name: data[name] for name in ("attempts", "recall_scale")}
        return cls(
            attack=from_plain({**data["attack"], **shared}, PrecisionRecallCurve),
            baseline=from_plain({**data["baseline"], **shared}, PrecisionRecallCurve),
            joint=np.asarray(data["joint"], dtype=np.int64).T.copy(),
            units=np.asarray(data.get("units", np.arange(data["attempts"])), dtype=np.int64),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BootstrapCounts:
    """Counts per threshold in every resample, from which any rescoring gets its interval.

    Attributes
    ----------
    attack, baseline : tuple of two ndarrays of shape (n_resamples, n_thresholds)
        Predictions, and true predictions.
    attempts : ndarray of shape (n_resamples,)
        Targets in each resample.
    recall_scale : float
        See :class:`PrecisionRecallCurve`.
    """

    attack: tuple[IntArray, IntArray]
    baseline: tuple[IntArray, IntArray]
    attempts: IntArray
    recall_scale: float


def bootstrap(outcomes: Outcomes, *, resamples: int, seed: int) -> BootstrapCounts:
    """Draw units of targets with replacement and count again.

    Parameters
    ----------
    outcomes : Outcomes
        Of all targets.
    resamples : int
        How many times to draw.
    seed : int
        Same seed, same counts.

    Returns
    -------
    BootstrapCounts
        Of every resample.
    """
    rng = np.random.default_rng(seed)
    n_units = int(outcomes.units.max()) + 1
    plain = n_units == outcomes.attempts
    cells = [outcomes.joint[:, 2 * side] * 2 + outcomes.joint[:, 2 * side + 1] for side in (0, 1)]
    widths = [2 * len(outcomes.attack), 2 * len(outcomes.baseline)]
    drawn = [np.empty((resamples, width), dtype=np.int64) for width in widths]
    attempts = np.empty(resamples, dtype=np.int64)
    for resample in range(resamples):
        chosen = rng.integers(n_units, size=n_units)
        weight = None if plain else np.bincount(chosen, minlength=n_units)[outcomes.units]
        attempts[resample] = n_units if weight is None else weight.sum()
        for side in (0, 1):
            picked = cells[side][chosen] if weight is None else cells[side]
            drawn[side][resample] = np.bincount(picked, weight, minlength=widths[side])
    attack, baseline = (accumulated(counts) for counts in drawn)
    return BootstrapCounts(
        attack=attack,
        baseline=baseline,
        attempts=attempts,
        recall_scale=outcomes.attack.recall_scale,
    )


def first_thresholds(scores: FloatArray, curve: PrecisionRecallCurve) -> IntArray:
    """Return for each score the index of the highest threshold of a curve that it reaches."""
    return np.searchsorted(-curve.thresholds, -scores, side="left").astype(np.int64)


def _canonical_order(joint: IntArray, units: ArrayLike | None) -> tuple[IntArray, IntArray]:
    """Order targets by outcome, and number units by their first target in that order."""
    if units is None:
        return np.lexsort(joint.T[::-1]), np.arange(len(joint))
    _, inverse = np.unique(np.asarray(units), return_inverse=True)
    # The first target of each unit, by outcome, ranks the unit: its number in the input is no clue.
    rank = np.empty(len(joint), dtype=np.int64)
    rank[np.lexsort(joint.T[::-1])] = np.arange(len(joint))
    first = np.full(inverse.max() + 1, len(joint))
    np.minimum.at(first, inverse, rank)
    order = np.argsort(rank)
    numbers = np.unique(first[inverse][order], return_inverse=True)[1]
    return order, numbers.astype(np.int64)


def accumulated(cells: IntArray) -> tuple[IntArray, IntArray]:
    """Return predictions and true ones per threshold.

    Parameters
    ----------
    cells : ndarray of int of shape (n_resamples, 2 * n_thresholds)
        Targets by first threshold, wrong ones and right ones in turn.
    """
    by_threshold = cells.reshape(len(cells), -1, 2)
    return by_threshold.sum(axis=2).cumsum(axis=1), by_threshold[:, :, 1].cumsum(axis=1)


def _curve_to_dict(curve: PrecisionRecallCurve) -> dict[str, list[Any]]:
    names = ("thresholds", "predictions", "true_predictions")
    return {name: getattr(curve, name).tolist() for name in names}
