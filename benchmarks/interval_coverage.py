"""How often the interval of ALC covers the truth, in simulation.

Two parts: an A/A check, where attack and baseline predict equally well by construction (truth: 0),
and attacks of known precision over a flat baseline. Takes some minutes.

Run ``python benchmarks/interval_coverage.py``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from joblib import Parallel, delayed

from alc_core.scoring.curves import best_measure
from alc_core.scoring.formulas import anonymity_loss, prc
from alc_core.scoring.outcomes import Outcomes, bootstrap, loss_interval
from alc_core.scoring.parameters import ScoringParameters

Shape = Callable[[np.ndarray], np.ndarray]

SHAPES: dict[str, Shape] = {
    "flat": lambda score: np.full_like(score, 0.5),
    "linear": lambda score: 0.2 + 0.7 * score,
    "knee": lambda score: np.where(score > 0.9, 0.95, 0.4),
    "steep": lambda score: 0.1 + 0.88 * score**6,
}
SCORING = ScoringParameters()


def true_prc(shape: Shape) -> float:
    """The best PRC over all thresholds if precision and recall were known exactly."""
    score = (np.arange(200_000) + 0.5) / 200_000
    precision = np.cumsum(shape(score)[::-1]) / np.arange(1, len(score) + 1)
    recall = np.arange(1, len(score) + 1) / len(score)
    return float(np.max(prc(precision, recall)))


def one_run(
    attack: Shape, baseline: Shape, n_targets: int, seed: int
) -> tuple[float, float, float]:
    """ALC and its interval in one simulated assessment."""
    rng = np.random.default_rng(seed)
    scores = [rng.random(n_targets) for _ in range(2)]
    correct = [
        rng.random(n_targets) < f(s) for f, s in zip((attack, baseline), scores, strict=True)
    ]
    outcomes = Outcomes.from_predictions(
        scores[0], correct[0], scores[1], correct[1], max_thresholds=400
    )
    loss = anonymity_loss(
        best_measure(outcomes.attack, SCORING).prc, best_measure(outcomes.baseline, SCORING).prc
    )
    low, high = loss_interval(bootstrap(outcomes, resamples=1000, seed=seed), SCORING)
    return loss, low, high


def report(name: str, attack: Shape, baseline: Shape, n_targets: int, runs: int) -> float:
    truth = anonymity_loss(true_prc(attack), true_prc(baseline))
    results = np.array(
        Parallel(n_jobs=-1)(
            delayed(one_run)(attack, baseline, n_targets, seed) for seed in range(runs)
        )
    )
    covered = float(np.mean((results[:, 1] <= truth) & (truth <= results[:, 2])))
    print(
        f"{name:24s} {n_targets:6d} targets  true ALC {truth:6.3f}"
        f"  mean {results[:, 0].mean():6.3f}"
        f"  covered {covered:.3f}  mean width {np.mean(results[:, 2] - results[:, 1]):.3f}",
        flush=True,
    )
    return covered


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
