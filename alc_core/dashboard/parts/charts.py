"""Every chart of the dashboard is drawn here: one look, one way to save it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from alc_core.dashboard.parts.widgets import draw_download
from alc_core.figures.figure_data import figure_csv
from alc_core.figures.template import alt_of

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
    """Draw a figure with ways to save it as picture and its data as CSV, where it is a result."""
    # The bar of buttons would cover the title; its camera draws the pictures, see chart_pictures.
    with st.container(key=f"chart_{key}", gap=None):
        st.plotly_chart(
            figure,
            key=key,
            config={"displaylogo": False},
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


def draw_picture_buttons(place: str, name: str, key: str) -> None:
    """Draw the buttons that save a chart as PNG, at twice the size on the screen, and as SVG."""
    buttons = st.components.v2.component(
        "chart_pictures", html=_read("html"), css=_read("css"), js=_read("js")
    )
    buttons(data={"place": place, "name": name}, key=f"pictures_{key}")


@cache
def _read(kind: str) -> str:
    return Path(__file__).with_name(f"chart_pictures.{kind}").read_text("utf-8")
