"""Calibration marks, groups and drivers as figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from alc_core.assessment.result import Assessment
from alc_core.explain.context import AttackContext, mark_text
from alc_core.explain.drivers import AttributeEffect, Contribution, KnownCount
from alc_core.explain.trace import Breakdown
from alc_core.figures import template as draw
from alc_core.figures.looks import ATTACK, BASELINE, GUIDE
from alc_core.phrasing import count, listed, loss_text, numbered, percent
from alc_core.review.attack_words import interval_text
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go


THIS_RELEASE = "This release"
_ORIGINAL, _SHUFFLED = "The original unchanged", "Unknown column shuffled"


def marks_figure(assessment: Assessment, context: AttackContext) -> go.Figure:
    """Draw an attack's ALC between its calibration marks."""
    scoring = assessment.scoring
    rows: list[tuple[str, float, tuple[float, float] | None, str]] = [
        (name, mark.loss(scoring), mark.bounds(scoring), mark_text(mark, scoring))
        for name, mark in ((_ORIGINAL, context.original), (_SHUFFLED, context.shuffled))
        if mark is not None
    ]
    loss = assessment.decisive_alc
    words = f"ALC {loss_text(loss)} ({interval_text(assessment)})"
    rows.insert(1, (THIS_RELEASE, loss, assessment.decisive_interval, words))
    traces = []
    for place, (name, loss, bounds, text) in enumerate(rows):
        if bounds is not None:
            ends = [draw.on_scale(bound) for bound in bounds]
            traces.append(
                draw.line(
                    ends, [place, place], f"Interval: {name}", width=4, meta={"x": list(bounds)}
                )
            )
        own = name == THIS_RELEASE
        traces.append(
            draw.marks(
                [draw.on_scale(loss)], [place], name,
                colour=ATTACK if own else BASELINE, symbol="diamond" if own else "circle",
                size=15, edge={"width": 2, "color": "white"}, texts=[f"{name}: {text}"],
                showlegend=False, cliponaxis=False, meta={"x": [loss]},
            )
        )  # fmt: skip
    ticks = [0.0, scoring.at_risk, scoring.serious, 1.0]
    said = "; ".join(f"{name}, {text}" for name, _, _, text in rows)
    title = "Same attack on three tables"
    return draw.new_figure(
        traces,
        title=title,
        alt=f"{title}: {said}.",
        height=206,
        margin={"t": 44, "b": 48},
        x={
            "title": "ALC", "range": [draw.LEFT_END, 1.03], "tickvals": ticks, "fixedrange": True,
            "ticktext": ["no loss │ 0", *(f"{tick:g}" for tick in ticks[1:])],
        },
        y={**draw.rows_axis([name for name, *_ in rows]), "fixedrange": True},
        shapes=draw.zones(scoring, axis="x", low=draw.LEFT_END, high=1.0, strength=2.0),
    )  # fmt: skip


def breakdown_figure(breakdown: Breakdown) -> go.Figure:
    """Draw precision of attack and baseline by group."""
    groups = breakdown.groups
    asked = [(place, group) for place, group in enumerate(groups) if group.predictions]
    texts = []
    for _, group in asked:
        low, high = group.gain_interval
        texts.append(
            f"<b>{draw.plain(group.group)}</b><br>{count(group.people)} attacked, a prediction for "
            f"{percent(group.recall)} of them<br>attack right for {percent(group.precision)}, "
            f"baseline for {percent(group.baseline_precision)}<br>difference "
            f"{100 * group.gain:+.0f} points ({100 * low:+.0f} to {100 * high:+.0f})"
        )
    traces = []
    for name, side, colour, symbol, offset in (
        ("Attack, with the release", "", ATTACK, "circle", -0.14),
        ("Baseline, same people", "baseline_", BASELINE, "square", 0.14),
    ):
        values = [getattr(group, f"{side}precision") for _, group in asked]
        bounds = [getattr(group, f"{side or 'precision_'}interval") for _, group in asked]
        traces.append(
            draw.marks(values, [place + offset for place, _ in asked], name, colour=colour,
                       symbol=symbol, edge={"width": 0}, texts=texts, cliponaxis=False,
                       error_x=draw.whiskers(values, bounds, colour))
        )  # fmt: skip
    said = [
        f"{group.group}: attack {percent(group.precision)}, baseline "
        f"{percent(group.baseline_precision)} of {count(group.predictions)} predictions"
        for _, group in asked
    ]
    nobody = f"Precision by {breakdown.column}: no answers."
    both = f"Precision of attack and baseline by {breakdown.column}."
    return draw.new_figure(
        traces,
        title=f"Precision by {draw.plain(breakdown.column)} (number of predictions)",
        alt=f"{both} {listed(said)}." if said else nobody,
        height=144 + 40 * max(len(groups), 2),
        margin={"t": 76, "b": 48},
        x=draw.precision_axis("Precision: share of correct answers") | {"range": [-0.02, 1.02]},
        y=draw.rows_axis(
            [f"{draw.short(each.group, 30)}  ({count(each.predictions)})" for each in groups]
        ),
        legend=draw.LEGEND_ABOVE,
    )


