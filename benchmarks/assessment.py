"""One assessment: its time, and its baseline against single models on the same targets.

``python benchmarks/assessment.py`` takes the demo randhie. For another table, name file and
columns, such as the Adult census data::

    python benchmarks/assessment.py --csv adult.csv --unknown occupation \\
        --known age,workclass,education,marital_status,race,sex,hours_per_week --rows 30000

``--whole 5`` measures instead what one ``alc assess`` on the table and a release with a fifth of
the values swapped takes in processor time, with imports, reading and all child processes, five
times; ``--checkout ../older-checkout`` lets another version of the package take turns with this.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData, prepare_scenario
from alc_core.baselines.features import Features
from alc_core.releases.registry import as_release

MODELS: dict[str, Callable[[], Any]] = {
    "random forest": lambda: RandomForestClassifier(n_jobs=-1, random_state=0),
    "extra trees": lambda: ExtraTreesClassifier(n_jobs=-1, random_state=0),
    "histogram boosting, 500 rounds": lambda: HistGradientBoostingClassifier(
        max_iter=500, early_stopping=False, random_state=0
    ),
    "histogram boosting, at most 500": lambda: HistGradientBoostingClassifier(
        max_iter=500, random_state=0
    ),
    "logistic regression": lambda: LogisticRegression(max_iter=1000, random_state=0),
}


def one_hot(features: Features) -> np.ndarray:
    encoder = make_column_transformer(
        (
            OneHotEncoder(sparse_output=False, handle_unknown="ignore"),
            np.flatnonzero(features.categorical),
        ),
        (
            make_pipeline(SimpleImputer(), StandardScaler()),
            np.flatnonzero(~features.categorical),
        ),
    )
    return np.asarray(encoder.fit_transform(features.matrix))


def time_assessments(table: alc.Table, scenario: alc.Scenario, seed: int) -> alc.Assessment:
    """Assess a copy, two swapped releases and independent columns; return the last result."""
    for share in (0.0, 0.2, 0.8, 1.0):
        release = alc.swap_columns(table.frame, share, seed=1)
        start = time.perf_counter()
        result = alc.assess(table, release, scenario, seed=seed)
        low, high = result.decisive_interval
        print(
            f"{share:4.0%} swapped  {time.perf_counter() - start:5.2f} s  ALC {result.alc:8.3f}"
            f"  at equal recall {result.alc_rest:8.3f}"
            f"  decisive {low:8.3f} to {high:7.3f}  {result.verdict:9s}"
            f"  {result.attempts} targets, {result.halting}, {result.model}",
            flush=True,
        )
    return result


def compare_baselines(table: alc.Table, result: alc.Assessment) -> None:
    """Fit single models on one-hot columns for the same targets, fold by fold."""
    data = ScenarioData.of(table, as_release(table), result.scenario)
    targets = prepare_scenario(data, result.scenario, seed=result.seed).targets
    matrix, truth = one_hot(Features.of(targets.known)), targets.unknown
    curve = result.outcomes.baseline
    ours = curve.true_predictions[-1] / curve.attempts
    print(f"{'chosen baseline':34s} accuracy {ours:.4f}")
    for name, model in MODELS.items():
        right = left = 0
        start = time.perf_counter()
        for fold, fold_targets in enumerate(targets.plan.targets):
            tested = fold_targets[: result.attempts - left]
            if len(tested) == 0:
                break
            rows = np.setdiff1d(np.arange(len(truth)), targets.plan.folds[fold])
            fitted = model().fit(matrix[rows], truth[rows])
            right += int(np.sum(fitted.predict(matrix[tested]) == truth[tested]))
            left += len(tested)
        accuracy = right / result.attempts
        print(
            f"{name:34s} accuracy {accuracy:.4f}  ({ours - accuracy:+.4f} for ours)"
            f"  {time.perf_counter() - start:6.1f} s",
            flush=True,
        )


def processor_seconds(checkout: Path, arguments: list[str]) -> float:
    """Run the command of a checkout; return user and system time of it and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "alc_core", *arguments],
        env={**os.environ, "PYTHONPATH": str(checkout)}, cwd=checkout, capture_output=True,
        check=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def time_whole_runs(
    table: alc.Table, scenario: alc.Scenario, repeats: int, other: Path | None
) -> None:
    """Print what one assessment costs from the command line, of this checkout and another."""
    checkouts = {"this checkout": Path(__file__).resolve().parents[1]}
    if other is not None:
        checkouts["the other"] = other.resolve()
    times: dict[str, list[float]] = {label: [] for label in checkouts}
    with tempfile.TemporaryDirectory() as folder:
        original, release = Path(folder) / "original.csv", Path(folder) / "release.csv"
        table.frame.to_csv(original, index=False)
        alc.swap_columns(table.frame, 0.2, seed=1).to_csv(release, index=False)
        arguments = [
            "assess", "--original", str(original), "--release", str(release), "--known",
            ",".join(scenario.known), "--unknown", scenario.unknown, "--quiet",
        ]  # fmt: skip
        for turn in range(repeats + 1):
            for label, checkout in checkouts.items():
                seconds = processor_seconds(checkout, arguments)
                if turn:  # the first one compiles
                    times[label].append(seconds)
    for label, seconds_each in times.items():
        print(
            f"{label}: {min(seconds_each):.2f} s of processor time at least,"
            f" {statistics.median(seconds_each):.2f} s in the median of {repeats}"
        )
    if other is not None:
        ratios = [here / there for here, there in zip(*times.values(), strict=True)]
        print(f"ratio, median: {statistics.median(ratios):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv")
    parser.add_argument("--known")
    parser.add_argument("--unknown")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--whole", type=int, help="how often to run alc assess as a whole")
    parser.add_argument("--checkout", type=Path, help="another version of the package")
    options = parser.parse_args()
    if options.csv:
        table = alc.read_table(options.csv)
        scenario = alc.Scenario(options.known.split(","), options.unknown)
    else:
        demo = alc.load_demo("randhie")
        table, scenario = demo.original, demo.scenario
    if options.rows:
        frame = table.frame.sample(options.rows, random_state=0).reset_index(drop=True)
        table = alc.table_from_frame(frame, name=table.name)
    print(f"{table.name}: {len(table)} rows, known {len(scenario.known)}, {scenario.unknown}")
    if options.whole:
        time_whole_runs(table, scenario, options.whole, options.checkout)
        return
    warnings.simplefilter("ignore", ConvergenceWarning)
    for seed in range(options.seeds):
        compare_baselines(table, time_assessments(table, scenario, seed))


if __name__ == "__main__":
    main()
