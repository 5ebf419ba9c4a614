"""The figures that show each attack as a mark."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from alc_core.campaign.findings.findings_table import measure_columns
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.focus import Focus
from alc_core.figures.attacks import loss_scatter, measure_scatter
from alc_core.figures.trade_offs import equal_loss_figure

FIGURES = {
    "Loss and precision": (
        loss_scatter,
        "attacks",
        "Higher is riskier. Further right, the attack is right more often; the larger the mark, "
        "the more people it guesses for.",
    ),
    "Attack and baseline": (
        equal_loss_figure,
        "attack-and-baseline",
        "Further up, the attack learns more. Further right, anybody could guess more without the "
        "person's record. Along a line the loss is the same.",
    ),
}
"""Per figure: what draws it, its name in files, how to read it."""


def figures_of(results: pd.DataFrame) -> dict[str, tuple[Any, str, str]]:
    """Return the figures of marks: one for each measure of another scale than ALC's, too."""
    return FIGURES | {
        column.title: (
            partial(measure_scatter, column=column),
            column.name.replace("_", "-"),
            column.number.help,
        )
        for column in measure_columns(results, like_alc=False)
        if column.leading
    }


def draw_marks(
    figure: tuple[Any, str, str],
    shown: pd.DataFrame,
    overview: CampaignOverview,
    focus: Focus | None,
    *,
    key: str,
    selected: int | None = None,
) -> None:
    """Draw attacks as marks, the selected one ringed; a click opens one where there is a focus."""
    draw, name, words = figure
    scoring, figure_key = overview.scoring, f"{key}_{name}"
    draw_chart(
        draw(shown, scoring, selected=selected),
        key=figure_key,
        name=name,
        on_select=None if focus is None else lambda: focus.open_clicked(figure_key),
    )
    click = "" if focus is None else "; click it to open it"
    st.caption(f"Each mark is one attack{click}. {literal(words)}")
