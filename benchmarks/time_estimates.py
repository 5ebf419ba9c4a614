"""How long campaigns take against what is said before and while they run.

    python benchmarks/time_estimates.py --csv adult.csv.gz --campaign five-quick --busy 2

Prints the estimate before the run, what is said to be left at several moments, and the real time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
from pathlib import Path

import pandas as pd

import alc_core as alc
from alc_core.campaign.plan.estimate import scenario_costs, seconds_now
from alc_core.campaign.plan.settings import Effort, PlanSettings, with_effort
from alc_core.releases.registry import as_releases
from alc_core.runtime.progress import Progress
from alc_core.tables.apart.read import as_table

COLUMNS = [
    "age", "workclass", "education", "marital_status", "occupation", "race", "sex",
    "hours_per_week", "native_country", "income",
]  # fmt: skip
ROWS = 6_000


def five(csv: str) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Return 6 000 people and five releases: swapped, part verbatim, strangers, coarsened."""
    rows = pd.read_csv(csv, keep_default_na=False)[COLUMNS].sample(2 * ROWS, random_state=3)
    original, strangers = (rows[at : at + ROWS].reset_index(drop=True) for at in (0, ROWS))
    part = [original.sample(frac=0.4, random_state=5), strangers[: ROWS * 6 // 10]]
    coarse = original.sample(frac=1, random_state=2)
    for column in ("age", "hours_per_week"):
        low = coarse[column] // 10 * 10
        coarse[column] = low.astype(str) + "-" + (low + 9).astype(str)
    return original, {
        "A": alc.swap_columns(original, 0.8, seed=1),
        "B": pd.concat(part).sample(frac=1, random_state=6),
        "C": strangers,
        "D": coarse,
        "E": alc.swap_columns(original, 0.15, seed=2),
    }


def keep_busy() -> None:
    """Compute without an end."""
    while True:
        sum(range(100_000))


def measure(csv: str, campaign: str) -> None:
    """Run a campaign and print what was said of its time."""
    name, _, effort = campaign.partition("-")
    if name == "demo":
        demo = alc.load_demo("fair")
        original, releases = demo.original, demo.releases
        settings = PlanSettings(
            unknown=("religious", "affairs", "occupation"), known_sets=0, knowable=False
        )
    else:
        frame, releases = five(csv)
        original, settings = alc.table_from_frame(frame, name="original"), PlanSettings()
    published = as_releases(releases)
    settings = with_effort(settings, Effort(effort or "quick"), published)
    plan = alc.plan_campaign(original, published, settings)
    said = seconds_now(
        scenario_costs(plan.attacks, as_table(original, name="original"), published), 2
    )
    start, heard = time.monotonic(), []

    def tell(progress: Progress) -> None:
        if progress.seconds_left is not None:
            heard.append((time.monotonic() - start, progress.seconds_left))

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.alc"
        alc.run_campaign(original, published, path, plan=plan, jobs=2, progress=tell).close()
    real = time.monotonic() - start
    at = {
        share: next((h for h in heard if h[0] >= share * real), heard[-1]) for share in (0.1, 0.3)
    }
    later = ", ".join(
        f"at {share:.0%} {left / (real - then):.2f} of what was left"
        for share, (then, left) in at.items()
    )
    print(f"{campaign}: {len(plan)} attacks, said {said:.0f} s, took {real:.0f} s; {later}")


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", default="adult.csv.gz")
    parser.add_argument("--campaign", action="append")
    parser.add_argument("--busy", type=int, default=0, help="Processes that compute beside it")
    given = parser.parse_args()
    others = [multiprocessing.Process(target=keep_busy, daemon=True) for _ in range(given.busy)]
    for each in others:
        each.start()
    for campaign in given.campaign or ["demo", "five-quick", "five-thorough"]:
        measure(given.csv, campaign)
    for each in others:
        each.terminate()


if __name__ == "__main__":
    main()
