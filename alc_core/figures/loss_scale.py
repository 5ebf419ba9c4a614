"""The ALC with its interval on the scale from no loss to serious."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alc_core.assessment.result import Assessment
from alc_core.assessment.words import VERDICT_TITLES, interval_text, loss_text
from alc_core.figures.palette import GUIDE, VERDICT_COLOURS, faded
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go

LEFT_END = -0.12
"""Room at the left of 0 where every ALC without loss is drawn; the scale has no end there."""


def loss_scale_figure(assessment: Assessment) -> go.Figure:
    """Draw an ALC, its interval and the limits on one line; right is riskier.

    Parameters
    ----------
    assessment : Assessment
        Its scoring parameters give the limits.

    Returns
    -------
    plotly.graph_objects.Figure
        Zones as shapes, one trace for the interval and one for the ALC. Values below 0 are drawn
        just left of 0; an end of the interval that lies further left is a triangle.
    """
    import plotly.graph_objects as go

    scoring = assessment.scoring
    low, high = (_place(bound) for bound in assessment.alc_interval)
    ends = ["line-ns" if _fits(bound) else "triangle-left" for bound in assessment.alc_interval]
    figure = go.Figure()
    zones = [
        (LEFT_END, 0.0, Verdict.NO_LOSS, 0.16),
        (0.0, scoring.at_risk, Verdict.SAFE, 0.28),
        (scoring.at_risk, scoring.serious, Verdict.AT_RISK, 0.4),
        (scoring.serious, 1.0, Verdict.SERIOUS, 0.5),
    ]
    for start, end, verdict, opacity in zones:
        figure.add_shape(
            type="rect", x0=start, x1=end, y0=-0.5, y1=0.5, layer="below",
            line_width=0, fillcolor=faded(VERDICT_COLOURS[verdict], opacity),
        )  # fmt: skip
    for start, end, verdict, _ in zones:
        if end - start >= 0.08:
            figure.add_annotation(
                x=(start + end) / 2, y=0.55, text=_zone_word(verdict),
                showarrow=False, yanchor="bottom", font_size=13,
            )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[low, high], y=[0, 0], mode="lines+markers", name="Interval", hoverinfo="skip",
            line={"width": 4, "color": GUIDE},
            marker={"symbol": ends, "size": 16, "color": GUIDE,
                    "line": {"width": 3, "color": GUIDE}},
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[_place(assessment.alc)], y=[0], mode="markers", name="ALC", cliponaxis=False,
            hovertemplate=f"{loss_scale_alt(assessment)}<extra></extra>",
            marker={
                "symbol": "diamond", "size": 17, "color": VERDICT_COLOURS[assessment.verdict],
                "line": {"width": 2, "color": "white"},
            },
        )
    )  # fmt: skip
    ticks = [0.0, scoring.at_risk, scoring.serious, 1.0]
    figure.update_xaxes(
        range=[LEFT_END, 1.0], tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks],
        showgrid=False, zeroline=False, fixedrange=True,
    )  # fmt: skip
    figure.update_yaxes(visible=False, range=[-0.5, 1.1], fixedrange=True)
    figure.update_layout(
        height=112, margin={"l": 8, "r": 14, "t": 0, "b": 22}, showlegend=False,
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)", title_text="",
    )  # fmt: skip
    return figure


def loss_scale_alt(assessment: Assessment) -> str:
    """Say what :func:`loss_scale_figure` shows."""
    scoring = assessment.scoring
    return (
        f"ALC {loss_text(assessment.alc)}, {interval_text(assessment)}, on a scale that is at risk "
        f"from {scoring.at_risk:g} and serious from {scoring.serious:g}."
    )


def _fits(loss: float) -> bool:
    return loss >= LEFT_END / 2


def _place(loss: float) -> float:
    return max(loss, LEFT_END / 2)


def _zone_word(verdict: Verdict) -> str:
    return "Serious" if verdict is Verdict.SERIOUS else VERDICT_TITLES[verdict].split(" of ")[0]
