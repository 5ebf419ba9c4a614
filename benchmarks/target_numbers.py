"""Does the same attack get the same verdict whatever the number of targets?

``python benchmarks/target_numbers.py --adult adult.csv`` attacks everybody in ten scenarios on the
Adult census data (UCI) and the demos, then scores 60 random subsets of 2 000 and of 5 000 of the
targets. Nothing is predicted again: a subset takes the outcomes of its targets, attack and baseline
side by side. Without a file, the demos alone.

For both readings of ALC that lie above -0.5 on all targets, it checks that the mean of the subsets
is within 0.1 of that, and that the 95% interval covers it in at least 90% of the subsets. Where
either does not hold, the results of the subsets whose interval misses must say that they cannot
tell: inconclusive, in at least 90% of them. It also counts the subsets that contradict all targets:
flagged (at risk or serious) where all targets give a harmless verdict, or the other way round.

Exit code 1 where a check fails. It takes about 10 minutes on two cores; ``--quick`` takes three
scenarios and 20 subsets.

Measured: none of 1,200 subsets contradicts the verdict of everybody. All 34 checks hold (scenario,
size, reading, with ALC above -0.5: mean within 0.1 and the interval covers in 90%, or
inconclusive). Coverage over the 40 combinations: 0.90 to 1.00, median 0.98.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from msgspec import structs
from verdicts import (
    ADULT_FACTS,
    FAIR_FACTS,
    FLAGGED,
    RANDHIE_FACTS,
    RealScenario,
    readings,
    real_tables,
    sharing_runs,
    table_of,
)

import alc_core as alc
from alc_core.assessment.loop import RunSettings
from alc_core.runtime.machine import limit_threads
from alc_core.scoring.outcomes import Outcomes

SIZES = (2000, 5000)
LOWEST_CHECKED = -0.5
LARGEST_BIAS = 0.1
LEAST_COVERED = 0.9
LEAST_INCONCLUSIVE = 0.9
UNKNOWNS = {
    "adult": (
        "occupation", "income", "workclass", "marital_status", "education", "relationship",
        "hours_per_week", "age",
    ),
    "fair": ("religious",),
    "randhie": ("self_rated_health",),
}  # fmt: skip
FACTS = {"adult": ADULT_FACTS, "fair": FAIR_FACTS, "randhie": RANDHIE_FACTS}
SWAPPED = (0.05, 0.1, 0.2)
"""Shares of the values of each column that are swapped, in turn over the scenarios."""


@dataclass(slots=True)
class Paired:
    """What came of every target: scores and hits of attack and baseline."""

    scores: tuple[np.ndarray, np.ndarray]
    right: tuple[np.ndarray, np.ndarray]

    def some(self, targets: np.ndarray, max_thresholds: int) -> Outcomes:
        return Outcomes.from_predictions(
            self.scores[0][targets], self.right[0][targets],
            self.scores[1][targets], self.right[1][targets], max_thresholds=max_thresholds,
        )  # fmt: skip


def attack_everybody(
    frame: pd.DataFrame, real: RealScenario, swapped: float, seed: int
) -> tuple[alc.Assessment, Paired]:
    """The result on all targets, and what it is made of."""
    release = alc.swap_columns(frame, swapped, seed=seed)
    settings = RunSettings(seed=seed, measures=())
    run = sharing_runs(frame, {"swapped": release}, real.scenario("all"), settings)["swapped"]
    targets, seen = run.prepared.targets, []

    def watch(rows, attack, baseline) -> None:  # type: ignore[no-untyped-def]
        hits = [targets.scenario.is_right(s.values, targets.unknown[rows])
                for s in (attack, baseline)]  # fmt: skip
        seen.append((attack.scores, baseline.scores, *hits))

    result = run.attack(alc.make_attack("best row match"), watch=watch)
    joined = [np.concatenate(parts) for parts in zip(*seen, strict=True)]
    return result, Paired(scores=(joined[0], joined[1]), right=(joined[2], joined[3]))


def one_scenario(
    frame: pd.DataFrame, real: RealScenario, swapped: float, subsets: int, seed: int
) -> list[dict[str, object]]:
    """Every subset of every size, and all targets."""
    with limit_threads(1):
        everybody, paired = attack_everybody(frame, real, swapped, seed)
    name = f"{real}, {swapped:.0%} swapped"
    rows = [describe(name, everybody, everybody.attempts, -1)]
    rng = np.random.default_rng(seed)
    for size in SIZES:
        if size >= everybody.attempts:
            continue
        for number in range(subsets):
            targets = rng.choice(everybody.attempts, size=size, replace=False)
            outcomes = paired.some(targets, everybody.loop.max_thresholds)
            # With a seed of its own, as the intervals of independent runs have.
            result = structs.replace(everybody, outcomes=outcomes, seed=seed + number)
            rows.append(describe(name, result, size, number))
    print(f"  {name}: {everybody.attempts} targets", file=sys.stderr, flush=True)
    return rows


def describe(scenario: str, result: alc.Assessment, size: int, number: int) -> dict[str, object]:
    found: dict[str, object] = {
        "scenario": scenario, "size": size, "subset": number, "verdict": str(result.verdict),
    }  # fmt: skip
    for name, numbers in readings(result).items():
        found |= {
            f"{name} {part}": value
            for part, value in zip(("alc", "low", "high"), numbers, strict=True)
        }
    return found


def summarize(results: pd.DataFrame) -> pd.DataFrame:
    """One line per scenario, size and reading, and whether the checks hold."""
    names = [name.removesuffix(" alc") for name in results if name.endswith(" alc")]
    flagged = {str(verdict) for verdict in FLAGGED}
    lines = []
    for scenario, group in results.groupby("scenario", sort=False):
        everybody = group[group["subset"] < 0].iloc[0]
        for size, subsets in group[group["subset"] >= 0].groupby("size"):
            decided = subsets[subsets["verdict"] != str(alc.Verdict.INCONCLUSIVE)]
            other = decided["verdict"].isin(flagged) != (everybody["verdict"] in flagged)
            settled = everybody["verdict"] != str(alc.Verdict.INCONCLUSIVE)
            for name in names:
                truth = everybody[f"{name} alc"]
                covers = subsets[f"{name} low"].le(truth) & subsets[f"{name} high"].ge(truth)
                missing = subsets[~covers]
                inconclusive = missing["verdict"].eq(str(alc.Verdict.INCONCLUSIVE)).mean()
                bias = subsets[f"{name} alc"].mean() - truth
                precise = abs(bias) <= LARGEST_BIAS and covers.mean() >= LEAST_COVERED
                lines.append(
                    {
                        "scenario": scenario, "targets": size, "reading": name,
                        "all targets": truth, "verdict": everybody["verdict"],
                        "mean": subsets[f"{name} alc"].mean(), "covered": covers.mean(),
                        "misses inconclusive": inconclusive,
                        "inconclusive": 1 - len(decided) / len(subsets),
                        "contradicting": other.sum() / len(subsets) if settled else 0.0,
                        "checked": truth > LOWEST_CHECKED,
                        "holds": precise or truth <= LOWEST_CHECKED
                        or bool(len(missing) and inconclusive >= LEAST_INCONCLUSIVE),
                    }
                )  # fmt: skip
    return pd.DataFrame(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--adult", help="file of the Adult data, with a header")
    parser.add_argument("--subsets", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--only", help="scenarios whose text contains this")
    parser.add_argument("--quick", action="store_true", help="three scenarios, 20 subsets")
    parser.add_argument("--save", help="CSV file for the figures of all subsets")
    options = parser.parse_args()
    tables = real_tables(options.adult)
    scenarios = [
        RealScenario(table=t, known=tuple(c for c in FACTS[t] if c != unknown), unknown=unknown)
        for t in tables
        for unknown in UNKNOWNS[t]
    ]
    scenarios = [s for s in scenarios if (options.only or "") in str(s)]
    subsets = options.subsets
    if options.quick:
        scenarios, subsets = scenarios[:: max(1, len(scenarios) // 3)][:3], 20
    done = Parallel(n_jobs=options.jobs)(
        delayed(one_scenario)(
            tables[real.table], real, SWAPPED[number % len(SWAPPED)], subsets, options.seed
        )
        for number, real in enumerate(scenarios)
    )
    results = pd.DataFrame([row for part in done for row in part])
    if options.save:
        results.to_csv(options.save, index=False)
    summary = summarize(results)
    shown = summary.drop(columns=["checked", "holds"]).map(
        lambda value: f"{value:.2f}" if isinstance(value, float) else str(value)
    )
    state = np.where(
        summary["checked"], np.where(summary["holds"], "holds", "fails"), "not checked"
    )
    shown["check"] = state
    print(table_of(shown.to_numpy().tolist(), list(shown)))
    failed = int((state == "fails").sum())
    print(f"\n{failed} of {int(summary['checked'].sum())} checks fail")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
