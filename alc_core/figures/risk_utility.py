"""Risk against utility: one point per release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from alc_core.assessment.words import loss_text
from alc_core.compare.comparison import Comparison
from alc_core.compare.losses import ReleaseLosses, release_losses
from alc_core.figures.attack_marks import STANDING_MARKS
from alc_core.figures.comparison import short
from alc_core.figures.palette import GUIDE, VERDICT_COLOURS, faded
from alc_core.figures.short_names import wrapped
from alc_core.phrasing import count, percent
from alc_core.scoring.verdict import Verdict
from alc_core.utility.utility import Utility

if TYPE_CHECKING:
    import plotly.graph_objects as go

UtilityMeasure = Literal["pairs", "columns", "accuracy"]
RiskMeasure = Literal["worst", "flagged"]

UTILITY_TITLES: Mapping[UtilityMeasure, str] = {
    "pairs": "Similarity of two-column marginals<br>(1 minus mean total variation distance)",
    "columns": "Similarity of one-column marginals<br>(1 minus mean total variation distance)",
    "accuracy": "Accuracy of models trained on it,<br>relative to the original's own",
}
"""Axis title of each measure of utility."""

RISK_TITLES: Mapping[RiskMeasure, str] = {
    "worst": "ALC of the worst attack, 0 or less as 0 (higher is riskier)",
    "flagged": "Share of attacks at risk or serious (higher is riskier)",
}
"""Axis title of each measure of risk."""

_CLEAR = "rgba(0,0,0,0)"


def utility_value(utility: Utility, measure: UtilityMeasure) -> float | None:
    """Return a release's place on the axis of utility, higher being better; None without one."""
    if measure == "accuracy":
        return utility.accuracy_ratio
    distance = utility.pair_distance if measure == "pairs" else utility.column_distance
    return None if distance is None else 1.0 - distance


def utility_mark(utilities: Mapping[str, Utility], measure: UtilityMeasure) -> float | None:
    """Return what a reader compares with: chance for distances, the majority guess for accuracy.

    For distances it is the similarity of rows drawn anew at random from the original, where that
    differs between releases the lowest.
    """
    if measure == "accuracy":
        ratios = [each.majority_ratio for each in utilities.values()]
        return max((ratio for ratio in ratios if ratio is not None), default=None)
    name = "pair_chance" if measure == "pairs" else "column_chance"
    return 1.0 - max((getattr(each, name) for each in utilities.values()), default=0.0)


