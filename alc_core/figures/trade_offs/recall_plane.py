"""The plane of precision and recall: axes, curves in it, and attacks as marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.figures.attack_marks import attack_marks, baseline_of
from alc_core.figures.palette import ATTACK
from alc_core.figures.template import (
    LEGEND_BELOW,
    Part,
    line,
    new_figure,
    note,
    precision_axis,
    r_min_line,
    r_min_word,
    recall_axis,
)
from alc_core.phrasing import decimal

if TYPE_CHECKING:
    import plotly.graph_objects as go

Curve = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Recalls and the precision at each."""

_NEAR = 0.055


def recall_plane(
    curves: Sequence[Part],
    shown: pd.DataFrame,
    *,
    title: str,
    left: float,
    r_min: float,
    labels: Sequence[Part],
    selected: int | None,
) -> go.Figure:
    """Return a figure of curves, and of attacks over them."""
    attacks = attack_marks(shown, x="deciding_recall", y="deciding_precision", selected=selected)
    return new_figure(
        [*curves, *baseline_of(shown, selected), *attacks],
        title=title,
        height=540,
        margin={"r": 66, "t": 92},
        x=recall_axis(left),
        y=precision_axis(),
        legend=LEGEND_BELOW,
        shapes=[r_min_line(r_min)],
        annotations=[r_min_word(r_min), *labels],
    )


def left_end(r_min: float, shown: pd.DataFrame, *, lowest: float = 1.0) -> float:
    """Return a recall so low that R_min, all attacks and `lowest` are in the picture."""
    seen = float(shown["deciding_recall"].min()) if len(shown) else 1.0
    return max(min(lowest, seen, r_min), 1e-9) / 1.5


def plane_curve(curve: Curve, words: str, *, meta: object, colour: str, width: float) -> Part:
    """Return a curve; `words` say what of, also when pointed at."""
    recall, precision = curve
    return line(
        recall, precision, words, meta=meta, colour=colour, width=width,
        hovertemplate=f"{words}<br>right in %{{y:.1%}} (precision)<br>"
        "for %{x:.3~%} of people (recall)<extra></extra>",
    )  # fmt: skip


def labels_above(
    curves: Mapping[float, Curve], *, left: float, sign: str, chosen: float | None = None
) -> list[Part]:
    """Return words at the upper ends of curves, in several rows where they lie close."""
    first, last = recall_axis(left)["range"]
    tops = sorted((float(np.log10(curve[0][0])), value) for value, curve in curves.items())
    found, rows = [], list[float]()
    for top, value in tops:
        place, text = (top - first) / (last - first), f"{sign} {decimal(value)}"
        room = _NEAR + 0.012 * len(text)
        row = next((at for at, end in enumerate(rows) if place - end > room), len(rows))
        rows[row : row + 1] = [place]
        look = {"font": {"color": ATTACK, "size": 13}} if value == chosen else {}
        text = f"<b>{text}</b>" if value == chosen else text
        at = {"yshift": 16 * row, "xanchor": "center", "yanchor": "bottom"}
        found.append(note(text, top, 1.0, **at, **look))
    return found
