"""Risk against utility: one point per release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from alc_core.compare.comparison import Comparison, ReleaseLosses, release_losses
from alc_core.figures import template as draw
from alc_core.figures.looks import GUIDE, LOOKS
from alc_core.phrasing import count, loss_text, numbered, percent
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict
from alc_core.studies.utility.result import Utility

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from alc_core.candidates.line import CandidateLine

UtilityMeasure = Literal["relations", "accuracy"]

# Axis title by measure
UTILITY_TITLES: Mapping[UtilityMeasure, str] = {
    "relations": "Relations between columns kept",
    "accuracy": "Accuracy of models, beside the original's",
}
_UTILITY_WORDS = {
    "relations": "{} of relations kept",
    "accuracy": "models reach {} of the original's accuracy",
}
_FLOOR = -0.05
_LONGEST = 22  # Characters of a release's name
_ROUNDS = 3  # In which names are placed
_LETTER = 0.015  # Width of a character, as a share of a narrow plot
Box = tuple[float, float, float, float]  # Left, right, bottom, top
Place = tuple[ReleaseLosses, float, float]  # Of a release: x and y
_ORIGINAL_MARK = draw.marks(
    [1.0], [1.0], "Original unchanged", colour=GUIDE, symbol="star-open", size=14,
    showlegend=False, cliponaxis=False,
    hovertemplate="The original unchanged: ALC 1 by definition.<extra></extra>",
)  # fmt: skip


def risk_utility_map(
    comparison: Comparison,
    utilities: Mapping[str, Utility],
    *,
    utility: UtilityMeasure = "relations",
    lines: Sequence[CandidateLine] = (),
    selected: str = "",
    height: int = 480,
) -> go.Figure:
    """Draw releases by usefulness and risk.

    Risk is the highest ALC, or that of the attack named by its line. Clicks return the place in the
    comparison; the selected name is bold.

    The risk-utility map of Duncan, Keller-McNulty and Stokes (2001), with anonymity loss as risk.
    """
    scoring = comparison.scoring
    named = {line.release: line for line in lines}
    points = []
    for losses in release_losses(comparison):
        line = named.get(losses.release)
        if line is not None and line.worst is not None and losses.worst_alc is not None:
            told = line.worst
            losses = replace(
                losses, worst_alc=told.alc, worst_interval=(told.low, told.high),
                worst_standing=told.standing,
            )  # fmt: skip
        x = _utility(utilities.get(losses.release), utility)
        if x is not None and losses.worst_alc is not None:
            points.append((losses, x, max(losses.worst_alc, 0.0)))
    mark = _utility_mark(utilities, utility)
    places = [1.0, *([] if mark is None else [mark]), *(x for _, x, _ in points)]
    first, last = min(places), max(places)
    left = max(0.0, float(np.floor((first - 0.06) * 10)) / 10)
    right = last + 0.14 * (last - left)
    compared = "Most frequent value"

    def share(x: float) -> float:
        return (x - left) / (right - left)

    long = _LETTER * len(compared)  # Left of its line if there is no room right of it
    before = mark is not None and share(mark) + long > 1.0
    sides = _label_sides(
        [(losses, share(x), y) for losses, x, y in points],
        [limit for limit, *_ in draw.limits(scoring)],
        [] if mark is None else [(share(mark) - before * long, compared)],
        star=share(1.0), height=height,
    )  # fmt: skip
    said = [
        f"{losses.release}: {_UTILITY_WORDS[utility].format(percent(x))}, "
        f"worst attack: ALC {loss_text(y)}."
        for losses, x, y in points
    ]
    limits = [(limit, f"{word} {limit:g}") for limit, word, _ in draw.limits(scoring)]
    ticks, texts = zip((0.0, "0"), *limits, (1.0, "1"), strict=True)
    shapes = _risk_ground(scoring)
    original = draw.note("The original", 1.0, 1.0, xanchor="right", xshift=-12)
    names = [
        _name(place, side, bold=place[0].release == selected)
        for place, side in zip(points, sides, strict=True)
    ]
    words = [original, *names]
    if mark is not None:
        side = "right" if before else "left"
        words.append(draw.note(compared, mark, _FLOOR, yanchor="bottom", xanchor=side))
        # So short that it crosses no words
        shapes.append({
            "type": "line", "x0": mark, "x1": mark, "y0": _FLOOR, "y1": 0.06,
            "line": {"color": GUIDE, "width": 2},
        })  # fmt: skip
    return draw.new_figure(
        [
            *(
                _release_mark(
                    losses, x, y, line=named.get(losses.release),
                    utility=utilities[losses.release],
                    number=comparison.releases.index(losses.release),
                )
                for losses, x, y in points
            ),
            _ORIGINAL_MARK,
        ],
        title="Risk and usefulness",
        alt="Risk by usefulness (right is more useful, low is less risk). "
            f"{' '.join(said) or 'No release has utility yet.'}",
        height=height,
        x={
            "range": [left, right], "title": UTILITY_TITLES[utility],
            "tickformat": ".0%", "nticks": 5,
        },
        y={
            "range": [_FLOOR, 1.16], "title": "Risk (ALC)", "tickvals": ticks, "ticktext": texts,
        },
        dragmode="zoom",
        shapes=shapes,
        annotations=words,
    )  # fmt: skip


def _utility(utility: Utility | None, measure: UtilityMeasure) -> float | None:
    if utility is None:
        return None
    if measure == "accuracy":
        return utility.accuracy_ratio
    return utility.relations_kept


def _utility_mark(utilities: Mapping[str, Utility], measure: UtilityMeasure) -> float | None:
    """Return the axis mark: of the majority guess."""
    ratios = [each.majority_ratio for each in utilities.values() if measure == "accuracy"]
    return max((ratio for ratio in ratios if ratio is not None), default=None)


def _label_sides(
    places: Sequence[Place],
    lines: Sequence[float],
    words: Sequence[tuple[float, str]],
    *,
    star: float,
    height: int,
) -> list[str]:
    """Return each name's side that covers least; x is a share of the axis."""
    unit = (1.16 - _FLOOR) / (height - 110)  # A pixel on the risk axis
    tall, wide = 11 * unit, 0.016  # Half a mark or a name; half a mark
    beyond = [(-1.0, 0.0, -1.0, 2.0), (1.0, 2.0, -1.0, 2.0)]  # A name cut off counts twice
    taken = [
        *beyond, *beyond, (star - 22 * _LETTER, star, 1.0 - tall, 1.0 + tall),
        *((0.0, 1.0, each, each) for each in lines),
        (0.0, 1.0, -1.0, -1.1 * tall),
        *((x, x + _LETTER * len(text), _FLOOR, _FLOOR + 1.8 * tall) for x, text in words),
    ]  # fmt: skip
    for losses, x, y in places:
        taken += [(x - wide, x + wide, y - tall, y + tall), (x, x, *_shown_interval(losses, y))]
    boxes = [_label_boxes(place, tall=tall, wide=wide) for place in places]
    found: list[str] = []
    for _ in range(_ROUNDS):  # A name placed early may make room for a later one
        for place, own in enumerate(boxes):
            names = [boxes[n][side] for n, side in enumerate(found) if n != place]
            best = min(
                own, key=lambda side: sum(_overlap(own[side], each) for each in (*taken, *names))
            )
            found[place : place + 1] = [best]
    return found


