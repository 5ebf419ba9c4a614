"""Shared by the benchmarks of verdicts: real tables, releases of them, and what a result says."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

import alc_core as alc
from alc_core.assessment.halting import HaltingReason
from alc_core.assessment.loop import RunSettings
from alc_core.assessment.prepare import ScenarioData, summarize_table
from alc_core.assessment.result import TableSummary
from alc_core.assessment.run import Run
from alc_core.releases.registry import as_release
from alc_core.releases.release import Release
from alc_core.releases.samples.groups import TooFrequentError, anatomize
from alc_core.releases.samples.perturbed import noisy_counts
from alc_core.scenario.targets import People
from alc_core.scoring.outcomes import Outcomes
from alc_core.tables.apart.read import as_table
from alc_core.tables.codes.encode import encode_releases
from alc_core.tables.table import Table

ATTACKS = ("best row match", "model", "naive bayes")
"""On a release of rows, the first being what leaks are measured by."""

OTHER_KINDS = {
    "groups": ("best row match", "definetti", "naive bayes"),
    "counts": ("naive bayes",),
}
"""The same people published otherwise: by Anatomy with l = 2, or as counts with epsilon = 1."""

FLAGGED = (alc.Verdict.AT_RISK, alc.Verdict.SERIOUS)

ADULT_FACTS = (
    "age", "workclass", "education", "marital_status", "race", "sex", "hours_per_week",
    "relationship", "native_country", "occupation", "income",
)  # fmt: skip
FAIR_FACTS = ("age", "yrs_married", "children", "religious", "educ", "occupation", "rate_marriage")
RANDHIE_FACTS = (
    "lncoins", "idp", "lpi", "fmde", "physlm", "disea", "mdvis", "self_rated_health",
)  # fmt: skip

DEMO_UNKNOWNS = {
    "fair": ("religious", "educ", "occupation", "rate_marriage"),
    "randhie": ("self_rated_health", "mdvis", "physlm"),
}
ADULT_UNKNOWNS = (
    "occupation", "income", "workclass", "marital_status", "education", "relationship", "sex",
    "race", "native_country", "hours_per_week", "age",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RealScenario:
    """A scenario on a real table.

    Attributes
    ----------
    table : str
        "adult", "fair" or "randhie".
    known : tuple of str
        Known columns.
    unknown : str
        Unknown column.
    """

    table: str
    known: tuple[str, ...]
    unknown: str

    def __str__(self) -> str:
        return f"{self.table} {self.unknown}"

    def scenario(self, targets: int | str | None = None) -> alc.Scenario:
        return alc.Scenario(self.known, self.unknown, targets=alc.Targets(count=targets))


def real_scenarios(tables: Sequence[str]) -> list[RealScenario]:
    """Every column of interest unknown, all other facts known; and one with few facts."""
    facts = {"adult": ADULT_FACTS, "fair": FAIR_FACTS, "randhie": RANDHIE_FACTS}
    unknowns = {"adult": ADULT_UNKNOWNS, **DEMO_UNKNOWNS}
    found = [
        RealScenario(
            table=table, known=tuple(c for c in facts[table] if c != unknown), unknown=unknown
        )
        for table in tables
        for unknown in unknowns[table]
    ]
    if "adult" in tables:
        few = ("age", "sex", "race", "marital_status")
        found.append(RealScenario(table="adult", known=few, unknown="income"))
    return found


def real_tables(adult: str | None, paper: str | None = None) -> dict[str, pd.DataFrame]:
    """The demos, Adult (UCI) where its file is named, and the tables in a folder of the paper's."""
    tables = {name: alc.load_demo(name).original.frame for name in DEMO_UNKNOWNS}
    if adult:
        tables = {"adult": alc.read_table(adult).frame, **tables}
    for path in sorted(Path(paper).glob("*_original.parquet")) if paper else ():
        tables[path.name.removesuffix("_original.parquet")] = alc.read_table(path).frame
    return tables


def drawn_scenarios(tables: Mapping[str, pd.DataFrame], *, each: int = 3) -> list[RealScenario]:
    """Scenarios drawn blindly: unknown columns that no value fills, ten others known."""
    found = []
    for name, frame in sorted(tables.items()):
        rng = np.random.default_rng(0)
        open_ones = [c for c in frame if frame[c].value_counts(normalize=True).iloc[0] < 0.9]
        for unknown in rng.permutation(open_ones)[:each]:
            known = rng.permutation([c for c in open_ones if c != unknown])[:10]
            found.append(
                RealScenario(table=name, known=tuple(map(str, known)), unknown=str(unknown))
            )
    return found


