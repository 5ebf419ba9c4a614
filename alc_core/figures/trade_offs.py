"""Attack against baseline, precision needed, alpha and R_min (figures 5 and 6 of the paper)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.campaign.findings.sensitivity import FlagGrid, sensitivity_sentence
from alc_core.figures import template as draw
from alc_core.figures.attack_marks import attack_marks, attacks_sentence, drawable
from alc_core.figures.looks import BASELINE, GUIDE, LOOKS, RISING_COLOURS, faded
from alc_core.phrasing import count, decimal, listed
from alc_core.scoring.calculator import needed_precision
from alc_core.scoring.formulas import attack_prc_for_loss, prc
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict, code_of

if TYPE_CHECKING:
    import plotly.graph_objects as go


EQUAL_ALC = tuple(tenth / 10 for tenth in range(1, 10))  # Values of the curves behind
_BASELINES = np.linspace(0.0, 1.0, 201)


def equal_loss_figure(
    results: pd.DataFrame | None, scoring: ScoringParameters, *, selected: int | None = None
) -> go.Figure:
    """Draw the attack's PRC against the baseline's, with equal-ALC curves (figure 5)."""
    bounds = draw.limits(scoring)
    plain = [value for value in EQUAL_ALC if all(abs(value - at) > 1e-9 for at, *_ in bounds)]
    axis = {"range": [-0.01, 1.02]}
    zones, floor = [], np.zeros_like(_BASELINES)
    for _, edge, verdict, opacity in draw.verdict_bands(scoring, low=0.0, high=1.0):
        ceiling = np.ones_like(floor) if edge == 1.0 else _attack_prc(edge, scoring)
        ceiling = np.where(np.isnan(ceiling), 1.0, ceiling)
        colour = faded(LOOKS[verdict].colour, opacity)
        zones.append(draw.band(_BASELINES, ceiling, floor, f"Zone: {verdict}", colour=colour))
        floor = ceiling
    shown, kind = drawable(results), "lines that meet at PRC 1"
    words = (
        "PRC of attack against baseline. Curves of equal ALC are "
        f"{'parallel lines' if scoring.loss == 'absolute' else kind}."
    )
    return draw.new_figure(
        [
            *zones,
            *(_curve(value, scoring, f"ALC {value:g}", width=1.0) for value in plain),
            _curve(0.0, scoring, "No loss: ALC 0", width=1.5),
            *(
                _curve(limit, scoring, f"{word} from ALC {limit:g}", width=2.5, dash=dash)
                for limit, word, dash in bounds
            ),
            *attack_marks(shown, x="compared_prc", y="deciding_prc", selected=selected),
        ],
        title="Attack against baseline",
        alt=f"{words} {attacks_sentence(shown, selected)}".strip(),
        height=540,
        margin={"r": 16},
        x={**axis, "title": "PRC of the baseline"},
        y={**axis, "title": "PRC of the attack"},
        legend=draw.LEGEND_BELOW,
        annotations=_labels(plain, scoring),
    )


def _attack_prc(value: float, scoring: ScoringParameters) -> NDArray[np.float64]:
    return np.asarray(attack_prc_for_loss(value, _BASELINES, kind=scoring.loss))


def _curve(
    value: float, scoring: ScoringParameters, name: str, *, width: float, dash: str = "solid"
) -> draw.Part:
    return draw.line(
        _BASELINES, _attack_prc(value, scoring), name, meta=value, width=width, dash=dash,
        opacity=1.0 if width > 2 else 0.6,
        hovertemplate="baseline PRC %{x:.2f}, attack PRC %{y:.2f}: "
        f"ALC {value:g}<extra></extra>",
    )  # fmt: skip


def _labels(values: list[float], scoring: ScoringParameters) -> list[draw.Part]:
    words = [(limit, f"<b>{word} {limit:g}</b>") for limit, word, _ in draw.limits(scoring)]
    words += [
        (value, f"ALC {value:g}")
        for value in values
        if min(abs(value - limit) for limit, *_ in draw.limits(scoring)) > 0.06
    ]
    return [
        *(draw.note(text, 0, value, yanchor="top", xshift=4, yshift=1) for value, text in words),
        draw.note("No loss", 0.97, 0.03, xanchor="right", yanchor="bottom"),
    ]


RECALLS = (1.0, 0.1, 0.01, 0.001, 0.0003)  # Shares of people answered for
_DASHES = ("solid", "dash", "dashdot", "dot", "longdash")


def needed_precision_figure(
    scoring: ScoringParameters,
    results: pd.DataFrame | None = None,
    *,
    same_recall: bool = False,
    selected: int | None = None,
) -> go.Figure:
    """Draw the precision that reaches `at_risk`, by recall (figure 6)."""
    at = int(np.flatnonzero(np.isclose(_BASELINES, 0.1))[0])
    traces, texts = [], []
    for recall, dash in zip(RECALLS, _DASHES, strict=True):
        needed = _needed(recall, scoring, same_recall=same_recall)
        never, people = bool(np.isnan(needed).all()), _people(recall)
        traces.append(
            draw.line(
                _BASELINES, needed, f"for {people}{': never' if never else ''}", meta=recall,
                colour=GUIDE if never else BASELINE, width=2.5, dash=dash, showlegend=True,
                hovertemplate=f"answers for {people}<br>baseline %{{x:.2f}}: needs "
                "precision %{y:.1%}<extra></extra>",
            )
        )  # fmt: skip
        texts.append(
            f"none at recall {recall:g}"
            if np.isnan(needed[at])
            else f"{needed[at]:.2f} at recall {recall:g}"
        )
    traces.append(draw.line([0, 1], [0, 1], "Equal", width=1, dash="dot"))
    measure = "precision at the same recall" if same_recall else "PRC"
    words = (
        f"Precision needed for ALC {scoring.at_risk:g}, by the baseline's "
        f"{measure}. At 0.1: {listed(texts)}."
    )
    shown = drawable(results)
    if not same_recall:
        words += f" {attacks_sentence(shown, selected)}"
        traces += attack_marks(shown, x="compared_prc", y="deciding_precision", selected=selected)
    few, usual = "Precision of the baseline (same recall)", "PRC of the baseline"
    return draw.new_figure(
        traces,
        title=f"Precision needed for ALC {scoring.at_risk:g}",
        alt=words.strip(),
        height=540,
        margin={"r": 16},
        x={"range": [-0.01, 1.02], "title": few if same_recall else usual},
        y=draw.precision_axis("Precision of the attack"),
        legend=draw.LEGEND_BELOW,
    )


def _needed(recall: float, scoring: ScoringParameters, *, same_recall: bool) -> NDArray[np.float64]:
    baseline = _BASELINES
    if same_recall:
        baseline = prc(_BASELINES, recall, alpha=scoring.alpha, r_min=scoring.r_min)
    return np.asarray(needed_precision(baseline, recall, scoring))


def _people(recall: float) -> str:
    return "everyone" if recall == 1 else f"1 in {count(round(1 / recall))}"


_DARK_FROM = 0.76  # Share of the colour scale from which white is legible


def ink_on(share: float) -> str:
    """Return the colour of words on the rising scale."""
    return "#ffffff" if share >= _DARK_FROM else "#000000"


def flag_heat_map(grid: FlagGrid, *, run: ScoringParameters | None = None) -> go.Figure:
    """Draw numbers of flagged attacks by alpha and R_min."""
    most = max(int(grid.flagged.max(initial=0)), 1)
    columns, rows = [decimal(each) for each in grid.r_mins], [f"{each:g}" for each in grid.alphas]
    heat = {
        "type": "heatmap", "z": grid.flagged, "x": columns, "y": rows, "zmin": 0, "zmax": most,
        "xgap": 2, "ygap": 2, "hoverinfo": "skip", "name": "Attacks",
        "colorscale": list(RISING_COLOURS),
        "colorbar": {
            "title": {"text": "Attacks"}, "thickness": 14,
            "tick0": 0, "dtick": max(1, round(most / 5)),  # whole attacks
        },
    }  # fmt: skip
    cells = list(np.ndindex(len(rows), len(columns)))
    written = draw.cell_texts(
        [columns[j] for _, j in cells], [rows[i] for i, _ in cells], "Cells",
        texts=[count(int(grid.flagged[cell])) for cell in cells],
        hover=[_hover(grid, *cell) for cell in cells], numbers=range(len(cells)),
        colour=[ink_on(float(grid.flagged[cell] / most)) for cell in cells],
    )  # fmt: skip
    axis = {"type": "category", "fixedrange": True}
    chosen, alt = grid.scoring, "No results yet."
    if grid.finished:
        alt = (
            f"Number of {count(grid.finished)} attacks that reach ALC "
            f"{chosen.at_risk:g}, by alpha and R_min. Ringed: alpha {chosen.alpha:g}, R_min "
            f"{decimal(chosen.r_min)}: {count(int(grid.flagged[grid.chosen]))}. "
            f"{sensitivity_sentence(grid)}"
        )
    return draw.new_figure(
        [heat, written],
        alt=alt,
        title=f"Attacks at or above ALC {grid.scoring.at_risk:g}, of {count(grid.finished)}",
        height=90 + 42 * len(grid.alphas),
        x={**axis, "title": "R_min (higher: low recall costs more)"},
        y={**axis, "title": "alpha (higher: low recall costs less)"},
        dragmode=False,
        shapes=_rings(grid, run),
    )


def _hover(grid: FlagGrid, row: int, column: int) -> str:
    flagged, serious = (int((grid.levels[row, column] > level).sum()) for level in (0, 1))
    inconclusive = int((grid.outcome[row, column] == code_of(Verdict.INCONCLUSIVE)).sum())
    return (
        f"alpha {grid.alphas[row]:g}, R_min {decimal(grid.r_mins[column])}<br>"
        f"<b>{count(flagged)} of {count(grid.finished)}</b> at or above ALC "
        f"{grid.scoring.at_risk:g}<br>{count(serious)} of them at or above "
        f"{grid.scoring.serious:g}<br>{count(inconclusive)} inconclusive by their "
        f"interval<br>highest ALC {float(grid.alc[row, column].max(initial=0.0)):.2f}"
    )


def _rings(grid: FlagGrid, run: ScoringParameters | None) -> list[draw.Part]:
    place, start = grid.chosen, None if run is None else grid.place(run)
    return [
        {
            "type": "rect", "x0": at[1] - 0.48, "x1": at[1] + 0.48, "y0": at[0] - 0.48,
            "y1": at[0] + 0.48, "line": line,
        }
        for at, line in (
            (None if start == place else start, {"color": "#ffffff", "width": 3, "dash": "dot"}),
            (place, {"color": "#ffffff", "width": 8}),
            (place, {"color": BASELINE, "width": 4}),
        )
        if at is not None
    ]  # fmt: skip
