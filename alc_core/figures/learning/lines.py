"""What the figures of a study of learning attacks share: lines with a range, references, axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alc_core.figures.palette import GUIDE, faded
from alc_core.figures.template import Part, band, line
from alc_core.learning.results import Spread
from alc_core.phrasing import percent

MARGIN = {"b": 96}
"""Room for a legend of two lines."""

HEIGHT = 430
"""In pixels."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the line of a mean is drawn."""

    colour: str
    symbol: str
    width: float = 2
    size: int = 8
    dash: str = "solid"


def mean_with_range(
    x: Sequence[float], spreads: Sequence[Spread], name: str, *, look: Look, texts: Sequence[str]
) -> list[Part]:
    """Return means as a line with marks, and the range of the repetitions behind it."""
    along = np.asarray(x, dtype=np.float64)
    lowest = np.array([spread.lowest for spread in spreads])
    highest = np.array([spread.highest for spread in spreads])
    shade = faded(look.colour, 0.22)
    range_ = band(along, lowest, highest, f"{name}, lowest to highest", colour=shade)
    means = line(
        list(x), [spread.mean for spread in spreads], name, colour=look.colour, width=look.width,
        dash=look.dash, mode="lines+markers", showlegend=True, text=list(texts), cliponaxis=False,
        hovertemplate="%{text}<extra></extra>", marker={"symbol": look.symbol, "size": look.size},
    )  # fmt: skip
    return [range_, means]


def reference(x: Any, y: Any, name: str, dash: str) -> Part:
    """Return a line to compare with."""
    return line(list(x), list(y), name, colour=GUIDE, dash=dash, showlegend=True)


def accuracy_axis(title: str = "Accuracy") -> Part:
    """Return an axis of shares from 0 to 1."""
    return {"title": title, "tickformat": ".0%", "range": [0, 1.0], "showgrid": True}


def spread_text(spread: Spread) -> str:
    """Say mean, lowest and highest accuracy, as a hover text does."""
    return (
        f"right for {percent(spread.mean)}<br>lowest {percent(spread.lowest)}, highest "
        f"{percent(spread.highest)}"
    )
