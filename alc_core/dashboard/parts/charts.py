"""Every chart of the dashboard is drawn here: one look, one way to save it."""

from __future__ import annotations

import re
from collections.abc import Callable
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
) -> None:
    """Draw a figure with ways to save it as picture and its data as CSV."""
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


_HTML = """<div class="buttons">
<button type="button" data-format="png">Picture (PNG)</button>
<button type="button" data-format="svg">Picture (SVG)</button>
<div role="status"></div>
</div>"""

_CSS = """
.buttons { display: flex; flex-direction: column; gap: 0.5rem; }
button {
  font: inherit; color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 5px);
  min-height: 2.5rem; padding: 0.25rem 0.75rem; cursor: pointer;
}
button:hover { border-color: var(--st-primary-color); color: var(--st-link-color); }
button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
div[role="status"]:empty { display: none; }
"""

_JS = """
const INK = "#0b171d", GRID = "#d3dde1", PAPER = "#ffffff";
const LINES = new Set(["gridcolor", "zerolinecolor", "linecolor", "tickcolor", "bordercolor"]);

// The page's theme colours words and axes; a picture is put on white paper.
function onPaper(part) {
  for (const [name, value] of Object.entries(part)) {
    if (value && typeof value === "object" && !Array.isArray(value)) {
      if (name === "colorscale" || name === "marker") continue;
      if (name.endsWith("font") && "color" in value) value.color = INK;
      onPaper(value);
    } else if (LINES.has(name)) {
      part[name] = GRID;
    }
  }
}

function paperLayout(layout) {
  const copy = structuredClone(layout);
  if (copy.template && copy.template.layout) onPaper(copy.template.layout);
  for (const [name, value] of Object.entries(copy)) {
    if (name === "title" || name === "legend" || name === "font" || /^[xy]axis/.test(name)) {
      if (value && typeof value === "object") {
        if (name === "font") value.color = INK;
        onPaper(value);
      }
    }
  }
  copy.font = { ...copy.font, color: INK };
  copy.paper_bgcolor = copy.plot_bgcolor = PAPER;
  return copy;
}

function save(place, name, format, tell) {
  const chart = document.querySelector(`.${place} .js-plotly-plot`);
  const camera = chart && chart.querySelector('.modebar-btn[data-attr="toImage"], .modebar-btn');
  if (!camera) { tell("The chart is not drawn yet. Try again."); return; }
  const shown = chart.layout, settings = chart._context.toImageButtonOptions;
  // Plotly copies layout and settings when its button is pressed: they are back at once.
  try {
    chart.layout = paperLayout(shown);
    const scale = format === "png" ? 2 : 1;
    chart._context.toImageButtonOptions = { format, filename: name, scale };
    camera.click();
    tell("");
  } finally {
    chart.layout = shown;
    chart._context.toImageButtonOptions = settings;
  }
}

export default function ({ parentElement, data }) {
  const status = parentElement.querySelector('[role="status"]');
  const tell = (words) => { status.textContent = words; };
  for (const button of parentElement.querySelectorAll("button")) {
    button.onclick = () => save(data.place, data.name, button.dataset.format, tell);
  }
}
"""


def draw_picture_buttons(place: str, name: str, key: str) -> None:
    """Draw the buttons that save a chart as PNG, at twice the size on the screen, and as SVG."""
    buttons = st.components.v2.component("chart_pictures", html=_HTML, css=_CSS, js=_JS)
    buttons(data={"place": place, "name": name}, key=f"pictures_{key}")
