"""What linked tables reveal joined, alone and by known rows; and how long a large release takes.

``python benchmarks/linked.py`` makes people and their visits, and four releases of them with a
known truth: ``leak`` has the tables unchanged, with months (or quarters) and fresh pseudonyms;
``twin`` gives each history to another person; ``single`` has a pseudonym for each visit;
``stranger`` has other people of the same population. The unknown column is the diagnosis of a
person's last visit. It prints the ALC of each attack over seeds of the population. Exit code 1 if
a leak is below 0.8, or a harmless release at 0.5 or above where its truth is harmless.

``--large N`` instead makes N people with ten visits each, and prints the processor time and the
memory of the entity view, of one attack on rows, and of one by two known rows.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

import numpy as np
import pandas as pd

import alc_core as alc

UNKNOWN = "last diagnosis of visits"
ROOT = ("age", "sex", "region")
WARDS, CODES, REGIONS = 8, 40, 20


def population(
    n: int, rng: np.random.Generator, *, mean: float = 2.5
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return people, and their visits: at most one a month, so that months tell which is last."""
    people = pd.DataFrame({
        "id": np.arange(n),
        "age": rng.integers(18, 90, n),
        "sex": rng.choice(["f", "m"], n),
        "region": rng.choice([f"R{k}" for k in range(REGIONS)], n),
    })  # fmt: skip
    month = np.argsort(rng.random((n, 12)), axis=1)
    number = np.minimum(1 + rng.poisson(mean, n), 12)
    owner, place = np.nonzero(np.arange(12) < number[:, None])
    habit = rng.integers(0, CODES // 5, n)[owner] * 5 + rng.integers(0, 5, len(owner))
    common = rng.zipf(1.7, len(owner)) % CODES
    code = np.where(rng.random(len(owner)) < 0.4, habit, common)
    days = month[owner, place] * 30 + rng.integers(0, 28, len(owner))
    visits = pd.DataFrame({
        "id": owner,
        "date": (pd.Timestamp("2025-01-01") + pd.to_timedelta(days, "D")).strftime("%Y-%m-%d"),
        "ward": np.char.add("W", rng.integers(0, WARDS, len(owner)).astype(str)),
        "diagnosis": np.char.add("D", code.astype(str)),
    })  # fmt: skip
    visits = visits[~visits.assign(date=visits["date"].str[:7]).duplicated(["id", "date"])]
    return people, visits.reset_index(drop=True)


def released(
    people: pd.DataFrame, visits: pd.DataFrame, rng: np.random.Generator,
    *, quarters: bool, mixed: bool = False, stable: bool = True,
) -> dict[str, pd.DataFrame]:  # fmt: skip
    """Return the tables as published: coarse people, months or quarters, fresh pseudonyms."""
    names = rng.permutation(len(people)) + 100_000
    owner = rng.permutation(len(people))[visits["id"]] if mixed else visits["id"].to_numpy()
    of_visit = names[owner] if stable else 500_000 + rng.permutation(len(visits))
    low = people["age"] // 24 * 24
    area = people["region"].str[1:].astype(int) % 4
    sets = [f"{{{', '.join(f'R{k + 4 * i}' for i in range(REGIONS // 4))}}}" for k in range(4)]
    coarse = people.assign(
        pid=names,
        age=low.astype(str) + "-" + (low + 23).astype(str),
        region=np.array(sets, dtype=object)[area],
    )
    date = visits["date"].str[:7]
    if quarters:
        date = date.str[:4] + "-Q" + ((date.str[5:].astype(int) + 2) // 3).astype(str)
    tables = {"people": coarse, "visits": visits.assign(pid=of_visit, date=date)}
    return {
        name: table.drop(columns="id").sample(frac=1, random_state=int(rng.integers(1e6)))
        for name, table in tables.items()
    }


def events(number: int) -> tuple[str, ...]:
    """Return the columns of this many known visits."""
    return tuple(f"visits {n}: {c}" for n in range(1, number + 1) for c in ("date", "ward"))


def loss(
    review: alc.LinkedReview, release: str, known: tuple[str, ...], people: int, seed: int
) -> float:
    """Return the more severe of both readings of ALC."""
    found = alc.assess(
        review.original, review.releases[release],
        alc.Scenario(known, UNKNOWN, targets=alc.Targets(count=people)), seed=seed,
    )  # fmt: skip
    return max(found.alc, found.alc_rest)


def figures(seed: int, *, n: int, people: int, quarters: bool) -> dict[tuple[str, str], float]:
    """Return the ALC of each attack on each release of one population."""
    rng = np.random.default_rng(seed)
    own, others = population(n, rng), population(n, rng)
    kinds = {
        "leak": released(*own, rng, quarters=quarters),
        "twin": released(*own, rng, quarters=quarters, mixed=True),
        "stranger": released(*others, rng, quarters=quarters),
    }
    tables = dict(zip(("people", "visits"), own, strict=True))
    review = alc.link_tables(tables, kinds, events={"visits": ("date", "ward")})
    single = alc.link_tables(
        tables, {"single": released(*own, rng, quarters=quarters, stable=False)},
        keys=["visits.pid=people.pid"], events={"visits": ("date", "ward")},
    )  # fmt: skip
    found = {}
    for kind in (*kinds, "single"):
        of, rows = (single if kind == "single" else review), f"{kind}: known rows of 'visits'"
        if kind != "single":
            found["joined", kind] = loss(of, f"{kind}: joined by 'pid'", ROOT, people, seed)
        for number in (1, 2, 3, 4):
            if kind != "single":
                known = (*ROOT, *events(number))
                found[f"joined, {number}", kind] = loss(of, rows, known, people, seed)
            if kind in ("leak", "single"):
                found[f"visits, {number}", kind] = loss(of, rows, events(number), people, seed)
    return found


# Bars: leaks, and releases that are harmless there; histories themselves are found from 3 visits on
LEAKS = (("joined, 2", "leak"), ("joined, 3", "leak"), ("joined, 4", "leak"))
HARMLESS = (("joined, 2", "twin"), *((f"joined, {n}", "stranger") for n in (1, 2, 3, 4)),
            *((f"visits, {n}", "single") for n in (1, 2, 3, 4)))  # fmt: skip


def large(n: int, people: int) -> None:
    """Print time and memory of a release with ten visits a person."""
    rng = np.random.default_rng(1)
    own = population(n, rng, mean=9.0)
    tables = dict(zip(("people", "visits"), own, strict=True))
    shown = released(*own, rng, quarters=False)
    start = time.process_time()

    def said(what: str) -> None:
        nonlocal start
        gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{what}: {time.process_time() - start:.0f} s, peak {gib:.1f} GiB", flush=True)
        start = time.process_time()

    print(f"{n} people, {len(own[1])} visits")
    review = alc.link_tables(tables, {"leak": shown}, events={"visits": ("date", "ward")})
    said("entity views of original and release")
    print(loss(review, "leak: joined by 'pid'", ROOT, people, 1))
    said("attacks on rows")
    print(loss(review, "leak: known rows of 'visits'", (*ROOT, *events(2)), people, 1))
    said("attack by two known rows")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", type=int)
    parser.add_argument("--size", type=int, default=4_000)
    parser.add_argument("--people", type=int, default=1_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--months", action="store_true")
    chosen = parser.parse_args()
    if chosen.large:
        large(chosen.large, chosen.people)
        return 0
    found = pd.DataFrame([
        figures(seed, n=chosen.size, people=chosen.people, quarters=not chosen.months)
        for seed in range(1, chosen.seeds + 1)
    ])  # fmt: skip
    for what in found:
        told = " ".join(f"{each:6.3f}" for each in found[what])
        print(f"{': '.join(what):24} {told}", flush=True)
    missed = [what for what in LEAKS if found[what].min() < 0.8]
    raised = [what for what in HARMLESS if found[what].max() >= 0.5]
    print("missed:", missed or "none", "· raised:", raised or "none")
    return 1 if missed or raised else 0


if __name__ == "__main__":
    sys.exit(main())
