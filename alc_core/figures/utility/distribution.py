"""The distribution of one column before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alc_core.figures.palette import GUIDE, RELEASED, faded
from alc_core.figures.short_names import short, wrapped
from alc_core.figures.template import HOVER, LEGEND_ABOVE, Part, new_figure, rows_axis
from alc_core.phrasing import percent
from alc_core.utility.distributions import Bar, ColumnDistribution

if TYPE_CHECKING:
    import plotly.graph_objects as go

_ROW, _LABEL, _NAMED = 27, 34, 3
_HEIGHT = 420
_WIDE, _NARROW = 0.94, 0.4
_ONLY = {"original": "only in the original", "release": "only in the release", "": ""}


def distribution_figure(shown: ColumnDistribution) -> go.Figure:
    """Draw a column's shares in the original, and in front of them those in the release.

    Parameters
    ----------
    shown : ColumnDistribution
        From :func:`column_distribution`.

    Returns
    -------
    plotly.graph_objects.Figure
        Two traces of bars, a wide one of the original and a narrow one of the release: numbers as
        columns, values as rows.
    """
    labels = [_label(bar, numeric=shown.numeric) for bar in shown.bars]
    places = list(range(len(labels)))
    traces = [
        _bars(shown, "Original", faded(GUIDE, 0.5), _WIDE, places),
        _bars(shown, "Release", RELEASED, _NARROW, places),
    ]
    shares: Part = {"tickformat": ".0%", "rangemode": "tozero", "showgrid": True}
    if shown.numeric:
        x: Part = {"tickvals": places, "ticktext": labels, "automargin": True}
        y, height = {**shares, "title": "Share of rows"}, _HEIGHT
    else:
        x = {**shares, "title": "Share of rows"}
        y, height = rows_axis(labels), max(_HEIGHT, 150 + _ROW * len(labels))
    return new_figure(
        traces,
        title=f"{short(shown.column, 30)}: original and release",
        height=height,
        x=x,
        y=y,
        margin={"t": 76},
        barmode="overlay",
        legend=LEGEND_ABOVE,
    )


def distribution_alt(shown: ColumnDistribution) -> str:
    """Say what :func:`distribution_figure` shows."""
    worst = sorted(shown.bars, key=lambda bar: -abs(bar.original - bar.released))[:_NAMED]
    changes = "; ".join(
        f"{bar.label}: {percent(bar.original)} in the original, {percent(bar.released)} in the "
        "release"
        for bar in worst
    )
    return f"Distribution of {shown.column} in the original and in {shown.release}. {changes}."


def _bars(
    shown: ColumnDistribution, name: str, colour: str, width: float, places: list[int]
) -> Part:
    of_original = name == "Original"
    shares = [bar.original if of_original else bar.released for bar in shown.bars]
    across = {"x": places, "y": shares} if shown.numeric else {"x": shares, "y": places}
    return {
        "type": "bar", "name": name, **across, "width": width,
        "orientation": "v" if shown.numeric else "h",
        "marker": {"color": colour, "line": {"width": 0}},
        "hovertext": [_hover(bar) for bar in shown.bars],
        "hovertemplate": HOVER.replace("text", "hovertext"),
    }  # fmt: skip


def _label(bar: Bar, *, numeric: bool) -> str:
    if numeric:
        return short(bar.label, _LABEL)
    only = _ONLY[bar.only_in] if bar.part == "value" else ""
    label = short(bar.label, _LABEL)
    label = label if bar.part == "value" else f"<i>{label}</i>"
    return f"{label}<br><sub>{only}</sub>" if only else label


def _hover(bar: Bar) -> str:
    change = 100 * (bar.released - bar.original)
    points = f"{change:+.1f}".replace("-", "\u2212")
    return (
        f"<b>{wrapped(bar.label)}</b><br>original {percent(bar.original)}<br>"
        f"release {percent(bar.released)}<br>{points} percentage points"
    )
