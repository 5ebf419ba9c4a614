"""What does chaining gain? Several unknown columns in turn, beside each alone and all at once.

``python benchmarks/chained.py --adult adult.csv --paper FOLDER`` attacks the two pairs of columns
that depend most on each other, knowing six others, in the Adult census data (UCI) with 20% of the
values of each column swapped, in a release of strangers, and in the weakly swapped tables of the
ALC paper (TABLE_original.parquet, TABLE_weak.parquet). It prints the precision at recall 1, the PRC
and both readings of ALC of each attack, and what chaining gains on attacking each column alone.
``--over "best row match"`` leaves out the model, which takes nearly all of the time; ``--quick``
takes naive Bayes for the baseline, on which the attacks' own precision and PRC do not depend.

Measured on 14 pairs: both are correct for 48.5%, each alone 47.3%, both at once 48.7%.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.metrics import normalized_mutual_info_score

import alc_core as alc
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import assess_attacks
from alc_core.baselines.families import NaiveBayes
from alc_core.releases.samples.perturbed import swap_columns
from alc_core.tables.codes.encode import encode

ATTACKS = {
    "rows, all at once": "best row match",
    "rows, each alone": "chained: alone=yes",
    "rows, chained": "chained",
    "model, all at once": "model",
    "model, each alone": "chained: over=model, alone=yes",
    "model, chained": "chained: over=model",
}
ROWS, KNOWN, PAIRS, MOST = 6_000, 6, 2, 0.9


def tables(
    adult: Path | None, paper: Path | None
) -> Iterator[tuple[str, pd.DataFrame, pd.DataFrame]]:
    """Yield a name, an original and a release of it."""
    if adult is not None:
        frame = pd.read_csv(adult, keep_default_na=False).sample(2 * ROWS, random_state=3)
        people, strangers = frame[:ROWS].reset_index(drop=True), frame[ROWS:]
        yield "adult", people, swap_columns(people, 0.2, seed=1)
        yield "adult strangers", people, strangers.reset_index(drop=True)
    for file in sorted(paper.glob("*_original.parquet")) if paper is not None else ():
        name = file.name.removesuffix("_original.parquet")
        original = pd.read_parquet(file)
        rows = original.sample(min(ROWS, len(original)), random_state=3).index
        weak = pd.read_parquet(file.with_name(f"{name}_weak.parquet"))
        yield name, original.loc[rows].reset_index(drop=True), weak.loc[rows].reset_index(drop=True)


def dependent_pairs(original: alc.Table) -> list[tuple[str, str]]:
    """The pairs of columns with most mutual information, without those that are nearly the same."""
    data = encode(original, [])
    codes = {column: data.as_unknown(data.original, column, 20) for column in original.compared}
    varied = [c for c, found in codes.items() if np.bincount(found).max() < 0.8 * len(found)]
    scores = {
        (a, b): normalized_mutual_info_score(codes[a], codes[b])
        for a, b in itertools.combinations(varied, 2)
    }
    return sorted((p for p, s in scores.items() if s < MOST), key=lambda p: -scores[p])[:PAIRS]


def at_recall_1(result: Assessment) -> float:
    """The precision of all predictions."""
    curve = result.outcomes.attack
    return float(curve.true_predictions[-1] / curve.predictions[-1])


def one_pair(
    name: str,
    original: alc.Table,
    release: alc.Table,
    pair: tuple[str, str],
    seed: int,
    attacks: dict[str, str],
    families: list[NaiveBayes] | None,
) -> list[dict[str, object]]:
    """All attacks on a pair of columns."""
    rng = np.random.default_rng(seed)
    others = [column for column in original.compared if column not in pair]
    known = rng.choice(others, size=min(KNOWN, len(others)), replace=False).tolist()
    scenario = alc.Scenario(known, " & ".join(pair), targets=alc.Targets(count=1000, missing=None))
    every = frozenset(
        each.answers[0]
        for each in alc.check_tables(original, [release])
        if each.severity.value == "question"
    )
    results = assess_attacks(
        original, release, scenario, [*attacks.values()], families=families, seed=1, accept=every
    )
    return [
        {
            "table": name, "unknown": scenario.unknown, "attack": what,
            "right": at_recall_1(result), "prc": result.attack.prc,
            "base_prc": result.baseline.prc, "alc": result.alc, "rest": result.alc_rest,
            "exposed": result.exposed,
        }
        for what, result in zip(attacks, results, strict=True)
    ]  # fmt: skip


def main() -> None:
    """Run all pairs and print what chaining gains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adult", type=Path)
    parser.add_argument("--paper", type=Path)
    parser.add_argument("--over", choices=("best row match", "model"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    kinds = {"best row match": ["rows"], "model": ["model"]}.get(given.over, ["rows", "model"])
    attacks = {what: name for what, name in ATTACKS.items() if what.split(",")[0] in kinds}
    families = [NaiveBayes()] if given.quick else None
    jobs = [
        (name, original, release, pair, seed, attacks, families)
        for name, people, published in tables(given.adult, given.paper)
        for original in (alc.table_from_frame(people, name=name),)
        for release in (alc.table_from_frame(published, name="release"),)
        for seed, pair in enumerate(dependent_pairs(original))
    ]
    found = Parallel(n_jobs=given.jobs)(delayed(one_pair)(*job) for job in jobs)
    rows = pd.DataFrame([row for rows in found for row in rows])
    pd.set_option("display.width", 200)
    print(rows.to_string(index=False, float_format="{:.3f}".format))
    wide = rows.pivot_table(index=["table", "unknown"], columns="attack", values=["right", "prc"])
    for value, over in itertools.product(("right", "prc"), kinds):
        chained, alone = (wide[value, f"{over}, {how}"] for how in ("chained", "each alone"))
        once, gain = wide[value, f"{over}, all at once"], chained - alone
        by_table = gain.groupby("table").mean().round(3).to_dict()
        print(
            f"{value} over {over}: chained {chained.mean():.3f}, alone {alone.mean():.3f}, all at "
            f"once {once.mean():.3f}; gain on alone {gain.mean():+.3f}, better in "
            f"{int((gain > 0).sum())} of {len(gain)}; by table {by_table}"
        )


if __name__ == "__main__":
    main()