def run_missing(
    file: Path, key: str, tasks: Mapping[Any, tuple[Any, ...]], run: Callable[..., Any], jobs: int
) -> None:
    """Run the tasks whose key the file does not hold yet; it grows with each."""
    done = set(pd.read_csv(file)[key]) if file.exists() else set[Any]()
    todo = [delayed(run)(*task) for name, task in tasks.items() if name not in done]
    finished = Parallel(n_jobs=jobs, return_as="generator_unordered")(todo)
    for number, rows in enumerate(finished, start=1):
        pd.DataFrame(rows).to_csv(file, mode="a", header=not file.exists(), index=False)
        print(f"  {number} of {len(todo)}", file=sys.stderr, flush=True)


def sharing_runs(
    original: pd.DataFrame | Table,
    releases: Mapping[str, pd.DataFrame | Release],
    scenario: alc.Scenario,
    settings: RunSettings,
) -> dict[str, Run]:
    """Runs of one scenario on several releases; targets and baseline are shared.

    The check is left out: it would ask about the rows that a release has in common with its
    original, which are there on purpose.
    """
    table = as_table(original, name="original")
    given = {name: as_release(each) for name, each in releases.items()}
    encoded = encode_releases(
        table, [each.coded_tables() for each in given.values()], columns=scenario.columns
    )
    people, runs = People.of(table, scenario), {}
    for (name, release), data in zip(given.items(), encoded, strict=True):
        made = ScenarioData(
            encoded=release.encoded(data),
            people=people,
            original=summarize_table(table),
            release=tuple(map(summarize_table, release.tables)),
        )
        first = next(iter(runs.values()), None)
        runs[name] = Run.on(made, scenario, settings, like=first)
    return runs


def readings(result: alc.Assessment) -> dict[str, tuple[float, float, float]]:
    """ALC at each curve's best and among the rest, with their intervals."""
    return {
        "own best": (result.alc, *result.alc_interval),
        "among the rest": (result.alc_rest, *result.alc_rest_interval),
    }


def simulated_result(
    outcomes: Outcomes, *, scoring: alc.ScoringParameters, loop: alc.LoopParameters, seed: int
) -> alc.Assessment:
    """A result of made-up outcomes, which has the verdict that real ones would have."""
    nothing = TableSummary(name="simulated", rows=outcomes.attempts, columns=2, fingerprint="")
    return alc.Assessment(
        scenario=alc.Scenario(["known"], "unknown"),
        attack_name="simulated",
        outcomes=outcomes,
        scoring=scoring,
        loop=loop,
        seed=seed,
        halting=HaltingReason.REQUESTED,
        models={"simulated": outcomes.attempts},
        original=nothing,
        release=(nothing,),
        population=outcomes.attempts,
        people=outcomes.attempts,
        candidates=outcomes.attempts,
        abstentions=0,
        down_sampled_share=None,
        notes=(),
        versions={},
    )


def singled_out(frame: pd.DataFrame, known: Sequence[str]) -> float:
    """Share of the rows that no other row equals in the known columns."""
    return float((~frame.duplicated(list(known), keep=False)).mean())


def with_leak(
    originals: pd.DataFrame, strangers: pd.DataFrame, share: float, rng: np.random.Generator
) -> pd.DataFrame:
    """A release as large as the original: a share of its rows verbatim, strangers for the rest."""
    kept = round(share * len(originals))
    rows = rng.permutation(len(originals))[:kept]
    others = rng.permutation(len(strangers))[: len(originals) - kept]
    parts = [originals.iloc[rows], strangers.iloc[others]]
    return pd.concat(parts).sample(frac=1, random_state=rng).reset_index(drop=True)


def published(
    frame: pd.DataFrame, kind: str, scenario: alc.Scenario, seed: int
) -> Release | pd.DataFrame | None:
    """A table as it is published; None where more than half of the people have one value."""
    columns: dict[str, Any] = {"unknown": scenario.unknown, "known": list(scenario.known)}
    if kind == "rows":
        return frame
    table = alc.table_from_frame(frame, name=kind)
    if kind == "counts":
        return noisy_counts(table, **columns, epsilon=1.0, seed=seed)
    try:
        return anatomize(table, **columns, level=2, seed=seed)
    except TooFrequentError:
        return None


def two_halves(
    frame: pd.DataFrame, rows: int, rng: np.random.Generator, *, together: int = 1
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Original and strangers, at most so many rows each; neighbouring rows stay together."""
    part = rng.permutation(-(-len(frame) // together))[np.arange(len(frame)) // together]
    order = np.argsort(part, kind="stable")
    half = min(rows, len(frame) // 2)
    first, second = order[:half], order[-half:]
    return frame.iloc[first].reset_index(drop=True), frame.iloc[second].reset_index(drop=True)


def table_of(lines: Sequence[Sequence[str]], head: Sequence[str]) -> str:
    """Rows of text as a Markdown table."""
    all_lines = [list(head), ["---"] * len(head), *map(list, lines)]
    return "\n".join(f"| {' | '.join(line)} |" for line in all_lines)
