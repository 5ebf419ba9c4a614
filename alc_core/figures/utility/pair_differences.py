"""How far the joint distribution of each two columns lies from the original's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from alc_core.figures.palette import GUIDE, RISING_COLOURS, faded
from alc_core.figures.short_names import plain, short, wrapped
from alc_core.figures.template import HOVER, new_figure
from alc_core.phrasing import count, numbered
from alc_core.utility.utility import Utility
from alc_core.utility.utility_text import pairs_sentence

if TYPE_CHECKING:
    import plotly.graph_objects as go

MOST_COLUMNS = 60
"""Columns that are legible at once."""

_WRITTEN = 12
"""Columns up to which the numbers stand in the cells."""

_CROWDED = 25
_LABEL = 22


def pair_heat_map(utility: Utility, *, most: int = MOST_COLUMNS) -> go.Figure:
    """Draw the total variation distance of each two columns, and on the diagonal of each one.

    Parameters
    ----------
    utility : Utility
        Of one release.
    most : int, default 60
        Columns at most: those that changed most with others.

    Returns
    -------
    plotly.graph_objects.Figure
        A heat map from 0 to 1 whose colours tell small distances apart; the columns that changed
        most are at the top left. Pairs that no table of the release has together are grey.
    """
    names = _columns(utility, most)
    values = _matrix(utility, names)
    size = len(names)
    cell = max(13, min(40, 560 // max(size, 1)))
    ticks = {
        "type": "category", "tickvals": list(range(size)), "fixedrange": True,
        "ticktext": [short(name, _LABEL) for name in names], "automargin": True,
        "tickfont": {"size": 9 if size > _CROWDED else 12},
    }  # fmt: skip
    last = len(RISING_COLOURS) - 1
    heat = {
        "type": "heatmap", "name": "Distance", "z": values, "zmin": 0, "zmax": 1,
        "x": [plain(name) for name in names], "y": [plain(name) for name in names],
        "xgap": 1, "ygap": 1, "hoverongaps": False,
        # By the square root, so that 0.02 and 0.1 differ to the eye.
        "colorscale": [[(at / last) ** 2, colour] for at, colour in enumerate(RISING_COLOURS)],
        "colorbar": {"title": {"text": "Distance"}, "thickness": 14,
                     "tickvals": [0, 0.1, 0.25, 0.5, 0.75, 1]},
        "text": _texts(names, values), "hovertemplate": HOVER,
        **({"texttemplate": "%{z:.2f}"} if size <= _WRITTEN else {}),
    }  # fmt: skip
    return new_figure(
        [heat],
        title="Distance of each two columns",
        height=170 + cell * size,
        x={**ticks, "tickangle": -90, "range": [-0.5, size - 0.5]},
        y={**ticks, "range": [size - 0.5, -0.5]},
        margin={"pad": 0},
        dragmode=False,
        plot_bgcolor=faded(GUIDE, 0.25),
    )


def pair_heat_map_alt(utility: Utility, *, most: int = MOST_COLUMNS) -> str:
    """Say what :func:`pair_heat_map` shows."""
    shown = len(_columns(utility, most))
    left_out = len(utility.columns) - shown
    more = f"; {count(left_out)} more are left out" if left_out else ""
    apart = f" Not in one table: {numbered(utility.apart, 'pair')}." if utility.apart else ""
    return (
        f"Heat map of the distance of each two of {numbered(shown, 'column')}{more}, those that "
        f"changed most first. {pairs_sentence(utility)}{apart}"
    )


def _columns(utility: Utility, most: int) -> list[str]:
    return list(utility.column_frame()["column"])[:most]


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
    shown = [wrapped(name) for name in names]
    return [
        [
            f"<b>{one}</b> by itself<br>distance {values[row, column]:.3f}"
            if row == column
            else f"<b>{one}</b> and <b>{other}</b><br>distance {values[row, column]:.3f}"
            for column, other in enumerate(shown)
        ]
        for row, one in enumerate(shown)
    ]
