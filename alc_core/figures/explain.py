"""A closer look at one attack: marks of calibration beside its ALC, and whom it hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from alc_core.assessment.result import Assessment
from alc_core.assessment.words import interval_text, loss_text
from alc_core.explain.breakdown import Breakdown, GroupRisk
from alc_core.explain.context import AttackContext
from alc_core.explain.reviewer_facts import mark_text
from alc_core.figures.palette import ATTACK, BASELINE
from alc_core.figures.short_names import plain, short
from alc_core.figures.template import (
    LEFT_END,
    LEGEND_ABOVE,
    line,
    marks,
    new_figure,
    on_scale,
    rows_axis,
    whiskers,
    zones,
)
from alc_core.phrasing import count, listed, percent

if TYPE_CHECKING:
    import plotly.graph_objects as go

THIS_RELEASE = "This release"
_ORIGINAL, _SHUFFLED = "The original as it is", "Unknown column shuffled"
_LABEL = 30


def marks_figure(assessment: Assessment, context: AttackContext) -> go.Figure:
    """Draw the ALC of an attack between its two marks of calibration."""
    scoring, rows = assessment.scoring, _marks(assessment, context)
    traces = []
    for place, (name, loss, bounds, text) in enumerate(rows):
        if bounds is not None:
            ends = [on_scale(bound) for bound in bounds]
            traces.append(line(ends, [place, place], f"Interval: {name}", width=4))
        own = name == THIS_RELEASE
        traces.append(
            marks(
                [None if loss is None else on_scale(loss)], [place], name,
                colour=ATTACK if own else BASELINE, symbol="diamond" if own else "circle",
                size=15, edge={"width": 2, "color": "white"}, texts=[f"{name}: {text}"],
                showlegend=False, cliponaxis=False,
            )
        )  # fmt: skip
    ticks = [0.0, scoring.at_risk, scoring.serious, 1.0]
    return new_figure(
        traces,
        title="The same attack on three tables",
        height=206,
        margin={"t": 44, "b": 48},
        x={
            "title": "ALC", "range": [LEFT_END, 1.03], "tickvals": ticks, "fixedrange": True,
            "ticktext": ["no loss │ 0", *(f"{tick:g}" for tick in ticks[1:])],
        },
        y={**rows_axis([name for name, *_ in rows]), "fixedrange": True},
        shapes=zones(scoring, axis="x", low=LEFT_END, high=1.0, strength=2.0),
    )  # fmt: skip


def marks_alt(assessment: Assessment, context: AttackContext) -> str:
    """Say what :func:`marks_figure` shows."""
    parts = [f"{name}, {text}" for name, _, _, text in _marks(assessment, context)]
    return f"The same attack on three tables: {'; '.join(parts)}."


def breakdown_figure(breakdown: Breakdown) -> go.Figure:
    """Draw precision of attack and baseline on the same people, group by group."""
    groups = breakdown.groups
    asked = [(place, group) for place, group in enumerate(groups) if group.predictions]
    texts = [_group_hover(group) for _, group in asked]
    attack = [(group.precision, group.precision_interval) for _, group in asked]
    baseline = [(group.baseline_precision, group.baseline_interval) for _, group in asked]
    return new_figure(
        [
            marks(
                [value for value, _ in side], [place + offset for place, _ in asked], name,
                colour=colour, symbol=symbol, edge={"width": 0}, texts=texts, cliponaxis=False,
                error_x=whiskers([value for value, _ in side], [ends for _, ends in side], colour),
            )
            for name, side, colour, symbol, offset in (
                ("Attack, with the release", attack, ATTACK, "circle", -0.14),
                ("Baseline, same people", baseline, BASELINE, "square", 0.14),
            )
        ],
        title=f"Precision by {plain(breakdown.column)} (number of predictions)",
        height=144 + 40 * max(len(groups), 2),
        margin={"t": 76, "b": 48},
        x={
            "title": "Precision: right among the predictions", "tickformat": ".0%",
            "range": [-0.02, 1.02],
        },
        y=rows_axis(
            [f"{short(each.group, _LABEL)}  ({count(each.predictions)})" for each in groups]
        ),
        legend=LEGEND_ABOVE,
    )  # fmt: skip


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
) -> Sequence[tuple[str, float, tuple[float, float] | None, str]]:
    scoring, rows = assessment.scoring, []
    for name, mark in ((_ORIGINAL, context.original), (_SHUFFLED, context.shuffled)):
        if mark is not None:
            rows.append((name, mark.loss(scoring), mark.bounds(scoring), mark_text(mark, scoring)))
    loss = assessment.decisive_alc
    text = f"ALC {loss_text(loss)} ({interval_text(assessment)})"
    rows.insert(1, (THIS_RELEASE, loss, assessment.decisive_interval, text))
    return rows


def _group_hover(group: GroupRisk) -> str:
    low, high = group.gain_interval
    return (
        f"<b>{plain(group.group)}</b><br>{count(group.people)} attacked, a prediction for "
        f"{percent(group.recall)} of them<br>attack right in {percent(group.precision)}, baseline "
        f"in {percent(group.baseline_precision)}<br>difference {100 * group.gain:+.0f} points "
        f"({100 * low:+.0f} to {100 * high:+.0f})"
    )
