"""A measure beside the anonymity loss against ALC, attack by attack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from alc_core.campaign.findings.measured_columns import MeasureColumn
from alc_core.figures.attack_marks import attack_marks, attacks_sentence, drawable
from alc_core.figures.short_names import plain
from alc_core.figures.template import limit_lines, limit_words, new_figure, on_scale, zones
from alc_core.phrasing import count
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

_LOWEST = on_scale(float("-inf"))


def measure_scatter(
    results: pd.DataFrame,
    scoring: ScoringParameters,
    *,
    column: MeasureColumn,
    selected: int | None = None,
) -> go.Figure:
    """Draw a measure of every attack against its ALC."""
    shown = _drawn(results, column)
    return new_figure(
        attack_marks(shown, x=column.name, y="drawn", selected=selected),
        title=f"{plain(column.title)} and ALC",
        height=520,
        x={"title": plain(column.title)},
        y={"range": [_LOWEST - 0.03, 1.04], "title": "ALC: anonymity loss (higher is riskier)"},
        shapes=[*zones(scoring, axis="y", low=_LOWEST - 0.03, high=1.04), *limit_lines(scoring)],
        annotations=limit_words(scoring),
    )


def measure_scatter_alt(
    results: pd.DataFrame,
    scoring: ScoringParameters,  # noqa: ARG001 - figures and their texts take the same
    *,
    column: MeasureColumn,
    selected: int | None = None,
) -> str:
    """Say what :func:`measure_scatter` shows."""
    shown = _drawn(results, column)
    if not len(shown):
        return f"{column.title} and ALC: no attack has both."
    least, most = shown[column.name].min(), shown[column.name].max()
    return (
        f"{column.title} and ALC of {count(len(shown))} attacks; {column.title} runs from "
        f"{least:.2f} to {most:.2f}. {attacks_sentence(shown, selected)}"
    )


def _drawn(results: pd.DataFrame, column: MeasureColumn) -> pd.DataFrame:
    shown = drawable(results)
    if column.name not in shown.columns:
        return shown.iloc[:0]
    shown = shown[shown[column.name].notna()]
    return shown.assign(drawn=shown["decisive_alc"].map(on_scale))