def risk_utility_map(
    comparison: Comparison,
    utilities: Mapping[str, Utility],
    *,
    utility: UtilityMeasure = "pairs",
    risk: RiskMeasure = "worst",
) -> go.Figure:
    """Draw each release by how useful and how risky it is.

    This is the risk-utility map of Duncan, Keller-McNulty and Stokes (2001), with anonymity loss as
    risk.

    Parameters
    ----------
    comparison : Comparison
        Gives the risk.
    utilities : mapping of str to Utility
        By release; one without is left out.
    utility : {"pairs", "columns", "accuracy"}, default "pairs"
        Horizontal axis, see :data:`UTILITY_TITLES`; further right is more useful.
    risk : {"worst", "flagged"}, default "worst"
        Vertical axis, see :data:`RISK_TITLES`; the worst attack has its interval.

    Returns
    -------
    plotly.graph_objects.Figure
        One trace per release, with the standing of its worst attack as colour and symbol, and one
        for the original as it is, which is not measured: all of the utility, all of the risk.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    points = _points(comparison, utilities, utility=utility, risk=risk)
    mark = utility_mark(utilities, utility)
    places = [1.0, *([] if mark is None else [mark]), *(x for _, x, _ in points)]
    middle = (min(places) + max(places)) / 2
    for losses, x, y in points:
        colour, symbol = STANDING_MARKS[losses.worst_standing or Verdict.NO_LOSS]
        figure.add_trace(
            go.Scatter(
                x=[x], y=[y], mode="markers+text", name=short(losses.release, 30),
                text=[f"  {short(losses.release, 22)}  "],
                textposition="middle left" if x > middle else "middle right",
                textfont={"size": 13}, showlegend=False, cliponaxis=False,
                hovertext=[_hover(losses, utilities[losses.release])],
                hovertemplate="%{hovertext}<extra></extra>",
                marker={"color": colour, "symbol": symbol, "size": 15,
                        "line": {"width": 2, "color": colour}},
                error_y=_error_bar(losses, y, colour) if risk == "worst" else None,
            )
        )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[1.0], y=[1.0], mode="markers+text", name="Original as it is", showlegend=False,
            text=["Original as it is (not measured)   "], textposition="middle left",
            cliponaxis=False, marker={"symbol": "star-open", "size": 14, "color": GUIDE},
            hovertemplate="The original, released as it is: nothing of its use is lost, and "
            "nearly<br>everything can be learned. A reference, not a measurement.<extra></extra>",
        )
    )  # fmt: skip
    _lay_out(figure, comparison, ends=(min(places), max(places)), utility=utility, risk=risk)
    _mark(figure, mark, utility=utility)
    return figure


def risk_utility_alt(
    comparison: Comparison,
    utilities: Mapping[str, Utility],
    *,
    utility: UtilityMeasure = "pairs",
    risk: RiskMeasure = "worst",
) -> str:
    """Say what :func:`risk_utility_map` shows."""
    points = _points(comparison, utilities, utility=utility, risk=risk)
    told = [
        f"{losses.release}: {_utility_text(x, utility)}, {_risk_text(y, risk)}."
        for losses, x, y in points
    ]
    return (
        "Risk-utility map: useful is right, safe is below. "
        f"{' '.join(told) or 'The utility of no release is measured yet.'}"
    )


def _points(
    comparison: Comparison,
    utilities: Mapping[str, Utility],
    *,
    utility: UtilityMeasure,
    risk: RiskMeasure,
) -> list[tuple[ReleaseLosses, float, float]]:
    found = []
    for losses in release_losses(comparison):
        measured = utilities.get(losses.release)
        x = None if measured is None else utility_value(measured, utility)
        worst = None if losses.worst_alc is None else max(losses.worst_alc, 0.0)
        y = worst if risk == "worst" else losses.flagged_share
        if x is not None and y is not None:
            found.append((losses, x, y))
    return found


def _error_bar(losses: ReleaseLosses, y: float, colour: str) -> dict[str, Any]:
    low, high = losses.worst_interval or (y, y)
    return {
        "type": "data", "symmetric": False, "array": [max(max(high, 0.0) - y, 0.0)],
        "arrayminus": [max(y - max(low, 0.0), 0.0)], "color": colour, "thickness": 2, "width": 6,
    }  # fmt: skip


def _lay_out(
    figure: go.Figure,
    comparison: Comparison,
    *,
    ends: tuple[float, float],
    utility: UtilityMeasure,
    risk: RiskMeasure,
) -> None:
    left, right = max(0.0, np.floor((ends[0] - 0.06) * 10) / 10), ends[1]
    scoring = comparison.scoring
    figure.update_layout(
        title_text="Each release by utility and risk", height=480,
        hovermode="closest", dragmode="zoom",
        margin={"l": 10, "r": 10, "t": 48, "b": 10}, hoverlabel={"align": "left"},
        paper_bgcolor=_CLEAR, plot_bgcolor=_CLEAR,
    )  # fmt: skip
    figure.update_xaxes(
        range=[left, right + 0.14 * (right - left)], title_text=UTILITY_TITLES[utility],
        zeroline=False, showgrid=False, tickformat=".0%",
    )  # fmt: skip
    figure.update_yaxes(
        range=[-0.05, 1.16], title_text=RISK_TITLES[risk], zeroline=False, showgrid=False,
        tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%" if risk == "flagged" else "",
    )  # fmt: skip
    figure.add_annotation(
        x=0.01, xref="x domain", y=scoring.at_risk if risk == "worst" else 0.14, xanchor="left",
        yanchor="top", text="Safe; more useful →", showarrow=False, font={"size": 13},
    )  # fmt: skip
    if risk == "worst":
        figure.add_hrect(
            -0.05, scoring.at_risk, layer="below", line={"width": 0},
            fillcolor=faded(VERDICT_COLOURS[Verdict.SAFE], 0.15),
        )  # fmt: skip
        for limit, dash, word in (
            (scoring.at_risk, "dot", "At risk"), (scoring.serious, "dash", "Serious"),
        ):  # fmt: skip
            figure.add_hline(
                limit, line={"color": GUIDE, "width": 1.5, "dash": dash},
                annotation_text=f"{word} from {limit:g}", annotation_position="top left",
            )  # fmt: skip


def _mark(figure: go.Figure, at: float | None, *, utility: UtilityMeasure) -> None:
    if at is None:
        return
    words = "Most frequent value" if utility == "accuracy" else "Fresh draws"
    figure.add_shape(  # short, so that it crosses no words
        type="line", x0=at, x1=at, y0=-0.05, y1=0.06, line={"color": GUIDE, "width": 2},
    )  # fmt: skip
    figure.add_annotation(
        x=at, y=-0.05, xanchor="left", yanchor="bottom", text=words, showarrow=False,
        font={"size": 12},
    )  # fmt: skip


def _utility_text(value: float, measure: UtilityMeasure) -> str:
    if measure == "accuracy":
        return f"models reach {percent(value)} of the original's own accuracy"
    which = "two" if measure == "pairs" else "one"
    return f"similarity of {which}-column marginals {percent(value)}"


def _risk_text(value: float, risk: RiskMeasure) -> str:
    if risk == "worst":
        return f"worst attack: ALC {loss_text(value)}"
    return f"{percent(value)} of attacks flagged"


def _hover(losses: ReleaseLosses, utility: Utility) -> str:
    low, high = losses.worst_interval or (np.nan, np.nan)
    worst = loss_text(losses.worst_alc or 0.0)
    accuracy = ""
    if utility.accuracy is not None and utility.original_accuracy is not None:
        accuracy = (
            f"<br>accuracy {percent(utility.accuracy)} (original's own "
            f"{percent(utility.original_accuracy)})"
        )
    pairs = utility.pair_distance
    lacking = f"<br>lacks {count(len(utility.lacking))} columns" if utility.lacking else ""
    return (
        f"<b>{wrapped(losses.release)}</b><br>worst attack: ALC {worst} (interval "
        f"{loss_text(low)} to {loss_text(high)}), {losses.worst_standing}<br>"
        f"{count(losses.flagged)} of {count(losses.measured)} attacks flagged<br>"
        f"distance of one column {utility.column_distance:.3f}, of two "
        f"{'-' if pairs is None else f'{pairs:.3f}'}{accuracy}{lacking}"
    )
