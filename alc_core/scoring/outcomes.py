"""Outcomes per target under attack and baseline, and their bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.plain_values import from_plain
from alc_core.scoring.curves import EqualInAll, PrecisionRecallCurve, precision_recall_curve


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcomes(EqualInAll):
    """Outcomes of all targets, without any value of a person."""

    attack: PrecisionRecallCurve
    baseline: PrecisionRecallCurve
    # Per target, canonically ordered: first threshold at which the attack predicts, whether it is
    # correct; the same for the baseline
    joint: IntArray
    units: IntArray  # Dependent targets (a household); the bootstrap draws units
    # People per target with its value, if down-sampling thinned it; else 1
    weights: FloatArray
    # Whether the best guess for all people is correct; unlike the baseline's if a value was thinned
    guessed: IntArray

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
        weights: ArrayLike | None = None,
        guessed: ArrayLike | None = None,
        recall_scale: float = 1.0,
        max_thresholds: int | None = None,
    ) -> Self:
        """Count paired predictions for the same targets."""
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
        joint = np.column_stack(columns)
        weight = np.ones(len(joint)) if weights is None else np.asarray(weights, dtype=np.float64)
        guess = joint[:, 3] if guessed is None else np.asarray(guessed, dtype=np.int64)
        order, numbers = _canonical_order((*joint.T, guess, weight), units)
        return cls(
            attack=curves[0],
            baseline=curves[1],
            joint=joint[order],
            units=numbers,
            weights=weight[order],
            guessed=guess[order],
        )

    def in_order(
        self,
        attack_scores: FloatArray,
        attack_correct: NDArray[np.bool_],
        baseline_scores: FloatArray,
        baseline_correct: NDArray[np.bool_],
    ) -> Self:
        """Return the outcomes of these predictions; units and weights keep their order."""
        columns = [
            first_thresholds(attack_scores, self.attack),
            attack_correct,
            first_thresholds(baseline_scores, self.baseline),
            baseline_correct,
        ]
        return replace(self, joint=np.column_stack(columns).astype(np.int64))

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists; lossless with :meth:`from_dict`."""
        data: dict[str, Any] = {
            "attempts": self.attempts,
            "recall_scale": self.attack.recall_scale,
            "attack": _curve_to_dict(self.attack),
            "baseline": _curve_to_dict(self.baseline),
            "joint": self.joint.T.tolist(),
        }
        if not np.array_equal(self.units, np.arange(self.attempts)):
            data["units"] = self.units.tolist()
        if np.any(self.weights != 1):
            data["weights"] = self.weights.tolist()
        if np.any(self.guessed != self.joint[:, 3]):
            data["guessed"] = self.guessed.tolist()
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Build from :meth:`to_dict`'s result."""
        shared = {name: data[name] for name in ("attempts", "recall_scale")}
        joint = np.asarray(data["joint"], dtype=np.int64).T.copy()
        return cls(
            attack=from_plain({**data["attack"], **shared}, PrecisionRecallCurve),
            baseline=from_plain({**data["baseline"], **shared}, PrecisionRecallCurve),
            joint=joint,
            units=np.asarray(data.get("units", np.arange(data["attempts"])), dtype=np.int64),
            weights=np.asarray(data.get("weights", np.ones(data["attempts"])), dtype=np.float64),
            guessed=np.asarray(data.get("guessed", joint[:, 3]), dtype=np.int64),
        )


def first_thresholds(scores: FloatArray, curve: PrecisionRecallCurve) -> IntArray:
    """Return the index of the highest threshold each score reaches."""
    return np.searchsorted(-curve.thresholds, -scores, side="left").astype(np.int64)


def _canonical_order(
    outcome: Sequence[NDArray[Any]], units: ArrayLike | None
) -> tuple[IntArray, IntArray]:
    by_outcome = np.lexsort(outcome[::-1])
    if units is None:
        return by_outcome, np.arange(len(by_outcome))
    _, inverse = np.unique(np.asarray(units), return_inverse=True)
    # Ranked by first target: input numbers carry no meaning
    rank = np.empty(len(by_outcome), dtype=np.int64)
    rank[by_outcome] = np.arange(len(rank))
    first = np.full(inverse.max() + 1, len(rank))
    np.minimum.at(first, inverse, rank)
    order = np.argsort(rank)
    numbers = np.unique(first[inverse][order], return_inverse=True)[1]
    return order, numbers.astype(np.int64)


def _curve_to_dict(curve: PrecisionRecallCurve) -> dict[str, list[Any]]:
    names = ("thresholds", "predictions", "true_predictions")
    return {name: getattr(curve, name).tolist() for name in names}


