"""What drives the risk: known attributes, and how many of them are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from alc_core.assessment.words import loss_text
from alc_core.explain.drivers import Contribution
from alc_core.explain.effects import AttributeEffect, KnownCount
from alc_core.figures.palette import ATTACK, BASELINE, GUIDE
from alc_core.figures.short_names import plain, short
from alc_core.figures.template import (
    HOVER,
    LEGEND_ABOVE,
    Part,
    limit_lines,
    limit_words,
    line,
    marks,
    new_figure,
    rows_axis,
    whiskers,
)
from alc_core.phrasing import count, listed, numbered
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

MOST_ATTRIBUTES = 24
"""More attributes than this are not drawn; the table beside holds them all."""

MOST_LINES = 6
"""Unknown attributes with a colour and a line of their own: those with the highest ALC."""

LINE_COLOURS = ("#d55e00", "#3d8fd1", "#009e73", "#c46a9f", "#b8860b", "#8a7fd6")
LINE_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")
_LABEL = 26


def contribution_figure(contributions: Sequence[Contribution]) -> go.Figure:
    """Draw what each known attribute adds to the ALC of an attack."""
    shown = list(contributions[:MOST_ATTRIBUTES])
    differences = [each.difference for each in shown]
    bars = {
        "type": "bar", "x": differences, "y": list(range(len(shown))), "orientation": "h",
        "name": "Difference of ALC",
        "marker": {
            "color": [ATTACK if value > 0 else BASELINE for value in differences], "opacity": 0.85,
        },
        "error_x": whiskers(differences, [each.interval for each in shown], GUIDE),
        "text": [_contribution_hover(each) for each in shown],
        "textposition": "none", "hovertemplate": HOVER,
    }  # fmt: skip
    title = "What each known attribute adds to this attack"
    return _difference_figure([bars], [each.attribute for each in shown], title)


def contribution_alt(contributions: Sequence[Contribution]) -> str:
    """Say what :func:`contribution_figure` shows."""
    parts = [f"{each.attribute} {_signed(each.difference)}" for each in contributions]
    return f"What each known attribute adds to the ALC of this attack: {listed(parts)}."


def effect_figure(effects: Sequence[AttributeEffect]) -> go.Figure:
    """Draw what each known attribute adds over a campaign."""
    shown = _with_pairs(effects)[:MOST_ATTRIBUTES]
    places = list(range(len(shown)))
    joined = line(
        [end for each in shown for end in (each.mean, each.largest, None)],
        [end for place in places for end in (place, place, None)],
        "From mean to largest", width=2,
    )  # fmt: skip
    ends = [
        marks(
            values, places, name, colour=colour, symbol=symbol, size=12,
            edge={"width": 2, "color": colour}, texts=[_effect_hover(each) for each in shown],
        )
        for name, values, symbol, colour in (
            ("Mean over all pairs", [each.mean for each in shown], "circle", ATTACK),
            ("Largest difference", [each.largest for each in shown], "diamond-open", BASELINE),
        )
    ]  # fmt: skip
    title = "What each known attribute adds, over all attacks"
    return _difference_figure([joined, *ends], [each.attribute for each in shown], title)


def effect_alt(effects: Sequence[AttributeEffect]) -> str:
    """Say what :func:`effect_figure` shows."""
    shown = _with_pairs(effects)
    if not shown:
        return "What each known attribute adds: there are no pairs of attacks to compare."
    parts = [
        f"{each.attribute} {_signed(each.mean or 0.0)} on average over "
        f"{numbered(each.pairs, 'pair')} (at most {_signed(each.largest or 0.0)})"
        for each in shown
    ]
    return f"What each known attribute adds to the ALC: {listed(parts)}."


def known_count_figure(points: Sequence[KnownCount], scoring: ScoringParameters) -> go.Figure:
    """Draw the ALC of every attack against how many facts it knows."""
    unknown, known = _by_highest(points), [point.known for point in points]
    return new_figure(
        [
            trace
            for attribute in [*unknown[MOST_LINES:], *reversed(unknown[:MOST_LINES])]
            for trace in _attribute_traces(points, attribute, unknown.index(attribute))
        ],
        title="ALC against the number of known attributes",
        height=420,
        x={
            "title": "Known attributes", "tickformat": "d",
            "range": [min(known) - 0.4, max(known) + 0.4],
            "dtick": 1 if max(known) <= 20 else None,
        },
        y={"title": "ALC (0: no loss)", "range": [-0.04, 1.06]},
        legend={"title_text": "Unknown attribute"},
        shapes=limit_lines(scoring),
        annotations=limit_words(scoring),
    )  # fmt: skip


def known_count_alt(points: Sequence[KnownCount]) -> str:
    """Say what :func:`known_count_figure` shows."""
    highest = highest_by_count(points)
    parts = [f"{loss_text(alc)} with {known}" for known, alc in highest.items()]
    return (
        f"ALC of {count(len(points))} attacks against the number of known attributes. "
        f"The largest: {listed(parts)}."
    )


def highest_by_count(points: Sequence[KnownCount]) -> Mapping[int, float]:
    """Return the largest ALC reached at each number of known attributes, by rising number.

    An attacker can ignore facts, so an attack reaches what those with a part of its facts reach.
    """
    highest: dict[int, float] = {}
    for point in points:
        highest[point.known] = max(point.reached, highest.get(point.known, 0.0))
    return dict(sorted(highest.items()))


def _by_highest(points: Sequence[KnownCount]) -> list[str]:
    highest: dict[str, float] = {}
    for point in points:
        highest[point.unknown] = max(point.alc, highest.get(point.unknown, 0.0))
    return sorted(highest, key=lambda name: (-highest[name], name))


def _with_pairs(effects: Sequence[AttributeEffect]) -> list[AttributeEffect]:
    return [each for each in effects if each.pairs]


def _contribution_hover(each: Contribution) -> str:
    low, high = each.interval
    return (
        f"<b>{plain(each.attribute)}</b><br>ALC with it {loss_text(each.with_it.alc)}, "
        f"without it {loss_text(each.without_it.alc)}<br>difference "
        f"{_signed(each.difference)} (about {_signed(low)} to {_signed(high)})"
    )


def _effect_hover(each: AttributeEffect) -> str:
    return (
        f"<b>{plain(each.attribute)}</b><br>{_signed(each.mean or 0.0)} on average over "
        f"{numbered(each.pairs, 'pair')}<br>"
        f"at most {_signed(each.largest or 0.0)}"
    )


def _count_hover(point: KnownCount) -> str:
    return (
        f"Learns <b>{plain(point.unknown)}</b><br>from {plain(point.release)}<br>"
        f"{point.known} known<br>ALC {loss_text(point.alc)}"
        + (
            f"<br>{loss_text(point.reached)} through fewer of these facts"
            if point.reached > point.alc
            else ""
        )
    )


def _attribute_traces(points: Sequence[KnownCount], attribute: str, rank: int) -> list[Part]:
    """Return the line and the points of one unknown attribute, grey beyond the first few."""
    own = [point for point in points if point.unknown == attribute]
    highest, named = highest_by_count(own), rank < MOST_LINES
    colour = LINE_COLOURS[rank] if named else GUIDE
    return [
        line(
            list(highest), list(highest.values()), plain(attribute), colour=colour,
            width=2 if named else 1, legendgroup=attribute, opacity=1.0 if named else 0.5,
        ),
        marks(
            [point.known for point in own], [point.alc for point in own], plain(attribute),
            colour=colour, symbol=LINE_SYMBOLS[rank] if named else "circle",
            size=9 if named else 6, edge={"width": 0}, texts=[_count_hover(each) for each in own],
            legendgroup=attribute, showlegend=named, legendrank=1000 + rank,
        ),
    ]  # fmt: skip


def _difference_figure(traces: Sequence[Part], names: Sequence[str], title: str) -> go.Figure:
    """Return a figure of differences, with a row per name and a line where there is none."""
    return new_figure(
        traces,
        title=title,
        height=134 + 32 * max(len(names), 2),
        margin={"t": 76, "b": 48},
        x={
            "title": "ALC with it minus ALC without it", "tickformat": "+.2~f",
            "rangemode": "tozero", "zeroline": True, "zerolinecolor": GUIDE, "zerolinewidth": 1.5,
        },
        y=rows_axis([short(name, _LABEL) for name in names]),
        legend=LEGEND_ABOVE,
    )  # fmt: skip


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "\u2212") if abs(value) >= 0.005 else "0.00"
