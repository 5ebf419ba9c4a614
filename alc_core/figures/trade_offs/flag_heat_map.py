"""How many attacks are flagged over alpha and R_min."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from alc_core.campaign.findings.sensitivity import FlagGrid
from alc_core.campaign.findings.sensitivity_words import sensitivity_sentence
from alc_core.figures.palette import BASELINE, RISING_COLOURS
from alc_core.figures.template import Part, cell_texts, new_figure
from alc_core.phrasing import count, decimal
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

_DARK_FROM = 0.68
"""Share of the colour scale from which writing is white."""


def flag_heat_map(
    grid: FlagGrid,
    *,
    scoring: ScoringParameters | None = None,
    run: ScoringParameters | None = None,
) -> go.Figure:
    """Draw how many attacks are flagged for each alpha and R_min, with the numbers in the cells."""
    most = max(int(grid.flagged.max(initial=0)), 1)
    columns, rows = [decimal(each) for each in grid.r_mins], [f"{each:g}" for each in grid.alphas]
    steps = len(RISING_COLOURS) - 1
    heat = {
        "type": "heatmap", "z": grid.flagged, "x": columns, "y": rows, "zmin": 0, "zmax": most,
        "xgap": 2, "ygap": 2, "hoverinfo": "skip", "name": "Attacks",
        "colorscale": [[at / steps, colour] for at, colour in enumerate(RISING_COLOURS)],
        "colorbar": {
            "title": {"text": "Attacks"}, "thickness": 14,
            "tick0": 0, "dtick": max(1, round(most / 5)),  # whole attacks
        },
    }  # fmt: skip
    cells = list(np.ndindex(len(rows), len(columns)))
    written = cell_texts(
        [columns[j] for _, j in cells], [rows[i] for i, _ in cells], "Cells",
        texts=[count(int(grid.flagged[cell])) for cell in cells],
        hover=[_hover(grid, *cell) for cell in cells], numbers=range(len(cells)),
        colour=["#ffffff" if grid.flagged[cell] / most > _DARK_FROM else "#17252e"
                for cell in cells],
    )  # fmt: skip
    axis = {"type": "category", "fixedrange": True}
    return new_figure(
        [heat, written],
        title=f"Attacks at or above ALC {grid.scoring.at_risk:g}, of {count(grid.finished)}",
        height=90 + 42 * len(grid.alphas),
        x={**axis, "title": "R_min (to the right, being right about few people counts less)"},
        y={**axis, "title": "alpha (higher up,<br>being right about few people counts more)"},
        dragmode=False,
        shapes=_rings(grid, scoring or grid.scoring, run),
    )


def flag_heat_map_alt(grid: FlagGrid, *, scoring: ScoringParameters | None = None) -> str:
    """Say what :func:`flag_heat_map` shows."""
    if not grid.finished:
        return "Heat map of attacks above the limit: no attack has a result yet."
    chosen = grid.scoring if scoring is None else scoring
    place = _place(grid, chosen)
    ringed = "" if place is None else f", where it is {count(int(grid.flagged[place]))}"
    return (
        f"Heat map of how many of {count(grid.finished)} attacks reach ALC "
        f"{grid.scoring.at_risk:g}, over alpha and R_min. Ringed: alpha {chosen.alpha:g}, "
        f"R_min {decimal(chosen.r_min)}{ringed}. "
        f"{sensitivity_sentence(grid)}"
    )


def _hover(grid: FlagGrid, row: int, column: int) -> str:
    flagged, serious = int(grid.flagged[row, column]), int(grid.serious[row, column])
    return (
        f"alpha {grid.alphas[row]:g}, R_min {decimal(grid.r_mins[column])}<br>"
        f"<b>{count(flagged)} of {count(grid.finished)}</b> at or above ALC "
        f"{grid.scoring.at_risk:g}<br>{count(serious)} of them at or above "
        f"{grid.scoring.serious:g}<br>{count(int(grid.undecided[row, column]))} undecided by their "
        f"interval<br>highest ALC {float(grid.alc[row, column].max(initial=0.0)):.2f}"
    )


def _place(grid: FlagGrid, scoring: ScoringParameters) -> tuple[int, int] | None:
    if scoring.alpha not in grid.alphas or scoring.r_min not in grid.r_mins:
        return None
    return grid.alphas.index(scoring.alpha), grid.r_mins.index(scoring.r_min)


def _rings(grid: FlagGrid, chosen: ScoringParameters, run: ScoringParameters | None) -> list[Part]:
    place = _place(grid, chosen)
    start = None if run is None else _place(grid, run)
    rings = []
    if start is not None and start != place:
        rings.append(_ring(*start, {"color": "#ffffff", "width": 3, "dash": "dot"}))
    if place is not None:
        rings.append(_ring(*place, {"color": "#ffffff", "width": 8}))
        rings.append(_ring(*place, {"color": BASELINE, "width": 4}))
    return rings


def _ring(row: int, column: int, line: Part) -> Part:
    return {
        "type": "rect", "x0": column - 0.48, "x1": column + 0.48, "y0": row - 0.48,
        "y1": row + 0.48, "line": line,
    }  # fmt: skip