LEAST_KNOWN = 20  # Fewer never show that the baseline knows people


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rest:
    """Counts among the targets the baseline does not already know.

    *Guessable* targets reach the lowest score at which the baseline's predictions, at least
    :data:`LEAST_KNOWN`, are together correct in the share :attr:`ScoringParameters.precision_cap`.
    """

    # Among the rest; `attempts` are all targets. If everyone is guessable: one threshold without
    # predictions.
    attack: PrecisionRecallCurve
    # By threshold, weighted: people only the attack gets right, minus people only the baseline does
    gain: FloatArray
    known: int  # Guessable targets, and the baseline's correct ones
    known_right: int
    cap: float

    @classmethod
    def of(cls, outcomes: Outcomes, cap: float) -> Rest:
        """Count the targets the baseline does not know."""
        baseline = outcomes.baseline
        place = int(known_places(baseline.predictions, baseline.true_predictions, cap))
        kept = outcomes.joint[:, 2] > place
        first, hit = outcomes.joint[kept, 0], outcomes.joint[kept, 1]
        gains = outcomes.weights[kept] * (hit - outcomes.guessed[kept])
        made, right, gain = (
            np.bincount(first, each, minlength=len(outcomes.attack)).cumsum()
            for each in (None, hit, gains)
        )
        new = np.flatnonzero(np.diff(made, prepend=0))
        new = new if len(new) else np.array([0])
        return cls(
            attack=replace(
                outcomes.attack,
                thresholds=outcomes.attack.thresholds[new],
                predictions=made[new].astype(np.int64),
                true_predictions=right[new].astype(np.int64),
            ),
            gain=gain[new],
            known=int(baseline.predictions[place]) if place >= 0 else 0,
            known_right=int(baseline.true_predictions[place]) if place >= 0 else 0,
            cap=cap,
        )

    @property
    def size(self) -> int:
        """Targets in the rest."""
        return self.attack.attempts - self.known

    @property
    def exposing(self) -> int:
        """Index of the threshold at which people exposed are counted."""
        return int(np.argmax(sure_gain(self.gain, self.attack.predictions)))


def sure_gain(gain: FloatArray, predictions: NDArray[np.integer[Any]]) -> FloatArray:
    """Return gains less two standard deviations of coin tosses.

    People exposed are counted at its maximum: neither where an attack is certain of few, nor where
    chance led it.
    """
    sure: FloatArray = gain - 2.0 * np.sqrt(predictions)
    return sure


def known_places(
    predictions: NDArray[np.integer[Any]], true_predictions: NDArray[np.integer[Any]], cap: float
) -> NDArray[np.intp]:
    """Return the baseline's lowest threshold that still knows; -1 if none."""
    knows = (predictions >= LEAST_KNOWN) & (true_predictions >= cap * predictions)
    last: NDArray[np.intp] = knows.shape[-1] - 1 - np.argmax(knows[..., ::-1], axis=-1)
    return np.where(knows.any(axis=-1), last, -1)


_CELLS = 4_000_000  # Draws held in memory


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BootstrapCounts:
    """Counts per threshold in each resample."""

    attack: tuple[IntArray, IntArray]  # Predictions, correct ones
    baseline: tuple[IntArray, IntArray]
    # The attack's, among targets not guessable in the resample
    rest: tuple[IntArray, IntArray]
    gain: FloatArray  # As in :class:`Rest`
    # Guessable targets, and the baseline's correct ones
    known: tuple[IntArray, IntArray]
    attempts: IntArray
    recall_scale: float  # See :class:`PrecisionRecallCurve`
    cap: float  # See :class:`Rest`


def bootstrap(outcomes: Outcomes, *, cap: float, resamples: int, seed: int) -> BootstrapCounts:
    """Draw units of targets with replacement, and count."""
    rng = np.random.default_rng(seed)
    n_units = int(outcomes.units.max()) + 1

    def times(resamples: IntArray) -> IntArray:
        drawn = rng.integers(n_units, size=(len(resamples), n_units))
        drawn += n_units * np.arange(len(resamples))[:, None]
        counts = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
        return counts if n_units == outcomes.attempts else counts[:, outcomes.units]

    return counted_again(outcomes, times, cap=cap, resamples=resamples)


def counted_again(
    outcomes: Outcomes, times: Callable[[IntArray], IntArray], *, cap: float, resamples: int
) -> BootstrapCounts:
    """Count each target as often as it is drawn."""
    from alc_core.scoring.resample_kernel import counted

    joint = outcomes.joint.astype(np.int32)
    gains = outcomes.weights * (outcomes.joint[:, 1] - outcomes.guessed)
    sizes = len(outcomes.attack), len(outcomes.baseline)
    step = max(1, _CELLS // len(joint))
    parts = [
        counted(joint, gains, times(np.arange(start, min(start + step, resamples))),
                *sizes, cap, LEAST_KNOWN)
        for start in range(0, resamples, step)
    ]  # fmt: skip
    attack, baseline, rest, gain, known, attempts = map(np.concatenate, zip(*parts, strict=True))
    return BootstrapCounts(
        attack=(attack[..., 0], attack[..., 1]),
        baseline=(baseline[..., 0], baseline[..., 1]),
        rest=(rest[..., 0], rest[..., 1]),
        gain=gain,
        known=(known[:, 0], known[:, 1]),
        attempts=attempts,
        recall_scale=outcomes.attack.recall_scale,
        cap=cap,
    )