def _label_boxes(place: Place, *, tall: float, wide: float) -> dict[str, Box]:
    losses, x, y = place
    width = _LETTER * len(draw.short(losses.release, _LONGEST))
    low, high = _shown_interval(losses, y)
    return {
        f"{vertical} {side}": (at, at + width, middle - tall, middle + tall)
        for vertical, middle in (
            ("middle", y), ("top", y + 2 * tall), ("bottom", y - 2 * tall),
            ("over", high + 2 * tall), ("under", low - 2 * tall),
        )
        for side, at in (
            ("left", x - wide - width), ("right", x + wide), ("center", x - width / 2)
        )
        if (vertical, side) != ("middle", "center")
    }  # fmt: skip


def _shown_interval(losses: ReleaseLosses, y: float) -> tuple[float, float]:
    low, high = losses.worst_interval or (y, y)
    return min(max(low, 0.0), y), max(high, 0.0, y)


def _name(place: Place, side: str, *, bold: bool) -> draw.Part:
    losses, x, y = place
    vertical, horizontal = side.split()
    low, high = _shown_interval(losses, y)
    y, vertical = {"over": (high, "top"), "under": (low, "bottom")}.get(vertical, (y, vertical))
    anchors = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
    away = {"left": -12, "right": 12, "top": 8, "bottom": -8}
    name = draw.short(losses.release, _LONGEST)
    return draw.note(
        f"<b>{name}</b>" if bold else name, x, y, font={"size": 13},
        xanchor=anchors.get(horizontal, "center"), xshift=away.get(horizontal, 0),
        yanchor=anchors.get(vertical, "middle"), yshift=away.get(vertical, 0),
    )  # fmt: skip


def _overlap(one: Box, other: Box) -> bool:
    left, right, bottom, top = one
    return left < other[1] and other[0] < right and bottom < other[3] and other[2] < top


def _release_mark(
    losses: ReleaseLosses,
    x: float,
    y: float,
    *,
    line: CandidateLine | None,
    utility: Utility,
    number: int,
) -> draw.Part:
    look = LOOKS[line.shown_standing if line else losses.worst_standing or Verdict.NO_LOSS]
    return draw.marks(
        [x], [y], draw.short(losses.release, 30), colour=look.mark, symbol=look.symbol, size=15,
        edge={"width": 2, "color": look.mark}, hovertext=[_hover(losses, line, utility)],
        hovertemplate=draw.HOVERTEXT, showlegend=False, cliponaxis=False, numbers=[number],
        error_y=draw.whiskers([y], [_shown_interval(losses, y)], look.mark),
        meta={"y": [losses.worst_alc]},
    )  # fmt: skip


def _risk_ground(scoring: ScoringParameters) -> list[draw.Part]:
    low, safe, *_ = draw.zones(scoring, axis="y", low=_FLOOR, high=1.0, strength=1.5)
    return [{**safe, "y0": low["y0"]}, *draw.limit_lines(scoring)]


def _hover(losses: ReleaseLosses, line: CandidateLine | None, utility: Utility) -> str:
    low, high = losses.worst_interval or (np.nan, np.nan)
    worst, kept, accuracy = loss_text(losses.worst_alc or 0.0), utility.relations_kept, ""
    if utility.accuracy is not None and utility.original_accuracy is not None:
        own = percent(utility.original_accuracy)
        accuracy = f"<br>accuracy {percent(utility.accuracy)} (original's own {own})"
    lacking = f"<br>{numbered(len(utility.lacking), 'column')} missing" if utility.lacking else ""
    title = f": {line.title}" if line else ""
    return (
        f"<b>{draw.wrapped(losses.release)}</b>{title}<br>worst attack: ALC {worst} (interval "
        f"{loss_text(low)} to {loss_text(high)}), {losses.worst_standing}<br>"
        f"{count(losses.flagged)} of {count(losses.measured)} attacks at risk or serious<br>"
        f"distance of columns {utility.column_distance:.3f}, relations kept "
        f"{'-' if kept is None else percent(kept)}{accuracy}{lacking}"
    )
