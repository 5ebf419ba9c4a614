"""Does a baseline get better with more rows to learn from, and what does that cost?

``python benchmarks/learning_curve.py`` makes a population whose unknown attribute depends on places
and on what several known facts say together, so that more rows tell more. With ``--table`` and
``--unknown`` it takes a table of yours, with ``--known`` some of its columns. Each family learns
from ever more rows, and predicts the same people, who are among none of them.

It prints for each family and number of rows the precision of all predictions, the PRC at the best
point and the processor seconds of the fit: where the curve goes on rising, a lower
``max_training_rows`` makes the baseline weaker than it could be.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

import alc_core as alc
from alc_core.baselines.families import default_families
from alc_core.baselines.features import Features
from alc_core.baselines.fitting import fit_baseline
from alc_core.runtime.machine import limit_threads
from alc_core.scenario.known_values import KnownValues
from alc_core.scoring.curves import best_measure, precision_recall_curve
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.codes.encode import encode

TESTED = 20_000


def population(people: int, rng: np.random.Generator) -> pd.DataFrame:
    """Eight known facts; the unknown one of 12 values depends on the place and on four together."""
    place = rng.integers(0, 10_000, people)
    age = rng.integers(18, 90, people)
    job, school = rng.integers(0, 40, people), rng.integers(0, 12, people)
    household, sex = rng.integers(0, 6, people), rng.integers(0, 2, people)
    common = (age // 12 + school // 3) % 12
    together = (7 * job + 5 * school + 3 * household + sex) % 12
    kind = rng.random(people)
    value = np.select(
        [kind < 0.2, kind < 0.5, kind < 0.8],
        [common, together, place % 12],
        rng.integers(0, 12, people),
    )
    columns = {
        "age": age, "job": job, "school": school, "household": household, "sex": sex,
        "place": place, "rooms": rng.integers(1, 9, people), "birth": rng.integers(1, 13, people),
    }  # fmt: skip
    categories = {name: np.char.add("c", each.astype(str)) for name, each in columns.items()}
    return pd.DataFrame({**categories, "age": age, "unknown": np.char.add("v", value.astype(str))})


def measured(frame: pd.DataFrame, unknown: str, known: list[str], sizes: list[int]) -> None:
    """Print the curve of each family."""
    table = alc.table_from_frame(frame[[*known, unknown]], name="people")
    data = encode(table, (), columns=[*known, unknown])
    features = Features.of(KnownValues.of(data.original, data.specs, tuple(known)))
    values = data.as_unknown(data.original, unknown, 20)
    drawn = np.random.default_rng(0).permutation(len(frame))
    tested, others = drawn[:TESTED], drawn[TESTED:]
    for family in default_families():
        for size in sizes:
            rows = np.sort(others[:size])
            start = time.process_time()
            fitted = fit_baseline(features.take(rows), values[rows], ranking=[(family,)], seed=0)
            seconds = time.process_time() - start
            found, scores = fitted.predict(features.take(tested))
            right = found == values[tested]
            curve = precision_recall_curve(scores, right, max_thresholds=400)
            prc = best_measure(curve, ScoringParameters()).prc
            print(
                f"{fitted.model:22}{len(rows):>10,} rows  precision {right.mean():.3f}  "
                f"PRC {prc:.3f}  {seconds:6.1f} s",
                flush=True,
            )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", type=Path, help="a CSV or Parquet file (default: made up)")
    parser.add_argument("--unknown", default="unknown")
    parser.add_argument("--known", nargs="+", help="columns (default: all others)")
    parser.add_argument("--rows", type=int, nargs="+", default=[30_000, 100_000, 300_000, 500_000])
    arguments = parser.parse_args()
    if arguments.table is None:
        frame = population(max(arguments.rows) + TESTED, np.random.default_rng(0))
    else:
        read = pd.read_parquet if arguments.table.suffix == ".parquet" else pd.read_csv
        frame = read(arguments.table)
    known = arguments.known or [column for column in frame if column != arguments.unknown]
    with limit_threads(1):
        measured(frame, arguments.unknown, known, arguments.rows)


if __name__ == "__main__":
    main()
