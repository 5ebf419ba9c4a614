"""A closer look at one attack: marks of calibration beside its ALC, and whom it hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from alc_core.assessment.result import Assessment
from alc_core.assessment.words import interval_text, loss_text
from alc_core.explain.breakdown import Breakdown, GroupRisk
from alc_core.explain.context import AttackContext
from alc_core.explain.reviewer_facts import mark_text
from alc_core.figures.palette import ATTACK, BASELINE, GUIDE, VERDICT_COLOURS, faded
from alc_core.figures.short_names import plain
from alc_core.phrasing import count, listed, percent
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go

LEFT_END = -0.12
"""Room at the left of 0 where every ALC without loss is drawn; the scale has no end there."""

THIS_RELEASE = "This release"
_ORIGINAL, _SHUFFLED = "The original as it is", "Unknown column shuffled"
_LABEL = 30


def marks_figure(assessment: Assessment, context: AttackContext) -> go.Figure:
    """Draw the ALC of an attack between its two marks of calibration.

    Parameters
    ----------
    assessment : Assessment
        Its scoring parameters are applied to the marks, too.
    context : AttackContext
        With marks.

    Returns
    -------
    plotly.graph_objects.Figure
        A row each for the original, this release and the shuffled column. Values below 0 are
        drawn just left of 0; intervals only where they belong to the parameters.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    scoring = assessment.scoring
    for start, end, verdict, opacity in (
        (LEFT_END, 0.0, Verdict.NO_LOSS, 0.1),
        (0.0, scoring.at_risk, Verdict.SAFE, 0.16),
        (scoring.at_risk, scoring.serious, Verdict.AT_RISK, 0.22),
        (scoring.serious, 1.0, Verdict.SERIOUS, 0.28),
    ):
        figure.add_shape(
            type="rect", x0=start, x1=end, y0=-0.5, y1=2.5, layer="below", line_width=0,
            fillcolor=faded(VERDICT_COLOURS[verdict], opacity),
        )  # fmt: skip
    rows = _marks(assessment, context)
    for place, (name, loss, bounds, text) in enumerate(rows):
        if bounds is not None:
            figure.add_trace(
                go.Scatter(
                    x=[_place(bound) for bound in bounds], y=[place, place], mode="lines",
                    line={"width": 4, "color": GUIDE}, hoverinfo="skip",
                    name=f"Interval: {name}",
                )
            )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=[None if loss is None else _place(loss)], y=[place], mode="markers", name=name,
                text=[f"{name}: {text}"], hovertemplate="%{text}<extra></extra>", cliponaxis=False,
                marker={
                    "size": 15, "color": ATTACK if name == THIS_RELEASE else BASELINE,
                    "symbol": "diamond" if name == THIS_RELEASE else "circle",
                    "line": {"width": 2, "color": "white"},
                },
            )
        )  # fmt: skip
    ticks = [0.0, scoring.at_risk, scoring.serious, 1.0]
    figure.update_xaxes(
        title_text="ALC", range=[LEFT_END, 1.03], tickvals=ticks,
        ticktext=["no loss │ 0", *(f"{tick:g}" for tick in ticks[1:])],
        showgrid=False, zeroline=False, fixedrange=True,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=[0, 1, 2], ticktext=[row[0] for row in rows], range=[2.5, -0.5], showgrid=False,
        zeroline=False, fixedrange=True, automargin=True,
    )  # fmt: skip
    _clear(figure, "The same attack on three tables", height=206)
    return figure


def marks_alt(assessment: Assessment, context: AttackContext) -> str:
    """Say what :func:`marks_figure` shows."""
    parts = [f"{name}, {text}" for name, _, _, text in _marks(assessment, context)]
    return f"The same attack on three tables: {'; '.join(parts)}."


