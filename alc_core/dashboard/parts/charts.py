"""Every chart of the dashboard is drawn here: one look, one way to save it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from alc_core.dashboard.parts.chart_saving import draw_picture_buttons
from alc_core.dashboard.parts.download import draw_download
from alc_core.figures.figure_data import figure_csv

if TYPE_CHECKING:
    import plotly.graph_objects as go

_NOT_IN_A_CLASS = re.compile(r"[^a-zA-Z0-9_-]")


def draw_chart(
    figure: go.Figure,
    *,
    key: str,
    name: str,
    alt: str,
    on_select: Callable[[], None] | None = None,
) -> None:
    """Draw a figure with ways to save it as picture and its data as CSV."""
    # The bar of buttons would cover the title; its camera draws the pictures, see chart_pictures.
    with st.container(key=f"chart_{key}", gap=None):
        st.plotly_chart(
            figure,
            key=key,
            config={"displaylogo": False},
            alt=alt,
            selection_mode="points",
            on_select="ignore" if on_select is None else on_select,
        )
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
            draw_picture_buttons(f"st-key-{_NOT_IN_A_CLASS.sub('-', f'chart_{key}')}", name, key)
            draw_download(
                "Data (CSV)",
                lambda: figure_csv(figure),
                f"{name}.csv",
                icon=None,
                key=f"csv_{key}",
                width="stretch",
                help="All points of the chart, unrounded.",
            )
