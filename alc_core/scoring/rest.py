"""The people whom a guess does not already know, and what the attack learns of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.outcomes import Outcomes

FloatArray = NDArray[np.float64]

LEAST_KNOWN = 20
"""Fewer predictions than these never show that a guess knows people."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rest:
    """Counts among the targets whom the baseline does not already know.

    *Known anyway* are the targets at or above the lowest score at which the baseline's predictions,
    at least :data:`LEAST_KNOWN`, are together right in the share that is the most that counts
    (:attr:`ScoringParameters.precision_cap`). That choice looks at the baseline alone, which never
    saw the person.
    """

    # The attack's predictions among the rest; `attempts` are all targets. Where everybody is known,
    # a single threshold without a prediction.
    attack: PrecisionRecallCurve
    # Of the people whom the attack answers for at each of its thresholds: those whom it alone gets
    # right less those whom the baseline alone does, weighted as `Outcomes.weights` says
    gain: FloatArray
    known: int  # Targets who are known anyway, and of how many of them the baseline is right
    known_right: int
    cap: float  # The share

    @classmethod
    def of(cls, outcomes: Outcomes, cap: float) -> Rest:
        """Count the targets whom the baseline does not know in a share `cap` or more."""
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


def known_places(
    predictions: NDArray[np.integer[Any]], true_predictions: NDArray[np.integer[Any]], cap: float
) -> NDArray[np.intp]:
    """Return the index of the lowest threshold at which the baseline still knows; -1 where none."""
    knows = (predictions >= LEAST_KNOWN) & (true_predictions >= cap * predictions)
    last: NDArray[np.intp] = knows.shape[-1] - 1 - np.argmax(knows[..., ::-1], axis=-1)
    return np.where(knows.any(axis=-1), last, -1)
