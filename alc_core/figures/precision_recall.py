"""Precision against recall of attack and baseline, over curves of equal PRC."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from alc_core.assessment.result import Assessment
from alc_core.figures.palette import ATTACK, BASELINE, GUIDE, faded
from alc_core.figures.template import (
    HOVER,
    Part,
    band,
    curve_label,
    line,
    marks,
    new_figure,
    precision_axis,
    r_min_line,
    r_min_word,
    recall_axis,
)
from alc_core.phrasing import count, decimal, percent
from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.formulas import precision_for_prc
from alc_core.scoring.measuring import CurveMeasures, Measure, measure_curve
from alc_core.scoring.parameters import ScoringParameters

if TYPE_CHECKING:
    import plotly.graph_objects as go

EQUAL_PRC = tuple(tenth / 10 for tenth in range(1, 10))
"""Values of the curves behind."""

_POINTS = 200
_HOVER = (
    "<b>%{fullData.meta}</b><br>predicts for %{customdata[0]} of people (recall)<br>"
    "right in %{customdata[1]} (%{customdata[2]})<br>"
    "%{customdata[3]} predictions, PRC %{customdata[4]}%{customdata[5]}<extra></extra>"
)


def precision_recall_figure(assessment: Assessment) -> go.Figure:
    """Draw the precision-recall curves of attack and baseline.

    Parameters
    ----------
    assessment : Assessment
        Its scoring parameters give the equal-PRC curves and the cap of precision.

    Returns
    -------
    plotly.graph_objects.Figure
        Recall (share of people for whom a prediction is made) on a logarithmic axis. Precision is
        the midpoint of its interval, so that the chosen points lie on their PRC. Thresholds whose
        interval is too wide to count are faint.
    """
    scoring, outcomes = assessment.scoring, assessment.outcomes
    left = _left_end(outcomes.attack, outcomes.baseline)
    sides = (
        ("Baseline", BASELINE, "square", outcomes.baseline, assessment.baseline),
        ("Attack", ATTACK, "circle", outcomes.attack, assessment.attack),
    )
    rest = [
        marks(
            [point.recall], [point.precision], f"{name} among the rest", colour=colour,
            symbol=f"{symbol}-open", size=15, edge={"width": 3, "color": colour},
            cliponaxis=False, meta=f"{name} among the rest",
            customdata=[_point_details(point)], hovertemplate=_HOVER, legendgroup=name,
            showlegend=False,
        )
        for name, colour, symbol, point in (
            ("Attack", ATTACK, "circle", assessment.attack_rest),
            ("Baseline", BASELINE, "square", assessment.baseline_rest),
        )
    ]  # fmt: skip
    inside = scoring.r_min >= left
    labels = [
        curve_label(f"PRC {value:g}", value, font={"size": 11, "color": GUIDE})
        for value in EQUAL_PRC
    ]
    return new_figure(
        [
            _equal_prc(scoring, left),
            *(trace for side in sides for trace in _side(*side, scoring)),
            *rest,
        ],
        title="How often attack and baseline are right",
        height=480,
        margin={"r": 66},
        x=recall_axis(left),
        y=precision_axis(),
        legend={"orientation": "h", "y": -0.2, "x": 0, "itemclick": False},
        shapes=[r_min_line(scoring.r_min)] if inside else [],
        annotations=[*labels, r_min_word(scoring.r_min)] if inside else labels,
    )


def precision_recall_alt(assessment: Assessment) -> str:
    """Say what :func:`precision_recall_figure` shows."""
    scoring = assessment.scoring
    return (
        "Precision against recall. "
        f"{_point_sentence('attack', assessment.attack)} "
        f"{_point_sentence('baseline', assessment.baseline)} Among the people whom the baseline "
        "does not know anyway the attack has precision "
        f"{percent(assessment.attack_rest.measured_precision)}, the baseline for as many "
        f"{percent(assessment.baseline_rest.measured_precision)} (open marks). "
        f"Grey curves join points of equal PRC under alpha {scoring.alpha:g} and R_min "
        f"{decimal(scoring.r_min)}."
    )


def _point_sentence(side: str, measure: Measure) -> str:
    measured, middle = percent(measure.measured_precision), percent(measure.precision)
    drawn = (
        ""
        if middle == measured
        else f" (drawn at {middle}, the middle of its interval, or the most that counts)"
    )
    return (
        f"The {side}'s best point is precision {measured}{drawn} at recall "
        f"{percent(measure.recall)}, PRC {measure.prc:.2f}."
    )


def _left_end(*curves: PrecisionRecallCurve) -> float:
    """Return the lowest recall to draw, moved a little left so that its point is visible."""
    lowest = min(float(curve.recall[0]) for curve in curves)
    return min(lowest, 0.5) * 0.85


def _equal_prc(scoring: ScoringParameters, left: float) -> Part:
    """Return all curves as one trace with gaps, as each trace costs time."""
    recall = np.geomspace(max(left, scoring.r_min), 1.0, _POINTS)
    curves = [
        precision_for_prc(value, recall, alpha=scoring.alpha, r_min=scoring.r_min)
        for value in EQUAL_PRC
    ]
    gap = [np.nan]
    return line(
        np.concatenate([np.append(recall, gap) for _ in EQUAL_PRC]),
        np.concatenate([np.append(curve, gap) for curve in curves]),
        "Equal PRC", width=1, opacity=0.45, showlegend=True,
        text=np.repeat([f"PRC {value:g}" for value in EQUAL_PRC], _POINTS + 1),
        hovertemplate=HOVER,
    )  # fmt: skip


def _side(
    name: str,
    colour: str,
    symbol: str,
    curve: PrecisionRecallCurve,
    chosen: Measure,
    scoring: ScoringParameters,
) -> list[Part]:
    """Return the band, the faint whole curve, its part of narrow intervals and the chosen point."""
    measured = measure_curve(curve, scoring)
    narrow = np.where(measured.narrow, measured.precision, np.nan)
    common: Part = {
        "colour": colour, "meta": name, "customdata": _details(curve, measured),
        "hovertemplate": _HOVER, "legendgroup": name,
    }  # fmt: skip
    return [
        band(
            measured.recall, measured.lower, measured.upper, f"{name}: interval",
            colour=faded(colour, 0.13), legendgroup=name,
        ),
        line(
            measured.recall, measured.precision, f"{name}: wide interval", opacity=0.4, **common
        ),
        line(
            measured.recall, narrow, name, width=2.5, mode="lines+markers",
            marker={"size": 4, "symbol": symbol}, opacity=1.0, showlegend=True, **common,
        ),
        marks(
            [chosen.recall], [chosen.precision], f"{name}: point that counts", colour=colour,
            symbol=symbol, size=15, edge={"width": 2, "color": "white"}, cliponaxis=False,
            meta=f"{name}: the point that counts", customdata=[_point_details(chosen)],
            hovertemplate=_HOVER, legendgroup=name, showlegend=False,
        ),
    ]  # fmt: skip


def _details(curve: PrecisionRecallCurve, measured: CurveMeasures) -> list[list[str]]:
    return [
        [
            percent(float(measured.recall[row])),
            percent(float(measured.measured_precision[row])),
            f"{percent(float(measured.lower[row]))} to {percent(float(measured.upper[row]))}",
            count(int(curve.predictions[row])),
            f"{measured.prc[row]:.2f}",
            "" if measured.narrow[row] else "<br>wide interval",
        ]
        for row in range(len(curve))
    ]


def _point_details(measure: Measure) -> list[str]:
    low, high = measure.precision_interval
    return [
        percent(measure.recall),
        percent(measure.measured_precision),
        f"{percent(low)} to {percent(high)}",
        count(measure.predictions),
        f"{measure.prc:.2f}",
        "",
    ]
