"""What is found in perturbed releases whose rows' owners are known, and in the same of strangers.

``python benchmarks/linkage.py`` takes 5 000 people who do not exist; with ``--table FILE --unknown
COLUMN`` as many of a file's. Each is perturbed in several ways and shuffled; the key that says
whose each row is serves to count the people whose own row record linkage puts first. The twin has
the same done to other people. It prints, by way, both attacks' ALC with the verdict, people
exposed, the share of rows traced as the tool tells it beside that by the key, and the twin's
verdict.

Exit code 1 where a told share is off by more than 0.03 or a twin is flagged.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np
import pandas as pd

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData, prepare_scenario
from alc_core.attacks.record_linkage import RecordLinkage
from alc_core.attacks.registry import LINKAGE, ROW_ATTACKS
from alc_core.releases.registry import as_release
from alc_core.releases.samples.people import made_up_people

PEOPLE, OFF = 5_000, 0.03
Perturb = Callable[[pd.DataFrame, np.random.Generator], None]


def _numbers(frame: pd.DataFrame) -> list[str]:
    return [c for c in frame.select_dtypes("number") if frame[c].nunique() > 10]


def redraw(frame: pd.DataFrame, share: float, rng: np.random.Generator) -> None:
    """Draw a share of each category anew from its column."""
    for column in frame.columns.difference(_numbers(frame)):
        rows = rng.random(len(frame)) < share
        frame.loc[rows, column] = rng.choice(frame[column].to_numpy(), rows.sum())


def swap(frame: pd.DataFrame, share: float, rng: np.random.Generator) -> None:
    """Permute a share of each column."""
    for column in frame:
        rows = rng.choice(len(frame), int(share * len(frame)), replace=False)
        values = frame[column].to_numpy().copy()
        values[rows] = values[rng.permutation(rows)]
        frame[column] = values


def swap_ranks(frame: pd.DataFrame, share: float, rng: np.random.Generator) -> None:
    """Swap each number with one whose rank is near."""
    n = len(frame)
    for column in _numbers(frame):
        values = frame[column].to_numpy()
        order = np.argsort(values + rng.normal(0, 1e-6, n))
        moved = values.copy()
        moved[order] = values[order][np.argsort(np.arange(n) + rng.uniform(-share, share, n) * n)]
        frame[column] = moved


def noise(frame: pd.DataFrame, share: float, rng: np.random.Generator) -> None:
    """Add a share of the standard deviation to each number."""
    for column in _numbers(frame):
        moved = frame[column] + rng.normal(0, share * frame[column].std(), len(frame))
        frame[column] = moved.round(2)


def average(frame: pd.DataFrame, size: int, rng: np.random.Generator) -> None:
    """Replace each number by the mean of neighbours in order."""
    for column in _numbers(frame):
        order = np.argsort(frame[column].to_numpy() + rng.normal(0, 1e-6, len(frame)))
        group = np.empty(len(frame), int)
        group[order] = np.arange(len(frame)) // size
        frame[column] = frame.groupby(group)[column].transform("mean").round(2)


def keep(frame: pd.DataFrame, columns: list[str], rng: np.random.Generator) -> None:
    """Permute every column but some."""
    for column in frame.columns.difference(columns):
        frame[column] = rng.permutation(frame[column].to_numpy())


def ways(unknown: str, own: list[str]) -> dict[str, Perturb]:
    """Return what is done, by name."""
    both = {
        "ranks within 5 %, 10 % redrawn": (swap_ranks, 0.05, 0.1),
        "ranks within 15 %, 30 % redrawn": (swap_ranks, 0.15, 0.3),
        "noise of 0.1, 10 % redrawn": (noise, 0.1, 0.1),
        "noise of 0.3, 30 % redrawn": (noise, 0.3, 0.3),
        "means of 5, 20 % redrawn": (average, 5, 0.2),
    }

    def twofold(change: Callable[..., None], much: float, share: float) -> Perturb:
        return lambda frame, rng: (change(frame, much, rng), redraw(frame, share, rng))[0]

    swapped = {
        f"{share:.0%} swapped": lambda frame, rng, share=share: swap(frame, share, rng)
        for share in (0.2, 0.5, 0.8)
    }
    kept = {f"own together: {', '.join(own)}": lambda f, rng: keep(f, [*own, unknown], rng)}
    return swapped | {name: twofold(*how) for name, how in both.items()} | kept


def traced(original: pd.DataFrame, release: pd.DataFrame, owner: np.ndarray, unknown: str) -> float:
    """Return the share of people whose own row is put first, by the key."""
    numbered = [
        alc.table_from_frame(frame.assign(**{unknown: [f"n{row}" for row in rows]}), name="t")
        for frame, rows in ((original, range(len(original))), (release, owner))
    ]
    known = [column for column in original if column != unknown]
    scenario = alc.Scenario(known, unknown, targets="all")
    data = ScenarioData.of(numbered[0], as_release(numbered[1], numbered[0]), scenario)
    prepared = prepare_scenario(data, scenario, folds=10, seed=0)
    predict = RecordLinkage().prepare(prepared.view, np.random.default_rng(0))
    found = predict(prepared.targets.known)
    return float(np.mean(found.values == prepared.targets.unknown))  # noqa: PD011


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--table")
    parser.add_argument("--unknown", default="condition")
    parser.add_argument("--own", default="age,income,district")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.table:
        frame = alc.read_table(asked.table).frame.dropna()
        frame = frame.sample(min(2 * PEOPLE, len(frame)), random_state=asked.seed)
    else:
        frame = made_up_people(2 * PEOPLE, seed=asked.seed)
    half, failed = len(frame) // 2, False
    tables = [frame[:half].reset_index(drop=True), frame[half:].reset_index(drop=True)]
    known = [column for column in frame if column != asked.unknown]
    scenario = alc.Scenario(known, asked.unknown, targets="all")
    print("| release | nearest row | linkage | exposed | rows traced | by the key | twin |")
    print("|---|---|---|---|---|---|---|")
    for number, (name, change) in enumerate(ways(asked.unknown, asked.own.split(",")).items()):
        rng = np.random.default_rng([asked.seed, number])
        cells, keys = [], []
        for table in tables:
            release, key = table.copy(), rng.permutation(len(table))
            change(release, rng)
            release = release.iloc[key].reset_index(drop=True)
            keys.append((release, key))
            worst = alc.assess(
                tables[0], release, scenario, attack=None,
                accept=["own-together", "copied-rows", "other-original"],
            )  # fmt: skip
            cells.append({each.attack_name: each for each in (worst, *worst.beside)} | {"": worst})
        found, twin = cells
        told = found[LINKAGE].measured.get("rows traced", {}).get("rows_traced")
        truth = traced(tables[0], *keys[0], asked.unknown)
        flagged = twin[""].verdict in ("at risk", "serious")
        failed |= flagged or (told is not None and abs(told.value - truth) > OFF)
        losses = [f"{found[a].decisive_alc:.2f} {found[a].verdict}" for a in ROW_ATTACKS]
        print(
            f"| {name} | {' | '.join(losses)} | {found[''].exposed:,.0f} | "
            f"{'-' if told is None else f'{told.value:.2f}'} | {truth:.2f} | {twin[''].verdict} |",
            flush=True,
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
