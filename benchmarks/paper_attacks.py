"""Attacks of the ALC paper run again, drawn blindly from the authors' stored results.

``python benchmarks/paper_attacks.py --paper FOLDER`` needs the folder of the paper's tables
(TABLE_original.parquet, TABLE_weak.parquet, TABLE_strong.parquet and results.parquet, of
yoid2000/alc-paper). It draws attacks of the authors' own approach with a seed, runs best row match
with the same known columns on the release of which 20 % (weak) or 80 % (strong) of each column was
swapped, and prints for each what the authors stored and what is found here: both readings, the
people whom a guess does not know anyway, precision of attack and guess among them, people exposed
and the verdict. Then it counts verdicts and flags.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed
from verdicts import FLAGGED, sharing_runs, table_of

import alc_core as alc
from alc_core.assessment.loop import RunSettings
from alc_core.runtime.machine import limit_threads


def drawn_attacks(folder: Path, swapped: str, number: int, seed: int) -> pd.DataFrame:
    """Attacks of the authors with their ALC, as many of each table."""
    stored = pd.read_parquet(folder / "results.parquet")
    chosen = stored[
        (stored["approach"] == "ours") & (stored["swapped"] == swapped) & ~stored["paired"]
    ].drop_duplicates(["dataset", "secret_column", "known_columns"])
    each = -(-number // chosen["dataset"].nunique())
    parts = [
        group.sample(min(each, len(group)), random_state=seed)
        for _, group in chosen.groupby("dataset")
    ]
    return pd.concat(parts).head(number)


def one_attack(folder: Path, row: dict[str, object], seed: int) -> dict[str, object]:
    """What is found of one stored attack."""
    table, cut = str(row["dataset"]), "__discretized"
    unknown = str(row["secret_column"]).removesuffix(cut)
    known = [name.removesuffix(cut) for name in json.loads(str(row["known_columns"]))]
    original, release = (
        pd.read_parquet(folder / f"{table}_{kind}.parquet") for kind in ("original", row["swapped"])
    )
    with limit_threads(1):
        runs = sharing_runs(
            original,
            {"release": release},
            alc.Scenario(known, unknown),
            RunSettings(seed=seed, measures=()),
        )
        result = runs["release"].attack(alc.make_attack("best row match"))
    print(f"  {table} {unknown}", file=sys.stderr, flush=True)
    people = result.people or result.candidates
    return {
        "attack": f"{table} {unknown}, {len(known)} known",
        "stored": float(str(row["alc"])),
        "alc": result.alc,
        "rest": result.alc_rest,
        "low": result.decisive_interval[0],
        "high": result.decisive_interval[1],
        "in the rest": f"{result.points.rest} of {result.attempts}",
        "rest_share": result.rest_share,
        "right": f"{result.attack_rest.measured_precision:.2f} / "
        f"{result.baseline_rest.measured_precision:.2f} of {result.attack_rest.predictions}",
        "exposed": result.exposed / people,
        "verdict": str(result.verdict),
        "flagged": result.verdict in FLAGGED,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--paper", required=True, type=Path)
    parser.add_argument("--swapped", choices=("weak", "strong"), default="weak")
    parser.add_argument("--attacks", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--save", help="CSV file for all figures")
    options = parser.parse_args()
    drawn = drawn_attacks(options.paper, options.swapped, options.attacks, options.seed)
    found = pd.DataFrame(
        Parallel(n_jobs=options.jobs)(
            delayed(one_attack)(options.paper, row, options.seed)
            for row in drawn.to_dict("records")
        )
    )
    if options.save:
        found.to_csv(options.save, index=False)
    shown = found.drop(columns=["flagged", "rest_share"])
    lines = [
        [f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row]
        for row in shown.sort_values("rest").to_numpy().tolist()
    ]
    print(table_of(lines, list(shown)))
    print(f"\nVerdicts: {found['verdict'].value_counts().to_dict()}")
    print(f"Flags, stored ALC of 0.5 or more against here: "
          f"{pd.crosstab(found['stored'] >= 0.5, found['flagged']).to_dict()}")  # fmt: skip


if __name__ == "__main__":
    main()
