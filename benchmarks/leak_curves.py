"""Does a verdict follow what leaks? Releases of which a known share are verbatim originals.

``python benchmarks/leak_curves.py --adult adult.csv`` takes scenarios on the Adult census data
(UCI) and on the demo tables; without a file, the demo tables alone. A table is cut into an original
and strangers. A share q of the release are rows of the original, the rest are strangers, for q = 0,
0.25, 0.5, 0.75 and 1. Best row match, the model attack and naive Bayes run on each, with the same
baseline; and the attacks for them on the same people published as groups (Anatomy, l = 2, where no
value is more frequent) and as counts (epsilon = 1, from which nobody leaks, whatever q).

It prints both readings of ALC for each q, and checks that

- neither falls from one q to a higher one by more than their intervals explain, widened for the
  number of pairs that are compared (Bonferroni; scenarios in which nothing was left to learn test
  nothing and are left out);
- at q = 0, where the release is independent of the people, at most 2% are flagged (at risk or
  serious), of any attack, and on counts at every q;
- where the known facts single out most people and at least 200 targets are not known anyway, best
  row match is flagged or inconclusive in 80% at q = 0.25, where the loss itself often lies near the
  limit, flagged in 98% from q = 0.5 on, and at q = 1 never cleared (below limit, no loss, not
  learn).

``--paper`` names a folder with the tables of the ALC paper (TABLE_original.parquet): three columns
of each are drawn, with ten others known. Exit code 1 where a check fails. With Adult and three
seeds it takes about 25 minutes on two cores;
``--quick`` takes a few scenarios of one seed.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.stats import norm
from verdicts import (
    ATTACKS,
    DEMO_UNKNOWNS,
    FLAGGED,
    OTHER_KINDS,
    RealScenario,
    drawn_scenarios,
    published,
    readings,
    real_scenarios,
    real_tables,
    sharing_runs,
    singled_out,
    table_of,
    two_halves,
    with_leak,
)

import alc_core as alc
from alc_core.assessment.loop import RunSettings
from alc_core.runtime.machine import limit_threads

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
CLEARED = (alc.Verdict.BELOW_LIMIT, alc.Verdict.NO_LOSS, alc.Verdict.NOT_TESTABLE)
ROWS_TOGETHER = {"randhie": 100}
"""Rows of one person follow each other there."""


def attacks_on(release: str) -> tuple[str, ...]:
    """The attacks that run on a release, by its name."""
    return OTHER_KINDS.get(release.split()[1], ATTACKS)


def one_scenario(
    frame: pd.DataFrame, real: RealScenario, seed: int, rows: int, kinds: Sequence[str]
) -> list[dict[str, object]]:
    """All shares and attacks for one scenario and seed."""
    rng = np.random.default_rng(seed)
    original, strangers = two_halves(frame, rows, rng, together=ROWS_TOGETHER.get(real.table, 1))
    frames = {share: with_leak(original, strangers, share, rng) for share in SHARES}
    made = {
        f"{share} {kind}": published(frame, kind, real.scenario(), seed)
        for kind in kinds
        for share, frame in frames.items()
    }
    releases = {name: release for name, release in made.items() if release is not None}
    found = []
    with limit_threads(1):
        runs = sharing_runs(
            original, releases, real.scenario(), RunSettings(seed=seed, measures=())
        )
        for release, attack in [(each, on) for each in runs for on in attacks_on(each)]:
            share, kind = release.split()
            result = runs[release].attack(alc.make_attack(attack))
            found.append(
                {
                    "scenario": f"{real}, {len(real.known)} known",
                    "seed": seed,
                    "attack": attack if kind == "rows" else f"{attack} on {kind}",
                    "q": float(share),
                    "singled_out": singled_out(original, real.known),
                    "attack_recall": result.attack_rest.recall,
                    "attack_right": result.attack_rest.measured_precision,
                    "baseline_there": result.baseline_rest.measured_precision,
                    "rest": result.points.rest,
                    "exposed": result.exposed / (result.people or result.candidates),
                    "targets": result.attempts,
                    "verdict": str(result.verdict),
                    "flagged": result.verdict in FLAGGED,
                    "model": result.model,
                    **{
                        f"{name} {part}": value
                        for name, numbers in readings(result).items()
                        for part, value in zip(("alc", "low", "high"), numbers, strict=True)
                    },
                }
            )
    print(f"  {real}, seed {seed}", file=sys.stderr, flush=True)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """A reading whose interval at a higher share lies below that at a lower one.

    Attributes
    ----------
    text : str
        Where.
    explained : bool
        Whether intervals widened for the number of pairs overlap.
    """

    text: str
    explained: bool


def falls(results: pd.DataFrame) -> tuple[list[Fall], int]:
    """Pairs of shares at which a reading falls, and how many pairs were compared.

    Where nothing was left to learn, nothing was tested, and there is no reading to compare.
    """
    names = [name.removesuffix(" alc") for name in results if name.endswith(" alc")]
    tested = results[results["verdict"] != str(alc.Verdict.NOT_TESTABLE)]
    pairs = [
        (
            f"{scenario}, {attack}, seed {seed}, {name}",
            _reading(first, name),
            _reading(second, name),
        )
        for (scenario, attack, seed), group in tested.groupby(["scenario", "attack", "seed"])
        for name in names
        for first, second in itertools.combinations(group.sort_values("q").to_dict("records"), 2)
    ]
    wider = norm.isf(0.025 / max(len(pairs), 1)) / norm.isf(0.025)
    found = []
    for where, (q, value, low, _), (later, after, _, high) in pairs:
        if high < low:
            text = f"{where}: at least {low:.2f} at q = {q:g}, at most {high:.2f} at {later:g}"
            reach = after + wider * (high - after) >= value - wider * (value - low)
            found.append(Fall(text=text, explained=bool(reach)))
    return found, len(pairs)


def _reading(row: Mapping[Hashable, Any], name: str) -> tuple[float, float, float, float]:
    return row["q"], row[f"{name} alc"], row[f"{name} low"], row[f"{name} high"]


def flag_checks(results: pd.DataFrame) -> Iterator[tuple[str, bool]]:
    """The checks of flagged shares, in words, and whether each holds."""
    for attack in results["attack"].unique():
        from_counts = attack.endswith("counts")
        runs = results[((results["q"] == 0) | from_counts) & (results["attack"] == attack)]
        yield _share(runs, f"{'any q' if from_counts else 'q = 0'}, {attack}", most=0.02)
    matched = results[results["attack"] == ATTACKS[0]]
    measured = matched[(matched["singled_out"] >= 0.5) & (matched["rest"] >= 200)]
    name = "best row match, singled out, 200 in the rest"
    runs = measured[measured["q"] == 0.25]
    asked = runs.assign(flagged=~runs["verdict"].isin([str(verdict) for verdict in CLEARED]))
    yield _share(asked, f"q = 0.25, {name}, inconclusive too", least=0.8)
    for share in (0.25, 0.5, 0.75, 1):
        runs = measured[measured["q"] == share]
        yield _share(runs, f"q = {share:g}, {name}", least=0.98 if share > 0.25 else 0)
    cleared = runs[runs["verdict"].isin([str(verdict) for verdict in CLEARED])]
    yield f"{name}: cleared {len(cleared)} of {len(runs)} (none)", cleared.empty


def _share(
    runs: pd.DataFrame, name: str, *, least: float = 0.0, most: float = 1.0
) -> tuple[str, bool]:
    if runs.empty:
        return f"{name}: no such run", True
    share = float(runs["flagged"].mean())
    missed = runs[runs["flagged"] == (share > most)]
    wrong = "; ".join(
        f"{run.scenario}, seed {run.seed}: {run.verdict}" for run in missed.itertuples()
    )
    bound = f"at least {least:.0%}" if least else f"at most {most:.0%}"
    text = f"{name}: flagged in {runs['flagged'].sum()} of {len(runs)} ({bound})"
    holds = least <= share <= most
    return (text if holds and not least else f"{text} [{wrong}]" if wrong else text), holds


def print_curves(results: pd.DataFrame) -> None:
    """A table for each attack: both readings and the verdicts of all seeds at each share."""
    names = [name.removesuffix(" alc") for name in results if name.endswith(" alc")]
    for attack in results["attack"].unique():
        lines = []
        of_attack = results[results["attack"] == attack]
        for scenario, group in of_attack.groupby("scenario", sort=False):
            cells = [str(scenario)]
            for _, at in group.groupby("q"):
                numbers = " / ".join(f"{at[f'{name} alc'].mean():.2f}" for name in names)
                right = f"{at['baseline_there'].mean():.2f}"
                cells.append(f"{numbers} / {right} {_initials(at['verdict'])}")
            lines.append(cells)
        print(f"\n{attack}: mean {' / '.join(f'ALC, {name}' for name in names)} / baseline's "
              "precision at the attack's recall, verdict of each seed")  # fmt: skip
        print(table_of(lines, ["scenario", *(f"q = {share:g}" for share in SHARES)]))


def _initials(verdicts: Sequence[str]) -> str:
    return ", ".join(verdicts) if len(set(verdicts)) > 1 else f"{next(iter(verdicts))}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--adult", help="file of the Adult data, with a header")
    parser.add_argument("--paper", help="folder of the ALC paper's tables")
    parser.add_argument("--rows", type=int, default=10_000, help="of the original, at most")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--kinds", default="rows,groups,counts", help="how people are published")
    parser.add_argument("--only", help="scenarios whose text contains this")
    parser.add_argument("--quick", action="store_true", help="few scenarios, few rows, one seed")
    parser.add_argument("--save", help="CSV file for all figures")
    options = parser.parse_args()
    tables = real_tables(options.adult, options.paper)
    known = {name: tables[name] for name in ("adult", *DEMO_UNKNOWNS) if name in tables}
    drawn = {name: frame for name, frame in tables.items() if name not in known}
    scenarios = [*real_scenarios(list(known)), *drawn_scenarios(drawn)]
    scenarios = [s for s in scenarios if (options.only or "") in str(s)]
    rows, seeds = options.rows, [int(seed) for seed in options.seeds.split(",")]
    if options.quick:
        scenarios, rows, seeds = scenarios[::4], min(rows, 3000), seeds[:1]
    print(f"{len(scenarios)} scenarios, {len(seeds)} seed(s)", file=sys.stderr)
    work = [(real, seed) for real in scenarios for seed in seeds]
    done = Parallel(n_jobs=options.jobs)(
        delayed(one_scenario)(tables[real.table], real, seed, rows, options.kinds.split(","))
        for real, seed in work
    )
    results = pd.DataFrame([row for part in done for row in part])
    if options.save:
        results.to_csv(options.save, index=False)
    print_curves(results)
    print("\nChecks")
    fallen, compared = falls(results)
    unexplained = [fall for fall in fallen if not fall.explained]
    print(
        f"{'fails' if unexplained else 'holds'}  a reading falls by more than the intervals "
        f"explain: {len(unexplained)} of {compared} pairs of shares; single intervals lie apart: "
        f"{len(fallen)}"
    )
    for fall in fallen:
        print(f"         {fall.text}")
    checked = list(flag_checks(results))
    for text, holds in checked:
        print(f"{'holds' if holds else 'fails'}  {text}")
    sys.exit(bool(unexplained) or not all(holds for _, holds in checked))


if __name__ == "__main__":
    main()
