"""Releases of Adult of which a known share is verbatim: what both readings of ALC say of them.

``python benchmarks/rest_reading.py --adult adult.csv`` takes 10 000 people of the Adult census data
(UCI) and a release that holds a share q of them verbatim and strangers for the rest; ten columns
are known, four are unknown in turn. It prints, over the seeds, ALC with each curve at its own best
and among the people whom a guess does not already know, with the precision of attack and guess
there, beside what an independent implementation found with one seed. Exit code 1 where a mean over
the seeds is more than 0.05 off that and its interval does not hold it either: where few people are
left, a single seed is that far off by itself.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from verdicts import ADULT_FACTS, sharing_runs, table_of

import alc_core as alc
from alc_core.assessment.loop import RunSettings
from alc_core.runtime.machine import limit_threads

SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
INDEPENDENT = {
    "occupation": (-0.31, -0.12, 0.52, 0.81, 0.91, 0.92),
    "income": (-0.43, -0.64, 0.20, 0.71, 0.78, 0.82),
    "workclass": (-0.46, -0.26, 0.49, 0.82, 0.86, 0.89),
    "marital_status": (-0.26, 0.49, 0.80, 0.84, 0.87, 0.88),
}
"""ALC among the rest at each share."""


def measured(adult: pd.DataFrame, unknown: str, seed: int) -> list[dict[str, object]]:
    """Both readings at each share."""
    original, strangers = adult.iloc[:10_000], adult.iloc[10_000:]
    releases = {}
    for share in SHARES:
        kept = round(share * len(original))
        parts = [original.sample(kept, random_state=5), strangers.iloc[: len(original) - kept]]
        releases[str(share)] = pd.concat(parts).sample(frac=1, random_state=1, ignore_index=True)
    scenario = alc.Scenario([fact for fact in ADULT_FACTS if fact != unknown], unknown)
    with limit_threads(1):
        runs = sharing_runs(
            original.reset_index(drop=True), releases, scenario, RunSettings(seed=seed, measures=())
        )
        results = {
            share: run.attack(alc.make_attack("best row match")) for share, run in runs.items()
        }
    return [
        {
            "unknown": unknown,
            "q": float(share),
            "own": result.alc,
            "rest": result.alc_rest,
            "low": result.alc_rest_interval[0],
            "high": result.alc_rest_interval[1],
            "attack": result.attack_rest.measured_precision,
            "guess": result.baseline_rest.measured_precision,
            "share": result.rest_share,
            "exposed": result.exposed / (result.people or result.candidates),
            "verdict": str(result.verdict),
        }
        for share, result in results.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--adult", required=True, help="file of the Adult data, with a header")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--jobs", type=int, default=-1)
    options = parser.parse_args()
    adult = pd.read_csv(options.adult, keep_default_na=False).sample(20_000, random_state=3)
    seeds = [int(seed) for seed in options.seeds.split(",")]
    found = pd.DataFrame(
        [
            row
            for part in Parallel(n_jobs=options.jobs)(
                delayed(measured)(adult, unknown, seed) for unknown in INDEPENDENT for seed in seeds
            )
            for row in part
        ]
    )
    lines, wrong = [], 0
    for unknown, expected in INDEPENDENT.items():
        of = found[found["unknown"] == unknown]
        cells = [f"{unknown} (rest {of['share'].mean():.2f})"]
        for share, value in zip(SHARES, expected, strict=True):
            at = of[of["q"] == share]
            mean = at.mean(numeric_only=True)
            off = abs(mean["rest"] - value) > 0.05
            held = np.any((at["low"] <= value) & (value <= at["high"]))
            wrong += int(off and not held)
            mark = "" if not off else " ~" if held else " !"
            verdicts = "/".join(sorted(set(at["verdict"])))
            cells.append(
                f"{mean['own']:.2f} / {mean['rest']:.2f}{mark} ({value:.2f}; "
                f"{mean['attack']:.2f}, {mean['guess']:.2f}; exposed {mean['exposed']:.1%}) "
                f"{verdicts}"
            )
        lines.append(cells)
    print(table_of(lines, ["unknown", *(f"q = {share:g}" for share in SHARES)]))
    print(
        f"{wrong} of {len(SHARES) * len(INDEPENDENT)} more than 0.05 off and outside the interval"
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
