"""Attacks of a campaign as marks in a figure: colour and shape by where each stands."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pandas as pd

from alc_core.assessment.words import loss_text
from alc_core.campaign.findings.overview import LOOK_TWICE, STANDINGS, stand
from alc_core.figures.palette import ATTACK, BASELINE, GUIDE
from alc_core.figures.short_names import wrapped
from alc_core.phrasing import count, percent
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go

MANY = 2000
"""Attacks from which on the browser draws by its graphics processor."""

STANDING_MARKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        Verdict.SERIOUS: ("#d4145a", "x"),
        Verdict.AT_RISK: ("#c77700", "triangle-up"),
        Verdict.UNDECIDED: ("#7d72c9", "diamond"),
        LOOK_TWICE: ("#7d72c9", "diamond-open"),
        Verdict.SAFE: ("#128a72", "circle"),
        Verdict.NO_LOSS: ("#128a72", "circle-open"),
    }
)
"""Colour and shape; each colour has a contrast of at least 3 to light and dark grounds."""

LEGEND: Mapping[str, object] = MappingProxyType(
    {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0}
)
"""Where the marks are explained: at the lower edge, however narrow the figure."""


def drawable(results: pd.DataFrame | None) -> pd.DataFrame:
    """Return the attacks that have an ALC, with where they stand.

    Parameters
    ----------
    results : DataFrame or None
        From :func:`findings_frame`, or with a column `standing` from
        :class:`CampaignOverview`.

    Returns
    -------
    DataFrame
        Without rows where there are no results.
    """
    if results is None:
        return pd.DataFrame({"number": pd.Series(dtype="int64")})
    shown = results[results["alc"].notna()]
    return shown if "standing" in shown else stand(shown)


def add_attacks(
    figure: go.Figure, shown: pd.DataFrame, *, x: str, y: str, selected: int | None = None
) -> None:
    """Add a trace of marks for each standing, the worst on top, and a ring.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        To add to.
    shown : DataFrame
        From :func:`drawable`.
    x, y : str
        Columns that give the place.
    selected : int, optional
        Number of the attack to ring.
    """
    import plotly.graph_objects as go

    if not len(shown):
        return
    scatter = go.Scattergl if len(shown) > MANY else go.Scatter
    texts = pd.Series(_hover_texts(shown), index=shown.index, dtype=object)
    size = 11 if len(shown) <= 200 else 8 if len(shown) <= MANY else 6
    whole = {} if len(shown) > MANY else {"cliponaxis": False}
    for standing in reversed(STANDINGS):
        rows = shown[shown["standing"] == standing]
        if not len(rows):
            continue
        colour, symbol = STANDING_MARKS[standing]
        is_open = symbol.endswith("open")
        edge = {"width": 2, "color": colour} if is_open else {"width": 0.8, "color": "white"}
        figure.add_trace(
            scatter(
                **_points(rows, texts, x=x, y=y), **whole,
                name=f"{standing[0].upper()}{standing[1:]} ({count(len(rows))})",
                marker={
                    "symbol": symbol, "size": size, "color": colour, "opacity": 0.9, "line": edge,
                },
            )
        )  # fmt: skip
    chosen = shown[shown["number"] == selected]
    if len(chosen):
        figure.add_trace(
            go.Scatter(
                **_points(chosen, texts, x=x, y=y), name="Selected", showlegend=False,
                cliponaxis=False, marker={
                    "symbol": "circle-open", "size": size + 11, "color": ATTACK,
                    "line": {"width": 3, "color": ATTACK},
                },
            )
        )  # fmt: skip


def add_baseline_of(figure: go.Figure, shown: pd.DataFrame, selected: int | None) -> None:
    """Add the baseline of the selected attack, joined to it, to a plane of recall and precision."""
    import plotly.graph_objects as go

    for row in shown[shown["number"] == selected].to_dict("records"):
        figure.add_trace(
            go.Scatter(
                x=[row["baseline_recall"], row["attack_recall"]],
                y=[row["baseline_precision"], row["attack_precision"]],
                mode="lines+markers", showlegend=False, name="Its baseline", hoverinfo="text",
                text=[f"Its baseline<br>PRC {row['baseline_prc']:.2f}", ""],
                line={"color": GUIDE, "width": 1.5, "dash": "dot"},
                marker={"symbol": "square", "size": [12, 0], "color": BASELINE},
            )
        )  # fmt: skip


def attacks_sentence(shown: pd.DataFrame, selected: int | None) -> str:
    """Say for those who cannot see it which attacks a figure shows; empty without any."""
    if not len(shown):
        return ""
    found = shown["standing"].value_counts()
    kinds = ", ".join(f"{count(int(found[each]))} {each}" for each in STANDINGS if each in found)
    marks = "mark for 1 attack" if len(shown) == 1 else f"marks for {count(len(shown))} attacks"
    sentence = f"With {marks}: {kinds}."
    for row in shown[shown["number"] == selected].to_dict("records"):
        sentence += (
            f" Ringed: {row['unknown']} from {row['release']}, attack PRC "
            f"{row['attack_prc']:.2f}, baseline PRC {row['baseline_prc']:.2f}, ALC "
            f"{loss_text(row['alc'])}."
        )
    return sentence


def _points(rows: pd.DataFrame, texts: pd.Series[Any], *, x: str, y: str) -> dict[str, Any]:
    return {
        "x": rows[x].to_numpy(),
        "y": rows[y].to_numpy(),
        # A list: arrays come back from a click as something else.
        "customdata": rows["number"].tolist(),
        "text": texts[rows.index].tolist(),
        "mode": "markers",
        "hovertemplate": "%{text}<extra></extra>",
        # A click would fade all other points until the page has followed.
        "selected": {"marker": {"opacity": 0.9}},
        "unselected": {"marker": {"opacity": 0.9}},
    }


def _hover_texts(shown: pd.DataFrame) -> list[str]:
    names = {
        name: wrapped(name)
        for column in ("release", "unknown", "known")
        for name in shown[column].unique()
    }
    columns = [
        "unknown", "known", "release", "alc", "standing", "attack_prc", "attack_measured_precision",
        "attack_recall", "baseline_prc", "baseline_measured_precision", "baseline_recall",
    ]  # fmt: skip
    return [
        f"Learns <b>{names[unknown]}</b><br>from {names[release]}<br>knowing {names[known]}<br>"
        f"ALC <b>{loss_text(loss)}</b>: <b>{standing}</b><br>"
        f"attack: PRC {attack:.2f}, right in {percent(precision)}, for {percent(recall)} of people"
        f"<br>baseline: PRC {baseline:.2f}, right in {percent(guessed)}, for {percent(share)}"
        for unknown, known, release, loss, standing, attack, precision, recall, baseline, guessed,
        share in zip(*(shown[column].tolist() for column in columns), strict=True)
    ]  # fmt: skip
