"""How many attacks are flagged over alpha and R_min."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alc_core.campaign.findings.sensitivity import FlagGrid
from alc_core.campaign.findings.sensitivity_words import sensitivity_sentence
from alc_core.figures.palette import BASELINE
from alc_core.phrasing import count, decimal
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

FLAG_COLOURS = ("#fdf3e4", "#f6cf97", "#e39a4a", "#b8621b", "#6b2f0c")
"""From no attack to the most: one hue, ever darker, so that print and colour-blindness keep it."""

_DARK_FROM = 0.68
"""Share of the colour scale from which writing is white."""


def flag_heat_map(
    grid: FlagGrid,
    *,
    scoring: ScoringParameters | None = None,
    run: ScoringParameters | None = None,
) -> go.Figure:
    """Draw how many attacks are flagged for each alpha and R_min, with the numbers in the cells.

    Parameters
    ----------
    grid : FlagGrid
        From :func:`flag_grid`.
    scoring : ScoringParameters, optional
        Whose cell is ringed; by default what is chosen in the grid.
    run : ScoringParameters, optional
        Whose cell has a dashed ring where it is another.

    Returns
    -------
    plotly.graph_objects.Figure
        A heat map, and invisible marks over the cells whose ``customdata`` is the cell's place,
        counted row by row from the lowest alpha and R_min on, so that clicks come back.
    """
    import plotly.graph_objects as go

    chosen = grid.scoring if scoring is None else scoring
    most = max(int(grid.flagged.max(initial=0)), 1)
    columns, rows = [decimal(each) for each in grid.r_mins], [f"{each:g}" for each in grid.alphas]
    figure = go.Figure(
        go.Heatmap(
            z=grid.flagged, x=columns, y=rows, zmin=0, zmax=most, xgap=2, ygap=2,
            colorscale=[
                [at / (len(FLAG_COLOURS) - 1), each] for at, each in enumerate(FLAG_COLOURS)
            ],
            colorbar={
                "title": {"text": "Attacks"}, "thickness": 14,
                "tick0": 0, "dtick": max(1, round(most / 5)),  # whole attacks
            },
            hoverinfo="skip", name="Attacks",
        )
    )  # fmt: skip
    cells = [(i, j) for i in range(len(rows)) for j in range(len(columns))]
    figure.add_trace(
        go.Scatter(
            x=[columns[j] for _, j in cells], y=[rows[i] for i, _ in cells], mode="markers+text",
            marker={"symbol": "square", "size": 30, "opacity": 0}, showlegend=False, name="Cells",
            text=[_cell_text(grid, i, j) for i, j in cells],
            textfont={
                "size": 13,
                "color": [
                    "#ffffff" if grid.flagged[cell] / most > _DARK_FROM else "#17252e"
                    for cell in cells
                ],
            },
            customdata=list(range(len(cells))), hovertext=[_hover(grid, i, j) for i, j in cells],
            hovertemplate="%{hovertext}<extra></extra>",
            selected={"marker": {"opacity": 0}}, unselected={"marker": {"opacity": 0}},
        )
    )  # fmt: skip
    figure.update_layout(shapes=_rings(grid, chosen, run))
    _lay_out(figure, grid)
    return figure


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


def _cell_text(grid: FlagGrid, row: int, column: int) -> str:
    return count(int(grid.flagged[row, column]))


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


def _rings(
    grid: FlagGrid, chosen: ScoringParameters, run: ScoringParameters | None
) -> list[dict[str, Any]]:
    place = _place(grid, chosen)
    rings = []
    if run is not None and (start := _place(grid, run)) not in (None, place):
        rings.append(_ring(start, {"color": "#ffffff", "width": 3, "dash": "dot"}))
    if place is not None:
        rings.append(_ring(place, {"color": "#ffffff", "width": 8}))
        rings.append(_ring(place, {"color": BASELINE, "width": 4}))
    return rings


def _ring(place: tuple[int, int] | None, line: dict[str, Any]) -> dict[str, Any]:
    row, column = place or (0, 0)
    return {
        "type": "rect", "x0": column - 0.48, "x1": column + 0.48, "y0": row - 0.48,
        "y1": row + 0.48, "line": line,
    }  # fmt: skip


def _lay_out(figure: go.Figure, grid: FlagGrid) -> None:
    figure.update_layout(
        title_text=f"Attacks at or above ALC {grid.scoring.at_risk:g}, of {count(grid.finished)}",
        height=90 + 42 * len(grid.alphas), margin={"l": 10, "r": 10, "t": 48, "b": 10},
        hovermode="closest", hoverlabel={"align": "left"}, dragmode=False,
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
    )  # fmt: skip
    axis = {"type": "category", "showgrid": False, "zeroline": False, "fixedrange": True}
    figure.update_xaxes(
        title_text="R_min (to the right, being right about few people counts less)", **axis
    )
    figure.update_yaxes(
        title_text="alpha (higher up,<br>being right about few people counts more)", **axis
    )
