"""Figures of relative threat: beliefs, levels, one victim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from alc_core.arrays import spread_out
from alc_core.figures import template as draw
from alc_core.figures.looks import ATTACK, BASELINE, GUIDE, SECOND_ATTACK, faded
from alc_core.phrasing import count, percent
from alc_core.studies.relative_threat.result import CHANCES, LevelHistogram, ThreatResult

if TYPE_CHECKING:
    import plotly.graph_objects as go


_MOST_MARKS = 4_000
_COLOURS = {
    "p_attacker": ATTACK, "p_learner": BASELINE, "p_random_worlds": SECOND_ATTACK,
    "p_ideal": GUIDE,
}  # fmt: skip
_PROBABILITIES = {"range": [0, 1.02], "showgrid": True}
_WHO = {"attacker": "the attacker", "learner": "the learner"}


def _truth(whose: str) -> dict[str, object]:
    return {"title": f"{whose} probability of the truth", **_PROBABILITIES}


def threat_scatter(result: ThreatResult, guessed_by: str) -> go.Figure:
    """Draw p_L against p_A of people whom attacker or learner guesses."""
    attacker, learner = _guessed(result, guessed_by)
    who, alt = _WHO[guessed_by], f"{_WHO[guessed_by].capitalize()} guesses nobody correctly."
    if len(attacker):
        alt = (
            f"{count(len(attacker))} people guessed correctly by {who}, "
            f"{percent(float((attacker > learner).mean()))} of them more certainly by the attacker."
        )
    some = spread_out(len(attacker), _MOST_MARKS)
    people = draw.marks(
        learner[some].tolist(), attacker[some].tolist(), "People", colour=ATTACK, size=5,
        edge={"width": 0}, hovertemplate="learner %{x:.3f}<br>attacker %{y:.3f}<extra></extra>",
        showlegend=False,
    )  # fmt: skip
    people["marker"]["opacity"] = 0.35
    return draw.new_figure(
        [draw.line([0, 1], [0, 1], "Equal", dash="dash"), people],
        title=f"People guessed correctly by {who}",
        alt=alt,
        height=420,
        x=_truth("Learner's"),
        y=_truth("Attacker's"),
    )


def threat_levels(found: LevelHistogram, guessed_by: str, level: float | None = None) -> go.Figure:
    """Draw the distribution of log2 of the relative threat level."""
    edges = np.array(found.edges)
    middles, widths = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
    bars: draw.Part = {
        "type": "bar", "x": middles.tolist(), "y": list(found.counts), "width": widths.tolist(),
        "marker": {"color": faded(ATTACK, 0.75)}, "name": "People",
        "hovertemplate": "log2 %{x:.2f}: %{y} people<extra></extra>",
    }  # fmt: skip
    skewness = "" if found.skewness is None else f", skewness {found.skewness:.2f}"
    shapes, marked = [draw.rule("x", 0.0, "dash")], ""
    if level is not None:
        marked = f" The mark is at a level of {level:.2f}."
        shapes.append(draw.rule("x", float(np.log2(level)), "dot"))
    return draw.new_figure(
        [bars],
        title=f"Relative threat level, guessed by {_WHO[guessed_by]}{skewness}",
        alt=f"Distribution of log2 of the relative threat level, guessed by {_WHO[guessed_by]}: "
        f"{found.edges[0]:.2f} to {found.edges[-1]:.2f}.{marked}",
        height=320,
        x={"title": "log2 of the attacker's probability over the learner's"},
        y={"title": "People", "showgrid": True},
        bargap=0,
        shapes=shapes,
    )


def victim_bars(result: ThreatResult) -> go.Figure:
    """Draw a victim's probabilities by attacker, learner, random worlds and ideal."""
    given = [
        (CHANCES[name], result.chances[name].probabilities, colour)
        for name, colour in _COLOURS.items()
    ]
    said = [
        f"{name}: "
        + ", ".join(f"{v} {percent(float(s))}" for v, s in zip(result.values, shares, strict=True))
        for name, shares, _ in given
    ]
    return draw.new_figure(
        [
            {
                "type": "bar", "x": [draw.plain(value) for value in result.values],
                "y": shares.tolist(), "name": name,
                "marker": {"color": colour},
                "hovertemplate": f"<b>{name}</b><br>%{{x}}: %{{y:.3f}}<extra></extra>",
            }
            for name, shares, colour in given
        ],
        title=f"Beliefs about {draw.plain(result.unknown)}",
        alt=f"Probabilities of {result.unknown}. {'; '.join(said)}.",
        height=400,
        x={"type": "category"},
        y={"title": "Probability", "range": [0, 1.0], "showgrid": True},
        margin={"b": 110},
        legend=draw.LEGEND_BELOW,
        barmode="group",
    )  # fmt: skip


def _guessed(result: ThreatResult, guessed_by: str) -> tuple[np.ndarray, np.ndarray]:
    people = result.threat.people
    some = people.by_attacker if guessed_by == "attacker" else people.by_learner
    some = some & np.isfinite(people.attacker)
    return people.attacker[some], people.learner[some]
