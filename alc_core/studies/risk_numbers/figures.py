"""Figures of risk numbers: rows by the size of their class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alc_core.figures import template as draw
from alc_core.figures.looks import ATTACK, BASELINE
from alc_core.phrasing import count, percent
from alc_core.studies.risk_numbers.classes import ClassSizes
from alc_core.studies.risk_numbers.result import RiskNumbers

if TYPE_CHECKING:
    import plotly.graph_objects as go


def class_size_histogram(found: RiskNumbers) -> go.Figure:
    """Draw rows by class size, of original and release."""
    series = [("Original", found.original, BASELINE)]
    if found.released is not None and found.released.total:
        series.append(("Release", found.released, ATTACK))
    labels = [band.label for band in found.original.bands()]
    said = [
        f"{name}: " + ", ".join(f"{b.label}: {percent(b.share)}" for b in sizes.bands() if b.rows)
        for name, sizes, _ in series
    ]
    most = max(band.share for _, sizes, _ in series for band in sizes.bands())
    return draw.new_figure(
        [_bars(sizes, name, colour) for name, sizes, colour in series],
        title="Rows by the size of their class",
        alt=f"Share of rows by the size of their class. {'. '.join(said)}.",
        height=400,
        x=draw.share_axis("Share of rows", range=[0.0, 1.15 * most]),
        y={**draw.rows_axis(labels), "title": "Rows in the class"},
        margin={"b": 96},
        legend={**draw.LEGEND_BELOW, "traceorder": "normal"},
        barmode="group",
    )  # fmt: skip


def _bars(sizes: ClassSizes, name: str, colour: str) -> draw.Part:
    bands = sizes.bands()
    return {
        "type": "bar", "name": name, "showlegend": True, "marker": {"color": colour},
        "orientation": "h", "x": [band.share for band in bands], "y": list(range(len(bands))),
        "text": [percent(band.share) if band.rows else "" for band in bands],
        "textposition": "outside", "cliponaxis": False,
        "hovertext": [f"<b>{name}</b><br>classes of {band.label}: {count(band.rows)} rows, "
                      f"{percent(band.share)}" for band in bands],
        "hovertemplate": draw.HOVERTEXT,
    }  # fmt: skip
