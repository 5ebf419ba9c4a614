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
