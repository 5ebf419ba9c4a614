"""What PRC makes of precision and recall, by its parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.figures import template as draw
from alc_core.figures.attack_marks import attack_marks, attacks_sentence, baseline_of, drawable
from alc_core.figures.looks import ATTACK, BASELINE, GUIDE
from alc_core.phrasing import decimal, listed
from alc_core.scoring.formulas import precision_for_prc, recall_for_prc
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go


# Recalls from where precision is 1, and each one's precision
Curve = tuple[NDArray[np.float64], NDArray[np.float64]]
Parameter = Literal["alpha", "r_min"]

EQUAL_PRC = tuple(tenth / 10 for tenth in range(1, 10))
# Values drawn beside the chosen parameter
VALUES: Mapping[Parameter, tuple[float, ...]] = MappingProxyType(
    {"alpha": (0.5, 1.0, 2.0, 3.0, 6.0), "r_min": (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)}
)
_WORDS: Mapping[Parameter, tuple[str, str]] = MappingProxyType(
    {"alpha": ("alpha", "\N{GREEK SMALL LETTER ALPHA}"), "r_min": ("R_min", "R_min")}
)
_POINTS = 160


def equal_prc_figure(
    scoring: ScoringParameters, results: pd.DataFrame | None = None, *, selected: int | None = None
) -> go.Figure:
    """Draw equal PRC by precision and recall (figure 4a of the paper)."""
    shown = drawable(results)
    curves = [
        _drawn(_prc_curve(value, scoring), f"PRC {value:g}", value, colour=GUIDE,
               width=2.5 if value == 0.5 else 1.25)
        for value in EQUAL_PRC
    ]  # fmt: skip
    labels = [draw.curve_label(f"PRC {value:g}", value) for value in EQUAL_PRC]
    left = _left_end(scoring, shown)
    top = float(recall_for_prc(0.5, 1.0, alpha=scoring.alpha, r_min=scoring.r_min))
    alt = (
        f"Curves of equal PRC (alpha {scoring.alpha:g}, R_min {decimal(scoring.r_min)}). "
        f"PRC 0.5 ends at recall {top:.2g}."
    )
    title = "Curves of equal PRC"
    return _plane(title, alt, curves, labels, scoring, shown, left=left, selected=selected)


def prc_parameter_figure(
    scoring: ScoringParameters,
    parameter: Parameter,
    results: pd.DataFrame | None = None,
    *,
    level: float = 0.5,
    selected: int | None = None,
) -> go.Figure:
    """Draw equal PRC for several alpha or R_min (figures 4b and 4c)."""
    word, sign = _WORDS[parameter]
    chosen: Any = getattr(scoring, parameter)
    curves = {
        value: _prc_curve(level, replace(scoring, **{parameter: value}))
        for value in sorted({*VALUES[parameter], chosen})
    }
    shown = drawable(results)
    left = _left_end(scoring, shown, *(float(recall[0]) for recall, _ in curves.values()))
    words = f"{word} {decimal(chosen)} (chosen)"
    labels = _labels_above(curves, left=left, sign=sign, chosen=chosen)
    tops = [f"{recall[0]:.2g} for {word} {decimal(v)}" for v, (recall, _) in curves.items()]
    alt = (
        f"Curves of PRC {level:g} for several {word}, up to recall {listed(tops)}. Chosen: {word} "
        f"{decimal(chosen)}."
    )
    title = f"PRC {level:g} under other {word}"
    others = [
        _drawn(curve, f"{word} {decimal(value)}", value, colour=BASELINE, width=1.5)
        for value, curve in curves.items()
        if value != chosen
    ]
    drawn = [*others, _drawn(curves[chosen], words, chosen, colour=ATTACK, width=4)]
    return _plane(title, alt, drawn, labels, scoring, shown, left=left, selected=selected)


def _plane(
    title: str,
    alt: str,
    curves: Sequence[draw.Part],
    labels: Sequence[draw.Part],
    scoring: ScoringParameters,
    shown: pd.DataFrame,
    *,
    left: float,
    selected: int | None,
) -> go.Figure:
    attacks = attack_marks(shown, x="deciding_recall", y="deciding_precision", selected=selected)
    return draw.new_figure(
        [*curves, *baseline_of(shown, selected), *attacks],
        title=title,
        alt=f"Precision against recall. {alt} {attacks_sentence(shown, selected)}".strip(),
        height=540,
        margin={"r": 66, "t": 92},
        x=draw.recall_axis(left),
        y=draw.precision_axis(),
        legend=draw.LEGEND_BELOW,
        shapes=[draw.rule("x", scoring.r_min, "dot")],
        annotations=[draw.r_min_word(scoring.r_min), *labels],
    )


def _left_end(scoring: ScoringParameters, shown: pd.DataFrame, *ends: float) -> float:
    seen = float(shown["deciding_recall"].min()) if len(shown) else 1.0
    return max(min(1.0, seen, scoring.r_min, *ends), 1e-9) / 1.5


def _drawn(curve: Curve, words: str, meta: object, *, colour: str, width: float) -> draw.Part:
    recall, precision = curve
    return draw.line(
        recall, precision, words, meta=meta, colour=colour, width=width,
        hovertemplate=f"{words}<br>right for %{{y:.1%}} (precision)<br>"
        "for %{x:.3~%} of people (recall)<extra></extra>",
    )  # fmt: skip


def _labels_above(
    curves: Mapping[float, Curve], *, left: float, sign: str, chosen: float
) -> list[draw.Part]:
    first, last = draw.recall_axis(left)["range"]
    tops = sorted((float(np.log10(curve[0][0])), value) for value, curve in curves.items())
    found, rows = [], list[float]()
    for top, value in tops:
        place, text = (top - first) / (last - first), f"{sign} {decimal(value)}"
        room = 0.055 + 0.012 * len(text)
        row = next((at for at, end in enumerate(rows) if place - end > room), len(rows))
        rows[row : row + 1] = [place]
        text = f"<b>{text}</b>" if value == chosen else text
        at = {"yshift": 16 * row, "xanchor": "center", "yanchor": "bottom"}
        found.append(draw.note(text, top, 1.0, **at))
    return found


def _prc_curve(value: float, scoring: ScoringParameters) -> Curve:
    top = float(recall_for_prc(value, 1.0, alpha=scoring.alpha, r_min=scoring.r_min))
    recall = np.geomspace(top, 1.0, _POINTS)
    precision = precision_for_prc(value, recall, alpha=scoring.alpha, r_min=scoring.r_min)
    return recall, np.asarray(precision)
