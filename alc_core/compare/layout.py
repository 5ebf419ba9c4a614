"""Laying out the attacks of a campaign by scenario and release."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.campaign.findings.measured_columns import measure_columns
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.compare.comparison import NO_RESULT, NOT_PLANNED, Comparison, FloatArray, IntArray
from alc_core.scoring.parameters import ScoringParameters


def compare_releases(view: CampaignView, scoring: ScoringParameters) -> Comparison:
    """Lay out a campaign by scenario and release."""
    overview = view.overview(scoring)
    releases = tuple(view.settings.releases)
    rows: dict[tuple[str, str], int] = {}
    attacks: list[PlannedAttack] = []
    place: dict[int, tuple[int, int]] = {}
    for attack in view.judged:
        row = rows.setdefault((attack.scenario.key, attack.attack), len(rows))
        if row == len(attacks):
            attacks.append(attack)
        place[attack.number] = row, releases.index(attack.release)
    number = np.full((len(rows), len(releases)), NOT_PLANNED, dtype=np.int64)
    for each, cell in place.items():
        number[cell] = each
    results = overview.results
    at = tuple(
        np.array([place[each] for each in results["number"]], dtype=np.intp).reshape(-1, 2).T
    )

    def laid_out(column: pd.Series, without: float, dtype: type) -> NDArray[Any]:
        table: NDArray[Any] = np.full(number.shape, without, dtype=dtype)
        table[at] = column.to_numpy(dtype=dtype)
        return table

    alc, low, high = (
        laid_out(results[f"standing_{name}"], np.nan, np.float64) for name in ("alc", "low", "high")
    )
    codes = results["standing"].map({each: code for code, each in enumerate(STANDINGS)})
    standing = laid_out(codes, NO_RESULT, np.int64)
    order = _worst_first(standing, alc)
    return Comparison(
        scoring=scoring,
        interval_exact=overview.interval_exact,
        releases=releases,
        unknown=tuple(attacks[row].scenario.wanted for row in order),
        known=tuple(tuple(attacks[row].scenario.known) for row in order),
        kind=tuple(attacks[row].kind for row in order),
        attack=tuple(attacks[row].attack for row in order),
        number=number[order],
        alc=alc[order],
        low=low[order],
        high=high[order],
        attempts=laid_out(results["attempts"], 0, np.int64)[order],
        measures={
            column.title: laid_out(results[column.name], np.nan, np.float64)[order]
            for column in measure_columns(results)
            if column.leading
        },
        standing=standing[order],
    )


def _worst_first(standing: IntArray, alc: FloatArray) -> IntArray:
    """Order scenarios by where their worst attack stands, then by their highest ALC."""
    least = len(STANDINGS)
    ranks = np.where(standing == NO_RESULT, least, standing).min(axis=1, initial=least)
    highest = np.nan_to_num(alc, nan=-np.inf).max(axis=1, initial=-np.inf)
    return np.lexsort((-highest, ranks)).astype(np.int64)
