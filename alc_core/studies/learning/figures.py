"""Figures of learning attacks: naive Bayes by ε, deFinetti by ℓ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from alc_core.figures.looks import ATTACK, BASELINE, SECOND_ATTACK, faded
from alc_core.figures.template import BELOW, HOVER, Part, band, line, new_figure, share_axis
from alc_core.phrasing import decimal, percent
from alc_core.studies.learning.result import (
    PREDICTORS,
    Accuracy,
    LearningStudy,
    Predictor,
    Spread,
    believed,
    believed_share,
    everybody,
)
from alc_core.studies.learning.words import merged_words

if TYPE_CHECKING:
    import plotly.graph_objects as go


HEIGHT = 430  # In pixels


@dataclass(frozen=True, slots=True)
class _Look:
    colour: str
    symbol: str
    width: float = 2
    size: int = 8
    dash: str = "solid"


def _mean_with_range(
    x: Sequence[float], spreads: Sequence[Spread], name: str, *, look: _Look, texts: Sequence[str]
) -> list[Part]:
    lowest, highest = (
        np.array([getattr(spread, end) for spread in spreads]) for end in ("lowest", "highest")
    )
    range_ = band(
        np.asarray(x, dtype=np.float64), lowest, highest, f"{name}, lowest to highest",
        colour=faded(look.colour, 0.22),
    )  # fmt: skip
    means = line(
        list(x), [spread.mean for spread in spreads], name, colour=look.colour, width=look.width,
        dash=look.dash, mode="lines+markers", showlegend=True, text=list(texts), cliponaxis=False,
        hovertemplate=HOVER, marker={"symbol": look.symbol, "size": look.size},
    )  # fmt: skip
    return [range_, means]


def _references(ends: Sequence[float], exact: float | None, commonest: float) -> list[Part]:
    found = [
        ("Classifier from exact counts", exact, "dash"),
        ("Most frequent value", commonest, "dot"),
    ]
    return [
        line(list(ends), [at] * 2, name, dash=dash, showlegend=True)
        for name, at, dash in found
        if at is not None
    ]


def _spread_text(spread: Spread) -> str:
    return (
        f"right for {percent(spread.mean)}<br>lowest {percent(spread.lowest)}, highest "
        f"{percent(spread.highest)}"
    )


_MEMBERS = _Look(ATTACK, "circle", width=4, size=11)
# Overlapping lines both stay visible
_HOLDOUT = _Look(BASELINE, "diamond", dash="dot")
Summary = Callable[[Sequence[Accuracy], int], Spread | None]


def noise_figure(study: LearningStudy) -> go.Figure:
    """Draw the naive Bayes attack's accuracy against ε (figure 1)."""
    exact = study.noiseless_members.everybody
    title = "Naive Bayes attack on published counts"
    return _noise_lines(study, lambda found, _: everybody(found), title, exact=exact)


def belief_figure(study: LearningStudy) -> go.Figure:
    """Draw the accuracy above the belief threshold against ε, with the share of people (fig. 2)."""
    found = believed([study.noiseless_members], study.members)
    title = f"If its belief is above {percent(study.settings.belief)}"
    return _noise_lines(study, believed, title, exact=found.mean if found else None, shares=True)


def _noise_lines(
    study: LearningStudy, summary: Summary, title: str, *, exact: float | None, shares: bool = False
) -> go.Figure:
    epsilons = [point.epsilon for point in study.noise_points]
    ends = [min(epsilons) / 1.2, max(epsilons) * 1.2]
    above = f" if its belief is above {percent(study.settings.belief)}" if shares else ""
    traces: list[Part] = []
    groups = [("Members", "in the counts", "members", _MEMBERS)]
    if study.noiseless_holdout is not None:
        groups.append(("Holdout", "left out", "holdout", _HOLDOUT))
    for who, _, part, look in groups if shares else []:
        believing = [believed_share(getattr(point, part)).mean for point in study.noise_points]
        ground = {"fill": "tozeroy", "fillcolor": faded(look.colour, 0.1)}
        traces.append(
            line(
                epsilons, believing, f"Share of people, {who.lower()}", colour=look.colour,
                width=1.5, dash="dashdot", showlegend=True, hovertemplate=HOVER,
                text=[f"<b>{who}</b><br>ε = {decimal(epsilon)}: sure of {percent(share)}"
                      for epsilon, share in zip(epsilons, believing, strict=True)],
                **(ground if part == "members" else {}),
            )
        )  # fmt: skip
    traces += _references(ends, exact, study.commonest)
    for who, where, part, look in groups:
        name = f"{who} ({where})"
        people = study.members if part == "members" else study.held_out
        given = [
            (point.epsilon, summary(getattr(point, part), people)) for point in study.noise_points
        ]
        found = [(epsilon, spread) for epsilon, spread in given if spread is not None]
        texts = [
            f"<b>{name}</b><br>ε = {decimal(epsilon)}: {_spread_text(spread)}"
            for epsilon, spread in found
        ]
        traces += _mean_with_range(
            [epsilon for epsilon, _ in found], [spread for _, spread in found], name,
            look=look, texts=texts,
        )  # fmt: skip
    said = []
    for point in study.noise_points:
        sides = [("members", summary(point.members, study.members))]
        if point.holdout:
            sides.append(("held out", summary(point.holdout, study.held_out)))
        right = [f"{who} {'too few' if s is None else percent(s.mean)}" for who, s in sides]
        said.append(f"ε = {decimal(point.epsilon)}: {', '.join(right)}")
    return new_figure(
        traces,
        title=title,
        alt=f"Accuracy of the naive Bayes attack by ε{above}. {'; '.join(said)}. Most frequent "
            f"value: {percent(study.commonest)}.",
        height=HEIGHT,
        x={
            "type": "log", "range": np.log10(ends).tolist(),
            "title": "Privacy budget ε (left: more noise)",
            "tickvals": epsilons, "ticktext": [decimal(epsilon) for epsilon in epsilons],
        },
        y=share_axis("Accuracy, share of people" if shares else "Accuracy", range=[0, 1.0]),
        **BELOW,
    )  # fmt: skip


