"""Results of studies as figures, but for learning attacks and utility."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from alc_core.arrays import spread_out
from alc_core.figures import template as draw
from alc_core.figures.looks import ATTACK, BASELINE, GUIDE, SECOND_ATTACK, faded
from alc_core.measures.measure import Measured
from alc_core.phrasing import count, facts_words, percent
from alc_core.studies.holdout.result import Closest, HoldoutAttack, closest_sentence, risk_words
from alc_core.studies.rapid.result import Rapid
from alc_core.studies.relative_threat.result import CHANCES, LevelHistogram, ThreatResult
from alc_core.studies.risk_numbers.classes import ClassSizes
from alc_core.studies.risk_numbers.result import RiskNumbers

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
        alt=f"Share of people at risk over thresholds. At {curve.cuts[place]:g}: "
        f"{percent(curve.shares[place])} from the release, "
        f"{percent(curve.reference[place])} without the person.",
        height=420,
        x={"title": f"{word}: {found.scoring.title.lower()}", "tickformat": share},
        y=draw.share_axis("Share of people", rangemode="tozero"),
        **draw.BELOW,
        shapes=[draw.rule("x", cut, "dot")],
    )  # fmt: skip


def rapid_releases(results: Sequence[Rapid]) -> go.Figure:
    """Draw the share at risk of several releases or unknown columns beside their references."""
    labels = [_label(found, results) for found in results]
    said = [
        f"{label}: {percent(found.rapid.value)} from the release, "
        f"{percent(found.reference.value)} without the person"
        for label, found in zip(labels, results, strict=True)
    ]
    return _rows(
        "Releases side by side",
        f"Share of people at risk by release. {'; '.join(said)}.",
        labels,
        [found.rapid for found in results],
        [found.reference for found in results],
    )


def rapid_groups(found: Rapid, column: str) -> go.Figure:
    """Draw the share at risk by the values of a column beside the references."""
    groups = found.groups(column)[:_MOST_GROUPS]
    said = [f"{g.label}: {percent(g.share.value)} of {count(g.n_people)} people" for g in groups]
    return _rows(
        f"Who is at risk, by {draw.plain(column)}",
        f"Share of people at risk by {column}. {'; '.join(said)}.",
        [f"{part.label} ({count(part.n_people)})" for part in groups],
        [part.share for part in groups],
        [Measured(part.reference) for part in groups],
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
        alt="Fall of the share at risk, in percentage points, when a known attribute is exchanged "
        f"among people: {', '.join(said)}.",
        height=110 + 34 * len(drops),
        x={
            "title": "Fall of the share at risk, in percentage points", "showgrid": True,
            "range": [least - room if least < 0 else 0.0, most + room],
        },
        y=draw.rows_axis([draw.plain(driver.column) for driver in found.drivers]),
        margin={"r": 48},
        shapes=[draw.rule("x", 0.0)],
    )  # fmt: skip


def _label(found: Rapid, results: Sequence[Rapid]) -> str:
    """Return the release, and what else tells results apart."""
    parts = [found.release]
    if len({each.unknown for each in results}) > 1:
        parts.append(found.unknown)
    if len({each.settings.learner for each in results}) > 1:
        parts.append(found.settings.learner)
    return ": ".join([parts[0], ", ".join(parts[1:])]) if parts[1:] else parts[0]


def _rows(
    title: str, alt: str, labels: Sequence[str], shares: Sequence[Measured],
    references: Sequence[Measured],
) -> go.Figure:  # fmt: skip
    return draw.share_rows(
        title, alt, "Share of people at risk", labels, ("Without the person", references),
        ("From the release", shares), height=130,
    )  # fmt: skip


_MOST_MARKS = 4_000
_COLOURS = {
    "p_attacker": ATTACK, "p_learner": BASELINE, "p_random_worlds": SECOND_ATTACK,
    "p_ideal": GUIDE,
}  # fmt: skip
_PROBABILITIES = {"range": [0, 1.02], "showgrid": True}
_WHO = {"attacker": "the attacker", "learner": "the learner"}


def threat_scatter(result: ThreatResult, guessed_by: str) -> go.Figure:
    """Draw p_L against p_A of the people whom the attacker, or the learner, guesses right."""
    attacker, learner = _guessed(result, guessed_by)
    who, alt = _WHO[guessed_by], f"Nobody is guessed right by {_WHO[guessed_by]}."
    if len(attacker):
        alt = (
            f"{count(len(attacker))} people guessed right by {who}: the attacker is surer of "
            f"{percent(float((attacker > learner).mean()))} of them, by at most "
            f"{float((attacker / learner).max()):.1f} times."
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
        title=f"People guessed right by {who}",
        alt=alt,
        height=420,
        x={"title": "Learner's probability of the truth", **_PROBABILITIES},
        y={"title": "Attacker's probability of the truth", **_PROBABILITIES},
    )


def threat_levels(found: LevelHistogram, guessed_by: str, level: float | None = None) -> go.Figure:
    """Draw how log2 of the relative threat level is distributed."""
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
        alt="Distribution of log2 of the relative threat level of people guessed by "
        f"{_WHO[guessed_by]}, from {found.edges[0]:.2f} to {found.edges[-1]:.2f}.{marked}",
        height=320,
        x={"title": "log2 of the attacker's probability over the learner's"},
        y={"title": "People", "showgrid": True},
        bargap=0,
        shapes=shapes,
    )


def victim_bars(result: ThreatResult) -> go.Figure:
    """Draw what is said of a victim by attacker, learner, random worlds and the ideal."""
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
        title=f"What is concluded about {draw.plain(result.unknown)}",
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


def class_size_histogram(found: RiskNumbers) -> go.Figure:
    """Draw how many rows are in classes of which size, of the original and of a release."""
    series = [("Original", found.original, BASELINE)]
    if found.released is not None and found.released.total:
        series.append(("Release", found.released, ATTACK))
    labels = [band.label for band in found.original.bands()]
    said = [
        f"{name}: " + ", ".join(f"{b.label}: {percent(b.share)}" for b in sizes.bands() if b.rows)
        for name, sizes, _ in series
    ]
    most = max(band.share for _, sizes, _ in series for band in sizes.bands())
    return draw.new_figure(
        [_bars(sizes, name, colour) for name, sizes, colour in series],
        title="Rows by the size of their class",
        alt=f"Share of rows by the size of their class. {'. '.join(said)}.",
        height=400,
        x=draw.share_axis("Share of rows", range=[0.0, 1.15 * most]),
        y={**draw.rows_axis(labels), "title": "Rows in the class"},
        margin={"b": 96},
        legend={**draw.LEGEND_BELOW, "traceorder": "normal"},
        barmode="group",
    )  # fmt: skip


def _bars(sizes: ClassSizes, name: str, colour: str) -> draw.Part:
    bands = sizes.bands()
    return {
        "type": "bar", "name": name, "showlegend": True, "marker": {"color": colour},
        "orientation": "h", "x": [band.share for band in bands], "y": list(range(len(bands))),
        "text": [percent(band.share) if band.rows else "" for band in bands],
        "textposition": "outside", "cliponaxis": False,
        "hovertext": [f"<b>{name}</b><br>classes of {band.label}: {count(band.rows)} rows, "
                      f"{percent(band.share)}" for band in bands],
        "hovertemplate": draw.HOVERTEXT,
    }  # fmt: skip


_MOST = 20


def holdout_attacks(attacks: Sequence[HoldoutAttack]) -> go.Figure:
    """Draw how often members and others are guessed, a row for each attack."""
    shown = _drawn(attacks)
    labels = [_measure_label(attack, shown) for attack in shown]

    said = [
        f"{label}: {attack.members.success.ranged} of members, "
        f"{attack.others.success.ranged} of others"
        for label, attack in zip(labels, shown, strict=True)
    ]
    return draw.share_rows(
        "How often the attack is right",
        f"How often the attack is right. {'; '.join(said)}.",
        "Share of people",
        labels,
        ("Others", [attack.others.success for attack in shown]),
        ("Members", [attack.members.success for attack in shown]),
        height=150,
        more=[f"residual risk {risk_words(attack.risk)}" for attack in shown],
    )


def closest_records_figure(found: Closest) -> go.Figure:
    """Draw the share of members and of others within each distance of a released row."""
    return draw.new_figure(
        [
            draw.line(
                [0.0, *found.grid], [0.0, *side.cumulative], name, colour=colour, width=3,
                dash=dash, showlegend=True, line_shape="hv",
                hovertemplate=f"<b>{name}</b><br>%{{y:.1%}} within %{{x:.3f}}<extra></extra>",
            )
            for name, colour, dash, side in (
                ("Others", BASELINE, "dash", found.others),
                ("Members", ATTACK, "solid", found.members),
            )
        ],
        title="People within each distance of a released row",
        alt="Share of people within each distance of the closest released row: members, median "
        f"{found.members.median:.3f}, and others, median {found.others.median:.3f}. "
        f"{closest_sentence(found)}",
        height=380,
        x={"title": f"Distance over {count(len(found.columns))} columns (0: equal, 1: all differ)",
           "rangemode": "tozero"},
        y=draw.share_axis("Share of people", range=[0, 1.02]),
        **draw.BELOW,
    )  # fmt: skip


def _drawn(attacks: Sequence[HoldoutAttack]) -> list[HoldoutAttack]:
    if len(attacks) <= _MOST:
        return list(attacks)
    return sorted(attacks, key=lambda attack: -attack.risk.value)[:_MOST]


def _measure_label(attack: HoldoutAttack, among: Sequence[HoldoutAttack]) -> str:
    """Name an attack by what tells it from the others."""
    known = facts_words(attack.known)
    words = attack.unknown
    if sum(other.unknown == attack.unknown for other in among) > 1:
        words += f" from {known}"
    if len({other.attack for other in among}) > 1:
        words += f" ({attack.attack})"
    return words
