"""Whether the verdict depends on alpha or R_min: every attack scored over a grid of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.campaign.file.curve_table import CurveTable
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.rescore.rescoring import Rescored, judged, rescore
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import OUTCOMES, CodeArray, Verdict, code_of

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

ALPHAS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)
R_MINS = (1e-6, 1e-5, 5e-5, 1e-4, 5e-4, 1e-3, 1e-2)
"""The usual grid: what the sliders of the dashboard reach."""

_KEPT = 128

NOTHING_LEFT, HARMLESS, UNDECIDED = 0, 1, 2
"""Kinds of verdicts, not converged with undecided; 3 is at risk, 4 serious."""

_KINDS = np.empty(len(OUTCOMES), dtype=np.int8)
for _kind, _verdicts in enumerate(
    ((Verdict.NOTHING_LEFT,), (Verdict.NO_LOSS, Verdict.SAFE),
     (Verdict.UNDECIDED, Verdict.NOT_CONVERGED), (Verdict.AT_RISK,), (Verdict.SERIOUS,))
):  # fmt: skip
    for _verdict in _verdicts:
        _KINDS[code_of(_verdict)] = _kind


class GridCells:
    """Cells of grids over one campaign, kept so that a moved slider scores only what is new.

    A moved limit scores nothing again, a moved alpha or R_min one column or row.
    """

    def __init__(self) -> None:
        self._curves: CurveTable | None = None
        self._cells: dict[ScoringParameters, Rescored] = {}

    def cell(self, curves: CurveTable, scoring: ScoringParameters, run: Rescored) -> Rescored:
        """Return both readings of every attack."""
        if curves is not self._curves:
            self._curves, self._cells = curves, {}
        key = replace(scoring, at_risk=run.scoring.at_risk, serious=run.scoring.serious)
        found = self._cells.pop(key, None)
        if found is None:
            found = rescore(curves, key, run_scoring=run.scoring, run=run)
        self._cells[key] = found
        while len(self._cells) > _KEPT:
            del self._cells[next(iter(self._cells))]
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlagGrid:
    """Every finished attack of a campaign over a grid of alpha and R_min.

    An attack is *flagged* where its ALC reaches the limit `at_risk`, whatever its interval says,
    unless nothing was left to learn. It counts with its own ALC alone, not with that of attacks
    with fewer facts, see :mod:`subsets`.
    """

    alphas: tuple[float, ...]  # The grid, ascending; the chosen values are among them
    r_mins: tuple[float, ...]
    scoring: ScoringParameters  # What is chosen; its limits and confidence hold for all cells
    numbers: IntArray  # The finished attacks
    alc: FloatArray  # The higher of both readings of ALC of each
    levels: CodeArray  # 0 below the limits, 1 at risk, 2 serious; by ALC alone
    outcome: CodeArray  # Verdicts, intervals included, as codes of :data:`OUTCOMES`

    @property
    def finished(self) -> int:
        """Attacks in the grid."""
        return len(self.numbers)

    @property
    def chosen(self) -> tuple[int, int]:
        """Place of the chosen alpha and R_min."""
        return self.alphas.index(self.scoring.alpha), self.r_mins.index(self.scoring.r_min)

    @property
    def flagged(self) -> IntArray:
        """Attacks at risk or serious, of shape (n_alphas, n_r_mins)."""
        found: IntArray = (self.levels > 0).sum(axis=-1, dtype=np.int64)
        return found

    @property
    def serious(self) -> IntArray:
        """Attacks whose loss is serious, of shape (n_alphas, n_r_mins)."""
        found: IntArray = (self.levels > 1).sum(axis=-1, dtype=np.int64)
        return found

    @property
    def undecided(self) -> IntArray:
        """Attacks whose interval straddles a limit, of shape (n_alphas, n_r_mins)."""
        of_each = self.outcome == code_of(Verdict.UNDECIDED)
        found: IntArray = of_each.sum(axis=-1, dtype=np.int64)
        return found

    @property
    def kinds(self) -> CodeArray:
        """What the verdicts ask for, intervals included, in the shape of `outcome`.

        0 nothing left to learn, 1 no loss or safe, 2 undecided, 3 at risk, 4 serious.
        """
        found: CodeArray = _KINDS[self.outcome]
        return found

    @property
    def changing(self) -> NDArray[np.bool_]:
        """Whether each attack changes its level anywhere, of shape (n_attacks,)."""
        flat = self.levels.reshape(len(self.alphas) * len(self.r_mins), self.finished)
        changed: NDArray[np.bool_] = (flat != flat[0]).any(axis=0)
        return changed

    @property
    def always_flagged(self) -> int:
        """Attacks that are flagged in every cell."""
        return int((self.levels > 0).all(axis=(0, 1)).sum())

    @property
    def never_flagged(self) -> int:
        """Attacks that are flagged in no cell."""
        return int((self.levels == 0).all(axis=(0, 1)).sum())


def flag_grid(
    view: CampaignView,
    *,
    alphas: Sequence[float] = ALPHAS,
    r_mins: Sequence[float] = R_MINS,
    scoring: ScoringParameters | None = None,
    cells: GridCells | None = None,
) -> FlagGrid:
    """Score every finished attack over a grid of alpha and R_min."""
    run_scoring = view.settings.scoring
    chosen = run_scoring if scoring is None else scoring
    run, curves = view.rescored(run_scoring), view.curves_for(chosen)
    kept = GridCells() if cells is None else cells
    rows = tuple(sorted({*map(float, alphas), chosen.alpha, run_scoring.alpha}))
    columns = tuple(sorted({*map(float, r_mins), chosen.r_min, run_scoring.r_min}))
    shape = (len(rows), len(columns), len(curves))
    alc, outcome = np.empty(shape), np.empty(shape, dtype=np.int8)
    for i, alpha in enumerate(rows):
        for j, r_min in enumerate(columns):
            each = replace(chosen, alpha=alpha, r_min=r_min)
            cell = kept.cell(curves, each, run)
            alc[i, j] = np.maximum(cell.own.alc, cell.among_rest.alc)
            outcome[i, j], _ = judged(cell, curves, each)
    counted = np.isin(curves.numbers, [attack.number for attack in view.judged])
    alc, outcome = alc[..., counted], outcome[..., counted]
    levels = np.searchsorted([chosen.at_risk, chosen.serious], alc, side="right")
    levels[outcome == code_of(Verdict.NOTHING_LEFT)] = 0
    return FlagGrid(
        alphas=rows,
        r_mins=columns,
        scoring=chosen,
        numbers=curves.numbers[counted],
        alc=alc,
        levels=levels.astype(np.int8),
        outcome=outcome,
    )


def changing_attacks(grid: FlagGrid, results: pd.DataFrame) -> pd.DataFrame:
    """List the attacks that are not at the same side of both limits everywhere on a grid."""
    changing = np.flatnonzero(grid.changing)
    flat = len(grid.alphas) * len(grid.r_mins), len(changing)
    losses = grid.alc[..., changing].reshape(flat)
    flagged = (grid.levels[..., changing] > 0).reshape(flat)
    lowest, highest = losses.min(axis=0), losses.max(axis=0)
    frame = pd.DataFrame(
        {
            "number": grid.numbers[changing],
            "lowest": lowest,
            "highest": highest,
            "flagged": flagged.sum(axis=0),
        }
    )
    shown = results.set_index("number")[["standing", "decisive_alc", "release", "unknown", "known"]]
    joined = frame.join(shown, on="number")
    order = np.lexsort((joined["number"], -(highest - lowest)))
    columns = ["number", "standing", "decisive_alc", "lowest", "highest", "flagged"]
    return joined.iloc[order].reset_index(drop=True)[[*columns, "release", "unknown", "known"]]
