"""All people in one bar: known anyway, learned by the attack, guessed, neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alc_core.assessment.exposed import PeopleSplit
from alc_core.assessment.result import Assessment
from alc_core.figures.palette import ATTACK, BASELINE, GUIDE, faded
from alc_core.figures.template import HOVER, LEGEND_BELOW, new_figure
from alc_core.phrasing import count, percent

if TYPE_CHECKING:
    import plotly.graph_objects as go


def people_bar_figure(assessment: Assessment) -> go.Figure:
    """Draw all people of a result in one bar of four parts."""
    parts, everybody = _parts(assessment)
    return new_figure(
        [
            {
                "type": "bar", "orientation": "h", "y": [0], "x": [people / everybody],
                "name": f"{name} ({percent(people / everybody)})", "marker": {"color": colour},
                "text": [f"{name}: {count(round(people))} of {count(round(everybody))} people"],
                "textposition": "none",
                "hovertemplate": HOVER,
            }
            for name, people, colour in parts
        ],
        title="",
        height=104,
        margin={"l": 8, "r": 8, "t": 4, "b": 44},
        x={"visible": False, "range": [0, 1], "fixedrange": True},
        y={"visible": False, "fixedrange": True},
        barmode="stack",
        legend={**LEGEND_BELOW, "itemclick": False, "itemdoubleclick": False,
                "traceorder": "normal"},
    )  # fmt: skip


def people_bar_alt(assessment: Assessment) -> str:
    """Say what :func:`people_bar_figure` shows."""
    parts, everybody = _parts(assessment)
    shares = ", ".join(f"{name[0].lower()}{name[1:]} {percent(people / everybody)}"
                       for name, people, _ in parts)  # fmt: skip
    return f"All {count(round(everybody))} people: {shares}."


def _parts(assessment: Assessment) -> tuple[list[tuple[str, float, str]], float]:
    split = PeopleSplit.of(assessment)
    found = [
        ("Anybody knows", split.known, faded(BASELINE, 0.55)),
        ("Told by the release alone", split.learned, ATTACK),
        ("Guessed as well", split.guessed, faded(BASELINE, 0.3)),
        ("Stays unknown", split.neither, faded(GUIDE, 0.35)),
    ]
    return [part for part in found if part[1] > 0], split.everybody
