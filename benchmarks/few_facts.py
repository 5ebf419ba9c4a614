"""Is the one fact tried, or the two, by which a tree-made release tells most? Against all of them.

``python benchmarks/few_facts.py --table adult.csv`` synthesizes rows of a table by trees, each
column from those before it, with leaves of 5 people whose values are drawn as they are. Then best
row match attacks each column by every other one alone, and by all pairs of the ten columns with
most values. For each column of which some such attack is at risk, it prints the smallest sets that
find it, the set that the plan has, and whether that finds it, too.

Exit code 1 where a column that some single fact tells is told by no set of one or two that the plan
has. ``--people`` are attacked of each; ``--rows`` of the table are taken at most.
"""

from __future__ import annotations

import argparse
import itertools
import sys

import numpy as np
from joblib import Parallel, delayed
from perturbed import TreeModel

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.plan.planner import plan_campaign
from alc_core.scoring.verdict import FLAGGED

WIDEST, LEAF = 10, 5


def flagged(
    original: alc.Table, release: alc.Table, known: tuple[str, ...], unknown: str, people: int
) -> bool:
    """Return whether an attack that knows only some columns is at risk or worse.

    First against a quick guess, then against the best.
    """
    scenario = alc.Scenario(known, unknown, targets=alc.Targets(count=people))
    return all(
        alc.assess(
            original, release, scenario, attack="best row match", families=families,
            accept=("scale-changed", "no-value"),
        ).verdict in FLAGGED
        for families in ((NaiveBayes(),), None)
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", nargs="+", required=True)
    parser.add_argument("--rows", type=int, default=5_000)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    missed = 0
    for path in chosen.table:
        frame = alc.read_table(path).frame
        frame = frame.sample(min(chosen.rows, len(frame)), random_state=0).reset_index(drop=True)
        made = TreeModel(frame, leaf=LEAF).synthesis(np.random.default_rng(1))
        original = alc.table_from_frame(frame, name="original")
        release = alc.table_from_frame(made, name="trees")
        plan = plan_campaign(original, release)
        tried = {
            u: [k.columns for k in sets if len(k.columns) < 3]
            for u, sets in plan.known_sets.items()
        }
        facts = list(
            dict.fromkeys(c for sets in plan.known_sets.values() for k in sets for c in k.columns)
        )
        widest = sorted(facts, key=lambda c: -frame[c].nunique())[:WIDEST]
        searched = [(c,) for c in facts] + list(itertools.combinations(widest, 2))
        jobs = [(k, u) for u in tried for k in searched if u not in k]
        results = Parallel(chosen.jobs)(
            delayed(flagged)(original, release, k, u, chosen.people) for k, u in jobs
        )
        leaks: dict[str, list[tuple[str, ...]]] = {}
        for (known, unknown), leak in zip(jobs, results, strict=True):
            if leak:
                leaks.setdefault(unknown, []).append(known)
        few = sum(attack.kind == "one or two facts" for attack in plan.attacks)
        print(
            f"{path}: {len(jobs)} attacks searched; {few} of {len(plan)} planned are of few facts"
        )
        for unknown, sets in leaks.items():
            fewest, leaking = min(map(len, sets)), [{*each} for each in sets]
            own = [known for known in tried[unknown] if {*known} in leaking]
            missed += not own and fewest == 1
            told = f"found by {own[0]}" if own else f"missed, as {sets[0]}"
            print(f"  {unknown}: {len(sets)} sets tell it, the smallest of {fewest}; {told}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
