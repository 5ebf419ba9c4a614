"""Usefulness of a release in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from alc_core.figures import template as draw
from alc_core.figures.looks import GUIDE, RELEASED, RISING_COLOURS, faded
from alc_core.phrasing import count, numbered, percent
from alc_core.studies.utility.distributions import Bar, ColumnDistribution
from alc_core.studies.utility.result import Utility, losses_sentence, pairs_sentence

if TYPE_CHECKING:
    import plotly.graph_objects as go


_ROW, _LABEL, _NAMED = 27, 34, 3
_HEIGHT = 420
_ONLY = {"original": "only in the original", "release": "only in the release", "": ""}


def distribution_figure(shown: ColumnDistribution) -> go.Figure:
    """Draw a column's shares in the original, and in front the release's."""
    labels = [_label(bar, numeric=shown.numeric) for bar in shown.bars]
    places = list(range(len(labels)))
    traces = [
        _bars(shown, "Original", faded(GUIDE, 0.5), 0.94, places),
        _bars(shown, "Release", RELEASED, 0.4, places),
    ]
    worst = sorted(shown.bars, key=lambda bar: -abs(bar.original - bar.released))[:_NAMED]
    changes = "; ".join(
        f"{bar.label}: {percent(bar.original)} in the original, {percent(bar.released)} in the "
        "release"
        for bar in worst
    )
    shares = draw.share_axis("Share of rows", rangemode="tozero")
    if shown.numeric:
        x: draw.Part = {"tickvals": places, "ticktext": labels, "automargin": True}
        y, height = shares, _HEIGHT
    else:
        x, y, height = shares, draw.rows_axis(labels), max(_HEIGHT, 150 + _ROW * len(labels))
    return draw.new_figure(
        traces,
        title=f"{draw.short(shown.column, 30)}: original and release",
        alt=f"Distribution of {shown.column} in the original and in {shown.release}. {changes}.",
        height=height,
        x=x,
        y=y,
        margin={"t": 76},
        barmode="overlay",
        legend=draw.LEGEND_ABOVE,
    )


def _bars(
    shown: ColumnDistribution, name: str, colour: str, width: float, places: list[int]
) -> draw.Part:
    of_original = name == "Original"
    shares = [bar.original if of_original else bar.released for bar in shown.bars]
    across = {"x": places, "y": shares} if shown.numeric else {"x": shares, "y": places}
    return {
        "type": "bar", "name": name, **across, "width": width,
        "orientation": "v" if shown.numeric else "h",
        "marker": {"color": colour, "line": {"width": 0}},
        "hovertext": [
            f"<b>{draw.wrapped(bar.label)}</b><br>original {percent(bar.original)}<br>"
            f"release {percent(bar.released)}<br>{_points(bar.released - bar.original)}"
            for bar in shown.bars
        ],
        "hovertemplate": draw.HOVERTEXT,
    }  # fmt: skip


def _label(bar: Bar, *, numeric: bool) -> str:
    if numeric:
        return draw.short(bar.label, _LABEL)
    only = _ONLY[bar.only_in] if bar.part == "value" else ""
    label = draw.short(bar.label, _LABEL)
    label = label if bar.part == "value" else f"<i>{label}</i>"
    return f"{label}<br><sub>{only}</sub>" if only else label


def _points(change: float) -> str:
    return f"{100 * change:+.1f} percentage points".replace("-", "\u2212")


MOST_COLUMNS = 60  # Columns that are legible at once
_WRITTEN = 12  # Most columns with numbers in cells
_CROWDED = 25
_COLUMN_LABEL = 22


def pair_heat_map(utility: Utility, *, most: int = MOST_COLUMNS) -> go.Figure:
    """Draw the distance of column pairs, greatest first; pairs in no table are grey."""
    names = list(utility.column_frame()["column"])[:most]
    values = _matrix(utility, names)
    size = len(names)
    cell = max(13, min(40, 560 // max(size, 1)))
    ticks = {
        "type": "category", "tickvals": list(range(size)), "fixedrange": True,
        "ticktext": [draw.short(name, _COLUMN_LABEL) for name in names], "automargin": True,
        "tickfont": {"size": 9 if size > _CROWDED else 12},
    }  # fmt: skip
    left_out = len(utility.columns) - size
    more = f"; {count(left_out)} more are left out" if left_out else ""
    apart = f" Not in one table: {numbered(utility.apart, 'pair')}." if utility.apart else ""
    last = len(RISING_COLOURS) - 1
    heat = {
        "type": "heatmap", "name": "Distance", "z": values, "zmin": 0, "zmax": 1,
        "x": [draw.plain(name) for name in names], "y": [draw.plain(name) for name in names],
        "xgap": 1, "ygap": 1, "hoverongaps": False,
        # Square root: 0.02 and 0.1 must look different
        "colorscale": [[(at / last) ** 2, colour] for at, colour in enumerate(RISING_COLOURS)],
        "colorbar": {"title": {"text": "Distance"}, "thickness": 14,
                     "tickvals": [0, 0.1, 0.25, 0.5, 0.75, 1]},
        "text": _texts(names, values), "hovertemplate": draw.HOVER,
        **({"texttemplate": "%{z:.2f}"} if size <= _WRITTEN else {}),
    }  # fmt: skip
    return draw.new_figure(
        [heat],
        title="Distance between each pair of columns",
        alt=f"Distances between {numbered(size, 'column')}{more}, most changed first. "
        f"{pairs_sentence(utility)}{apart}",
        height=170 + cell * size,
        x={**ticks, "tickangle": -90, "range": [-0.5, size - 0.5]},
        y={**ticks, "range": [size - 0.5, -0.5]},
        margin={"pad": 0},
        dragmode=False,
        plot_bgcolor=faded(GUIDE, 0.25),
    )


def _matrix(utility: Utility, names: list[str]) -> NDArray[np.float64]:
    place = {name: number for number, name in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    for name, number in place.items():
        values[number, number] = utility.columns[name]
    for one, other, distance in utility.pairs:
        if one in place and other in place:
            values[place[one], place[other]] = values[place[other], place[one]] = distance
    return values


def _texts(names: list[str], values: NDArray[np.float64]) -> list[list[str]]:
    shown = [f"<b>{draw.wrapped(name)}</b>" for name in names]
    return [
        [
            f"{one} {'by itself' if row == column else f'and {other}'}<br>"
            f"distance {values[row, column]:.3f}"
            for column, other in enumerate(shown)
        ]
        for row, one in enumerate(shown)
    ]


_TARGET_ROW, _TARGET_LABEL = 34, 24


def model_losses_figure(utility: Utility) -> go.Figure:
    """Draw models' accuracy by column, trained on original and release."""
    targets = utility.worst_targets
    rows = list(range(len(targets)))
    texts = [
        f"<b>{draw.wrapped(target.target)}</b><br>trained on the original "
        f"{percent(target.original_accuracy)}<br>on the release {percent(target.release_accuracy)} "
        f"(95% interval {' to '.join(map(percent, target.interval))})<br>{_points(-target.loss)}"
        f"<br>most frequent value {percent(target.majority_accuracy)}<br>"
        f"{count(target.train_rows)} rows to train, {count(target.test_rows)} to test"
        for target in targets
    ]
    own = [target.original_accuracy for target in targets]
    theirs = [target.release_accuracy for target in targets]
    bounds = [target.interval for target in targets]
    most_frequent = [target.majority_accuracy for target in targets]
    between = [end for pair in zip(own, theirs, strict=True) for end in (*pair, None)]
    levels = [level for row in rows for level in (row, row, None)]
    said = "; ".join(
        f"{target.target}: {percent(target.original_accuracy)} and "
        f"{percent(target.release_accuracy)}"
        for target in targets
    )
    left = min([*most_frequent, *(low for low, _ in bounds), *own], default=0.0)
    return draw.new_figure(
        [
            draw.line(between, levels, "Loss", width=3),
            draw.marks(most_frequent, rows, "Most frequent value", colour=GUIDE,
                       symbol="line-ns-open", size=14, texts=texts),
            draw.marks(own, rows, "Trained on the original", colour=GUIDE, size=13, texts=texts),
            draw.marks(theirs, rows, "Trained on the release", colour=RELEASED, symbol="diamond",
                       size=13, texts=texts, error_x=draw.whiskers(theirs, bounds, RELEASED)),
        ],
        title="Accuracy on held-out people",
        alt="Accuracy of models by predicted column, greatest loss first. "
        f"{losses_sentence(utility)} {said}.",
        height=150 + _TARGET_ROW * len(targets),
        x=draw.share_axis("Share correct", range=[max(0.0, left - 0.04), 1.01]),
        y=draw.rows_axis([draw.short(target.target, _TARGET_LABEL) for target in targets]),
        margin={"b": 84},
        legend=draw.LEGEND_BELOW,
    )  # fmt: skip
