"""How right an attack has to be, at each recall, to reach the limit of ALC."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.figures.attack_marks import attack_marks, attacks_sentence, drawable
from alc_core.figures.palette import BASELINE, GUIDE
from alc_core.figures.template import LEGEND_BELOW, Part, line, new_figure, precision_axis
from alc_core.phrasing import listed
from alc_core.scoring.calculator import needed_precision
from alc_core.scoring.formulas import prc
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

RECALLS = (1.0, 0.1, 0.01, 0.001, 0.0003)
"""Shares of people that the attack answers for."""

_BASELINES = np.linspace(0.0, 1.0, 201)
_DASHES = ("solid", "dash", "dashdot", "dot", "longdash")


def needed_precision_figure(
    scoring: ScoringParameters,
    results: pd.DataFrame | None = None,
    *,
    same_recall: bool = False,
    selected: int | None = None,
) -> go.Figure:
    """Draw the precision at which an attack reaches the limit `at_risk`, for several recalls.

    References
    ----------
    Francis and Wagner (2025), section 4.2, figure 6.
    """
    traces = [
        _curve(recall, dash, scoring, same_recall=same_recall)
        for recall, dash in zip(RECALLS, _DASHES, strict=True)
    ]
    traces.append(line([0, 1], [0, 1], "Equal", width=1, dash="dot"))
    if not same_recall:
        shown = drawable(results)
        traces += attack_marks(shown, x="compared_prc", y="deciding_precision", selected=selected)
    baseline = (
        "Precision of the baseline for as few people"
        if same_recall
        else "PRC of the baseline (0 to 1)"
    )
    return new_figure(
        traces,
        title=f"Precision needed for ALC {scoring.at_risk:g}",
        height=540,
        margin={"r": 16},
        x={"range": [-0.01, 1.02], "title": baseline},
        y=precision_axis("Precision of the attack"),
        legend=LEGEND_BELOW,
    )


def needed_precision_alt(
    scoring: ScoringParameters,
    results: pd.DataFrame | None = None,
    *,
    same_recall: bool = False,
    selected: int | None = None,
) -> str:
    """Say what :func:`needed_precision_figure` shows."""
    at = int(np.flatnonzero(np.isclose(_BASELINES, 0.1))[0])
    needed = {r: _needed(r, scoring, same_recall=same_recall)[at] for r in RECALLS}
    texts = [
        f"at recall {recall:g} no precision is enough"
        if np.isnan(value)
        else f"{value:.2f} at recall {recall:g}"
        for recall, value in needed.items()
    ]
    measure = "precision, at the same recall," if same_recall else "PRC"
    curves = (
        f"Precision that an attack needs to reach ALC {scoring.at_risk:g}, against the baseline's "
        f"{measure} for several recalls. Where that is 0.1: {listed(texts)}."
    )
    attacks = "" if same_recall else attacks_sentence(drawable(results), selected)
    return f"{curves} {attacks}".strip()


def _curve(recall: float, dash: str, scoring: ScoringParameters, *, same_recall: bool) -> Part:
    needed = _needed(recall, scoring, same_recall=same_recall)
    never = bool(np.isnan(needed).all())
    return line(
        _BASELINES, needed, f"for {_people(recall)}{': never' if never else ''}", meta=recall,
        colour=GUIDE if never else BASELINE, width=2.5, dash=dash, showlegend=True,
        hovertemplate=f"answers for {_people(recall)}<br>baseline %{{x:.2f}}: needs "
        "precision %{y:.1%}<extra></extra>",
    )  # fmt: skip


def _needed(recall: float, scoring: ScoringParameters, *, same_recall: bool) -> NDArray[np.float64]:
    baseline = (
        prc(_BASELINES, recall, alpha=scoring.alpha, r_min=scoring.r_min)
        if same_recall
        else _BASELINES
    )
    return np.asarray(needed_precision(baseline, recall, scoring))


def _people(recall: float) -> str:
    return "everyone" if recall == 1 else f"1 in {1 / recall:,.0f}".replace(",", "\u202f")
