"""Figures 1 and 2: accuracy of the naive Bayes attack against ε, of all and of the sure ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from alc_core.figures.palette import ATTACK, BASELINE, faded
from alc_core.figures.template import LEGEND_BELOW, Part, line, new_figure
from alc_core.learning.results import (
    Accuracy,
    LearningStudy,
    Spread,
    believed,
    believed_share,
    everybody,
)
from alc_core.phrasing import decimal, percent

if TYPE_CHECKING:
    import plotly.graph_objects as go

_MEMBERS = Look(ATTACK, "circle", width=4, size=11)
_HOLDOUT = Look(BASELINE, "diamond", dash="dot")
"""Often one lies over the other: both stay visible."""

Summary = Callable[[Sequence[Accuracy], int], Spread | None]


def noise_figure(study: LearningStudy) -> go.Figure:
    """Draw the accuracy of the naive Bayes attack against ε (figure 1)."""
    exact = study.noiseless_members.everybody
    ends = _epsilon_ends(study)
    return _noise_lines(
        study,
        _everybody,
        title="Naive Bayes attack on published counts",
        references=[
            reference(ends, [exact] * 2, "Classifier from exact counts", "dash"),
            reference(ends, [study.commonest] * 2, "Most frequent value", "dot"),
        ],
    )


def belief_figure(study: LearningStudy) -> go.Figure:
    """Draw the accuracy above the belief threshold against ε, with the share of people (fig. 2)."""
    found = believed([study.noiseless_members], study.members)
    ends = _epsilon_ends(study)
    references = [reference(ends, [study.commonest] * 2, "Most frequent value", "dot")]
    if found is not None:
        references.insert(
            0, reference(ends, [found.mean] * 2, "Classifier from exact counts", "dash")
        )
    threshold = percent(study.settings.belief)
    return _noise_lines(
        study,
        believed,
        title=f"The same where its belief is above {threshold}",
        references=references,
        shares=True,
    )


def noise_alt(study: LearningStudy) -> str:
    """Say what :func:`noise_figure` shows."""
    return f"Accuracy of the naive Bayes attack by ε. {_noise_words(study, _everybody)}"


def belief_alt(study: LearningStudy) -> str:
    """Say what :func:`belief_figure` shows."""
    threshold = percent(study.settings.belief)
    return (
        f"Accuracy of the naive Bayes attack by ε where its belief is above {threshold}. "
        f"{_noise_words(study, believed)}"
    )


def _everybody(accuracies: Sequence[Accuracy], _: int) -> Spread:
    return everybody(accuracies)


def _noise_lines(
    study: LearningStudy,
    summary: Summary,
    *,
    title: str,
    references: Sequence[Part],
    shares: bool = False,
) -> go.Figure:
    traces: list[Part] = []
    groups = [("Members (in the counts)", "members", _MEMBERS)]
    if study.noiseless_holdout is not None:
        groups.append(("Holdout (left out)", "holdout", _HOLDOUT))
    if shares:
        traces += [_share_line(study, *group) for group in groups]
    traces += references
    for name, part, look in groups:
        people = study.members if part == "members" else study.held_out
        given = [
            (point.epsilon, summary(getattr(point, part), people)) for point in study.noise_points
        ]
        found = [(epsilon, spread) for epsilon, spread in given if spread is not None]
        texts = [
            f"<b>{name}</b><br>ε = {decimal(epsilon)}: {spread_text(spread)}"
            for epsilon, spread in found
        ]
        traces += mean_with_range(
            [epsilon for epsilon, _ in found], [spread for _, spread in found], name,
            look=look, texts=texts,
        )  # fmt: skip
    return new_figure(
        traces,
        title=title,
        height=HEIGHT,
        x=_epsilon_axis(study),
        y=accuracy_axis("Accuracy, share of people" if shares else "Accuracy"),
        margin=MARGIN,
        legend=LEGEND_BELOW,
    )


def _share_line(study: LearningStudy, name: str, part: str, look: Look) -> Part:
    """Return the share of people above the belief threshold as a thin line to the ground."""
    points = study.noise_points
    shares = [believed_share(getattr(point, part)).mean for point in points]
    who = name.partition(" (")[0]
    return line(
        [point.epsilon for point in points], shares, f"Share of people, {who.lower()}",
        colour=look.colour, width=1.5, dash="dashdot", showlegend=True,
        **({"fill": "tozeroy", "fillcolor": faded(look.colour, 0.1)} if part == "members" else {}),
        text=[f"<b>{who}</b><br>ε = {decimal(point.epsilon)}: sure of {percent(share)}"
              for point, share in zip(points, shares, strict=True)],
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip


def _epsilon_ends(study: LearningStudy) -> list[float]:
    epsilons = [point.epsilon for point in study.noise_points]
    return [min(epsilons) / 1.2, max(epsilons) * 1.2]


def _epsilon_axis(study: LearningStudy) -> Part:
    epsilons = [point.epsilon for point in study.noise_points]
    ends = [float(np.log10(end)) for end in _epsilon_ends(study)]
    return {
        "type": "log", "range": ends, "title": "Privacy budget ε (left: more noise)",
        "tickvals": epsilons, "ticktext": [decimal(epsilon) for epsilon in epsilons],
    }  # fmt: skip


def _noise_words(study: LearningStudy, summary: Summary) -> str:
    lines = []
    for point in study.noise_points:
        sides = [("members", summary(point.members, study.members))]
        if point.holdout:
            sides.append(("held out", summary(point.holdout, study.held_out)))
        said = [f"{who} {'too few' if s is None else percent(s.mean)}" for who, s in sides]
        lines.append(f"ε = {decimal(point.epsilon)}: {', '.join(said)}")
    return f"{'; '.join(lines)}. Most frequent value: {percent(study.commonest)}."
