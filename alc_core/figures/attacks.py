"""Loss against precision of every attack of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.assessment.words import loss_text
from alc_core.campaign.findings.overview import bounds_text
from alc_core.figures.palette import ATTACK, GUIDE, VERDICT_COLOURS, faded
from alc_core.figures.short_names import plain, wrapped
from alc_core.phrasing import count, percent
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go

LOWEST = -0.5
"""ALC has no lower end: attacks below this are drawn here, with a mark of their own."""

MANY = 2000
"""Attacks from which on the browser draws by its graphics processor."""

RECALL_COLOURS = ("#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30")
"""Viridis without its ends, which are lost on dark and on light grounds."""

RELEASE_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "pentagon", "star", "cross", "x")

_BELOW, _BELOW_MARK = "triangle-down-open", "▽"
_HOVER = "%{text}<extra></extra>"


def loss_scatter(
    results: pd.DataFrame, scoring: ScoringParameters, *, selected: int | None = None
) -> go.Figure:
    """Draw the ALC of every attack against how often it is right.

    Parameters
    ----------
    results : DataFrame
        From :func:`findings_frame`; attacks without an ALC are left
        out.
    scoring : ScoringParameters
        Gives the limits.
    selected : int, optional
        Number of the attack to ring.

    Returns
    -------
    plotly.graph_objects.Figure
        One trace per release, with a symbol of its own; attacks below :data:`LOWEST` in a further
        one at the edge. Colour is recall on a logarithmic scale. ``customdata`` is the attack's
        number.
    """
    import plotly.graph_objects as go

    shown = results[results["alc"].notna()]
    figure = go.Figure()
    scatter = go.Scattergl if len(shown) > MANY else go.Scatter
    releases = sorted(shown["release"].unique())
    texts = pd.Series(_hover_texts(shown, scoring), index=shown.index, dtype=object)
    size = 11 if len(shown) <= 200 else 8 if len(shown) <= MANY else 6
    below = shown["alc"] < LOWEST
    for place, release in enumerate(releases):
        rows = shown[(shown["release"] == release) & ~below]
        symbol = RELEASE_SYMBOLS[place % len(RELEASE_SYMBOLS)]
        figure.add_trace(
            scatter(
                **_points(rows, texts), name=plain(release), legendgroup=release,
                showlegend=False, marker=_marker(rows, symbol=symbol, size=size),
            )
        )  # fmt: skip
        if len(releases) > 1:
            figure.add_trace(_legend_entry(release, symbol))
    if below.any():
        rows = shown[below]
        figure.add_trace(
            scatter(
                **_points(rows, texts), name="Further below", showlegend=False,
                marker=_marker(rows, symbol=_BELOW, size=size),
            )
        )  # fmt: skip
    chosen = shown[shown["number"] == selected]
    if len(chosen):
        figure.add_trace(
            go.Scatter(
                **_points(chosen, texts), name="Selected", showlegend=False, cliponaxis=False,
                marker={
                    "symbol": "circle-open", "size": size + 11, "color": ATTACK,
                    "line": {"width": 3, "color": ATTACK},
                },
            )
        )  # fmt: skip
    _lay_out(figure, shown)
    # All at once: one by one each costs a copy of those before.
    figure.update_layout(
        shapes=_zones(scoring), annotations=_words(scoring, below=int(below.sum()))
    )
    return figure


def loss_scatter_alt(
    results: pd.DataFrame, scoring: ScoringParameters, *, selected: int | None = None
) -> str:
    """Say what :func:`loss_scatter` shows."""
    shown = results[results["alc"].notna()]
    if not len(shown):
        return "ALC against precision: no attack has a result yet."
    losses = shown["alc"].to_numpy()
    above = [int((losses >= limit).sum()) for limit in (scoring.serious, scoring.at_risk, 0.0)]
    sentences = [
        f"ALC against precision of {count(len(shown))} attacks.",
        f"{count(above[0])} lie at or above {scoring.serious:g}, "
        f"{count(above[1] - above[0])} from {scoring.at_risk:g} to {scoring.serious:g}, "
        f"{count(above[2] - above[1])} from 0 to {scoring.at_risk:g}, "
        f"{count(len(shown) - above[2])} below 0.",
        _sentence("The worst", shown.iloc[int(np.argmax(losses))]),
    ]
    chosen = shown[shown["number"] == selected]
    if len(chosen):
        sentences.append(_sentence("Ringed", chosen.iloc[0]))
    return " ".join(sentences)


def _sentence(which: str, row: Any) -> str:
    return (
        f"{which}: {row['unknown']} from {row['release']}, ALC {loss_text(row['alc'])}, "
        f"precision {percent(row['attack_measured_precision'])}, "
        f"recall {percent(row['attack_recall'])}."
    )


def _legend_entry(release: str, symbol: str) -> go.Scatter:
    """Return a trace without points: marks coloured by recall are black in the legend."""
    import plotly.graph_objects as go

    return go.Scatter(
        x=[None], y=[None], mode="markers", name=plain(release), legendgroup=release,
        marker={"symbol": symbol, "size": 11, "color": GUIDE},
    )  # fmt: skip


def _points(rows: pd.DataFrame, texts: pd.Series[Any]) -> dict[str, Any]:
    return {
        "x": rows["attack_measured_precision"].to_numpy(),
        "y": rows["alc"].clip(lower=LOWEST).to_numpy(),
        # A list: arrays come back from a click as something else.
        "customdata": rows["number"].tolist(),
        "text": texts[rows.index].tolist(),
        "mode": "markers",
        "hovertemplate": _HOVER,
        # A click would fade all other points until the page has followed.
        "selected": {"marker": {"opacity": 0.9}},
        "unselected": {"marker": {"opacity": 0.9}},
    }


def _marker(rows: pd.DataFrame, *, symbol: str, size: int) -> dict[str, Any]:
    return {
        "symbol": symbol,
        "size": size,
        "opacity": 0.9,
        "color": _log_recall(rows),
        "coloraxis": "coloraxis",
        "line": {"width": 2 if symbol == _BELOW else 0.8, "color": GUIDE},
    }


def _log_recall(rows: pd.DataFrame) -> NDArray[np.float64]:
    recalls = rows["attack_recall"].to_numpy(dtype=np.float64)
    logarithms: NDArray[np.float64] = np.log10(np.clip(recalls, 1e-9, 1.0))
    return logarithms


def _hover_texts(shown: pd.DataFrame, scoring: ScoringParameters) -> list[str]:
    """Return what is said of each point; names from the data show as they are."""
    names = {
        name: wrapped(name)
        for column in ("release", "unknown", "known")
        for name in shown[column].unique()
    }
    level = percent(scoring.confidence)
    columns = [
        "unknown", "known", "release", "attack_measured_precision", "attack_recall", "alc",
        "alc_low", "alc_high", "interval_exact", "verdict",
    ]  # fmt: skip
    return [
        f"Learns <b>{names[unknown]}</b><br>from {names[release]}<br>knowing {names[known]}<br>"
        f"ALC <b>{loss_text(loss)}</b> ({level} interval "
        f"{bounds_text(low, high, exact=exact)}): <b>{verdict}</b><br>"
        f"right in {percent(precision)} (precision)<br>"
        f"predicts for {percent(recall)} of people (recall)"
        for unknown, known, release, precision, recall, loss, low, high, exact, verdict in zip(
            *(shown[column].tolist() for column in columns), strict=True
        )
    ]


def _zones(scoring: ScoringParameters) -> list[dict[str, Any]]:
    """Return bands and lines as shapes."""
    bands: Sequence[tuple[float, float, Verdict, float]] = (
        (LOWEST - 0.08, 0.0, Verdict.NO_LOSS, 0.05),
        (0.0, scoring.at_risk, Verdict.SAFE, 0.1),
        (scoring.at_risk, scoring.serious, Verdict.AT_RISK, 0.14),
        (scoring.serious, 1.04, Verdict.SERIOUS, 0.18),
    )
    lines = ((scoring.serious, "dash"), (scoring.at_risk, "dot"), (0.0, "solid"))
    across = {"xref": "paper", "x0": 0, "x1": 1}
    return [
        {
            "type": "rect", **across, "y0": low, "y1": high, "layer": "below", "line": {"width": 0},
            "fillcolor": faded(VERDICT_COLOURS[verdict], opacity),
        }
        for low, high, verdict, opacity in bands
    ] + [
        {
            "type": "line", **across, "y0": limit, "y1": limit,
            "line": {"color": GUIDE, "width": 1.5, "dash": dash},
        }
        for limit, dash in lines
    ]  # fmt: skip


def _words(scoring: ScoringParameters, *, below: int) -> list[dict[str, Any]]:
    """Return what stands at the lines."""
    close = scoring.serious - scoring.at_risk < 0.08
    further = f"<br>{_BELOW_MARK} {count(below)} further below" if below else ""
    words = (
        (scoring.serious, f"Serious from {scoring.serious:g}", "bottom", 0.0),
        (scoring.at_risk, f"At risk from {scoring.at_risk:g}", "bottom", 0.3 if close else 0.0),
        (0.0, "Safe", "bottom", 0.0),
        (0.0, f"No loss{further}", "top", 0.0),
    )
    return [
        {
            "xref": "paper", "x": place, "y": height, "text": text, "showarrow": False,
            "xanchor": "left", "yanchor": anchor, "xshift": 6, "align": "left",
            "font": {"size": 12},
        }
        for height, text, anchor, place in words
    ]  # fmt: skip


def _lay_out(figure: go.Figure, shown: pd.DataFrame) -> None:
    recalls = _log_recall(shown)
    least = float(np.floor(np.min(recalls, initial=-0.01)))
    steps = (1,) if least < -3 else (1, 3)
    ticks = [step * 10.0**power for power in range(int(least), 0) for step in steps] + [1.0]
    figure.update_layout(
        title_text="How much each attack learns",
        height=520, hovermode="closest", dragmode="zoom",
        margin={"l": 10, "r": 10, "t": 48, "b": 10},
        legend={"orientation": "h", "y": -0.17, "x": 0, "title_text": "Release  "},
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
        hoverlabel={"align": "left"},
        coloraxis={
            "colorscale": [[at / 5, colour] for at, colour in enumerate(RECALL_COLOURS)],
            "cmin": least, "cmax": 0.0,
            "colorbar": {
                "title": {"text": "Recall"}, "tickvals": np.log10(ticks).tolist(),
                "ticktext": [percent(tick) for tick in ticks], "thickness": 14, "len": 1.0,
            },
        },
    )  # fmt: skip
    figure.update_xaxes(
        range=[-0.01, 1.02], title_text="Precision: share of the attack's predictions that are "
        "right", tickformat=".0%", zeroline=False, showgrid=False,
    )  # fmt: skip
    figure.update_yaxes(
        range=[LOWEST - 0.08, 1.04], title_text="ALC: anonymity loss (higher is riskier)",
        tickvals=[0.0, 0.25, 0.5, 0.75, 1.0], ticktext=["0", "0.25", "0.5", "0.75", "1"],
        zeroline=False, showgrid=False,
    )  # fmt: skip
