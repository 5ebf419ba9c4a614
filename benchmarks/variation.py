"""By how much ALC varies with the people attacked, the seed, the baseline's model and the release.

``python benchmarks/variation.py --adult adult.csv --paper FOLDER`` takes a scenario each of some
tables. A model of the table (a decision tree for each column, given those before it, as synthpop
makes them, but with leaves of a few rows, so that something leaks) gives several syntheses.
Every one is attacked with several seeds and with the baseline told to be one family after the
other: all crossed, best row match, everybody of the table a target. What the reading then varies by
is told apart as in an analysis of variance without replication. Beside it stands what the
interval has, that of the people: a quarter of its width.

Measured with ``--adult adult.csv --folds 2``, standard deviations by people, seed, synthesis,
baseline model, and the rest::

                                         mean ALC   people  seed   synth.  model  rest
    Adult 'occupation', everyone         -5.03      0.42    0.44   0.30    0.21   0.20
    Adult 'occupation', hard to guess     0.07      0.063   0.030  0.042   0.080  0.027
    fair 'religious', everyone            0.29      0.052   0.010  0.023   0.014  0.013
    fair 'religious', hard to guess       0.30      0.041   0.005  0.024   0.015  0.012
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from perturbed import TreeModel
from verdicts import (
    ADULT_FACTS,
    FAIR_FACTS,
    RealScenario,
    drawn_scenarios,
    readings,
    real_tables,
    sharing_runs,
    table_of,
)

import alc_core as alc
from alc_core.assessment.loop import RunSettings
from alc_core.baselines.families import default_families
from alc_core.runtime.machine import limit_threads

LEAF = 3
"""Rows of a leaf from which values are drawn."""


def scenarios_of(tables: dict[str, pd.DataFrame]) -> list[RealScenario]:
    """One of each table, of Adult two."""
    adult = [
        RealScenario(
            table="adult", unknown=unknown, known=tuple(c for c in ADULT_FACTS if c != unknown)
        )
        for unknown in ("occupation", "marital_status")
    ]
    fair = RealScenario(table="fair", unknown="religious",
                        known=tuple(c for c in FAIR_FACTS if c != "religious"))  # fmt: skip
    others = {name: tables[name] for name in ("alarm", "insurance") if name in tables}
    return [*(adult if "adult" in tables else ()), fair, *drawn_scenarios(others, each=1)]


def runs_of(
    frame: pd.DataFrame, real: RealScenario, syntheses: int, folds: int, family: str, seed: int
) -> list[dict[str, object]]:
    """Every synthesis with one seed and one way to choose the baseline."""
    model = TreeModel(frame[[*real.known, real.unknown]], leaf=LEAF)
    releases = {
        str(number): model.synthesis(np.random.default_rng(number)) for number in range(syntheses)
    }
    families = [each for each in default_families() if each.name == family] or None
    loop = alc.LoopParameters(folds=folds)
    settings = RunSettings(seed=seed, families=families, loop=loop, measures=())
    found = []
    with limit_threads(1):
        for synthesis, run in sharing_runs(frame, releases, real.scenario("all"), settings).items():
            result = run.attack(alc.make_attack("best row match"))
            found.append({
                "scenario": str(real), "release": synthesis, "model": family, "seed": seed,
                "verdict": str(result.verdict), "chosen": result.model,
                **{f"{name} {part}": value for name, numbers in readings(result).items()
                   for part, value in zip(("alc", "low", "high"), numbers, strict=True)},
            })  # fmt: skip
    return found


def components(crossed: pd.DataFrame, value: str, factors: tuple[str, ...]) -> dict[str, float]:
    """Standard deviations of main effects in a full crossing, and of what is left."""
    left = crossed.groupby(list(factors))[value].mean()
    grand, effects, freedom = left.mean(), {}, len(left) - 1
    means = {f: left.groupby(f).mean() for f in factors}
    residual = left - grand
    for factor in factors:
        levels = left.index.get_level_values(factor)
        residual = residual - (means[factor] - grand).reindex(levels).to_numpy()
        freedom -= len(means[factor]) - 1
    error = float((residual**2).sum() / freedom)
    for factor in factors:
        per_level = len(left) / len(means[factor])
        effects[factor] = float(np.sqrt(max(means[factor].var(ddof=1) - error / per_level, 0)))
    return {**effects, "left": error**0.5}


def print_variation(results: pd.DataFrame) -> None:
    """For each scenario and reading the mean and the standard deviations."""
    lines = []
    for scenario, group in results.groupby("scenario", sort=False):
        usual, forced = (
            group[(group["model"] == "as usual") == as_usual] for as_usual in (True, False)
        )
        for name in ("own best", "among the rest"):
            value = f"{name} alc"
            chosen = components(usual, value, ("release", "seed"))
            models = components(forced, value, ("release", "model", "seed"))
            width = (usual[f"{name} high"] - usual[f"{name} low"]).mean() / 3.92
            verdicts = usual["verdict"].value_counts()
            numbers = [usual[value].mean(), width, chosen["seed"], chosen["release"],
                       models["model"], models["left"]]  # fmt: skip
            told = ", ".join(f"{n} {verdict}" for verdict, n in verdicts.items())
            lines.append([str(scenario), name, *(f"{each:.3f}" for each in numbers), told])
    head = ["scenario", "reading", "mean ALC", "people", "seed", "release", "model",
            "left", "verdicts"]  # fmt: skip
    print(table_of(lines, head))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--adult", help="file of the Adult data, with a header")
    parser.add_argument("--paper", help="folder of the ALC paper's tables")
    parser.add_argument("--rows", type=int, default=2_000, help="of each table, at most")
    parser.add_argument("--syntheses", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--folds", type=int, default=2, help="fewer than usual, to be quick")
    parser.add_argument("--only", default="", help="scenarios whose text contains this")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--save", help="CSV file for all figures")
    options = parser.parse_args()
    tables = real_tables(options.adult, options.paper)
    frames = {
        name: frame.sample(min(options.rows, len(frame)), random_state=0).reset_index(drop=True)
        for name, frame in tables.items()
    }
    ways = ("as usual", "gradient boosting", "random forest", "logistic regression")
    done = Parallel(n_jobs=options.jobs)(
        delayed(runs_of)(frames[real.table], real, options.syntheses, options.folds, way, seed)
        for real, way, seed in product(scenarios_of(frames), ways, range(options.seeds))
        if options.only in str(real)
    )
    results = pd.DataFrame([row for part in done for row in part])
    if options.save:
        results.to_csv(options.save, index=False)
    print_variation(results)


if __name__ == "__main__":
    main()
