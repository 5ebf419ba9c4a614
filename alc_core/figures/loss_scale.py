"""The ALC with its interval on the scale from no loss to serious."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alc_core.assessment.result import Assessment
from alc_core.assessment.words import interval_text, loss_text
from alc_core.figures.palette import GUIDE, VERDICT_COLOURS
from alc_core.figures.standings import LOOKS
from alc_core.figures.template import (
    LEFT_END,
    line,
    marks,
    new_figure,
    note,
    on_scale,
    verdict_bands,
    zones,
)
from alc_core.scoring.readings import READING_TITLES

if TYPE_CHECKING:
    import plotly.graph_objects as go

_NARROW = 0.08
"""Zones narrower than this have no word above them."""


def loss_scale_figure(assessment: Assessment) -> go.Figure:
    """Draw an ALC, its interval and the limits on one line; right is riskier."""
    scoring, bounds = assessment.scoring, assessment.decisive_interval
    ends = ["line-ns" if bound == on_scale(bound) else "triangle-left" for bound in bounds]
    edge = {"width": 3, "color": GUIDE}
    ticks = [0.0, scoring.at_risk, scoring.serious, 1.0]
    return new_figure(
        [
            line(
                [on_scale(bound) for bound in bounds], [0, 0], "Interval", width=4,
                mode="lines+markers",
                marker={"symbol": ends, "size": 16, "color": GUIDE, "line": edge},
            ),
            marks(
                [on_scale(assessment.decisive_alc)], [0], "ALC", symbol="diamond", size=17,
                colour=VERDICT_COLOURS[assessment.verdict], edge={"width": 2, "color": "white"},
                hovertemplate=f"{loss_scale_alt(assessment)}<extra></extra>", cliponaxis=False,
                showlegend=False,
            ),
        ],
        title="",
        height=112,
        margin={"l": 8, "r": 14, "t": 0, "b": 22},
        x={
            "range": [LEFT_END, 1.0], "tickvals": ticks, "ticktext": [f"{at:g}" for at in ticks],
            "fixedrange": True,
        },
        y={"visible": False, "range": [-0.5, 1.1], "fixedrange": True},
        shapes=zones(scoring, axis="x", low=LEFT_END, high=1.0, across=(-0.5, 0.5), strength=3.0),
        annotations=[
            note(
                LOOKS[verdict].word, (low + high) / 2, 0.55, xanchor="center", yanchor="bottom",
                font={"size": 13},
            )
            for low, high, verdict, _ in verdict_bands(scoring, low=LEFT_END, high=1.0)
            if high - low >= _NARROW
        ],
    )  # fmt: skip


def loss_scale_alt(assessment: Assessment) -> str:
    """Say what :func:`loss_scale_figure` shows."""
    scoring = assessment.scoring
    return (
        f"{READING_TITLES[assessment.decisive]} {loss_text(assessment.decisive_alc)}, "
        f"{interval_text(assessment)}, on a scale that is at risk "
        f"from {scoring.at_risk:g} and serious from {scoring.serious:g}."
    )
