"""What an ALC takes: attack against baseline, and the precision needed at each recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.figures.attack_marks import LEGEND, add_attacks, attacks_sentence, drawable
from alc_core.figures.palette import GUIDE, VERDICT_COLOURS, faded
from alc_core.scoring.formulas import attack_prc_for_loss
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go

EQUAL_ALC = tuple(tenth / 10 for tenth in range(1, 10))
"""Values of the curves behind."""

_BASELINES = np.linspace(0.0, 1.0, 201)


def equal_loss_figure(
    results: pd.DataFrame | None, scoring: ScoringParameters, *, selected: int | None = None
) -> go.Figure:
    """Draw the attack's PRC against the baseline's, over curves of equal ALC.

    Parameters
    ----------
    results : DataFrame or None
        From :func:`findings_frame` or the `results` of a
        :class:`CampaignOverview`; None for the curves alone.
    scoring : ScoringParameters
        Gives the limits and the kind of ALC.
    selected : int, optional
        Number of the attack to ring.

    Returns
    -------
    plotly.graph_objects.Figure
        Curves have their ALC as ``meta``; marks have the attack's number as ``customdata``.

    References
    ----------
    Francis and Wagner (2025), section 4.2, figure 5.
    """
    import plotly.graph_objects as go

    shown = drawable(results)
    figure = go.Figure()
    _add_zones(figure, scoring)
    limits = {
        scoring.at_risk: (f"At risk from ALC {scoring.at_risk:g}", "dot"),
        scoring.serious: (f"Serious from ALC {scoring.serious:g}", "dash"),
    }
    plain = [value for value in EQUAL_ALC if not any(_close(value, limit) for limit in limits)]
    for value in plain:
        figure.add_trace(_curve(value, scoring, name=f"ALC {value:g}", width=1.0, dash="solid"))
    figure.add_trace(_curve(0.0, scoring, name="No loss: ALC 0", width=1.5, dash="solid"))
    for value, (name, dash) in limits.items():
        figure.add_trace(_curve(value, scoring, name=name, width=2.5, dash=dash))
    add_attacks(figure, shown, x="baseline_prc", y="attack_prc", selected=selected)
    figure.update_layout(annotations=_labels(plain, scoring))
    _lay_out(figure)
    return figure


def equal_loss_alt(
    results: pd.DataFrame | None, scoring: ScoringParameters, *, selected: int | None = None
) -> str:
    """Say what :func:`equal_loss_figure` shows."""
    kind = "straight lines that meet where both PRCs are 1"
    if scoring.loss == "absolute":
        kind = "parallel lines"
    curves = (
        "PRC of the attack against PRC of the baseline. Curves of equal ALC are "
        f"{kind}; those of the limits {scoring.at_risk:g} and {scoring.serious:g} stand out."
    )
    return f"{curves} {attacks_sentence(drawable(results), selected)}".strip()


def _close(value: float, limit: float) -> bool:
    return abs(value - limit) < 1e-9


def _attack_prc(value: float, scoring: ScoringParameters) -> NDArray[np.float64]:
    return np.asarray(attack_prc_for_loss(value, _BASELINES, kind=scoring.loss))


def _curve(
    value: float,
    scoring: ScoringParameters,
    *,
    name: str,
    width: float,
    dash: str,
) -> go.Scatter:
    import plotly.graph_objects as go

    return go.Scatter(
        x=_BASELINES, y=_attack_prc(value, scoring), mode="lines", name=name, meta=value,
        line={"color": GUIDE, "width": width, "dash": dash}, showlegend=False,
        opacity=1.0 if width > 2 else 0.6,
        hovertemplate="baseline PRC %{x:.2f}, attack PRC %{y:.2f}: "
        f"ALC {value:g}<extra></extra>",
    )  # fmt: skip


def _add_zones(figure: go.Figure, scoring: ScoringParameters) -> None:
    """Add the zones of the verdicts, from the lowest up."""
    import plotly.graph_objects as go

    floor = np.zeros_like(_BASELINES)
    edges = [0.0, scoring.at_risk, scoring.serious, 1.0]
    verdicts = [Verdict.NO_LOSS, Verdict.SAFE, Verdict.AT_RISK, Verdict.SERIOUS]
    for edge, verdict, opacity in zip(edges, verdicts, (0.05, 0.1, 0.14, 0.18), strict=True):
        ceiling = np.ones_like(floor) if edge == 1.0 else _attack_prc(edge, scoring)
        ceiling = np.where(np.isnan(ceiling), 1.0, ceiling)
        figure.add_trace(
            go.Scatter(
                x=np.concatenate([_BASELINES, _BASELINES[::-1]]),
                y=np.concatenate([floor, ceiling[::-1]]), mode="lines", line_width=0,
                fill="toself", fillcolor=faded(VERDICT_COLOURS[verdict], opacity),
                hoverinfo="skip", showlegend=False, name=f"Zone: {verdict}",
            )
        )  # fmt: skip
        floor = ceiling


def _labels(values: list[float], scoring: ScoringParameters) -> list[dict[str, Any]]:
    """Return short words below the left ends of the curves, which rise away from them."""
    limits = {scoring.at_risk: "At risk", scoring.serious: "Serious"}
    words = [(value, f"<b>{word} {value:g}</b>") for value, word in limits.items()]
    words += [
        (value, f"ALC {value:g}")
        for value in values
        if min(abs(value - limit) for limit in limits) > 0.06
    ]
    return [
        {
            "x": 0, "y": float(value), "text": text, "showarrow": False, "xanchor": "left",
            "yanchor": "top", "xshift": 4, "yshift": 1, "font": {"size": 12},
        }
        for value, text in words
    ] + [
        {
            "x": 0.97, "y": 0.03, "text": "No loss: the baseline is as good", "showarrow": False,
            "xanchor": "right", "yanchor": "bottom", "font": {"size": 12},
        }
    ]  # fmt: skip


def _lay_out(figure: go.Figure) -> None:
    figure.update_layout(
        title_text="Attack against baseline, with curves of equal ALC", height=540,
        hovermode="closest", margin={"l": 10, "r": 16, "t": 48, "b": 10},
        legend=dict(LEGEND),
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)", hoverlabel={"align": "left"},
    )  # fmt: skip
    figure.update_xaxes(
        range=[-0.01, 1.02], title_text="PRC of the baseline (0 to 1)", zeroline=False,
        showgrid=False,
    )  # fmt: skip
    figure.update_yaxes(
        range=[-0.01, 1.02], title_text="PRC of the attack (0 to 1)", zeroline=False,
        showgrid=False,
    )  # fmt: skip
