"""How often the intervals of both readings of ALC cover the truth, in simulation.

Two parts: an A/A check, where attack and baseline predict equally well by construction (truth: 0),
and attacks of known precision over a flat baseline. Takes some minutes.

Run ``python benchmarks/interval_coverage.py``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from joblib import Parallel, delayed
from verdicts import readings, simulated_result

import alc_core as alc
from alc_core.scoring.outcomes import Outcomes

Shape = Callable[[np.ndarray], np.ndarray]

SHAPES: dict[str, Shape] = {
    "flat": lambda score: np.full_like(score, 0.5),
    "linear": lambda score: 0.2 + 0.7 * score,
    "knee": lambda score: np.where(score > 0.9, 0.95, 0.4),
    "steep": lambda score: 0.1 + 0.88 * score**6,
    "sure of few": lambda score: np.where(score > 0.98, 0.99, 0.3),
}
"""Precision as it rises with the score."""

_THRESHOLDS = 200_000
SCORING, LOOP = alc.ScoringParameters(), alc.LoopParameters()


def right_from_above(shape: Shape) -> np.ndarray:
    """Expected right predictions at each of many thresholds, the highest first."""
    score = (np.arange(_THRESHOLDS) + 0.5) / _THRESHOLDS
    return np.cumsum(shape(score)[::-1])


def true_prc(precision: np.ndarray, recall: np.ndarray) -> np.ndarray:
    """PRC if precision and recall were known exactly."""
    return np.asarray(alc.prc(np.minimum(precision, SCORING.precision_cap), recall))


def true_readings(attack: Shape, baseline: Shape) -> dict[str, float]:
    """ALC with each at its own best, and among those whom the baseline does not know."""
    if attack is baseline:
        return {"own best": 0.0, "among the rest": 0.0}
    made = np.arange(1, _THRESHOLDS + 1)
    hits, guesses = right_from_above(attack), right_from_above(baseline)
    curves = [true_prc(right / made, made / _THRESHOLDS) for right in (hits, guesses)]
    knows = np.flatnonzero(guesses >= SCORING.precision_cap * made)
    known = int(knows[-1]) + 1 if len(knows) else 0
    # Attack and baseline are independent: among the rest the attack is as right as among all.
    left = 1 - known / _THRESHOLDS
    among = true_prc(hits / made, made / _THRESHOLDS * left)
    asked = max(1, int(made[np.argmax(among)] * left))
    before = guesses[known - 1] if known else 0.0
    there = (guesses[min(known + asked, _THRESHOLDS) - 1] - before) / asked
    rest = true_prc(np.asarray(there), np.asarray(asked / _THRESHOLDS))
    return {
        "own best": float(alc.anonymity_loss(curves[0].max(), curves[1].max())),
        "among the rest": float(alc.anonymity_loss(float(among.max()), float(rest))),
    }


def simulate(attack: Shape, baseline: Shape, n_targets: int, seed: int) -> alc.Assessment:
    """One simulated assessment; attack and baseline hit or miss independently of each other.

    Two of the same kind are sure of the same people: one that were sure of others would tell
    something of people whom the other does not know.
    """
    rng = np.random.default_rng(seed)
    scores = [rng.random(n_targets) for _ in range(2)]
    if attack is baseline:
        scores[1] = scores[0]
    correct = [
        rng.random(n_targets) < f(s) for f, s in zip((attack, baseline), scores, strict=True)
    ]
    outcomes = Outcomes.from_predictions(
        scores[0], correct[0], scores[1], correct[1], max_thresholds=LOOP.max_thresholds
    )
    return simulated_result(outcomes, scoring=SCORING, loop=LOOP, seed=seed)


def one_run(attack: Shape, baseline: Shape, n_targets: int, seed: int) -> list[tuple[float, ...]]:
    """Both readings with their intervals."""
    return list(readings(simulate(attack, baseline, n_targets, seed)).values())


def report(name: str, attack: Shape, baseline: Shape, n_targets: int, runs: int) -> None:
    results = np.array(
        Parallel(n_jobs=-1)(
            delayed(one_run)(attack, baseline, n_targets, seed) for seed in range(runs)
        )
    )
    for number, (reading, truth) in enumerate(true_readings(attack, baseline).items()):
        loss, low, high = results[:, number].T
        print(
            f"{name:24s} {n_targets:6d} targets  {reading:12s}  true ALC {truth:6.3f}"
            f"  mean {loss.mean():6.3f}  covered {np.mean((low <= truth) & (truth <= high)):.3f}"
            f"  mean width {np.mean(high - low):.3f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    runs = parser.parse_args().runs
    for name, shape in SHAPES.items():
        report(f"A/A, {name}", shape, shape, 2000, runs)
    for name, shape in SHAPES.items():
        for n_targets in (500, 2000, 5000):
            report(f"{name} over flat", shape, SHAPES["flat"], n_targets, runs)


if __name__ == "__main__":
    main()
