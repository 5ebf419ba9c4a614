"""Does a harmless release pass the default campaign, and a leak not? The whole workflow, by size.

``python benchmarks/workflow.py`` takes tables of 500, 2 000 and 10 000 people who do not exist
(seven columns), makes harmless releases and releases that leak a known amount, runs the default
campaign on each as the command line does, and asks the gate. Harmless are other people, columns
drawn independently, trees with large leaves that learn nothing of their own rows alone and whose
numbers are blurred, four fifths of each column swapped, and everything under noise. Leaks are rows
published as they are among strangers, rows of people with rare values, and all rows of a group,
each with its twin made of other people, which is harmless, too.

It prints by size and kind how many releases pass, and how many are found: by an attack or by the
check. The harmless ones of a table are in one campaign, the leaks in another. Exit code 1 where
fewer than 95% of the harmless ones pass, or a leak passes that exposes 2% of the people or more.
``--seeds 8`` makes 40 harmless releases of each size; ``--sizes 500`` takes one size only.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from perturbed import TreeModel, kept_together, numbers, redrawn, with_noise

import alc_core as alc
from alc_core.releases.samples.perturbed import swap_columns
from alc_core.scoring.verdict import Outcome
from benchmarks.leaks import leak_cases
from benchmarks.people import made_up_people

SIZES, SEEDS = (500, 2_000, 10_000), 2
COLUMNS = ["age", "sex", "district", "education", "job", "income", "condition"]
LEAKS = {"verbatim": [0.1, 0.05, 0.02], "rare values": [0.1, 0.05], "subgroup": [0.25, 0.1]}
LEAST, PASSING = 0.02, 0.95
LEAF = 0.05  # Of the people, in each leaf of a tree


def blurred(people: pd.DataFrame, share: float, rng: np.random.Generator) -> pd.DataFrame:
    """Whole numbers with noise of a share of their standard deviation, within the column's."""
    made = {
        c: with_noise(people[c], share, rng).clip(people[c].min(), people[c].max()).round()
        for c in numbers(people)
    }
    return people.assign(**made).astype(people.dtypes)


def harmless(people: pd.DataFrame, strangers: pd.DataFrame, seed: int) -> dict[str, pd.DataFrame]:
    """Return releases from which nothing can be learned of anybody beyond what holds for all."""
    rng = np.random.default_rng(seed)
    trees = TreeModel(people, leaf=max(50, int(LEAF * len(people))), careful=True)
    others = people.columns.difference(numbers(people))
    noisy = blurred(people, 1.0, rng).assign(**{c: redrawn(people[c], 0.8, rng) for c in others})
    shuffled = {"frac": 1, "random_state": seed, "ignore_index": True}
    return {
        "strangers": strangers,
        "independent": kept_together(people, [], rng),
        "trees": blurred(trees.synthesis(rng), 0.1, rng),
        "swapped": swap_columns(people, 0.8, seed=seed).sample(**shuffled),
        "noise": noisy.sample(**shuffled),
    }


def judged(people: pd.DataFrame, releases: dict[str, pd.DataFrame], seed: int) -> pd.DataFrame:
    """Run the default campaign, and return by release what the gate and the attacks say."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "campaign.alc"
        plan = alc.plan_campaign(people, releases)
        with alc.run_campaign(
            people, releases, path, plan=plan, jobs=1, seed=seed, accept=["unknown-labels"]
        ):
            pass
        gate, (found) = alc.gate(path), alc.CampaignView(path).frame()
    rows = []
    for line in gate.releases:
        own = found[found["release"] == line.release]
        rows.append({
            "release": line.release,
            "passed": line.outcome is Outcome.PASSED,
            "found": line.outcome is Outcome.FOUND,
            "attacks": len(own),
            "flagged": int(own["standing"].isin(["at risk", "serious"]).sum()),
            "inconclusive": int((own["standing"] == "inconclusive").sum()),
            "too few": int((own["standing"] == "too few to test").sum()),
            "why": line.why,
        })  # fmt: skip
    return pd.DataFrame(rows)


def runs(size: int, seed: int) -> Iterator[pd.DataFrame]:
    """Judge the harmless releases and the leaks of one table."""
    people, strangers = (made_up_people(size, seed=s)[COLUMNS] for s in (seed, seed + 10_000))
    found = judged(people, harmless(people, strangers, seed), seed)
    yield found.assign(kind=found["release"], exposed=0)
    crowd = made_up_people(4 * size, seed=seed + 20_000)[COLUMNS]
    cases = list(leak_cases(crowd, unknowns=["condition"], number=None, size=size, seed=seed,
                            leaks=LEAKS))  # fmt: skip
    for twin in (False, True):
        chosen = {f"{c.leak} {c.level:g}": c for c in cases if c.harmless is twin}
        releases = {name: case.release for name, case in chosen.items()}
        found = judged(cases[0].original, releases, seed)
        told = {name: case.truth.exposed for name, case in chosen.items()}
        exposed = 0 if twin else found["release"].map(told)
        yield found.assign(kind="twin" if twin else found["release"], exposed=exposed)


def one(size: int, seed: int) -> pd.DataFrame:
    """Judge one table's releases."""
    return pd.concat(list(runs(size, seed))).assign(size=size, seed=seed)


def main(arguments: list[str] | None = None) -> int:
    """Run, print a line for each size and kind, and say whether the bounds hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="tables of each size")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--csv", type=Path, help="write every release there")
    options = parser.parse_args(arguments)
    seeds = range(options.first, options.first + options.seeds)
    asked = [(size, seed) for size in options.sizes for seed in seeds]
    found = pd.concat(Parallel(n_jobs=options.jobs)(delayed(one)(*each) for each in asked))
    if options.csv:
        found.to_csv(options.csv, index=False)
    table = found.groupby(["size", "kind"]).agg(
        releases=("passed", "size"), passed=("passed", "sum"), found=("found", "sum"),
        attacks=("attacks", "sum"), flagged=("flagged", "sum"),
        inconclusive=("inconclusive", "sum"),
        too_few=("too few", "sum"), exposed=("exposed", "mean"),
    )  # fmt: skip
    print(table.to_string())
    safe = found["exposed"] == 0
    share = found[safe].groupby("size")["passed"].mean()
    missed = found[~safe & found["passed"] & (found["exposed"] >= LEAST * found["size"])]
    print(f"\nharmless passing: {share.round(3).to_dict()}; leaks passing: {len(missed)}")
    for each in found[safe & ~found["passed"]].itertuples():
        print(f"stopped: {each.size} {each.kind} seed {each.seed}: {each.why}")
    for each in missed.itertuples():
        print(f"missed: {each.size} {each.kind} seed {each.seed}, {each.exposed} exposed")
    return int((share < PASSING).any() or len(missed) > 0)


if __name__ == "__main__":
    sys.exit(main())
