"""Saving a chart as PNG and SVG, in the browser alone: nothing is sent, nothing is fetched."""

from __future__ import annotations

import streamlit as st

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