MOST_ATTRIBUTES = 24  # More are only in the table beside
# Unknown columns with own colour and line: those with the highest ALC
MOST_LINES = 6
LINE_COLOURS = ("#d55e00", "#3d8fd1", "#009e73", "#c46a9f", "#b8860b", "#8a7fd6")
LINE_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")


def contribution_figure(contributions: Sequence[Contribution]) -> go.Figure:
    """Draw what each known column adds to an attack's ALC."""
    shown = list(contributions[:MOST_ATTRIBUTES])
    differences = [each.difference for each in shown]
    texts = [
        f"<b>{draw.plain(each.attribute)}</b><br>ALC with it {loss_text(each.with_it.alc)}, "
        f"without it {loss_text(each.without_it.alc)}<br>difference {_signed(each.difference)} "
        f"(about {' to '.join(map(_signed, each.interval))})"
        for each in shown
    ]
    bars = {
        "type": "bar", "x": differences, "y": list(range(len(shown))), "orientation": "h",
        "name": "Difference of ALC",
        "marker": {
            "color": [ATTACK if value > 0 else BASELINE for value in differences], "opacity": 0.85,
        },
        "error_x": draw.whiskers(differences, [each.interval for each in shown], GUIDE),
        "text": texts,
        "textposition": "none", "hovertemplate": draw.HOVER,
    }  # fmt: skip
    names = [each.attribute for each in shown]
    parts = [f"{each.attribute} {_signed(each.difference)}" for each in contributions]
    alt = f"What known columns add: {listed(parts)}."
    return _difference_figure("What known columns add to this attack", alt, [bars], names)


def effect_figure(effects: Sequence[AttributeEffect]) -> go.Figure:
    """Draw what each known column adds over a campaign."""
    paired = [each for each in effects if each.pairs]
    shown = paired[:MOST_ATTRIBUTES]
    places = list(range(len(shown)))
    texts = [
        f"<b>{draw.plain(each.attribute)}</b><br>{_signed(each.mean or 0.0)} on average over "
        f"{numbered(each.pairs, 'pair')}<br>at most {_signed(each.largest or 0.0)}"
        for each in shown
    ]
    joined = draw.line(
        [end for each in shown for end in (each.mean, each.largest, None)],
        [end for place in places for end in (place, place, None)],
        "From mean to largest", width=2,
    )  # fmt: skip
    ends = [
        draw.marks(
            values, places, name, colour=colour, symbol=symbol, size=12,
            edge={"width": 2, "color": colour}, texts=texts,
        )
        for name, values, symbol, colour in (
            ("Mean over all pairs", [each.mean for each in shown], "circle", ATTACK),
            ("Largest difference", [each.largest for each in shown], "diamond-open", BASELINE),
        )
    ]  # fmt: skip
    parts = [
        f"{each.attribute} {_signed(each.mean or 0.0)} on average over "
        f"{numbered(each.pairs, 'pair')} (at most {_signed(each.largest or 0.0)})"
        for each in paired
    ]
    alt = f"What known columns add: {listed(parts)}." if parts else "No pairs to compare."
    names = [each.attribute for each in shown]
    title = "What known columns add, over all attacks"
    return _difference_figure(title, alt, [joined, *ends], names)


