"""Precision against recall of attack and baseline, over curves of equal PRC."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from alc_core.assessment.result import Assessment
from alc_core.figures.palette import ATTACK, BASELINE, GUIDE, faded
from alc_core.phrasing import count, decimal, percent
from alc_core.scoring.curves import CurveMeasures, Measure, PrecisionRecallCurve, measure_curve
from alc_core.scoring.formulas import precision_for_prc
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

EQUAL_PRC = tuple(tenth / 10 for tenth in range(1, 10))
"""Values of the curves behind."""

_POINTS = 200
_HOVER = (
    "<b>%{fullData.meta}</b><br>predicts for %{customdata[0]} of people (recall)<br>"
    "right in %{customdata[1]} (%{customdata[2]})<br>"
    "%{customdata[3]} predictions, PRC %{customdata[4]}%{customdata[5]}<extra></extra>"
)


def precision_recall_figure(assessment: Assessment) -> go.Figure:
    """Draw the precision-recall curves of attack and baseline.

    Parameters
    ----------
    assessment : Assessment
        Its scoring parameters give the equal-PRC curves and what counts as significant.

    Returns
    -------
    plotly.graph_objects.Figure
        Recall (share of people for whom a prediction is made) on a logarithmic axis. Precision is
        the midpoint of its interval, so that the chosen points lie on their PRC. Thresholds whose
        interval is too wide to count are faint.
    """
    import plotly.graph_objects as go

    scoring, outcomes = assessment.scoring, assessment.outcomes
    left = _left_end(outcomes.attack, outcomes.baseline)
    figure = go.Figure()
    _add_equal_prc(figure, scoring, left)
    sides = (
        ("Baseline", BASELINE, "square", outcomes.baseline, assessment.baseline),
        ("Attack", ATTACK, "circle", outcomes.attack, assessment.attack),
    )
    for name, colour, symbol, curve, chosen in sides:
        _add_side(figure, name, colour, symbol, curve, chosen, scoring)
    if scoring.r_min >= left:
        figure.add_vline(x=scoring.r_min, line={"color": GUIDE, "dash": "dot"})
        # On a logarithmic axis annotations are placed by the exponent.
        figure.add_annotation(
            x=float(np.log10(scoring.r_min)), xref="x", y=0, yref="paper", text="R_min",
            showarrow=False, xanchor="left", yanchor="bottom", xshift=4,
        )  # fmt: skip
    figure.update_xaxes(
        type="log", range=[float(np.log10(left)), 0.02],
        title_text="Recall: share of people predicted for",
        tickformat="~%", showgrid=False, zeroline=False,
        tickvals=[10.0**power for power in range(-7, 1)],
    )  # fmt: skip
    figure.update_yaxes(
        range=[0, 1.02], title_text="Precision: share of predictions that are right",
        tickformat=".0%", zeroline=False, showgrid=False,
    )  # fmt: skip
    figure.update_layout(
        title_text="How often attack and baseline are right", height=480, hovermode="closest",
        legend={"orientation": "h", "y": -0.2, "x": 0, "itemclick": False},
        margin={"l": 10, "r": 66, "t": 48, "b": 10},
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
    )  # fmt: skip
    return figure


def precision_recall_alt(assessment: Assessment) -> str:
    """Say what :func:`precision_recall_figure` shows."""
    scoring = assessment.scoring
    return (
        "Precision against recall. "
        f"{_point_sentence('attack', assessment.attack)} "
        f"{_point_sentence('baseline', assessment.baseline)} "
        f"Grey curves join points of equal PRC under alpha {scoring.alpha:g} and R_min "
        f"{decimal(scoring.r_min)}."
    )


def _point_sentence(side: str, measure: Measure) -> str:
    measured, middle = percent(measure.measured_precision), percent(measure.precision)
    drawn = "" if middle == measured else f" (drawn at {middle}, the middle of its interval)"
    return (
        f"The {side}'s best point is precision {measured}{drawn} at recall "
        f"{percent(measure.recall)}, PRC {measure.prc:.2f}."
    )


def _left_end(*curves: PrecisionRecallCurve) -> float:
    """Return the lowest recall to draw, moved a little left so that its point is visible."""
    lowest = min(float(curve.recall[0]) for curve in curves)
    return min(lowest, 0.5) * 0.85


def _add_equal_prc(figure: go.Figure, scoring: ScoringParameters, left: float) -> None:
    """Add all curves as one trace with gaps, and their labels at once: each part costs time."""
    import plotly.graph_objects as go

    recall = np.geomspace(max(left, scoring.r_min), 1.0, _POINTS)
    curves = [
        precision_for_prc(value, recall, alpha=scoring.alpha, r_min=scoring.r_min)
        for value in EQUAL_PRC
    ]
    gap = [np.nan]
    figure.add_trace(
        go.Scatter(
            x=np.concatenate([np.append(recall, gap) for _ in EQUAL_PRC]),
            y=np.concatenate([np.append(curve, gap) for curve in curves]),
            text=np.repeat([f"PRC {value:g}" for value in EQUAL_PRC], _POINTS + 1),
            mode="lines", line={"color": GUIDE, "width": 1}, opacity=0.45, name="Equal PRC",
            hovertemplate="%{text}<extra></extra>",
        )
    )  # fmt: skip
    labels = [
        {
            "x": 0, "xref": "x", "y": value, "text": f"PRC {value:g}", "showarrow": False,
            "xanchor": "left", "xshift": 10, "font": {"size": 11, "color": GUIDE},
        }
        for value in EQUAL_PRC
    ]  # fmt: skip
    figure.update_layout(annotations=labels)


def _add_side(
    figure: go.Figure,
    name: str,
    colour: str,
    symbol: str,
    curve: PrecisionRecallCurve,
    chosen: Measure,
    scoring: ScoringParameters,
) -> None:
    """Add the band, the faint whole curve, its significant part and the chosen point."""
    import plotly.graph_objects as go

    measured = measure_curve(curve, scoring)
    details = _details(curve, measured)
    significant = np.where(measured.significant, measured.precision, np.nan)
    figure.add_trace(
        go.Scatter(
            x=np.concatenate([measured.recall, measured.recall[::-1]]),
            y=np.concatenate([measured.upper, measured.lower[::-1]]),
            fill="toself", fillcolor=faded(colour, 0.13), line_width=0, mode="lines",
            hoverinfo="skip", legendgroup=name, showlegend=False, name=f"{name}: interval",
        )
    )  # fmt: skip
    faint = "too uncertain", measured.precision, "lines", 0.4, 1.5
    solid = "", significant, "lines+markers", 1.0, 2.5
    for part, y, mode, opacity, width in (faint, solid):
        figure.add_trace(
            go.Scatter(
                x=measured.recall, y=y, mode=mode, opacity=opacity,
                line={"color": colour, "width": width},
                marker={"size": 4, "symbol": symbol}, name=f"{name}: {part}" if part else name,
                meta=name, customdata=details, hovertemplate=_HOVER,
                legendgroup=name, showlegend=not part,
            )
        )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[chosen.recall], y=[chosen.precision], mode="markers",
            name=f"{name}: point that counts", marker={
                "size": 15, "symbol": symbol, "color": colour,
                "line": {"width": 2, "color": "white"},
            },
            meta=f"{name}: the point that counts", hovertemplate=_HOVER,
            customdata=[_point_details(chosen)], legendgroup=name, showlegend=False,
            cliponaxis=False,
        )
    )  # fmt: skip


def _details(curve: PrecisionRecallCurve, measured: CurveMeasures) -> list[list[str]]:
    return [
        [
            percent(float(measured.recall[row])),
            percent(float(measured.measured_precision[row])),
            f"{percent(float(measured.lower[row]))} to {percent(float(measured.upper[row]))}",
            count(int(curve.predictions[row])),
            f"{measured.prc[row]:.2f}",
            "" if measured.significant[row] else "<br>too uncertain to count",
        ]
        for row in range(len(curve))
    ]


def _point_details(measure: Measure) -> list[str]:
    low, high = measure.precision_interval
    return [
        percent(measure.recall),
        percent(measure.measured_precision),
        f"{percent(low)} to {percent(high)}",
        count(measure.predictions),
        f"{measure.prc:.2f}",
        "",
    ]
