"""One attack: people, ALC on a scale, precision against recall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from alc_core.assessment.people import PeopleSplit, people_exposed, perhaps_exposed
from alc_core.assessment.result import Assessment
from alc_core.figures import template as draw
from alc_core.figures.looks import ATTACK, BASELINE, GUIDE, LOOKS, faded
from alc_core.figures.prc_curves import EQUAL_PRC
from alc_core.phrasing import count, loss_text, percent
from alc_core.review.attack_words import interval_text
from alc_core.scoring.curves import MeasuredPoint, PrecisionRecallCurve, measure_curve
from alc_core.scoring.formulas import precision_for_prc
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import READING_TITLES

if TYPE_CHECKING:
    import plotly.graph_objects as go


_NARROW = 0.08  # Narrower zones have no word


def loss_scale_figure(assessment: Assessment) -> go.Figure:
    """Draw ALC, interval and limits on one line."""
    scoring, bounds = assessment.scoring, assessment.decisive_interval
    ends = ["line-ns" if bound == draw.on_scale(bound) else "triangle-left" for bound in bounds]
    edge = {"width": 3, "color": GUIDE}
    ticks = [0.0, scoring.at_risk, scoring.serious, 1.0]
    alt = (
        f"{READING_TITLES[assessment.decisive]} {loss_text(assessment.decisive_alc)}, "
        f"{interval_text(assessment)}. At risk: {scoring.at_risk:g}; serious: {scoring.serious:g}."
    )
    return draw.new_figure(
        [
            draw.line(
                [draw.on_scale(bound) for bound in bounds], [0, 0], "Interval", width=4,
                mode="lines+markers",
                marker={"symbol": ends, "size": 16, "color": GUIDE, "line": edge},
                meta={"x": list(bounds)},
            ),
            draw.marks(
                [draw.on_scale(assessment.decisive_alc)], [0], "ALC", symbol="diamond", size=17,
                colour=LOOKS[assessment.verdict].colour, edge={"width": 2, "color": "white"},
                hovertemplate=f"{alt}<extra></extra>", cliponaxis=False,
                showlegend=False, meta={"x": [assessment.decisive_alc]},
            ),
        ],
        title="",
        alt=alt,
        height=112,
        margin={"l": 8, "r": 14, "t": 0, "b": 22},
        x={
            "range": [draw.LEFT_END, 1.0], "tickvals": ticks,
            "ticktext": [f"{at:g}" for at in ticks], "fixedrange": True,
        },
        y={"visible": False, "range": [-0.5, 1.1], "fixedrange": True},
        shapes=draw.zones(
            scoring, axis="x", low=draw.LEFT_END, high=1.0, across=(-0.5, 0.5), strength=3.0
        ),
        annotations=[
            draw.note(
                LOOKS[verdict].word, (low + high) / 2, 0.55, xanchor="center", yanchor="bottom",
                font={"size": 13},
            )
            for low, high, verdict, _ in draw.verdict_bands(scoring, low=draw.LEFT_END, high=1.0)
            if high - low >= _NARROW
        ],
    )  # fmt: skip


def right_people_figure(assessment: Assessment) -> go.Figure:
    """Draw correct answers of attack and best guess, as people of a hundred."""
    attack, guess = assessment.attack_rest, assessment.baseline_rest
    return right_people(
        attack.measured_precision,
        guess.measured_precision,
        title=f"Correct answers ({count(attack.predictions)} most certain)",
    )


def right_people(attack: float, guess: float, *, title: str = "Correct answers") -> go.Figure:
    """Draw a hundred people twice: answers with the release, and without."""
    sides = (("With the release", attack, ATTACK), ("Best guess without it", guess, BASELINE))
    said = ", ".join(f"{name.lower()} in {percent(right)}" for name, right, _ in sides)
    shapes, names = [], []
    for place, (name, right, colour) in enumerate(sides):
        left = place * (_ACROSS + _APART)
        filled = people_of_hundred(right)
        shapes += [
            _people(range(filled), left, colour),
            _people(range(filled, 100), left, faded(GUIDE, 0.3)),
        ]
        names.append(
            draw.note(f"<b>{percent(right)}</b><br>{name}", left, -0.2, yanchor="bottom",
                      align="left", font={"size": 13})
        )  # fmt: skip
    still = {"visible": False, "fixedrange": True}
    return draw.new_figure(
        [],
        title=title,
        alt=f"{title}: {said}.",
        height=256,
        margin={"t": 34, "b": 4},
        x={**still, "range": [0, 2 * _ACROSS + _APART], "constrain": "domain",
           "constraintoward": "left"},
        y={**still, "range": [100 / _ACROSS, -_ABOVE], "scaleanchor": "x", "scaleratio": 1.25,
           "constrain": "domain", "constraintoward": "top"},
        shapes=[each for each in shapes if each["path"]],
        annotations=names, dragmode=False,
    )  # fmt: skip


def people_of_hundred(share: float) -> int:
    """Return a share as people of a hundred: all or none only if exact.

    >>> people_of_hundred(0.9996), people_of_hundred(1.0), people_of_hundred(0.0002)
    (99, 100, 1)
    """
    return round(100 * share) if share in (0.0, 1.0) else min(max(round(100 * share), 1), 99)


# People in a row; room between the hundreds, and for words above, in people
_ACROSS, _APART, _ABOVE = 10, 4, 2.6


def _people(places: range, left: float, colour: str) -> draw.Part:
    path = "".join(_person(left + at % _ACROSS, at // _ACROSS) for at in places)
    return {"type": "path", "path": path, "fillcolor": colour, "line": {"width": 0}}


def _person(x: float, y: float) -> str:
    def at(right: float, down: float) -> str:
        return f"{x + right:g},{y + down:g}"

    head = (
        f"M{at(0.28, 0.26)}C{at(0.28, 0.02)} {at(0.72, 0.02)} {at(0.72, 0.26)}"
        f"C{at(0.72, 0.5)} {at(0.28, 0.5)} {at(0.28, 0.26)}Z"
    )
    body = f"M{at(0.12, 0.92)}C{at(0.12, 0.4)} {at(0.88, 0.4)} {at(0.88, 0.92)}L{at(0.12, 0.92)}Z"
    return head + body


def people_bars_figure(assessment: Assessment) -> go.Figure:
    """Draw people hard to guess, and people exposed."""
    split = PeopleSplit.of(assessment)
    exposed, perhaps = people_exposed(assessment), perhaps_exposed(assessment)
    said = f"perhaps up to {count(perhaps)}" if perhaps else count(exposed)
    rows = [
        (name, people, text, colour)
        for name, people, text, colour in (
            ("Hard to guess", split.rest, count(round(split.rest)), faded(GUIDE, 0.55)),
            ("Exposed", exposed, said, ATTACK),
        )
    ]
    everybody = count(assessment.population)
    return _bars(
        rows,
        title=f"{everybody} people",
        alt=f"{everybody} people: {', '.join(f'{n.lower()} {text}' for n, _, text, _ in rows)}.",
        whole=assessment.population,
    )


def _bars(
    rows: Sequence[tuple[str, float, str, str]], *, title: str, alt: str, whole: float
) -> go.Figure:
    names, lengths, texts, colours = zip(*rows, strict=True)
    bar = {"type": "bar", "orientation": "h", "y": list(range(len(rows))), "width": 0.62}
    return draw.new_figure(
        [
            {**bar, "x": [whole] * len(rows), "marker": {"color": faded(GUIDE, 0.16)},
             "name": "All", "hoverinfo": "skip"},
            {**bar, "x": lengths, "marker": {"color": colours}, "name": title,
             "text": [f"<b>{text}</b>" for text in texts], "textposition": "outside",
             "cliponaxis": False, "textfont": {"size": 15},
             "hovertext": [f"{name}: {text}" for name, text in zip(names, texts, strict=True)],
             "hovertemplate": draw.HOVERTEXT},
        ],
        title=title,
        alt=alt,
        height=40 + 34 * len(rows),
        margin={"t": 34, "b": 4, "r": 16},
        x={"visible": False, "range": [0, 1.3 * whole], "fixedrange": True},
        y={**draw.rows_axis(names), "fixedrange": True, "tickfont": {"size": 13}},
        barmode="overlay", showlegend=False, dragmode=False,
    )  # fmt: skip


_POINTS = 200
_HOVER = (
    "<b>%{fullData.meta}</b><br>predicts for %{customdata[0]} of people (recall)<br>"
    "right for %{customdata[1]} (%{customdata[2]})<br>"
    "%{customdata[3]} predictions, PRC %{customdata[4]}%{customdata[5]}<extra></extra>"
)


def precision_recall_figure(
    assessment: Assessment,
    curves: tuple[PrecisionRecallCurve, PrecisionRecallCurve] | None = None,
) -> go.Figure:
    """Draw curves of attack and baseline; wide intervals are faint."""
    scoring, outcomes = assessment.scoring, assessment.outcomes
    attack, baseline = curves or (outcomes.attack, outcomes.baseline)
    points = (assessment.attack_rest, assessment.baseline_rest)
    left = _left_end(
        *(float(curve.recall[0]) for curve in (attack, baseline)),
        *(point.recall for point in points if point.recall > 0),
    )
    sides = (
        ("Baseline", BASELINE, "square", baseline, assessment.baseline),
        ("Attack", ATTACK, "circle", attack, assessment.attack),
    )
    rest = [
        _chosen(
            f"{name}, hard to guess", name, point, f"{name}, hard to guess", colour=colour,
            symbol=f"{symbol}-open", edge={"width": 3, "color": colour},
        )
        for name, colour, symbol, point in (
            ("Attack", ATTACK, "circle", assessment.attack_rest),
            ("Baseline", BASELINE, "square", assessment.baseline_rest),
        )
    ]  # fmt: skip
    inside = scoring.r_min >= left
    labels = [draw.curve_label(f"PRC {value:g}", value, font={"size": 11}) for value in EQUAL_PRC]
    return draw.new_figure(
        [
            _equal_prc(scoring, left),
            *(trace for side in sides for trace in _side(*side, scoring)),
            *rest,
        ],
        title="Precision of attack and baseline",
        alt="Precision against recall. "
        f"{_point_sentence('attack', assessment.attack)} "
        f"{_point_sentence('baseline', assessment.baseline)} Among people hard to guess "
        f"(open marks): {percent(assessment.attack_rest.measured_precision)} and "
        f"{percent(assessment.baseline_rest.measured_precision)}.",
        height=480,
        margin={"r": 66},
        x=draw.recall_axis(left),
        y=draw.precision_axis(),
        legend={"orientation": "h", "y": -0.2, "x": 0, "itemclick": False},
        shapes=[draw.rule("x", scoring.r_min, "dot")] if inside else [],
        annotations=[*labels, draw.r_min_word(scoring.r_min)] if inside else labels,
    )


def _point_sentence(side: str, measure: MeasuredPoint) -> str:
    measured, middle = percent(measure.measured_precision), percent(measure.precision)
    drawn = "" if middle == measured else f" (drawn at {middle})"
    return (
        f"The {side}'s best point is precision {measured}{drawn} at recall "
        f"{percent(measure.recall)}, PRC {measure.prc:.2f}."
    )


def _left_end(*recalls: float) -> float:
    return min(*recalls, 0.5) * 0.85


def _equal_prc(scoring: ScoringParameters, left: float) -> draw.Part:
    """Return all curves as one trace with gaps: each trace costs time."""
    recall = np.geomspace(max(left, scoring.r_min), 1.0, _POINTS)
    curves = [
        precision_for_prc(value, recall, alpha=scoring.alpha, r_min=scoring.r_min)
        for value in EQUAL_PRC
    ]
    return draw.line(
        np.concatenate([np.append(recall, np.nan) for _ in EQUAL_PRC]),
        np.concatenate([np.append(curve, np.nan) for curve in curves]),
        "Equal PRC", width=1, opacity=0.45, showlegend=True,
        text=np.repeat([f"PRC {value:g}" for value in EQUAL_PRC], _POINTS + 1),
        hovertemplate=draw.HOVER,
    )  # fmt: skip


def _side(
    name: str, colour: str, symbol: str, curve: PrecisionRecallCurve, chosen: MeasuredPoint,
    scoring: ScoringParameters,
) -> list[draw.Part]:  # fmt: skip
    measured = measure_curve(curve, scoring)
    narrow = np.where(measured.narrow, measured.precision, np.nan)
    columns = (
        measured.recall, measured.measured_precision, measured.precision_low,
        measured.precision_high, curve.predictions, measured.prc, measured.narrow,
    )  # fmt: skip
    numbers = zip(*(column.tolist() for column in columns), strict=True)
    details = [_said(*each, wide=not narrow) for *each, narrow in numbers]
    common: draw.Part = {
        "colour": colour, "meta": name, "customdata": details,
        "hovertemplate": _HOVER, "legendgroup": name,
    }  # fmt: skip
    return [
        draw.band(
            measured.recall, measured.precision_low, measured.precision_high, f"{name}: interval",
            colour=faded(colour, 0.13), legendgroup=name,
        ),
        draw.line(
            measured.recall, measured.precision, f"{name}: wide interval", opacity=0.4, **common
        ),
        draw.line(
            measured.recall, narrow, name, width=2.5, mode="lines+markers",
            marker={"size": 4, "symbol": symbol}, opacity=1.0, showlegend=True, **common,
        ),
        _chosen(
            f"{name}: best point", name, chosen, f"{name}: best point",
            colour=colour, symbol=symbol, edge={"width": 2, "color": "white"},
        ),
    ]  # fmt: skip


def _said(
    recall: float, precision: float, low: float, high: float, predictions: int, prc: float,
    *, wide: bool = False,
) -> list[str]:  # fmt: skip
    return [
        percent(recall), percent(precision), f"{percent(low)} to {percent(high)}",
        count(predictions), f"{prc:.2f}", "<br>wide interval" if wide else "",
    ]  # fmt: skip


def _chosen(name: str, side: str, measure: MeasuredPoint, meta: str, **look: Any) -> draw.Part:
    said = _said(
        measure.recall, measure.measured_precision, *measure.measured_interval,
        measure.predictions, measure.prc,
    )  # fmt: skip
    return draw.marks(
        [measure.recall], [measure.precision], name, size=15, cliponaxis=False, meta=meta,
        customdata=[said], hovertemplate=_HOVER, legendgroup=side, showlegend=False, **look,
    )  # fmt: skip