def known_count_figure(points: Sequence[KnownCount], scoring: ScoringParameters) -> go.Figure:
    """Draw ALC against the number of known columns."""
    own: dict[str, float] = {}
    for point in points:
        own[point.unknown] = max(point.alc, own.get(point.unknown, 0.0))
    unknown = sorted(own, key=lambda name: (-own[name], name))  # That with the highest ALC first
    known = [point.known for point in points]
    largest = [f"{loss_text(alc)} with {n}" for n, alc in highest_by_count(points).items()]
    return draw.new_figure(
        [
            trace
            for attribute in [*unknown[MOST_LINES:], *reversed(unknown[:MOST_LINES])]
            for trace in _attribute_traces(points, attribute, unknown.index(attribute))
        ],
        title="ALC by number of known columns",
        alt=(
            f"ALC of {count(len(points))} attacks by number of known columns. Largest: "
            f"{listed(largest)}."
        ),
        height=420,
        x={
            "title": "Known columns", "tickformat": "d",
            "range": [min(known) - 0.4, max(known) + 0.4],
            "dtick": 1 if max(known) <= 20 else None,
        },
        y={"title": "ALC (0: no loss)", "range": [-0.04, 1.06]},
        legend={"title_text": "Unknown column"},
        shapes=draw.limit_lines(scoring),
        annotations=draw.limit_words(scoring),
    )  # fmt: skip


def highest_by_count(points: Sequence[KnownCount]) -> Mapping[int, float]:
    """Return the largest ALC by number of known columns, subset attacks included."""
    highest: dict[int, float] = {}
    for point in points:
        highest[point.known] = max(point.reached, highest.get(point.known, 0.0))
    return dict(sorted(highest.items()))


def _count_hover(point: KnownCount) -> str:
    through = f"<br>{loss_text(point.reached)} through fewer of these facts"
    return (
        f"Learns <b>{draw.plain(point.unknown)}</b><br>from {draw.plain(point.release)}<br>"
        f"{point.known} known<br>ALC {loss_text(point.alc)}"
        f"{through if point.reached > point.alc else ''}"
    )


def _attribute_traces(points: Sequence[KnownCount], attribute: str, rank: int) -> list[draw.Part]:
    own = [point for point in points if point.unknown == attribute]
    highest, named = highest_by_count(own), rank < MOST_LINES
    colour = LINE_COLOURS[rank] if named else GUIDE
    return [
        draw.line(
            list(highest), list(highest.values()), draw.plain(attribute), colour=colour,
            width=2 if named else 1, legendgroup=attribute, opacity=1.0 if named else 0.5,
        ),
        draw.marks(
            [point.known for point in own], [point.alc for point in own], draw.plain(attribute),
            colour=colour, symbol=LINE_SYMBOLS[rank] if named else "circle",
            size=9 if named else 6, edge={"width": 0}, texts=[_count_hover(each) for each in own],
            legendgroup=attribute, showlegend=named, legendrank=1000 + rank,
        ),
    ]  # fmt: skip


def _difference_figure(
    title: str, alt: str, traces: Sequence[draw.Part], names: Sequence[str]
) -> go.Figure:
    return draw.new_figure(
        traces,
        title=title,
        alt=alt,
        height=134 + 32 * max(len(names), 2),
        margin={"t": 76, "b": 48},
        x={
            "title": "ALC with it minus without it", "tickformat": "+.2~f",
            "autorangeoptions": {"include": [-0.05, 0.05]},
            "zeroline": True, "zerolinecolor": GUIDE, "zerolinewidth": 1.5,
        },
        y=draw.rows_axis([draw.short(name, 26) for name in names]),
        legend=draw.LEGEND_ABOVE,
    )  # fmt: skip


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "\u2212") if abs(value) >= 0.005 else "0.00"
