"""The plane of precision and recall: axes, curves in it, and attacks as marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.figures.attack_marks import LEGEND, add_attacks, add_baseline_of, drawable
from alc_core.figures.palette import ATTACK, BASELINE, GUIDE
from alc_core.phrasing import decimal
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

Curve = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Recalls and the precision at each."""

_NEAR = 0.055


def start(
    scoring: ScoringParameters, results: pd.DataFrame | None, *, lowest: float = 1.0
) -> tuple[go.Figure, pd.DataFrame]:
    """Return an empty plane and the attacks to draw; it reaches down to R_min and all recalls.

    Parameters
    ----------
    scoring : ScoringParameters
        Gives R_min.
    results : DataFrame or None
        As in :func:`drawable`.
    lowest : float
        A recall that is to be seen, too.
    """
    import plotly.graph_objects as go

    shown = drawable(results)
    seen = float(shown["attack_recall"].min()) if len(shown) else 1.0
    left = max(min(lowest, seen, scoring.r_min), 1e-9) / 1.5
    figure = go.Figure()
    powers = range(int(np.ceil(np.log10(left))), 1)
    figure.update_xaxes(
        type="log", range=[float(np.log10(left)), 0.02], showgrid=False, zeroline=False,
        tickvals=[10.0**power for power in powers],
        ticktext=[f"{10.0 ** (power + 2):g} %" for power in powers],
        title_text="Recall: share of people predicted for (logarithmic)",
    )  # fmt: skip
    figure.add_vline(x=scoring.r_min, line={"color": GUIDE, "dash": "dot", "width": 1.5})
    # By hand: the line's own annotation is misplaced on a logarithmic axis.
    figure.add_annotation(
        x=float(np.log10(scoring.r_min)), y=0, text="R_min", showarrow=False, xanchor="left",
        yanchor="bottom", xshift=4, font_size=12,
    )  # fmt: skip
    return figure, shown


def add_curve(
    figure: go.Figure, curve: Curve, words: str, *, meta: object, line: dict[str, Any]
) -> None:
    """Add a curve; `words` say what of, also when pointed at."""
    import plotly.graph_objects as go

    recall, precision = curve
    figure.add_trace(
        go.Scatter(
            x=recall, y=precision, mode="lines", name=words, meta=meta, line=line,
            showlegend=False, hovertemplate=f"{words}<br>right in %{{y:.1%}} (precision)<br>"
            "for %{x:.3~%} of people (recall)<extra></extra>",
        )
    )  # fmt: skip


def add_others(figure: go.Figure, curves: Mapping[float, Curve], what: str) -> None:
    """Add curves of other values than the chosen one, which are their ``meta``."""
    for value, curve in curves.items():
        line = {"color": BASELINE, "width": 1.5}
        add_curve(figure, curve, f"{what} {decimal(value)}", meta=value, line=line)


def add_chosen(figure: go.Figure, curve: Curve, what: str, value: float | str) -> None:
    """Add the curve that stands out."""
    words = what if isinstance(value, str) else f"{what} {decimal(value)} (chosen)"
    add_curve(figure, curve, words, meta=value, line={"color": ATTACK, "width": 4})


def label_tops(
    figure: go.Figure, curves: Mapping[float, Curve], chosen: float | None, sign: str
) -> None:
    """Write at each curve's upper end what it is of, in rows where they lie close."""
    tops = sorted((float(curve[0][0]), value) for value, curve in curves.items())
    left, right = figure.layout.xaxis.range
    rows: list[float] = []
    for top, value in tops:
        place = (np.log10(top) - left) / (right - left)
        text = f"{sign} {decimal(value)}"
        room = _NEAR + 0.012 * len(text)
        row = next((at for at, end in enumerate(rows) if place - end > room), len(rows))
        rows[row : row + 1] = [place]
        emphasis = {"text": f"<b>{text}</b>", "font": {"color": ATTACK, "size": 13}}
        figure.add_annotation(
            x=float(np.log10(top)), y=1.0, yshift=16 * row, showarrow=False, yanchor="bottom",
            **(emphasis if value == chosen else {"text": text, "font": {"size": 12}}),
        )  # fmt: skip


def finish(figure: go.Figure, shown: pd.DataFrame, title: str, selected: int | None) -> go.Figure:
    """Add the attacks, title, legend and the axis of precision."""
    add_baseline_of(figure, shown, selected)
    add_attacks(figure, shown, x="attack_recall", y="attack_precision", selected=selected)
    figure.update_yaxes(
        range=[0, 1.02], title_text="Precision: share of predictions that are right",
        tickformat=".0%", zeroline=False, showgrid=False,
    )  # fmt: skip
    figure.update_layout(
        title_text=title, height=540, hovermode="closest",
        legend=dict(LEGEND),
        margin={"l": 10, "r": 66, "t": 92, "b": 10}, hoverlabel={"align": "left"},
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
    )  # fmt: skip
    return figure
