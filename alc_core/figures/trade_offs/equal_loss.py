"""What an ALC takes: attack against baseline, and the precision needed at each recall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.figures.attack_marks import attack_marks, attacks_sentence, drawable
from alc_core.figures.palette import VERDICT_COLOURS, faded
from alc_core.figures.template import (
    LEGEND_BELOW,
    Part,
    band,
    limits,
    line,
    new_figure,
    note,
    verdict_bands,
)
from alc_core.scoring.formulas import attack_prc_for_loss
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

EQUAL_ALC = tuple(tenth / 10 for tenth in range(1, 10))
"""Values of the curves behind."""

_BASELINES = np.linspace(0.0, 1.0, 201)


def equal_loss_figure(
    results: pd.DataFrame | None, scoring: ScoringParameters, *, selected: int | None = None
) -> go.Figure:
    """Draw the attack's PRC against the baseline's, over curves of equal ALC.

    References
    ----------
    Francis and Wagner (2025), section 4.2, figure 5.
    """
    bounds = {limit: (word, dash) for limit, word, dash in limits(scoring)}
    plain = [value for value in EQUAL_ALC if not any(_close(value, limit) for limit in bounds)]
    axis = {"range": [-0.01, 1.02]}
    return new_figure(
        [
            *_zones(scoring),
            *(_curve(value, scoring, f"ALC {value:g}", width=1.0) for value in plain),
            _curve(0.0, scoring, "No loss: ALC 0", width=1.5),
            *(
                _curve(limit, scoring, f"{word} from ALC {limit:g}", width=2.5, dash=dash)
                for limit, (word, dash) in bounds.items()
            ),
            *attack_marks(drawable(results), x="compared_prc", y="deciding_prc", selected=selected),
        ],
        title="Attack against baseline, with curves of equal ALC",
        height=540,
        margin={"r": 16},
        x={**axis, "title": "PRC of the baseline (0 to 1)"},
        y={**axis, "title": "PRC of the attack (0 to 1)"},
        legend=LEGEND_BELOW,
        annotations=_labels(plain, scoring),
    )


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
    value: float, scoring: ScoringParameters, name: str, *, width: float, dash: str = "solid"
) -> Part:
    return line(
        _BASELINES, _attack_prc(value, scoring), name, meta=value, width=width, dash=dash,
        opacity=1.0 if width > 2 else 0.6,
        hovertemplate="baseline PRC %{x:.2f}, attack PRC %{y:.2f}: "
        f"ALC {value:g}<extra></extra>",
    )  # fmt: skip


def _zones(scoring: ScoringParameters) -> list[Part]:
    """Return the zones of the verdicts, from the lowest up."""
    found, floor = [], np.zeros_like(_BASELINES)
    for _, edge, verdict, opacity in verdict_bands(scoring, low=0.0, high=1.0):
        ceiling = np.ones_like(floor) if edge == 1.0 else _attack_prc(edge, scoring)
        ceiling = np.where(np.isnan(ceiling), 1.0, ceiling)
        colour = faded(VERDICT_COLOURS[verdict], opacity)
        found.append(band(_BASELINES, ceiling, floor, f"Zone: {verdict}", colour=colour))
        floor = ceiling
    return found


def _labels(values: list[float], scoring: ScoringParameters) -> list[Part]:
    """Return short words below the left ends of the curves, which rise away from them."""
    words = [(limit, f"<b>{word} {limit:g}</b>") for limit, word, _ in limits(scoring)]
    words += [
        (value, f"ALC {value:g}")
        for value in values
        if min(abs(value - limit) for limit, *_ in limits(scoring)) > 0.06
    ]
    return [
        *(note(text, 0, value, yanchor="top", xshift=4, yshift=1) for value, text in words),
        note("No loss: the baseline is as good", 0.97, 0.03, xanchor="right", yanchor="bottom"),
    ]
