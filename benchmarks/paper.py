"""The ALC paper's experiment again: from its stored results, and from its tables.

``--paper FOLDER`` names a folder with the tables of the paper's authors (TABLE_original.parquet,
TABLE_weak.parquet and TABLE_strong.parquet: 20% and 80% of each column's values exchanged),
their results (results.parquet) and the data of figure 3 (dependence.parquet), all of
yoid2000/alc-paper.

``python benchmarks/paper.py --paper FOLDER`` prints table 2 and the medians of figure 3 by the
authors' rules and compares them with what was published of five tables; ``--figures FOLDER`` draws
figures 3 and 7. Exit code 1 where a number is another one.

``--attacks 300 --results FILE.csv`` draws attacks blindly, as many of each table and release, and
runs them again. Finished ones are kept in the file; the same command goes on with what is missing.
Then ours stand beside theirs. ``--alone 30`` runs so many in pairs, which share what they can, and
each by itself, and compares. ``--replicas FILE.csv`` repeats figure 3 with the families that a
baseline is chosen from here.

Measured from the stored results (table 2 and figure 3 come out exactly)::

    release  other measure  ALC at risk,    serious,  below limit,  below limit,  attacks
                            other below     below     at risk       serious
    weak     no recall      4.83%           0.02%     0.04%         0.00%         4,784
    weak     prior          5.25%           0.02%     0.79%         0.02%         4,784
    strong   either         0               0         0             0             4,781

    median error of a baseline's precision by replicas     1      2     5    10
    default forest                                      0.46   0.49  0.50  0.50
    forest, 10 rows a leaf                              0.01  0.035  0.13  0.23

Their attacks run again (``--attacks 300 --results FILE.csv``), drawn without a look at results, by
the authors' rule: as many people and thresholds as they had, the baseline at the attack's recalls,
no cap. Differences are taken after cutting ALC at -0.2. r is the
correlation of precisions at recall 1::

    release  attacks  Spearman  median difference  its size  same flag  r: attack, baseline
    both         300      0.88              +0.00      0.00      95.7%  0.82, 0.81
    strong       150      0.88              +0.00      0.00     100.0%  0.13, 0.81
    weak         150      0.81              +0.00      0.02      91.3%  0.81, 0.81

Our baseline is better by 0.02. Of the 300, 22 differ by more than 0.3, each explained by its
numbers. An attack takes 1 processor second, 1,000 take 8 minutes on two cores; the authors' took 13
s each.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.express as px
from numpy.typing import NDArray
from verdicts import run_missing, sharing_runs, table_of

import alc_core as alc
from alc_core.assessment.loop import RunSettings
from alc_core.attacks.protocol import Predictions
from alc_core.baselines.families import default_families
from alc_core.baselines.features import Features
from alc_core.baselines.fitting import fit_baseline
from alc_core.baselines.folds import BaselinePredictions
from alc_core.baselines.selection import choose_families
from alc_core.campaign.findings.other_measures import DISAGREEMENTS, Disagreement
from alc_core.figures.attacks import disagreement_scatter
from alc_core.runtime.machine import limit_threads
from alc_core.scenario.targets import KnownValues
from alc_core.scoring.curves import precision_recall_curve
from alc_core.scoring.formulas import anonymity_loss, recall_weight
from alc_core.scoring.intervals import wilson_interval
from alc_core.tables.codes.encode import encode

RELEASES = ("weak", "strong")
CUT = "__discretized"
ATTACK = ["dataset", "secret_column", "known_columns"]
AT_RISK, LOWEST = 0.5, -0.2
CLASSES = ("below limit", "at risk", "serious")  # By ALC, in the paper
"""ALC from which an attack is flagged, and below which it counts as this much."""
FOREST = {"default": "default forest", "overfit2": "forest, 10 rows a leaf"}
REPLICAS = (1, 2, 5, 10)

PUBLISHED = {
    ("weak", "no recall"): (4.83, 0.02, 0.04, 0.00),
    ("weak", "prior"): (5.25, 0.02, 0.79, 0.02),
    ("strong", "no recall"): (0.0, 0.0, 0.0, 0.0),
    ("strong", "prior"): (0.0, 0.0, 0.0, 0.0),
}
"""Table 2 in percent, of the five tables alone."""
MEDIANS = {"default": (0.46, 0.49, 0.50, 0.50), "overfit2": (0.01, 0.04, 0.13, 0.23)}
"""Figure 3."""


def stored_attacks(folder: Path, release: str) -> pd.DataFrame:
    """What the authors stored of each attack, by their rules, and what other measures say of it."""
    rows = pd.read_parquet(folder / "results.parquet")
    rows = rows[rows["swapped"] == release].astype(dict.fromkeys(ATTACK, str))
    ours, prior = rows[rows["approach"] == "ours"], rows[rows["approach"] == "prior"]

    def best(found: pd.DataFrame, value: str) -> pd.Series:
        return found.groupby(ATTACK)[value].max()

    full = ours[ours["attack_recall"] == 1]
    found = ours[~ours["paired"]].drop_duplicates(ATTACK).set_index(ATTACK)
    return found.assign(
        no_recall=best(full, "alc"),
        prior=best(prior[prior["attack_recall"] == 1], "alc"),
        attack_all=best(full, "attack_prec"),
        base_all=best(ours[ours["base_recall"] == 1], "base_prec"),
        targets=(found["attack_n"] / found["attack_recall"]).round().astype(int),
        thresholds=ours[ours["paired"]].groupby(ATTACK).size(),
    ).sort_index()


def table_2(attacks: pd.DataFrame, other: str) -> tuple[list[float], int]:
    """Shares of attacks, in percent, on which two measures disagree; of how many."""
    found = Disagreement.of(attacks["alc"], attacks[other])
    return [100 * found.share(*cell) for cell in DISAGREEMENTS], found.attacks


def dependence_errors(measured: pd.DataFrame) -> pd.DataFrame:
    """By how much precision rises with replicas of each row, of every column and model."""
    wide = measured.pivot_table(
        index=["model_params", "dataset", "column"], columns="replicates", values="prec_avg"
    )
    return wide[list(REPLICAS)].sub(wide[0], axis=0).dropna(how="all")


def reproduce(folder: Path) -> bool:
    """Print table 2 and the medians of figure 3; return whether they are as published."""
    lines, same = [], True
    for (release, other), published in PUBLISHED.items():
        cells, number = table_2(stored_attacks(folder, release), other.replace(" ", "_"))
        same &= tuple(round(cell, 2) for cell in cells) == published
        shown = [f"{c:.2f} ({p:.2f})" for c, p in zip(cells, published, strict=True)]
        lines.append([release, other, *shown, f"{number:,}"])
    head = [f"ours {CLASSES[one]}, other {CLASSES[two]}" for one, two in DISAGREEMENTS]
    print(table_of(lines, ["release", "other measure", *head, "attacks"]))
    medians = dependence_errors(pd.read_parquet(folder / "dependence.parquet"))
    medians = medians.groupby("model_params").median()
    lines = []
    for model, published in MEDIANS.items():
        found = medians.loc[model].tolist()
        # To two digits; of 0.035 either neighbour.
        same &= all(abs(f - p) <= 0.005 + 1e-9 for f, p in zip(found, published, strict=True))
        shown = [f"{f:.4f} ({p:.2f})" for f, p in zip(found, published, strict=True)]
        lines.append([FOREST[model], *shown])
    print(f"\n{table_of(lines, ['median error with replicas', *map(str, REPLICAS)])}")
    print(f"\n{'holds' if same else 'fails'}  as published (in brackets)")
    return same


def drawn_attacks(folder: Path, number: int, seed: int) -> pd.DataFrame:
    """Attacks drawn without a look at what came of them: as many of each table, on both releases.

    The first ones drawn do not depend on how many are.
    """
    stored = {release: stored_attacks(folder, release) for release in RELEASES}
    both = stored["weak"].index.intersection(stored["strong"].index).to_frame(index=False)
    order = np.random.default_rng(seed).permutation(len(both))
    drawn = both.iloc[order].assign(draw=np.arange(len(both)))
    place = drawn.groupby("dataset").cumcount()
    drawn = drawn.assign(place=place).sort_values(["place", "dataset"]).head(-(-number // 2))
    parts = [
        drawn.join(stored[release].drop(columns=["swapped"]), on=ATTACK).assign(release=release)
        for release in RELEASES
    ]
    return pd.concat(parts).set_index(["draw", "release"]).sort_index()


class Record:
    """Scores of attack and baseline, and whether they are right, in the order of targets."""

    def __init__(self, scenario: alc.Scenario, unknown: NDArray[np.integer]) -> None:
        self._scenario, self._unknown = scenario, unknown
        self._parts: list[tuple[NDArray[np.float64], ...]] = []
        self._truth: list[NDArray[np.integer]] = []

    def __call__(
        self, rows: NDArray[np.intp], attack: Predictions, baseline: BaselinePredictions
    ) -> None:
        truth = self._unknown[rows]
        self._truth.append(truth)
        values = np.where(attack.abstained, baseline.values, attack.values)
        scores = np.where(attack.abstained, 0.0, attack.scores)
        self._parts.append(
            (
                scores, self._scenario.is_right(values, truth=truth),
                baseline.scores, self._scenario.is_right(baseline.values, truth=truth),
            )
        )  # fmt: skip

    def as_the_authors(self, targets: int, thresholds: int) -> dict[str, float]:
        """ALC and its parts by the authors' rule on the first targets.

        The attack is measured at so many thresholds, at equal steps of recall, the baseline at the
        same recalls; each counts at its best.
        """
        scores, right, guess_scores, guess_right = (
            np.concatenate(part)[:targets] for part in zip(*self._parts, strict=True)
        )
        truth = np.concatenate(self._truth)[:targets]
        steps = len(truth) * np.arange(1, thresholds + 1) / thresholds
        attack, attack_all, made = authors_prc(scores, right, steps)
        base, base_all, _ = authors_prc(guess_scores, guess_right, made)
        return {
            "targets": len(truth),
            "alc": float(anonymity_loss(attack, base)),
            "attack_prc": attack,
            "base_prc": base,
            "attack_all": attack_all,
            "base_all": base_all,
            "frequent": np.bincount(truth).max() / len(truth),
        }


def authors_prc(
    scores: NDArray[np.float64], right: NDArray[np.bool_], made: NDArray[Any]
) -> tuple[float, float, NDArray[np.int64]]:
    """The best PRC where about so many predictions are made, and the precision of all.

    PRC is that of the middle of the interval of precision; thresholds whose interval is wider than
    0.1 do not count, but where no other is there, all predictions. Third is how many predictions
    are made at the thresholds, whose ties are kept or dropped together.
    """
    scoring = alc.ScoringParameters()
    curve = precision_recall_curve(scores, right)
    low, high = wilson_interval(
        curve.true_predictions, curve.predictions, confidence=scoring.confidence
    )
    middle = (low + high) / 2
    prc = recall_weight(curve.recall, scoring.alpha, scoring.r_min) * middle
    places = np.unique(np.abs(curve.predictions - np.asarray(made)[:, None]).argmin(axis=1))
    narrow = places[(high - low)[places] <= scoring.max_interval_width]
    best = prc[narrow if len(narrow) else places[-1:]].max()
    return float(best), float(middle[-1]), curve.predictions[places]


def scenario_of(original: pd.DataFrame, unknown: str, known: str) -> tuple[alc.Table, alc.Scenario]:
    """The original and what is attacked; a column that they did not cut into ranges is not here."""
    plain, *facts = (name.removesuffix(CUT) for name in (unknown, *json.loads(known)))
    table = alc.table_from_frame(original, name="original")
    if not unknown.endswith(CUT):
        table = table.with_kinds({plain: "categorical"})
    return table, alc.Scenario(facts, plain)


def run_again(folder: Path, drawn: pd.DataFrame, seed: int) -> list[dict[str, object]]:
    """Run one attack of the authors on the releases that it is drawn on."""
    table, unknown, known = drawn[ATTACK].iloc[0]
    asked = [each for each in RELEASES if each in drawn.index.get_level_values("release")]
    released = {
        kind: pd.read_parquet(folder / f"{table}_{kind}.parquet") for kind in ("original", *asked)
    }
    original, scenario = scenario_of(released.pop("original"), unknown, known)
    found: list[dict[str, object]] = []
    with limit_threads(1):
        settings = RunSettings(seed=seed, measures=())
        runs = sharing_runs(original, released, scenario, settings)
        for (draw, release), stored in drawn.iterrows():
            start = time.process_time()
            run = runs[release]
            record = Record(scenario, run.prepared.targets.unknown)
            result = run.attack(alc.make_attack("best row match"), watch=record)
            row = {
                "draw": draw,
                "release": release,
                "table": table,
                "unknown": scenario.unknown,
                "known": len(scenario.known),
                "stored_alc": stored["alc"],
                **record.as_the_authors(stored["targets"], stored["thresholds"]),
                "own_alc": result.decisive_alc,
                "verdict": str(result.verdict),
                "seconds": time.process_time() - start,
            }
            digits = {name: round(v, 3) for name, v in row.items() if isinstance(v, float)}
            found.append(row | digits)
    return found


def compared(folder: Path, file: Path, seed: int) -> pd.DataFrame:
    """What was found here beside what the authors stored (their columns end in `_stored`)."""
    found = pd.read_csv(file).set_index(["draw", "release"])
    stored = drawn_attacks(folder, sys.maxsize, seed)
    both = found.join(stored.add_suffix("_stored")).reset_index()
    for side in ("alc", "alc_stored"):
        both[f"{side}_clipped"] = both[side].clip(lower=LOWEST)
    both["apart"] = both["alc_clipped"] - both["alc_stored_clipped"]
    both["by_attack"] = 0.5 * sum(
        anonymity_loss(both["attack_prc"], both[base])
        - anonymity_loss(both["attack_prc_stored"], both[base])
        for base in ("base_prc", "base_prc_stored")
    )
    both["by_baseline"] = both["alc"] - both["alc_stored"] - both["by_attack"]
    return both.sort_values("apart", key=abs, ascending=False)


def reasons(row: pd.Series) -> list[str]:
    """What the numbers of a disagreement say; empty where they say nothing."""
    found = []
    cut = str(row["secret_column_stored"]).endswith(CUT)
    if cut and row["base_all"] < row["base_all_stored"] - 0.15:
        found.append("ours are ranges of equally many people, which are harder to guess")
    elif row["base_all_stored"] < row["frequent"] - 0.1:
        found.append(
            f"their baseline ({row['base_all_stored']:.2f} of all) is below naming the most "
            f"frequent value ({row['frequent']:.2f})"
        )
    elif abs(row["by_baseline"]) >= abs(row["by_attack"]) and (
        abs(row["base_prc"] - row["base_prc_stored"]) > 0.03
    ):
        found.append(f"ours is the {'better' if row['by_baseline'] < 0 else 'worse'} baseline")
    elif abs(row["by_attack"]) > abs(row["by_baseline"]):
        found.append("the attack's best point is another one")
    if min(row["base_prc"], row["base_prc_stored"]) > 0.85:
        found.append("so little is left to learn that small differences count many times")
    if row["targets"] < 300:
        found.append(f"halted after {row['targets']:.0f} people")
    return found


def print_comparison(both: pd.DataFrame) -> bool:
    """Print ours beside theirs; return whether they agree as well as they should."""
    lines = []
    for name, part in (("both", both), *both.groupby("release")):
        same = (part["alc"] >= AT_RISK) == (part["alc_stored"] >= AT_RISK)
        lines.append(
            [
                str(name), str(len(part)), f"{rank_correlation(part, 'alc', 'alc_stored'):.2f}",
                f"{part['apart'].median():+.2f}", f"{part['apart'].abs().median():.2f}",
                f"{same.mean():.1%}",
                f"{part['attack_all'].corr(part['attack_all_stored']):.2f}",
                f"{part['base_all'].corr(part['base_all_stored']):.2f}",
                f"{(part['base_all'] - part['base_all_stored']).mean():+.2f}",
                f"{rank_correlation(part, 'own_alc', 'alc_stored'):.2f}",
            ]
        )  # fmt: skip
    head = [
        "release", "attacks", "Spearman", "median difference", "its size", "same flag",
        "attack at recall 1, r", "baseline at recall 1, r", "our baseline better by",
        "Spearman, our reading",
    ]  # fmt: skip
    print(table_of(lines, head))
    weak = both[both["release"] == "weak"]
    counts = Disagreement.of(weak["alc_stored"], weak["alc"]).counts
    verdicts = pd.crosstab(
        pd.cut(weak["alc_stored"], [-np.inf, AT_RISK, 0.75, np.inf], right=False, labels=CLASSES),
        weak["verdict"], dropna=False,
    )  # fmt: skip
    for title, columns, cells in (
        ("by their rule", CLASSES, counts), ("verdict", verdicts.columns, verdicts.to_numpy()),
    ):  # fmt: skip
        body = [[name, *map(str, row)] for name, row in zip(CLASSES, cells, strict=True)]
        print(f"\n{table_of(body, [f'weak, theirs; here {title}', *columns])}")
    lines = [
        [
            f"{row.table} {row.unknown}, {row.known} known, {row.release}",
            f"{row.alc_stored:.2f}", f"{row.alc:.2f}", f"{row.by_attack:+.2f}",
            f"{row.by_baseline:+.2f}", f"{row.attack_prc_stored:.2f} / {row.attack_prc:.2f}",
            f"{row.base_prc_stored:.2f} / {row.base_prc:.2f}", str(row.targets),
            "; ".join(reasons(pd.Series(row._asdict()))) or "unexplained",
        ]
        for row in both.head(15).itertuples()
    ]  # fmt: skip
    head = [
        "attack", "stored ALC", "here", "by the attack", "by the baseline", "attack's PRC",
        "baseline's PRC", "people", "why",
    ]  # fmt: skip
    print(f"\n{table_of(lines, head)}")
    each = both["seconds"].mean()
    print(f"\n{each:.2f} processor seconds an attack: {each * 1000 / 120:.1f} minutes for 1 000 on "
          "two cores")  # fmt: skip
    far = both[both["apart"].abs() > 0.3]
    unexplained = sum(not reasons(row) for _, row in far.iterrows())
    same = ((both["alc"] >= AT_RISK) == (both["alc_stored"] >= AT_RISK)).mean()
    spearman = rank_correlation(both, "alc", "alc_stored")
    holds = spearman >= 0.79 and same >= 0.92 and not unexplained
    print(f"\n{'holds' if holds else 'fails'}  Spearman {spearman:.2f} (at least 0.79), same flag "
          f"{same:.1%} (at least 92%), {len(far)} further apart than 0.3, {unexplained} of them "
          "unexplained")  # fmt: skip
    return holds


def print_alone(folder: Path, number: int, seed: int) -> bool:
    """Run attacks in pairs and each by itself; return whether ALC is within 0.02."""
    drawn = drawn_attacks(folder, number, seed)
    pairs, alone = [], []
    for draw in drawn.index.unique("draw"):  # in turns, so that both meet the same machine
        pairs += run_again(folder, drawn.loc[[draw]], seed)
        alone += [row for key in drawn.loc[[draw]].index
                  for row in run_again(folder, drawn.loc[[key]], seed)]  # fmt: skip
    both = [pd.DataFrame(rows).set_index(["draw", "release"]) for rows in (pairs, alone)]
    apart = (both[0]["alc"] - both[1]["alc"]).abs().max()
    seconds = [each["seconds"].sum() for each in both]
    print(f"{len(alone)} attacks in pairs and each alone: ALC by the authors' rule at most "
          f"{apart:.3f} apart (at most 0.02); {seconds[0]:.0f} s in pairs, {seconds[1]:.0f} s "
          "alone")  # fmt: skip
    return bool(apart <= 0.02)


def rank_correlation(both: pd.DataFrame, one: str, other: str) -> float:
    return float(both[one].corr(both[other], method="spearman"))


def replicas_of(folder: Path, table: str, column: str, seed: int) -> list[dict[str, object]]:
    """Figure 3 of one column: precision of each family with replicas of whom it predicts.

    Of the people with a value that under a tenth have, 250 are predicted by models that have
    learned from 10 000 other rows and so many copies of each of these.
    """
    frame = pd.read_parquet(folder / f"{table}_original.parquet")
    original = alc.table_from_frame(frame, name="original").with_kinds({column: "categorical"})
    known = [name for name in frame if name != column]
    data = encode(original, [], columns=list(frame))
    unknown = np.asarray(data.original.columns[column])
    rng = np.random.default_rng([seed, zlib.crc32(f"{table} {column}".encode())])
    rare = np.bincount(unknown)[unknown] < 0.1 * len(unknown)
    asked = rng.choice(np.flatnonzero(rare), size=min(250, rare.sum()), replace=False)
    others = np.setdiff1d(np.arange(len(unknown)), asked)
    others = np.sort(rng.choice(others, size=10_000, replace=False))
    features = Features.of(KnownValues.of(data.original, data.specs, known))
    found = []
    for replicas in (0, *REPLICAS):
        rows = np.concatenate([others, np.repeat(asked, replicas)])
        learned, classes = features.take(rows), unknown[rows]
        chosen = choose_families(
            learned, classes, np.arange(len(rows)),
            families=default_families(), scoring=alc.ScoringParameters(), seed=seed,
        )  # fmt: skip
        rankings = {family.name: [(family,)] for family in default_families()}
        rankings["chosen"] = [choice.candidate for choice in chosen]
        for name, ranking in rankings.items():
            model = fit_baseline(learned, classes, ranking=ranking, seed=seed)
            right = model.predict(features.take(asked))[0] == unknown[asked]
            found.append(
                {
                    "model_params": name, "dataset": table, "column": f"{table}.{column}",
                    "replicates": replicas, "prec_avg": round(float(right.mean()), 3),
                }
            )  # fmt: skip
    return found


def replicated_columns(folder: Path, each: int, seed: int) -> list[tuple[str, str]]:
    """Columns of figure 3, drawn: as many of each table that is there."""
    stored = pd.read_parquet(folder / "dependence.parquet")[["dataset", "column"]]
    stored = stored.drop_duplicates().sort_values(["dataset", "column"])
    stored["dataset"] = stored["dataset"].str.removesuffix(".parquet")
    there = [(folder / f"{table}_original.parquet").exists() for table in stored["dataset"]]
    drawn = stored[there].groupby("dataset").sample(each, random_state=seed)
    return list(drawn.itertuples(index=False, name=None))


def print_replicas(measured: pd.DataFrame) -> None:
    """Print the medians of figure 3 with our families."""
    errors = dependence_errors(measured).groupby("model_params").median()
    alone = measured[measured["replicates"] == 0].groupby("model_params")["prec_avg"].median()
    lines = [
        [str(name), f"{alone[name]:.2f}", *(f"{error:+.3f}" for error in row)]
        for name, row in zip(errors.index, errors.to_numpy(), strict=True)
    ]
    print(table_of(lines, ["median error with replicas", "precision, none", *map(str, REPLICAS)]))


def draw_figures(folder: Path, figures: Path, replicas: Path | None) -> None:
    """Write figures 3 and 7 as pages."""
    figures.mkdir(exist_ok=True)
    for release, other in PUBLISHED:
        attacks = stored_attacks(folder, release)
        figure = disagreement_scatter(
            attacks["alc"].to_numpy(), attacks[other.replace(" ", "_")].to_numpy(),
            recall=attacks["attack_recall"].to_numpy(), other_name=f"{other}, {release} swapping",
        )  # fmt: skip
        figure.write_html(figures / f"figure-7-{release}-{other.replace(' ', '-')}.html")
    measured = {"theirs": pd.read_parquet(folder / "dependence.parquet")}
    if replicas is not None:
        measured["ours"] = pd.read_csv(replicas)
    for whose, each in measured.items():
        errors = dependence_errors(each).melt(ignore_index=False, value_name="error").reset_index()
        figure = px.box(errors, x="error", y="model_params", color="replicates", orientation="h")
        figure.write_html(figures / f"figure-3-{whose}.html")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--paper", required=True, type=Path)
    parser.add_argument("--figures", type=Path, help="folder for figures 3 and 7")
    parser.add_argument("--attacks", type=int, default=0, help="how many to run again")
    parser.add_argument("--results", type=Path, help="CSV file that keeps what they found")
    parser.add_argument("--alone", type=int, default=0, help="how many in pairs and each by itself")
    parser.add_argument("--replicas", type=Path, help="CSV file that keeps figure 3 of ours")
    parser.add_argument("--columns", type=int, default=3, help="of each table in figure 3")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    folder, seed, jobs = options.paper, options.seed, options.jobs
    if options.attacks:
        drawn = drawn_attacks(folder, options.attacks, seed).groupby("draw")
        tasks: dict[Any, Any] = {number: (folder, part, seed) for number, part in drawn}
        run_missing(options.results, "draw", tasks, run_again, jobs)
    if options.alone:
        sys.exit(not print_alone(folder, options.alone, seed))
    if options.results:
        sys.exit(not print_comparison(compared(folder, options.results, seed)))
    if options.replicas:
        columns = replicated_columns(folder, options.columns, seed)
        tasks = {f"{table}.{column}": (folder, table, column, seed) for table, column in columns}
        run_missing(options.replicas, "column", tasks, replicas_of, jobs)
        print_replicas(pd.read_csv(options.replicas))
    if options.figures:
        draw_figures(folder, options.figures, options.replicas)
    if not options.replicas:
        sys.exit(not reproduce(folder))


if __name__ == "__main__":
    main()
