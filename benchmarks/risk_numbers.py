"""Risk numbers: time on a million rows, beside pycanon, and estimates of a known population.

``python benchmarks/risk_numbers.py`` measures times; with ``--adult adult.csv`` also draws samples
of the Adult census data and compares the estimates for the whole table with what it holds.

Measured: a million rows, 8 known and 2 protected columns 6.6 to 9.9 s, 1.1 GiB; 10,000 rows and 3
known columns 0.05 s, where pycanon 1.0.1 takes 0.3 s for distinct l, 2.3 s for entropy l and 11 s
for t. Releases of Adult have what their tools declared (ARX, anjana, sdcMicro); rows of synthpop,
SDV, SynDiffix and CTGAN are recognized as synthetic. Estimates for the whole of Adult, means of 20
samples::

    known  sampled  unique in     unique in Adult:    a match is right:
                    the sample    true, estimated     true, estimated
    4      1%       61%           3.8%, 2.5%          2.7%, 2.7%
    4      10%      20%           4.0%, 4.8%          15.8%, 16.4%
    6      1%       78%           17.4%, 12.9%        4.7%, 5.2%
    6      10%      39%           17.1%, 16.8%        24.8%, 24.8%
    8      1%       97%           46.3%, 45.0%        23.5%, 28.4%
    8      10%      79%           47.6%, 47.8%        41.4%, 41.7%
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd

import alc_core as alc
from alc_core.studies.risk_numbers.classes import ClassSizes
from alc_core.studies.risk_numbers.population import population_estimate
from alc_core.studies.risk_numbers.result import RiskSettings, measure_risk_numbers

SETS = {
    "4 columns": ["age", "sex", "race", "education"],
    "6 columns": ["age", "education", "marital_status", "race", "sex", "native_country"],
    "8 columns": [
        "age", "education", "marital_status", "race", "sex", "native_country", "occupation",
        "workclass",
    ],
}  # fmt: skip


def people(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    words = {"region": 50, "education": 16, "race": 5, "status": 6, "born": 40, "job": 30}
    frame = pd.DataFrame({"age": rng.integers(18, 90, n), "sex": rng.choice(["f", "m"], n)})
    for column, size in words.items():
        frame[column] = rng.choice([f"{column}{place}" for place in range(size)], n)
    return frame.assign(children=rng.integers(0, 6, n), income=rng.integers(0, 100_000, n))


def times(n: int) -> None:
    frame = people(n)
    low = frame["age"] // 10 * 10
    coarse = frame.assign(age=low.astype(str) + "-" + (low + 9).astype(str))
    hidden = frame.copy()
    for column in ("region", "education", "born"):
        hidden.loc[np.random.default_rng(1).random(n) < 0.2, column] = "*"
    original = alc.table_from_frame(frame, name="original")
    settings = RiskSettings(
        known=("age", "sex", "region", "education", "race", "status", "children", "born"),
        protected=("job", "income"),
    )
    for name, release in (
        ("coarser ages", coarse), ("three columns locally suppressed", hidden),
        ("a sample of half", coarse.sample(n // 2, random_state=1)),
        ("5% swapped", alc.swap_columns(frame, 0.05)),
    ):  # fmt: skip
        table = alc.Microdata(tables=(alc.table_from_frame(release, name=name),), name=name)
        start = time.perf_counter()
        measure_risk_numbers(original, table, settings)
        print(f"{name}: {time.perf_counter() - start:.1f} s for {n:,} rows, 8 known columns")


def beside_pycanon(n: int) -> None:
    from pycanon import anonymity

    frame = people(n)[["sex", "region", "education", "job"]]
    table = alc.table_from_frame(frame, name="o")
    known, protected = ["sex", "region", "education"], ["job"]
    start = time.perf_counter()
    settings = RiskSettings(known=tuple(known), protected=tuple(protected))
    measure_risk_numbers(table, alc.Microdata(tables=(table,), name="o"), settings)
    print(f"{n:,} rows, all risk numbers: {time.perf_counter() - start:.2f} s")
    for name in ("l_diversity", "entropy_l_diversity", "t_closeness"):
        start = time.perf_counter()
        getattr(anonymity, name)(frame, known, protected)
        print(f"{n:,} rows, pycanon {name}: {time.perf_counter() - start:.2f} s")


def known_population(file: str) -> None:
    frame = pd.read_csv(file, keep_default_na=False)
    rng, n = np.random.default_rng(0), len(frame)
    print("columns | fraction | unique in the sample | of these in the population: true, estimated"
          " | a match is right: true, estimated")  # fmt: skip
    for name, columns in SETS.items():
        classes = frame.groupby(columns).ngroup().to_numpy()
        everybody = np.bincount(classes)
        for fraction in (0.01, 0.05, 0.1, 0.3):
            drawn = [sample(classes, everybody, int(fraction * n), rng) for _ in range(20)]
            unique, true, found, right, estimated = np.mean(drawn, axis=0)
            print(f"{name} | {fraction:.0%} | {unique:.1%} | {true:.1%}, {found:.1%}"
                  f" | {right:.1%}, {estimated:.1%}")  # fmt: skip


def sample(classes, everybody, n, rng):
    rows = np.bincount(classes[rng.choice(len(classes), n, replace=False)],
                       minlength=len(everybody))  # fmt: skip
    found = population_estimate(ClassSizes.of(rows[rows > 0]), len(classes))
    alone = rows == 1
    right = alone.sum() / everybody[alone].sum()
    true = (alone & (everybody == 1)).sum() / n
    return alone.sum() / n, true, found.unique, right, found.right_match


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--adult")
    arguments = parser.parse_args()
    times(arguments.rows)
    beside_pycanon(10_000)
    if arguments.adult:
        known_population(arguments.adult)


if __name__ == "__main__":
    main()
