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

from alc_core.scoring.formulas import anonymity_loss, prc
from alc_core.scoring.outcomes import Outcomes, bootstrap
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import READING_TITLES, READINGS, ComparedPoints, reading_intervals

Shape = Callable[[np.ndarray], np.ndarray]

SHAPES: dict[str, Shape] = {
    "flat": lambda score: np.full_like(score, 0.5),
    "linear": lambda score: 0.2 + 0.7 * score,
    "knee": lambda score: np.where(score > 0.9, 0.95, 0.4),
    "steep": lambda score: 0.1 + 0.88 * score**6,
}
SCORING = ScoringParameters()


def true_losses(attack: Shape, baseline: Shape) -> tuple[float, float]:
    """Both readings over all thresholds if precision and recall were known exactly."""
    score = (np.arange(200_000) + 0.5) / 200_000
    recall = np.arange(1, len(score) + 1) / len(score)
    prcs = []
    for shape in (attack, baseline):
        precision = np.cumsum(shape(score)[::-1]) / np.arange(1, len(score) + 1)
        prcs.append(np.asarray(prc(np.minimum(precision, SCORING.precision_cap), recall)))
    best = int(np.argmax(prcs[0]))
    found = prcs[0][best]
    return (
        float(anonymity_loss(found, float(prcs[1].max()))),
        float(anonymity_loss(found, float(prcs[1][best]))),
    )


def one_run(attack: Shape, baseline: Shape, n_targets: int, seed: int) -> list[list[float]]:
    """Both readings, each with its interval, in one simulated assessment."""
    rng = np.random.default_rng(seed)
    scores = [rng.random(n_targets) for _ in range(2)]
    correct = [
        rng.random(n_targets) < f(s) for f, s in zip((attack, baseline), scores, strict=True)
    ]
    outcomes = Outcomes.from_predictions(
        scores[0], correct[0], scores[1], correct[1], max_thresholds=400
    )
    points = ComparedPoints.of(outcomes.attack, outcomes.baseline, SCORING)
    losses = points.losses(SCORING.loss)
    counts = bootstrap(outcomes, resamples=1000, seed=seed)
    intervals = reading_intervals(points, counts, SCORING)
    return [[losses[name], *intervals[name]] for name in READINGS]


def report(name: str, attack: Shape, baseline: Shape, n_targets: int, runs: int) -> None:
    results = np.array(
        Parallel(n_jobs=-1)(
            delayed(one_run)(attack, baseline, n_targets, seed) for seed in range(runs)
        )
    )
    truths = true_losses(attack, baseline)
    for reading, truth, found in zip(READINGS, truths, results.swapaxes(0, 1), strict=True):
        covered = float(np.mean((found[:, 1] <= truth) & (truth <= found[:, 2])))
        print(
            f"{name:18s} {READING_TITLES[reading]:20s} {n_targets:6d} targets  true {truth:6.3f}"
            f"  mean {found[:, 0].mean():6.3f}"
            f"  covered {covered:.3f}  mean width {np.mean(found[:, 2] - found[:, 1]):.3f}",
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
