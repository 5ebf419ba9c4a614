"""The losses on several releases side by side, and attack by attack against a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from alc_core.assessment.words import loss_text
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.compare.comparison import Comparison, ReleaseChange
from alc_core.compare.losses import ReleaseLosses, release_losses
from alc_core.compare.sentences import change_sentence, difference_text
from alc_core.figures.attack_marks import STANDING_MARKS
from alc_core.figures.palette import GUIDE, faded
from alc_core.figures.short_names import plain, wrapped
from alc_core.phrasing import count, listed
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

ROW_HEIGHT = 110
"""Pixels of each release."""

_GOLDEN = 0.6180339887498949
_SPREAD = 0.56
_CLEAR = "rgba(0,0,0,0)"
_TOP = 1.04


def loss_distributions(comparison: Comparison) -> go.Figure:
    """Draw the ALC of every attack as a strip and a box for each release.

    Parameters
    ----------
    comparison : Comparison
        From :func:`compare_releases`.

    Returns
    -------
    plotly.graph_objects.Figure
        Releases from the top down in their order; ALC below 0 is drawn at 0. The box holds the
        middle half of the attacks, its line is the median. One trace of points per standing, whose
        ``customdata`` is the attack's number.
    """
    import plotly.graph_objects as go

    figure, texts = go.Figure(), AttackTexts(comparison)
    for place in range(len(comparison.releases)):
        losses = comparison.loss[comparison.measured[:, place], place]
        if len(losses):
            figure.add_trace(
                go.Box(
                    x=losses, y=np.full(len(losses), place), orientation="h", boxpoints=False,
                    name=plain(comparison.releases[place]), showlegend=False, hoverinfo="skip",
                    line={"color": GUIDE, "width": 1.5}, fillcolor=faded(GUIDE, 0.12), width=0.7,
                )
            )  # fmt: skip
    for code in reversed(range(len(STANDINGS))):
        rows, places = np.nonzero((comparison.standing == code) & comparison.measured)
        if len(rows):
            figure.add_trace(_strip(comparison, texts, STANDINGS[code], rows, places))
    n_releases = len(comparison.releases)
    figure.update_layout(
        shapes=_limit_lines(comparison.scoring, axes="x"),
        annotations=_limit_words(comparison.scoring),
        title_text="How the losses are distributed", height=150 + ROW_HEIGHT * n_releases,
        margin={"l": 10, "r": 10, "t": 72, "b": 10}, hovermode="closest", dragmode="zoom",
        paper_bgcolor=_CLEAR, plot_bgcolor=_CLEAR, hoverlabel={"align": "left"},
        legend={"orientation": "h", "x": 0, "y": -0.32 / n_releases - 0.12,
                "traceorder": "reversed"},
    )  # fmt: skip
    figure.update_xaxes(
        range=[-0.03, _TOP], title_text="ALC: anonymity loss, 0 or less as 0 (higher is riskier)",
        tickvals=[0, 0.25, 0.5, 0.75, 1], zeroline=False, showgrid=False,
    )  # fmt: skip
    figure.update_yaxes(
        range=[n_releases - 0.5, -0.5], tickvals=list(range(n_releases)), automargin=True,
        ticktext=[short(name, 22) for name in comparison.releases], zeroline=False,
        showgrid=False,
    )  # fmt: skip
    return figure


def loss_distributions_alt(comparison: Comparison) -> str:
    """Say what :func:`loss_distributions` shows."""
    sentences = [_distribution_sentence(losses) for losses in release_losses(comparison)]
    return f"Distribution of ALC by release. {' '.join(sentences)}"


def loss_changes(comparison: Comparison, change: ReleaseChange) -> go.Figure:
    """Draw the ALC of each attack on one release against that on the reference.

    Parameters
    ----------
    comparison : Comparison
        Both releases.
    change : ReleaseChange
        Of the release against the reference.

    Returns
    -------
    plotly.graph_objects.Figure
        Below the diagonal the release is safer. One trace each for attacks that are clearly safer,
        clearly riskier, and with overlapping intervals; ``customdata`` is the number of the attack
        on the release.
    """
    import plotly.graph_objects as go

    before, after = comparison.place(change.reference), comparison.place(change.release)
    texts = AttackTexts(comparison)
    figure = go.Figure(
        go.Scatter(
            x=[0, 1], y=[0, 1], mode="lines", hoverinfo="skip", showlegend=False, name="Equal",
            line={"color": GUIDE, "width": 1.5, "dash": "dot"},
        )
    )  # fmt: skip
    groups = (
        (0, "Intervals overlap", GUIDE, "circle-open"),
        (-1, "Clearly safer", STANDING_MARKS["safe"][0], "circle"),
        (1, "Clearly riskier", STANDING_MARKS["serious"][0], "x"),
    )
    for sign, name, colour, symbol in groups:
        rows = change.rows[change.apart == sign]
        if len(rows):
            figure.add_trace(
                go.Scatter(
                    x=comparison.loss[rows, before], y=comparison.loss[rows, after], name=name,
                    mode="markers", customdata=comparison.number[rows, after].tolist(),
                    text=[texts.pair(row, before, after) for row in rows.tolist()],
                    hovertemplate="%{text}<extra></extra>",
                    marker={"color": colour, "symbol": symbol, "size": 10,
                            "line": {"width": 1.5, "color": colour}},
                    selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
                )
            )  # fmt: skip
    places = ((1, 0.04, "right", change.release), (0, 0.98, "left", change.reference))
    words = [
        {"x": x, "y": y, "xanchor": anchor, "text": f"{short(name, 24)} is safer",
         "showarrow": False}
        for x, y, anchor, name in places
    ]  # fmt: skip
    ticks = {"tickvals": [0, 0.25, 0.5, 0.75, 1], "zeroline": False, "showgrid": False}
    figure.update_layout(
        shapes=_limit_lines(comparison.scoring, axes="xy"), annotations=words,
        title_text="The same attack on both releases", height=460, hovermode="closest",
        margin={"l": 10, "r": 10, "t": 48, "b": 10}, legend={"orientation": "h", "y": -0.2, "x": 0},
        paper_bgcolor=_CLEAR, plot_bgcolor=_CLEAR, hoverlabel={"align": "left"},
    )  # fmt: skip
    figure.update_xaxes(
        range=[-0.03, _TOP], title_text=f"ALC on {short(change.reference, 24)}, 0 or less as 0",
        **ticks,
    )  # fmt: skip
    figure.update_yaxes(
        range=[-0.03, _TOP], title_text=f"ALC on {short(change.release, 24)}, 0 or less as 0",
        **ticks,
    )  # fmt: skip
    return figure


def loss_changes_alt(change: ReleaseChange) -> str:
    """Say what :func:`loss_changes` shows."""
    return f"ALC of the same attacks on two releases. {change_sentence(change)}"


def short(name: str, length: int) -> str:
    """Return a name from data for a label: escaped, its end cut where it is long."""
    name = " ".join(name.split())
    return plain(name if len(name) <= length else f"{name[: length - 1]}…")


class AttackTexts:
    """What is said of attacks on hovering over them; each name is wrapped once, as that is slow.

    Parameters
    ----------
    comparison : Comparison
        All attacks.
    """

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._wrapped: dict[str, str] = {}

    def scenario(self, row: int) -> str:
        """Return what is learned and what is known."""
        known = ", ".join(self._comparison.known[row])
        return (
            f"Learns <b>{self._name(self._comparison.unknown[row])}</b><br>"
            f"knowing {self._name(known)}<br>"
        )

    def standing(self, row: int, place: int) -> str:
        """Return the ALC on one release, and where the attack stands."""
        standing = STANDINGS[int(self._comparison.standing[row, place])]
        return f"ALC {difference_text(self._comparison, row, place)}: <b>{standing}</b>"

    def attack(self, row: int, place: int) -> str:
        """Return all of that for one release."""
        release = self._name(self._comparison.releases[place])
        return f"{self.scenario(row)}from {release}<br>{self.standing(row, place)}"

    def pair(self, row: int, *places: int) -> str:
        """Return all of that for several releases."""
        lines = [
            f"{self._name(self._comparison.releases[place])}: {self.standing(row, place)}"
            for place in places
        ]
        return f"{self.scenario(row)}{'<br>'.join(lines)}"

    def _name(self, text: str) -> str:
        if text not in self._wrapped:
            self._wrapped[text] = wrapped(text)
        return self._wrapped[text]


def _strip(
    comparison: Comparison,
    texts: AttackTexts,
    standing: str,
    rows: NDArray[np.intp],
    places: NDArray[np.intp],
) -> go.Scatter:
    import plotly.graph_objects as go

    colour, symbol = STANDING_MARKS[standing]
    # Spread by a sequence that fills gaps evenly: the same picture every time.
    spread = ((rows + 1) * _GOLDEN) % 1.0 - 0.5
    return go.Scatter(
        x=comparison.loss[rows, places], y=places + _SPREAD * spread, mode="markers",
        name=f"{standing[0].upper()}{standing[1:]}",
        customdata=comparison.number[rows, places].tolist(),
        text=[texts.attack(*each) for each in zip(rows.tolist(), places.tolist(), strict=True)],
        hovertemplate="%{text}<extra></extra>",
        marker={"color": colour, "symbol": symbol, "size": 8 if len(comparison) <= 200 else 6,
                "line": {"width": 1, "color": colour}},
        selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}},
    )  # fmt: skip


def _limits(scoring: ScoringParameters) -> tuple[tuple[float, str, str], ...]:
    """Return each limit with its dash and its word."""
    return (scoring.at_risk, "dot", "At risk"), (scoring.serious, "dash", "Serious")


def _limit_lines(scoring: ScoringParameters, *, axes: str) -> list[dict[str, Any]]:
    """Return lines at the limits across the figure as shapes."""
    return [
        {
            "type": "line", f"{axis}0": limit, f"{axis}1": limit, f"{other}0": 0, f"{other}1": 1,
            f"{other}ref": "paper", "line": {"color": GUIDE, "width": 1.5, "dash": dash},
        }
        for axis, other in (("x", "y"), ("y", "x"))
        if axis in axes
        for limit, dash, _ in _limits(scoring)
    ]  # fmt: skip


def _limit_words(scoring: ScoringParameters) -> list[dict[str, Any]]:
    return [
        {
            "x": limit, "y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False,
            "text": f"{word} from {limit:g}", "font": {"size": 12},
            "xanchor": "right" if limit == scoring.at_risk else "left",
        }
        for limit, _, word in _limits(scoring)
    ]  # fmt: skip


def _distribution_sentence(losses: ReleaseLosses) -> str:
    if losses.quartiles is None or losses.worst_alc is None:
        return f"{losses.release}: no attack has a result."
    quarter, half, three = losses.quartiles
    standings = [
        f"{count(losses.counts[each])} {each}" for each in STANDINGS if losses.counts[each]
    ]
    return (
        f"{losses.release}: {count(losses.measured)} attacks, median {loss_text(half)}, middle "
        f"half {loss_text(quarter)} to {loss_text(three)}, highest {loss_text(losses.worst_alc)}; "
        f"{listed(standings)}."
    )