def breakdown_figure(breakdown: Breakdown) -> go.Figure:
    """Draw precision of attack and baseline on the same people, group by group.

    Parameters
    ----------
    breakdown : Breakdown
        From :func:`break_down`; at least one group.

    Returns
    -------
    plotly.graph_objects.Figure
        Two dots with intervals per group in which the attack predicts for anybody.
    """
    import plotly.graph_objects as go

    groups = breakdown.groups
    figure = go.Figure()
    for name, side, colour, symbol, offset in (
        ("Attack, with the release", _attack_side, ATTACK, "circle", -0.14),
        ("Baseline, same people", _baseline_side, BASELINE, "square", 0.14),
    ):
        places = [place for place, group in enumerate(groups) if group.predictions]
        values = [side(groups[place]) for place in places]
        figure.add_trace(
            go.Scatter(
                x=[value for value, _ in values], y=[place + offset for place in places],
                mode="markers", name=name, cliponaxis=False,
                text=[_group_hover(groups[place]) for place in places],
                hovertemplate="%{text}<extra></extra>",
                marker={"color": colour, "size": 10, "symbol": symbol},
                error_x={
                    "type": "data", "symmetric": False, "color": colour, "thickness": 1.6,
                    "width": 3, "array": [ends[1] - value for value, ends in values],
                    "arrayminus": [value - ends[0] for value, ends in values],
                },
            )
        )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(groups))), ticktext=[_group_label(group) for group in groups],
        range=[len(groups) - 0.4, -0.6], showgrid=False, zeroline=False, automargin=True,
    )  # fmt: skip
    figure.update_xaxes(
        title_text="Precision: right among the predictions", tickformat=".0%",
        range=[-0.02, 1.02], zeroline=False,
    )  # fmt: skip
    title = f"Precision by {plain(breakdown.column)} (number of predictions)"
    _clear(figure, title, height=144 + 40 * max(len(groups), 2), legend=True)
    figure.update_layout(
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0}, hovermode="closest"
    )
    return figure


def breakdown_alt(breakdown: Breakdown) -> str:
    """Say what :func:`breakdown_figure` shows."""
    parts = [
        f"{group.group}: attack {percent(group.precision)}, baseline "
        f"{percent(group.baseline_precision)} of {count(group.predictions)} predictions"
        for group in breakdown.groups
        if group.predictions
    ]
    if not parts:
        return f"Precision by {breakdown.column}: the attack predicts for nobody here."
    return f"Precision of attack and baseline on the same people by {breakdown.column}. " + (
        f"{listed(parts)}."
    )


def _marks(
    assessment: Assessment, context: AttackContext
) -> Sequence[tuple[str, float | None, tuple[float, float] | None, str]]:
    scoring, rows = assessment.scoring, []
    for name, mark in ((_ORIGINAL, context.original), (_SHUFFLED, context.shuffled)):
        if mark is not None:
            rows.append((name, mark.loss(scoring), mark.bounds(scoring), mark_text(mark, scoring)))
    text = f"ALC {loss_text(assessment.alc)} ({interval_text(assessment)})"
    rows.insert(1, (THIS_RELEASE, assessment.alc, assessment.alc_interval, text))
    return rows


def _place(loss: float) -> float:
    return max(loss, LEFT_END / 2)


def _attack_side(group: GroupRisk) -> tuple[float, tuple[float, float]]:
    return group.precision, group.precision_interval


def _baseline_side(group: GroupRisk) -> tuple[float, tuple[float, float]]:
    return group.baseline_precision, group.baseline_interval


def _group_label(group: GroupRisk) -> str:
    name = group.group if len(group.group) <= _LABEL else f"{group.group[: _LABEL - 1]}…"
    return f"{plain(name)}  ({count(group.predictions)})"


def _group_hover(group: GroupRisk) -> str:
    low, high = group.gain_interval
    return (
        f"<b>{plain(group.group)}</b><br>{count(group.people)} attacked, a prediction for "
        f"{percent(group.recall)} of them<br>attack right in {percent(group.precision)}, baseline "
        f"in {percent(group.baseline_precision)}<br>difference {100 * group.gain:+.0f} points "
        f"({100 * low:+.0f} to {100 * high:+.0f})"
    )


def _clear(figure: go.Figure, title: str, *, height: int, legend: bool = False) -> None:
    figure.update_layout(
        height=height, margin={"l": 8, "r": 14, "t": 76 if legend else 44, "b": 48},
        title={"text": title, "y": 1, "yref": "container", "yanchor": "top", "pad": {"t": 8}},
        showlegend=legend,
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
    )  # fmt: skip