_PREDICTOR_LOOKS: Mapping[Predictor, _Look] = {
    "permutation": _Look(ATTACK, "circle"),
    "group": _Look(SECOND_ATTACK, "square"),
    "open": _Look(BASELINE, "diamond"),
}
# From low to high ℓ, legible on light and dark
_LEVEL_COLOURS = ("#d55e00", "#b8609a", "#7a6fc2", "#3d8fd1", "#2a9d8f", "#8a9a2b", "#7f8c94")
# Ticks of the axis of L1 changes
_CHANGES = [10.0**power * step for power in range(-4, 1) for step in (1, 2, 5)]


def groups_figure(study: LearningStudy, merged: int) -> go.Figure:
    """Draw the deFinetti attack's accuracy against ℓ (figures 3 and 4)."""
    points = study.group_points(merged)
    levels = [point.level for point in points]
    lone = 0.5 if len(levels) == 1 else 0.0
    ends = [levels[0] - lone, levels[-1] + lone]
    fine = np.linspace(ends[0], ends[1], 50)
    traces = [
        line(list(fine), list(1 / fine), "1/ℓ", showlegend=True),
        *_references(ends, study.noiseless_members.everybody, study.commonest),
    ]
    for predictor in PREDICTORS:
        spreads = [point.spread(predictor) for point in points]
        name = f"deFinetti, {predictor}"
        texts = [
            f"<b>{name}</b><br>ℓ = {point.level}: {_spread_text(spread)}"
            for point, spread in zip(points, spreads, strict=True)
        ]
        traces += _mean_with_range(
            levels, spreads, name, look=_PREDICTOR_LOOKS[predictor], texts=texts
        )
    said = [
        f"ℓ = {point.level}: "
        + ", ".join(f"{each} {percent(point.spread(each).mean)}" for each in PREDICTORS)
        for point in points
    ]
    return new_figure(
        traces,
        title=f"deFinetti attack, {merged_words(merged)}",
        alt=f"Accuracy of the deFinetti attack by ℓ, {merged} in each. {'; '.join(said)}. "
        f"Classifier from exact counts: {percent(study.noiseless_members.everybody)}; most "
        f"frequent value: {percent(study.commonest)}.",
        height=HEIGHT,
        x={"title": "Diversity ℓ", "tickvals": levels, "range": [ends[0] - 0.2, ends[1] + 0.2]},
        y=share_axis("Accuracy", range=[0, 1.0]),
        **BELOW,
    )


def convergence_figure(study: LearningStudy, merged: int) -> go.Figure:
    """Draw how the deFinetti attack converges (figure 5)."""
    traces: list[Part] = []
    for number, point in enumerate(study.group_points(merged)):
        colour = _LEVEL_COLOURS[number % len(_LEVEL_COLOURS)]
        name, rounds = f"ℓ = {point.level}", list(point.trace.rounds)
        for numbers, words, more in (
            (point.trace.accuracy, "accuracy %{y:.1%}", {"showlegend": True}),
            (point.trace.change, "L1 change %{y:.4f}", {"yaxis": "y2"}),
        ):
            hover = f"<b>{name}</b><br>round %{{x}}: {words}<extra></extra>"
            traces.append(
                line(rounds, list(numbers), name, colour=colour, width=2, legendgroup=name,
                     hovertemplate=hover, **more)
            )  # fmt: skip
    said = [
        f"ℓ = {point.level}: accuracy from {percent(point.trace.accuracy[0])} to "
        f"{percent(point.trace.accuracy[-1])}, L1 change from {point.trace.change[0]:.3f} to "
        f"{point.trace.change[-1]:.3f}"
        for point in study.group_points(merged)
    ]
    title = f"Convergence of the deFinetti attack, {merged_words(merged)}"
    return new_figure(
        traces,
        title=title,
        alt=f"{title}. {'; '.join(said)}.",
        height=520,
        x={"title": "Round", "anchor": "y2"},
        y=share_axis("Accuracy", domain=[0.55, 1]),
        yaxis2={
            "title": "L1 change", "type": "log", "domain": [0, 0.45], "showgrid": True,
            "zeroline": False, "tickvals": _CHANGES, "ticktext": [f"{c:g}" for c in _CHANGES],
        },
        **BELOW,
    )  # fmt: skip
