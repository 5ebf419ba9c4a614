"""A campaign of 120 attacks on a table of 9 000 rows and 24 columns; one Dask worker against two.

``python benchmarks/campaign.py`` runs both; ``--attacks 24`` takes a part of the campaign.
``--only sharing`` compares a campaign, which shares people, guesses and scans, with as many attacks
each run by itself, in processor time. Their ALC must be the same.
``--only sizes --rows 100000 300000 1000000`` runs 23 attacks on 12 columns by ``alc campaign``, two
processes, and tells the time of the clock and of all processors, the memory of the main process,
and in what two attacks spend it.

Measured: 164 s (aim: 180 s) for 120 attacks, 1.6 s for the median one. Two Dask workers are 1.76
times as fast as one. Sharing (one scenario, four releases, two attacks, 2,000 rows): 8 attacks take
15.6 s of processor in one campaign, 72.9 s apart. By size (aim for a million rows: 5 minutes, 1
GiB)::

    rows        time    of all processors   main process   guess, attack, reading of two attacks
    100,000     91 s    160 s               347 MiB        8.5, 2.5, 0.3 s
    300,000     71 s    123 s               377 MiB        7.0, 2.4, 0.5 s
    1,000,000   145 s   254 s               530 MiB        12.2, 5.0, 0.8 s

Ending attacks at 20,000 people moves the deciding ALC by at most 0.007 in the 8 of 23 attacks on
100,000 rows that would go on (ALC of everyone by 0.08 once, within its interval).
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import itertools
import pstats
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import alc_core as alc
from alc_core.releases.registry import as_releases

ROWS, COLUMNS, SETS = 9_000, 24, 5
ACCEPTED = ("recoded-integers", "unknown-labels")


def mixed_table(rows: int, columns: int, seed: int = 0) -> pd.DataFrame:
    """Make a table of which a third is continuous; columns hang together through three factors."""
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(rows, 3))
    made = {}
    for number in range(columns):
        signal = factors @ rng.normal(size=3) + rng.normal(size=rows)
        if number % 3 == 0:
            made[f"number_{number}"] = np.round(signal * 10, 1)
        else:
            n_values = int(rng.choice([2, 3, 5, 8, 12, 20, 40]))
            cuts = np.quantile(signal, np.sort(rng.random(n_values - 1)))
            labels = np.array([f"v{value}" for value in range(n_values)])
            made[f"group_{number}"] = labels[np.searchsorted(cuts, signal)]
    return pd.DataFrame(made)


def planned_campaign(rows: int, attacks: int) -> tuple[alc.Table, dict, alc.CampaignPlan]:
    frame = mixed_table(rows, COLUMNS)
    table = alc.table_from_frame(frame, name="original")
    releases = {"20% swapped": alc.swap_columns(frame, 0.2, seed=1)}
    plan = alc.plan_campaign(table, as_releases(releases), known_sets=SETS - 1)
    chosen = np.linspace(0, len(plan.attacks) - 1, min(attacks, len(plan.attacks))).astype(int)
    part = tuple(plan.attacks[place] for place in np.unique(chosen))
    return table, releases, dataclasses.replace(plan, attacks=part)


def run(
    table: alc.Table, releases: dict, plan: alc.CampaignPlan, **options: object
) -> tuple[float, pd.Series]:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        store = alc.run_campaign(
            table, releases, Path(folder) / "campaign.alc", plan=plan,
            accept=ACCEPTED, **options,
        )  # fmt: skip
        seconds = time.perf_counter() - start
        counts, took = store.counts(), pd.Series(store.seconds())
        store.close()
    slowest = next(a for a in plan.attacks if a.number == took.idxmax())
    print(
        f"  {counts.finished} finished, {counts.failed} failed: {seconds:.1f} s; one attack in its "
        f"process: median {took.median():.2f} s, longest {took.max():.2f} s "
        f"({slowest.scenario.unknown})",
        flush=True,
    )
    return seconds, took


def compare_clusters(table: alc.Table, releases: dict, plan: alc.CampaignPlan) -> None:
    from distributed import LocalCluster

    seconds = []
    for workers in (1, 2):
        with LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs="ERROR"
        ) as cluster:
            print(f"Dask, {workers} worker(s) with one core each", flush=True)
            warm = dataclasses.replace(plan, attacks=plan.attacks[:workers])
            run(table, releases, warm, scheduler=cluster.scheduler_address)
            took, _ = run(table, releases, plan, scheduler=cluster.scheduler_address)
            seconds.append(took)
    print(f"Two workers are {seconds[0] / seconds[1]:.2f} times as fast as one.")


def compare_sharing(rows: int, scenarios: int) -> None:
    """Run the scenarios on four releases by two attacks: in one campaign, and each by itself."""
    table, _, plan = planned_campaign(rows, scenarios)
    releases = {f"{share:.0%} swapped": alc.swap_columns(table.frame, share, seed=1)
                for share in (0.1, 0.2, 0.5, 0.9)}  # fmt: skip
    attacks = ("best row match", "record linkage")
    each = itertools.product(plan.attacks, releases, attacks)
    plan = dataclasses.replace(plan, attacks=tuple(
        dataclasses.replace(planned, number=n, release=release, attack=attack)
        for n, (planned, release, attack) in enumerate(each)
    ))  # fmt: skip
    alc.assess(table, releases["10% swapped"], plan.attacks[0].scenario)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        path = Path(folder) / "campaign.alc"
        with alc.run_campaign(table, releases, path, plan=plan, jobs=1, accept=ACCEPTED) as store:
            shared = time.process_time() - begun
            losses = [store.assessment(planned.number).alc for planned in plan.attacks]
    begun = time.process_time()
    alone = [alc.assess(table, releases[planned.release], planned.scenario,
                        attack=planned.attack, accept=ACCEPTED).alc
             for planned in plan.attacks]  # fmt: skip
    took = time.process_time() - begun
    apart = np.abs(np.subtract(losses, alone)).max()
    print(f"{len(plan)} attacks: in one campaign {shared:.1f} s of processor, each by itself "
          f"{took:.1f} s, {took / shared:.1f} times; ALC at most {apart:.4f} apart")  # fmt: skip


WRITE = """
import sys; sys.path.insert(0, {here!r})
import campaign, alc_core as alc
frame = campaign.mixed_table({rows}, 12)
frame.to_parquet("original.parquet")
alc.swap_columns(frame, 0.2, seed=1).to_parquet("release.parquet")
"""
STAGES = {
    "baseline": ("baselines/folds.py", "predict"),
    "attack": ("attacks/best_row_match.py", "read_all"),
    "reading": ("tables/apart/read.py", "read_table"),
    "all": ("cli/__init__.py", "main"),
}


def measure_sizes(sizes: list[int]) -> None:
    """Run each size in processes of its own, so that memory is that of the campaign alone."""
    for rows in sizes:
        with tempfile.TemporaryDirectory() as folder:
            code = WRITE.format(here=str(Path(__file__).parent), rows=rows)
            subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
            columns = list(pd.read_parquet(Path(folder) / "original.parquet").columns)
            asked = [(unknown, *(c for c in columns if c != unknown)) for unknown in columns]
            asked += [(unknown, *known[:4]) for unknown, *known in asked[:11]]
            seconds, worked, most = campaign_of(folder, asked, "all.alc")
            profile = Path(folder) / "profile"
            campaign_of(folder, [asked[2], asked[13]], "two.alc", "--jobs", "1", profile=profile)
            calls = pstats.Stats(str(profile)).stats
            took = {
                stage: sum(calls[at][3] for at in calls if at[0].endswith(file) and at[2] == name)
                for stage, (file, name) in STAGES.items()
            }
            print(
                f"{rows} rows: {seconds:.0f} s, {worked:.0f} s of processor, main process "
                f"{most} MiB; of two attacks by themselves, seconds: {took}",
                flush=True,
            )


def campaign_of(
    folder: str, asked: list[tuple[str, ...]], out: str, *more: str, profile: Path | None = None
) -> tuple[float, float, int]:
    """Return the seconds of a campaign, those of all processors, and its main process's MiB.

    The peak of memory is told on Linux.
    """
    with (Path(folder) / "attacks.csv").open("w", newline="") as file:
        csv.writer(file).writerows(asked)
    begun, most, worked = time.perf_counter(), 0, processor_seconds()
    process = subprocess.Popen(
        [sys.executable, *(("-m", "cProfile", "-o", str(profile)) if profile else ()), "-m",
         "alc_core", "campaign", "--original", "original.parquet", "--release", "release.parquet",
         "--job-list", "attacks.csv", "--out", out, "--quiet", *more], cwd=folder,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    while process.poll() is None:
        status = Path(f"/proc/{process.pid}/status").read_text()
        most = max([most, *(int(kib) // 1024 for kib in re.findall(r"VmHWM:\s+(\d+)", status))])
        time.sleep(0.1)
    if process.returncode:
        sys.exit(f"The campaign ended with {process.returncode}.")
    return time.perf_counter() - begun, processor_seconds() - worked, most


def processor_seconds() -> float:
    """Return what all processes that were waited for have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attacks", type=int, default=COLUMNS * SETS)
    parser.add_argument("--rows", type=int, nargs="+", default=[ROWS])
    parser.add_argument("--only", choices=["processes", "cluster", "sharing", "sizes"])
    options = parser.parse_args()
    rows = options.rows[0]
    if options.only == "sizes":
        measure_sizes(options.rows)
        return
    if options.only == "sharing":
        compare_sharing(rows, options.attacks)
        return
    start = time.perf_counter()
    table, releases, plan = planned_campaign(rows, options.attacks)
    print(f"{rows} rows, {COLUMNS} columns. {plan.summary}")
    print(f"  planned in {time.perf_counter() - start:.1f} s")
    if options.only != "cluster":
        print("Processes, one per processor")
        run(table, releases, plan)
    if options.only != "processes":
        some = plan.attacks[:: max(1, len(plan) // 40)]
        compare_clusters(table, releases, dataclasses.replace(plan, attacks=some))


if __name__ == "__main__":
    main()
