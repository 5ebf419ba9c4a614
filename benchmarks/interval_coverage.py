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

SCORING, LOOP = alc.ScoringParameters(), alc.LoopParameters()


def true_prc(shape: Shape) -> np.ndarray:
    """PRC at each of many thresholds if precision and recall were known exactly."""
    score = (np.arange(200_000) + 0.5) / 200_000
    precision = np.cumsum(shape(score)[::-1]) / np.arange(1, len(score) + 1)
    recall = np.arange(1, len(score) + 1) / len(score)
    return np.asarray(alc.prc(np.minimum(precision, SCORING.precision_cap), recall))


def true_readings(attack: Shape, baseline: Shape) -> dict[str, float]:
    """ALC with each at its own best, and with the baseline at the attack's recall."""
    curves = true_prc(attack), true_prc(baseline)
    best = int(np.argmax(curves[0]))
    return {
        "own best": float(alc.anonymity_loss(curves[0][best], curves[1].max())),
        "equal recall": float(alc.anonymity_loss(curves[0][best], curves[1][best])),
    }


def simulate(attack: Shape, baseline: Shape, n_targets: int, seed: int) -> alc.Assessment:
    """One simulated assessment; attack and baseline hit or miss independently of each other."""
    rng = np.random.default_rng(seed)
    scores = [rng.random(n_targets) for _ in range(2)]
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
