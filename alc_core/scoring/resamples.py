"""The bootstrap over targets: counts per threshold in every resample, also among the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from alc_core.arrays import FloatArray, IntArray
from alc_core.scoring.outcomes import LEAST_KNOWN, Outcomes

_CELLS = 4_000_000
"""Draws held at a time."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BootstrapCounts:
    """Counts per threshold in every resample, from which any rescoring gets its interval."""

    attack: tuple[IntArray, IntArray]  # Predictions, and true predictions
    baseline: tuple[IntArray, IntArray]
    # Those of the attack among the targets whom the resample's baseline does not know anyway
    rest: tuple[IntArray, IntArray]
    gain: FloatArray  # As in :class:`Rest`
    # Targets known anyway, and those whom the baseline is right about
    known: tuple[IntArray, IntArray]
    attempts: IntArray  # Targets in each resample
    recall_scale: float  # See :class:`PrecisionRecallCurve`
    cap: float  # See :class:`Rest`


def bootstrap(outcomes: Outcomes, *, cap: float, resamples: int, seed: int) -> BootstrapCounts:
    """Draw units of targets with replacement and count again."""
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
    """Count with every target as often as it is drawn."""
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
