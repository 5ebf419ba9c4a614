"""Rows traced as the tool tells them, beside the truth by a key, in releases of a known order.

``python benchmarks/rows_traced.py`` takes 5 000 people who do not exist; with ``--table FILE`` as
many of a file's. Each way of ``ways`` is done to them, and the rows are shuffled; the key that says
whose each row is serves to count the people whose own row record linkage puts first. It prints a
line for each way and attacker: rows traced by the key, what the tool tells from each unknown
column, and by how much that is off. ``strangers`` and ``independent columns`` have nobody's row,
``copied`` those of some people among strangers'.

Exit code 1 where a told share is off by more than the widest interval that is told.

Measured, of 5,000 people attacked; for each attacker the true share, the estimates from condition
and from job (from job alone where there is one), and the error. ``none`` is told where the interval
is wider than four points to either side, or some people seem to have no row::

    release              all others known: true, estimates     five facts: true, estimates
    swapped 5%           1.00        1.00        0.000         0.92  0.92        0.001
    swapped 20%          0.95        0.95        0.001         0.68  0.67, 0.70  0.021
    swapped 40%          0.70        0.72, 0.70  0.020         0.36  0.34, 0.36  0.012
    swapped 60%          0.34        none                      0.15  none
    swapped 80%          0.04        none                      0.03  none
    ranks within 5%      1.00        1.00        0.000         0.77  0.78        0.010
    ranks within 10%     0.98, 0.99  0.99        0.001         0.50  none
    PRAM 20%             0.95        0.95, 0.94  0.005         0.67  0.67, 0.68  0.018
    means of 10          1.00        1.00        0.000         0.99  0.98, 0.99  0.001
    independent columns  0.00        none                      0.00  none
    10% copied           0.10        none                      0.10  none
    30% copied           0.30        none                      0.30  0.31, 0.32  0.026
    strangers            0.00        none                      0.00  none
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from linkage import halves, rounded, traced
from perturbed import averaged, disturbed, kept_together, ranks_swapped, redrawn

import alc_core as alc
from alc_core.attacks.registry import LINKAGE
from alc_core.baselines.families import NaiveBayes

OFF = 0.04
Change = Callable[[pd.DataFrame, np.random.Generator], pd.DataFrame]


def ways() -> dict[str, Change]:
    """Return what is done, by name."""
    swapped = {
        f"swapped {share:.0%}": lambda frame, rng, share=share: alc.swap_columns(
            frame, share, seed=int(rng.integers(2**31))
        )
        for share in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
    }
    ranks = {
        f"ranks within {reach:.0%}": lambda frame, rng, reach=reach: disturbed(
            frame, ranks_swapped, reach, 0.0, rng
        )
        for reach in (0.01, 0.03, 0.05, 0.1)
    }
    pram = {
        f"PRAM {share:.0%}": lambda frame, rng, share=share: frame.apply(
            lambda column: redrawn(column, share, rng)
        )
        for share in (0.05, 0.1, 0.2)
    }
    means = {
        f"means of {size}": lambda frame, rng, size=size: disturbed(
            frame, rounded(averaged), size, 0.0, rng
        )
        for size in (3, 5, 10)
    }
    nobodys = {"independent columns": lambda frame, rng: kept_together(frame, [], rng)}
    return swapped | ranks | pram | means | nobodys


def told(
    original: pd.DataFrame, release: pd.DataFrame, known: list[str], unknown: str
) -> float | None:
    """Return the share of rows traced that an attack on one column tells."""
    result = alc.assess(
        original, release, alc.Scenario(known, unknown, targets="all"), attack=LINKAGE,
        families=[NaiveBayes()], accept=["own-together", "copied-rows", "other-original"],
    )  # fmt: skip
    found = result.measured.get("rows traced", {}).get("rows_traced")
    return None if found is None else found.value


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--table")
    parser.add_argument("--unknown", default="condition,job")
    parser.add_argument("--few", default="age,sex,district,education,hours")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    failed, (people, others) = False, halves(asked.table, asked.seed)
    few, asked_of = asked.few.split(","), asked.unknown.split(",")
    print(f"| release | knowing | {' | '.join(asked_of)} | off |")
    print("|---|---|" + "---|" * (len(asked_of) + 1))
    copied: dict[str, Change] = {
        f"{share:.0%} copied": lambda frame, _, share=share: pd.concat(
            [frame.iloc[: round(share * len(frame))], others.iloc[round(share * len(frame)) :]]
        )
        for share in (0.05, 0.1, 0.3)
    }
    changes: Mapping[str, Change] = ways() | copied | {"strangers": lambda frame, _: frame}
    for number, (name, change) in enumerate(changes.items()):
        rng = np.random.default_rng([asked.seed, number])
        whose = others if name == "strangers" else people
        key = rng.permutation(len(whose))
        release = change(whose, rng).iloc[key].reset_index(drop=True)
        for knowing in ("all others", few):
            shares, off = [], 0.0
            for unknown in asked_of:
                known = [c for c in (people if knowing != few else few) if c != unknown]
                columns = [*known, unknown]
                nobody = name in ("strangers", "independent columns")
                truth = 0.0 if nobody else traced(people[columns], release[columns], key, unknown)
                found = told(people[columns], release[columns], known, unknown)
                shares.append(f"{'-' if found is None else f'{found:.2f}'} (key {truth:.2f})")
                off = max(off, 0.0 if found is None else abs(found - truth))
            failed |= off > OFF
            words = knowing if isinstance(knowing, str) else f"{len(few)} facts"
            print(f"| {name} | {words} | {' | '.join(shares)} | {off:.3f} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
