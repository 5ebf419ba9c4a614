/* Draws the charts: on screen when they come into sight, all of them before printing. */
"use strict";
(() => {
  const book = JSON.parse(document.getElementById("chart-book").textContent);
  const places = [...document.querySelectorAll("[data-chart]")];
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const PAPER = 628;
  let printing = false;
  document.getElementById("no-charts").hidden = true;

  // {"$": 3} is the third shared value, {"$": 3, "+": {...}} the same with further entries.
  const value = (node) => {
    if (Array.isArray(node)) return node.map(value);
    if (node === null || typeof node !== "object") return node;
    if ("$" in node) {
      const shared = value(book.shared[node.$]);
      return "+" in node ? Object.assign(shared, value(node["+"])) : shared;
    }
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, value(each)]));
  };

  const template = () => {
    const style = getComputedStyle(document.documentElement);
    const ink = printing ? "#17252e" : style.getPropertyValue("--ink").trim();
    const line = printing ? "#c3ced3" : style.getPropertyValue("--line").trim();
    const axis = { gridcolor: line, linecolor: line, zerolinecolor: line, automargin: true };
    return {
      layout: {
        font: { family: style.getPropertyValue("--font").trim(), color: ink, size: printing ? 11 : 13 },
        title: { x: 0, xanchor: "left", font: { size: 15 } },
        xaxis: axis, yaxis: axis, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
        colorway: ["#d55e00", "#3d8fd1", "#009e73", "#cc79a7", "#8a6d00", "#57538f", "#5b6970"],
      },
    };
  };

  const draw = (place) => {
    const chart = value(book.charts[place.dataset.chart]);
    const small = printing && place.closest(".card .beside");  // beside a table
    const layout = Object.assign(chart.layout, {
      template: template(),
      height: small ? 140 : Number(place.dataset.height),
      ...(small ? { margin: { l: 48, r: 48, t: 4, b: 38 }, showlegend: false } : {}),
      width: small ? 270 : printing ? PAPER : place.clientWidth,
      autosize: false,
    });
    place.style.height = `${layout.height}px`;
    Plotly.react(place, chart.data, layout, { displayModeBar: false, staticPlot: printing });
    place.dataset.drawn = "yes";
  };

  const drawn = () => places.filter((place) => place.dataset.drawn);
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        watcher.unobserve(entry.target);
        if (!entry.target.dataset.drawn) draw(entry.target);
      }
    },
    { rootMargin: "800px 0px" },
  );

  const print = () => {
    printing = true;
    places.forEach(draw);
  };
  const show = () => {
    printing = false;
    // What is far away is drawn again when it comes into sight.
    for (const place of drawn()) {
      delete place.dataset.drawn;
      Plotly.purge(place);
      watcher.observe(place);
    }
  };

  window.addEventListener("beforeprint", print);
  window.addEventListener("afterprint", show);
  if (location.hash === "#print") {
    print();
  } else {
    let width = window.innerWidth;
    places.forEach((place) => watcher.observe(place));
    dark.addEventListener("change", () => drawn().forEach(draw));
    window.addEventListener("resize", () => {
      if (printing || width === window.innerWidth) return;
      width = window.innerWidth;
      drawn().forEach(draw);
    });
  }
})();
