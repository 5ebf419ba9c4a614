"""Figures of RAPID: curves, releases, groups, drivers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from alc_core.figures import template as draw
from alc_core.figures.looks import ATTACK, BASELINE, faded
from alc_core.measures.measure import Measured
from alc_core.phrasing import count, percent
from alc_core.studies.rapid.result import Rapid

if TYPE_CHECKING:
    import plotly.graph_objects as go


_MOST_GROUPS = 20


def rapid_curve(found: Rapid, cut: float) -> go.Figure:
    """Draw the share at risk over thresholds or tolerances."""
    curve, place = found.curve, found.curve.at(cut)
    cuts = np.array(curve.cuts)
    word = "Tolerance" if found.scoring.numeric else "Threshold"
    share = ".0%" if found.scoring.numeric and found.score != "absolute" else ""
    hover = f"{word.lower()} %{{x:{share or '.2f'}}}: %{{y:.1%}}<extra></extra>"
    traces = [
        draw.band(cuts, np.array(curve.low), np.array(curve.high), "Interval",
                  colour=faded(ATTACK, 0.22)),
        draw.line(list(curve.cuts), list(curve.reference), "Without the person", colour=BASELINE,
                  width=2.5, dash="dash", showlegend=True,
                  hovertemplate=f"<b>Without the person</b><br>{hover}"),
        draw.line(list(curve.cuts), list(curve.shares), "From the release", colour=ATTACK, width=3,
                  showlegend=True, hovertemplate=f"<b>From the release</b><br>{hover}"),
    ]  # fmt: skip
    return draw.new_figure(
        traces,
        title="Share of people at risk",
        alt="Share of people at risk by threshold. "
            f"{_both(f'At {curve.cuts[place]:g}', curve.shares[place], curve.reference[place])}.",
        height=420,
        x={"title": f"{word}: {found.scoring.title.lower()}", "tickformat": share},
        y=draw.share_axis("Share of people", rangemode="tozero"),
        **draw.BELOW,
        shapes=[draw.rule("x", cut, "dot")],
    )  # fmt: skip


def _both(label: str, ours: float, reference: float) -> str:
    return f"{label}: {percent(ours)} from the release, {percent(reference)} without the person"


def rapid_releases(results: Sequence[Rapid]) -> go.Figure:
    """Draw shares at risk of releases or unknown columns, with references."""
    labels = [_label(found, results) for found in results]
    said = [
        _both(label, found.rapid.value, found.reference.value)
        for label, found in zip(labels, results, strict=True)
    ]
    return draw.share_rows(
        "Releases side by side",
        f"Share of people at risk by release. {'; '.join(said)}.",
        "Share of people at risk",
        labels,
        ("Without the person", [found.reference for found in results]),
        ("From the release", [found.rapid for found in results]),
        height=130,
    )


def rapid_groups(found: Rapid, column: str) -> go.Figure:
    """Draw the share at risk by a column's values, with references."""
    groups = found.groups(column)[:_MOST_GROUPS]
    said = [f"{g.label}: {percent(g.share.value)} of {count(g.n_people)} people" for g in groups]
    return draw.share_rows(
        f"Who is at risk, by {draw.plain(column)}",
        f"Share of people at risk by {column}. {'; '.join(said)}.",
        "Share of people at risk",
        [f"{part.label} ({count(part.n_people)})" for part in groups],
        ("Without the person", [Measured(part.reference) for part in groups]),
        ("From the release", [part.share for part in groups]),
        height=130,
    )


def rapid_drivers(found: Rapid) -> go.Figure:
    """Draw how much the share at risk falls without each known attribute."""
    drops = [round(100 * driver.drop.value, 1) + 0.0 for driver in found.drivers]
    least, most = min(0.0, *drops), max(0.0, *drops)
    room = 0.12 * max(most - least, 1.0)
    texts = [
        f"<b>{draw.plain(driver.column)}</b><br>{drop:.1f} percentage points"
        for driver, drop in zip(found.drivers, drops, strict=True)
    ]
    said = [f"{driver.column} {100 * driver.drop.value:.1f}" for driver in found.drivers]
    bars: draw.Part = {
        "type": "bar", "orientation": "h", "x": drops, "y": list(range(len(drops))),
        "marker": {"color": ATTACK},
        "text": [f"{drop:.1f}".replace("-", "\N{MINUS SIGN}") for drop in drops],
        "hovertext": texts, "hovertemplate": draw.HOVERTEXT, "name": "Drop",
        "textposition": "outside", "cliponaxis": False,
    }  # fmt: skip
    return draw.new_figure(
        [bars],
        title="What the risk rests on",
        alt=f"Fall of the share at risk by shuffling a column: {', '.join(said)}.",
        height=110 + 34 * len(drops),
        x={
            "title": "Fall of the share at risk (points)", "showgrid": True,
            "range": [least - room if least < 0 else 0.0, most + room],
        },
        y=draw.rows_axis([draw.plain(driver.column) for driver in found.drivers]),
        margin={"r": 48},
        shapes=[draw.rule("x", 0.0)],
    )  # fmt: skip


def _label(found: Rapid, results: Sequence[Rapid]) -> str:
    parts = [found.release]
    if len({each.unknown for each in results}) > 1:
        parts.append(found.unknown)
    if len({each.settings.learner for each in results}) > 1:
        parts.append(found.settings.learner)
    return ": ".join([parts[0], ", ".join(parts[1:])]) if parts[1:] else parts[0]
