"""All charts: one look, one way to save."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from alc_core.campaign.findings.findings_table import measure_columns
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.header import Focus
from alc_core.dashboard.parts.widgets import component, draw_download
from alc_core.figures.attacks import loss_scatter, measure_scatter
from alc_core.figures.figure_data import figure_csv
from alc_core.figures.template import alt_of
from alc_core.figures.trade_offs import equal_loss_figure

if TYPE_CHECKING:
    import plotly.graph_objects as go


_NOT_IN_A_CLASS = re.compile(r"[^a-zA-Z0-9_-]")


def draw_chart(
    figure: go.Figure,
    *,
    key: str,
    name: str,
    alt: str = "",
    on_select: Callable[[], None] | None = None,
    saves: bool = True,
) -> None:
    """Draw a figure; results can be saved as picture and CSV."""
    # The button bar would cover the title; its camera draws pictures, see chart_pictures
    with st.container(key=f"chart_{key}", gap=None):
        st.plotly_chart(
            figure,
            key=key,
            config={"displaylogo": False} if saves else {"displayModeBar": False},
            alt=alt or alt_of(figure),
            selection_mode="points",
            on_select="ignore" if on_select is None else on_select,
        )
        if not saves:
            return
        with (
            st.container(horizontal=True, horizontal_alignment="right"),
            st.popover(
                "Save chart",
                icon=":material/download:",
                type="tertiary",
                key=f"save_{key}",
                width="content",
            ),
        ):
            # PNG at twice the screen's size, and SVG
            place = f"st-key-{_NOT_IN_A_CLASS.sub('-', f'chart_{key}')}"
            pictures = component(__file__, "chart_pictures")
            pictures(data={"place": place, "name": name}, key=f"pictures_{key}")
            draw_download(
                "Data (CSV)",
                lambda: figure_csv(figure),
                f"{name}.csv",
                icon=None,
                key=f"csv_{key}",
                width="stretch",
                help="All points, unrounded.",
            )


# By figure: drawing function, file name, reading
FIGURES = {
    "Loss and precision": (
        loss_scatter,
        "attacks",
        "Up: riskier. Right: more often correct. Larger: more people.",
    ),
    "Attack and baseline": (
        equal_loss_figure,
        "attack-and-baseline",
        "Up: a better attack. Right: a better guess. Lines: equal loss.",
    ),
}


def figures_of(results: pd.DataFrame) -> dict[str, tuple[Any, str, str]]:
    """Return figures of marks, also by measures not on ALC's scale."""
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
    """Draw attacks as marks; with a focus, a click opens one."""
    draw, name, words = figure
    scoring, figure_key = overview.scoring, f"{key}_{name}"
    draw_chart(
        draw(shown, scoring, selected=selected),
        key=figure_key,
        name=name,
        on_select=None if focus is None else lambda: focus.open_clicked(figure_key),
    )
    click = "" if focus is None else "; click to open"
    st.caption(f"Each mark is one attack{click}. {literal(words)}")
