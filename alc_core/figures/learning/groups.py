"""Figures 3 to 5: accuracy of the deFinetti attack against ℓ, and how it converges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from alc_core.figures.learning.lines import (
    HEIGHT,
    MARGIN,
    Look,
    accuracy_axis,
    mean_with_range,
    reference,
    spread_text,
)
from alc_core.figures.palette import ATTACK, BASELINE, SECOND_ATTACK
from alc_core.figures.template import LEGEND_BELOW, Part, line, new_figure
from alc_core.learning.results import PREDICTORS, LearningStudy, Predictor
from alc_core.learning.sentences import PREDICTOR_WORDS, merged_words
from alc_core.phrasing import percent

if TYPE_CHECKING:
    import plotly.graph_objects as go

_PREDICTOR_LOOKS: Mapping[Predictor, Look] = {
    "permutation": Look(ATTACK, "circle"),
    "group": Look(SECOND_ATTACK, "square"),
    "open": Look(BASELINE, "diamond"),
}
_LEVEL_COLOURS = ("#d55e00", "#b8609a", "#7a6fc2", "#3d8fd1", "#2a9d8f", "#8a9a2b", "#7f8c94")
"""From low to high ℓ, none of them too dark or too light for a ground."""

_CHANGES = [10.0**power * step for power in range(-4, 1) for step in (1, 2, 5)]
"""Ticks of the axis of L1 changes."""


def groups_figure(study: LearningStudy, merged: int) -> go.Figure:
    """Draw the accuracy of the deFinetti attack against ℓ (figures 3 and 4)."""
    points = study.group_points(merged)
    levels = [point.level for point in points]
    lone = 0.5 if len(levels) == 1 else 0.0
    ends = [levels[0] - lone, levels[-1] + lone]
    fine = np.linspace(ends[0], ends[1], 50)
    traces = [
        reference(fine, 1 / fine, "1/ℓ", "solid"),
        reference(ends, [study.noiseless_members.everybody] * 2, "Classifier from exact counts",
                   "dash"),
        reference(ends, [study.commonest] * 2, "Most frequent value", "dot"),
    ]  # fmt: skip
    for predictor in PREDICTORS:
        spreads = [point.spread(predictor) for point in points]
        name = f"deFinetti, {PREDICTOR_WORDS[predictor]}"
        texts = [
            f"<b>{name}</b><br>ℓ = {point.level}: {spread_text(spread)}"
            for point, spread in zip(points, spreads, strict=True)
        ]
        traces += mean_with_range(
            levels, spreads, name, look=_PREDICTOR_LOOKS[predictor], texts=texts
        )
    return new_figure(
        traces,
        title=f"deFinetti attack, {merged_words(merged)}",
        height=HEIGHT,
        x={"title": "Diversity ℓ", "tickvals": levels, "range": [ends[0] - 0.2, ends[1] + 0.2]},
        y=accuracy_axis(),
        margin=MARGIN,
        legend=LEGEND_BELOW,
    )


def convergence_figure(study: LearningStudy, merged: int) -> go.Figure:
    """Draw how the deFinetti attack converges (figure 5)."""
    traces: list[Part] = []
    for number, point in enumerate(study.group_points(merged)):
        colour = _LEVEL_COLOURS[number % len(_LEVEL_COLOURS)]
        name, rounds = f"ℓ = {point.level}", list(point.trace.rounds)
        hover = f"<b>{name}</b><br>round %{{x}}: "
        traces.append(
            line(rounds, list(point.trace.accuracy), name, colour=colour, width=2,
                 showlegend=True, legendgroup=name,
                 hovertemplate=f"{hover}accuracy %{{y:.1%}}<extra></extra>")
        )  # fmt: skip
        traces.append(
            line(rounds, list(point.trace.change), name, colour=colour, width=2, yaxis="y2",
                 legendgroup=name,
                 hovertemplate=f"{hover}L1 change %{{y:.4f}}<extra></extra>")
        )  # fmt: skip
    return new_figure(
        traces,
        title=f"Convergence of the deFinetti attack, {merged_words(merged)}",
        height=520,
        x={"title": "Round", "anchor": "y2"},
        y={"title": "Accuracy", "tickformat": ".0%", "domain": [0.55, 1], "showgrid": True},
        yaxis2={
            "title": "L1 change", "type": "log", "domain": [0, 0.45], "showgrid": True,
            "zeroline": False, "tickvals": _CHANGES, "ticktext": [f"{c:g}" for c in _CHANGES],
        },
        margin=MARGIN,
        legend=LEGEND_BELOW,
    )  # fmt: skip


def groups_alt(study: LearningStudy, merged: int) -> str:
    """Say what :func:`groups_figure` shows."""
    lines = [
        f"ℓ = {point.level}: "
        + ", ".join(f"{each} {percent(point.spread(each).mean)}" for each in PREDICTORS)
        for point in study.group_points(merged)
    ]
    return (
        f"Accuracy of the deFinetti attack by ℓ, {merged} of Anatomy's groups in each. "
        f"{'; '.join(lines)}. Classifier from exact counts: "
        f"{percent(study.noiseless_members.everybody)}; most frequent value: "
        f"{percent(study.commonest)}."
    )


def convergence_alt(study: LearningStudy, merged: int) -> str:
    """Say what :func:`convergence_figure` shows."""
    lines = [
        f"ℓ = {point.level}: accuracy from {percent(point.trace.accuracy[0])} to "
        f"{percent(point.trace.accuracy[-1])}, L1 change from {point.trace.change[0]:.3f} to "
        f"{point.trace.change[-1]:.3f}"
        for point in study.group_points(merged)
    ]
    return f"Convergence of the deFinetti attack over its rounds. {'; '.join(lines)}."
