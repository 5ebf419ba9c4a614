"""What drives the risk: known attributes, and how many of them are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from alc_core.assessment.words import loss_text
from alc_core.explain.drivers import Contribution
from alc_core.explain.effects import AttributeEffect, KnownCount
from alc_core.figures.palette import ATTACK, BASELINE, GUIDE
from alc_core.figures.short_names import plain
from alc_core.phrasing import count, listed
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
    """Draw what each known attribute adds to the ALC of an attack.

    Parameters
    ----------
    contributions : sequence of Contribution
        From :func:`contributions`; at least one.

    Returns
    -------
    plotly.graph_objects.Figure
        A bar per attribute, the largest on top, with the interval of the difference.
    """
    import plotly.graph_objects as go

    shown = list(contributions[:MOST_ATTRIBUTES])
    differences = [each.difference for each in shown]
    bounds = [each.interval for each in shown]
    figure = go.Figure(
        go.Bar(
            x=differences, y=list(range(len(shown))), orientation="h", name="Difference of ALC",
            marker={
                "color": [ATTACK if value > 0 else BASELINE for value in differences],
                "opacity": 0.85,
            },
            error_x={
                "type": "data", "symmetric": False, "color": GUIDE, "thickness": 2, "width": 5,
                "array": [b[1] - d for b, d in zip(bounds, differences, strict=True)],
                "arrayminus": [d - b[0] for b, d in zip(bounds, differences, strict=True)],
            },
            text=[_contribution_hover(each) for each in shown],
            textposition="none", hovertemplate="%{text}<extra></extra>",
        )
    )  # fmt: skip
    _rows(figure, [each.attribute for each in shown])
    figure.update_xaxes(title_text="ALC with it minus ALC without it")
    figure.update_layout(title_text="What each known attribute adds to this attack")
    return figure


def contribution_alt(contributions: Sequence[Contribution]) -> str:
    """Say what :func:`contribution_figure` shows."""
    parts = [f"{each.attribute} {_signed(each.difference)}" for each in contributions]
    return f"What each known attribute adds to the ALC of this attack: {listed(parts)}."


def effect_figure(effects: Sequence[AttributeEffect]) -> go.Figure:
    """Draw what each known attribute adds over a campaign.

    Parameters
    ----------
    effects : sequence of AttributeEffect
        From :func:`attribute_effects`; those without a pair are left out.

    Returns
    -------
    plotly.graph_objects.Figure
        Per attribute the mean difference as a dot and the largest as a diamond, joined.
    """
    import plotly.graph_objects as go

    shown = _with_pairs(effects)[:MOST_ATTRIBUTES]
    places = list(range(len(shown)))
    hover = [_effect_hover(each) for each in shown]
    figure = go.Figure()
    joined: dict[str, list[Any]] = {"x": [], "y": []}
    for place, each in zip(places, shown, strict=True):
        joined["x"] += [each.mean, each.largest, None]
        joined["y"] += [place, place, None]
    figure.add_trace(
        go.Scatter(
            **joined, mode="lines", line={"color": GUIDE, "width": 2}, hoverinfo="skip",
            showlegend=False,
        )
    )  # fmt: skip
    for name, values, symbol, colour in (
        ("Mean over all pairs", [each.mean for each in shown], "circle", ATTACK),
        ("Largest difference", [each.largest for each in shown], "diamond-open", BASELINE),
    ):
        figure.add_trace(
            go.Scatter(
                x=values, y=places, mode="markers", name=name, text=hover,
                hovertemplate="%{text}<extra></extra>",
                marker={
                    "symbol": symbol, "size": 12, "color": colour,
                    "line": {"width": 2, "color": colour},
                },
            )
        )  # fmt: skip
    _rows(figure, [each.attribute for each in shown])
    figure.update_xaxes(title_text="ALC with it minus ALC without it")
    figure.update_layout(
        title_text="What each known attribute adds, over all attacks", showlegend=True,
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0},
    )  # fmt: skip
    return figure


def effect_alt(effects: Sequence[AttributeEffect]) -> str:
    """Say what :func:`effect_figure` shows."""
    shown = _with_pairs(effects)
    if not shown:
        return "What each known attribute adds: there are no pairs of attacks to compare."
    parts = [
        f"{each.attribute} {_signed(each.mean or 0.0)} on average over {count(each.pairs)} "
        f"pair{'' if each.pairs == 1 else 's'} (at most {_signed(each.largest or 0.0)})"
        for each in shown
    ]
    return f"What each known attribute adds to the ALC: {listed(parts)}."


def known_count_figure(points: Sequence[KnownCount], scoring: ScoringParameters) -> go.Figure:
    """Draw the ALC of every attack against how many facts it knows.

    Parameters
    ----------
    points : sequence of KnownCount
        From :func:`known_counts`; at least one.
    scoring : ScoringParameters
        Gives the limits.

    Returns
    -------
    plotly.graph_objects.Figure
        A point per attack. The unknown attributes with the highest ALC have a colour and a symbol
        of their own, and a line that joins the largest ALC at each number of facts; the others
        are grey.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    unknown, known = _by_highest(points), [point.known for point in points]
    for attribute in [*unknown[MOST_LINES:], *reversed(unknown[:MOST_LINES])]:
        own = [point for point in points if point.unknown == attribute]
        rank = unknown.index(attribute)
        named = rank < MOST_LINES
        colour = LINE_COLOURS[rank] if named else GUIDE
        highest = highest_by_count(own)
        figure.add_trace(
            go.Scatter(
                x=list(highest), y=list(highest.values()), mode="lines", showlegend=False,
                line={"color": colour, "width": 2 if named else 1}, hoverinfo="skip",
                legendgroup=attribute, opacity=1.0 if named else 0.5,
            )
        )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=[point.known for point in own], y=[point.alc for point in own], mode="markers",
                name=plain(attribute), legendgroup=attribute, showlegend=named,
                legendrank=1000 + rank,
                text=[_count_hover(point) for point in own],
                hovertemplate="%{text}<extra></extra>",
                marker={
                    "color": colour, "size": 9 if named else 6, "opacity": 0.85,
                    "symbol": LINE_SYMBOLS[rank] if named else "circle",
                },
            )
        )  # fmt: skip
    for limit, word, dash in (
        (scoring.at_risk, "At risk", "dot"), (scoring.serious, "Serious", "dash"),
    ):  # fmt: skip
        figure.add_hline(
            y=limit, line={"color": GUIDE, "width": 1.5, "dash": dash},
            annotation_text=f"{word} from {limit:g}", annotation_position="top left",
        )  # fmt: skip
    figure.update_xaxes(
        title_text="Known attributes", tickformat="d", zeroline=False,
        range=[min(known) - 0.4, max(known) + 0.4], dtick=1 if max(known) <= 20 else None,
    )  # fmt: skip
    figure.update_yaxes(title_text="ALC (0: no loss)", range=[-0.04, 1.06])
    _clear(figure, height=420)
    figure.update_layout(
        title_text="ALC against the number of known attributes",
        legend={"title_text": "Unknown attribute"}, hovermode="closest", margin_t=48,
    )  # fmt: skip
    return figure


