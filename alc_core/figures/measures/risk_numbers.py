"""Risk numbers as figures: people by the size of their class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alc_core.figures.palette import ATTACK, BASELINE
from alc_core.figures.template import LEGEND_BELOW, Part, new_figure
from alc_core.phrasing import count, percent
from alc_core.risk_numbers.class_sizes import ClassSizes
from alc_core.risk_numbers.result import RiskNumbers

if TYPE_CHECKING:
    import plotly.graph_objects as go


def class_size_histogram(found: RiskNumbers) -> go.Figure:
    """Draw how many rows are in classes of which size, of the original and of a release.

    Parameters
    ----------
    found : RiskNumbers
        Of one release.

    Returns
    -------
    plotly.graph_objects.Figure
        Bars for ranges of sizes; of the original alone where the release has no classes of people.
    """
    return new_figure(
        [_bars(sizes, name, colour) for name, sizes, colour in _series(found)],
        title="Rows by the size of their class",
        height=360,
        x={"title": "Rows with the same values", "type": "category"},
        y={"title": "Share of rows", "tickformat": ".0%", "rangemode": "tozero", "showgrid": True},
        margin={"b": 96},
        legend=LEGEND_BELOW,
        barmode="group",
    )


def class_size_histogram_alt(found: RiskNumbers) -> str:
    """Say what :func:`class_size_histogram` shows."""
    parts = [
        f"{name}: " + ", ".join(f"{b.label}: {percent(b.share)}" for b in sizes.bands() if b.rows)
        for name, sizes, _ in _series(found)
    ]
    return f"Share of rows by the size of their class. {'. '.join(parts)}."


def _series(found: RiskNumbers) -> list[tuple[str, ClassSizes, str]]:
    shown = [("Original", found.original, BASELINE)]
    if found.released is not None and found.released.total:
        shown.append(("Release", found.released, ATTACK))
    return shown


def _bars(sizes: ClassSizes, name: str, colour: str) -> Part:
    bands = sizes.bands()
    return {
        "type": "bar", "name": name, "showlegend": True, "marker": {"color": colour},
        "x": [band.label for band in bands], "y": [band.share for band in bands],
        "text": [percent(band.share) if band.rows else "" for band in bands],
        "textposition": "outside", "cliponaxis": False,
        "hovertext": [f"<b>{name}</b><br>classes of {band.label}: {count(band.rows)} rows, "
                      f"{percent(band.share)}" for band in bands],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip
