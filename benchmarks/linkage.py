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
from perturbed import Move, averaged, disturbed, kept_together, ranks_swapped, with_noise

import alc_core as alc
from alc_core.assessment.prepare import ScenarioData, prepare_scenario
from alc_core.attacks.record_linkage import RecordLinkage
from alc_core.attacks.registry import LINKAGE, ROW_ATTACKS
from alc_core.releases.registry import as_release
from benchmarks.people import made_up_people

PEOPLE, OFF = 5_000, 0.03
Perturb = Callable[[pd.DataFrame, np.random.Generator], pd.DataFrame]


def ways(unknown: str, own: list[str]) -> dict[str, Perturb]:
    """Return what is done, by name."""
    swapped = {
        f"{share:.0%} swapped": lambda frame, rng, share=share: alc.swap_columns(
            frame, share, seed=int(rng.integers(2**31))
        )
        for share in (0.2, 0.5, 0.8)
    }
    moved = {
        name: lambda frame, rng, how=how: disturbed(frame, *how, rng)
        for name, how in {
            "ranks within 5%, 10% redrawn": (ranks_swapped, 0.05, 0.1),
            "ranks within 15%, 30% redrawn": (ranks_swapped, 0.15, 0.3),
            "noise of 0.1, 10% redrawn": (rounded(with_noise), 0.1, 0.1),
            "noise of 0.3, 30% redrawn": (rounded(with_noise), 0.3, 0.3),
            "means of 5, 20% redrawn": (rounded(averaged), 5, 0.2),
        }.items()
    }
    together = f"own together: {', '.join(own)}"
    kept = {together: lambda frame, rng: kept_together(frame, [*own, unknown], rng)}
    return swapped | moved | kept


def rounded(move: Move) -> Move:
    return lambda values, much, rng: move(values, much, rng).round(2)


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


def halves(table: str | None, seed: int) -> list[pd.DataFrame]:
    """Return people of a file, or who do not exist, and as many others."""
    if table:
        frame = alc.read_table(table).frame.dropna()
        frame = frame.sample(min(2 * PEOPLE, len(frame)), random_state=seed)
    else:
        frame = made_up_people(2 * PEOPLE, seed=seed)
    half = len(frame) // 2
    return [part.reset_index(drop=True) for part in (frame[:half], frame[half:])]


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--table")
    parser.add_argument("--unknown", default="condition")
    parser.add_argument("--own", default="age,income,district")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    failed, tables = False, halves(asked.table, asked.seed)
    known = [column for column in tables[0] if column != asked.unknown]
    scenario = alc.Scenario(known, asked.unknown, targets="all")
    print("| release | nearest row | linkage | exposed | rows traced | by the key | twin |")
    print("|---|---|---|---|---|---|---|")
    for number, (name, change) in enumerate(ways(asked.unknown, asked.own.split(",")).items()):
        rng = np.random.default_rng([asked.seed, number])
        cells, keys = [], []
        for table in tables:
            key = rng.permutation(len(table))
            release = change(table, rng).iloc[key].reset_index(drop=True)
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