def known_count_alt(points: Sequence[KnownCount]) -> str:
    """Say what :func:`known_count_figure` shows."""
    highest = highest_by_count(points)
    parts = [f"{loss_text(alc)} with {known}" for known, alc in highest.items()]
    return (
        f"ALC of {count(len(points))} attacks against the number of known attributes. "
        f"The largest: {listed(parts)}."
    )


def highest_by_count(points: Sequence[KnownCount]) -> Mapping[int, float]:
    """Return the largest ALC at each number of known attributes, by rising number."""
    highest: dict[int, float] = {}
    for point in points:
        highest[point.known] = max(point.alc, highest.get(point.known, 0.0))
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
        f"{count(each.pairs)} pair{'' if each.pairs == 1 else 's'}<br>"
        f"at most {_signed(each.largest or 0.0)}"
    )


def _count_hover(point: KnownCount) -> str:
    return (
        f"Learns <b>{plain(point.unknown)}</b><br>from {plain(point.release)}<br>"
        f"{point.known} known<br>ALC {loss_text(point.alc)}"
    )


def _rows(figure: go.Figure, names: Sequence[str]) -> None:
    """Lay out a row per name, the first on top."""
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=[plain(_shortened(name)) for name in names],
        range=[len(names) - 0.4, -0.6], showgrid=False, zeroline=False, automargin=True,
    )  # fmt: skip
    figure.update_xaxes(
        zeroline=True,
        zerolinecolor=GUIDE,
        zerolinewidth=1.5,
        tickformat="+.2~f",
        rangemode="tozero",
    )
    _clear(figure, height=134 + 32 * max(len(names), 2))
    figure.update_layout(showlegend=False)


def _clear(figure: go.Figure, *, height: int) -> None:
    figure.update_layout(
        height=height, margin={"l": 8, "r": 14, "t": 76, "b": 48},
        title={"y": 1, "yref": "container", "yanchor": "top", "pad": {"t": 8}},
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
    )  # fmt: skip


def _shortened(name: str) -> str:
    return name if len(name) <= _LABEL else f"{name[: _LABEL - 1]}…"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "\u2212") if abs(value) >= 0.005 else "0.00"
