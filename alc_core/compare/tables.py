"""Comparisons as tables: what changed, attack by attack, and releases side by side."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from alc_core.campaign.findings.overview import STANDINGS, bounds_text
from alc_core.compare.comparison import (
    Comparison,
    ReleaseChange,
    release_losses,
)
from alc_core.studies.utility.result import Utility

CLEARLY_RISKIER, WORSE_VERDICT = "clearly riskier", "worse verdict only"
CLEARLY_SAFER, BETTER_VERDICT = "clearly safer", "better verdict only"
UNCHANGED = "no clear change"

KINDS_OF_CHANGE = (CLEARLY_RISKIER, WORSE_VERDICT, CLEARLY_SAFER, BETTER_VERDICT, UNCHANGED)
"""How an attack on a release differs from that on the reference; what asks for a look first."""


def changes_frame(
    comparison: Comparison, change: ReleaseChange, *, everything: bool = False
) -> pd.DataFrame:
    """List the attacks that differ between a release and the reference."""
    before, after = comparison.place(change.reference), comparison.place(change.release)
    rows = change.rows
    kinds = np.select(
        [change.apart > 0, change.apart < 0, change.moved > 0, change.moved < 0], [0, 2, 1, 3], 4
    )
    order = np.lexsort((-np.abs(change.difference), kinds))
    if not everything:
        order = order[kinds[order] < KINDS_OF_CHANGE.index(UNCHANGED)]
    rows, kinds = rows[order], kinds[order]
    standings = np.array(STANDINGS, dtype=object)
    return pd.DataFrame(
        {
            "number": comparison.number[rows, after],
            "change": pd.array([KINDS_OF_CHANGE[kind] for kind in kinds], dtype="str"),
            "before": pd.array(standings[comparison.standing[rows, before]], dtype="str"),
            "after": pd.array(standings[comparison.standing[rows, after]], dtype="str"),
            "alc_before": comparison.loss[rows, before],
            "alc_after": comparison.loss[rows, after],
            "difference": change.difference[order],
            "interval_before": _intervals(comparison, rows, before),
            "interval_after": _intervals(comparison, rows, after),
            "unknown": pd.array([comparison.unknown[row] for row in rows], dtype="str"),
            "known": pd.array([", ".join(comparison.known[row]) for row in rows], dtype="str"),
            "attack": pd.array([comparison.attack[row] for row in rows], dtype="str"),
        }
    )


def releases_frame(comparison: Comparison, utilities: Mapping[str, Utility]) -> pd.DataFrame:
    """Lay out risk and, where measured, utility of each release."""
    rows = []
    for losses in release_losses(comparison):
        utility = utilities.get(losses.release)
        low, high = losses.worst_interval or (np.nan, np.nan)
        rows.append(
            {
                "release": losses.release,
                "standing": losses.worst_standing,
                "worst_alc": None if losses.worst_alc is None else max(losses.worst_alc, 0.0),
                "worst_interval": bounds_text(low, high, exact=comparison.interval_exact),
                "median_alc": None if losses.quartiles is None else losses.quartiles[1],
                "flagged": losses.flagged,
                "measured": losses.measured,
                "planned": losses.planned,
                **{
                    name: None if utility is None else getattr(utility, name)
                    for name in (
                        "column_distance", "pair_distance", "accuracy", "original_accuracy",
                        "majority_accuracy",
                    )
                },
                "lacking": None if utility is None else len(utility.lacking),
                **{
                    f"{title}, highest": _highest(values[:, comparison.place(losses.release)])
                    for title, values in comparison.measures.items()
                },
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def _highest(values: np.ndarray) -> float | None:
    return None if np.isnan(values).all() else float(np.nanmax(values))


def targets_frame(utilities: Mapping[str, Utility]) -> pd.DataFrame:
    """List what models predict after training on each release, the greatest loss first."""
    rows = [
        {
            "release": name,
            "target": each.target,
            "loss": each.loss,
            "release_accuracy": each.release_accuracy,
            "low": each.interval[0],
            "high": each.interval[1],
            "original_accuracy": each.original_accuracy,
            "majority_accuracy": each.majority_accuracy,
            "train_rows": each.train_rows,
            "test_rows": each.test_rows,
        }
        for name, utility in utilities.items()
        for each in utility.worst_targets
    ]
    return pd.DataFrame(rows)


def _intervals(comparison: Comparison, rows: np.ndarray, place: int) -> list[str]:
    bounds = zip(comparison.low[rows, place], comparison.high[rows, place], strict=True)
    return [bounds_text(low, high, exact=comparison.interval_exact) for low, high in bounds]
