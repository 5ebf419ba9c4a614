"""Attacks as figures: loss against precision, and against other measures."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from alc_core.arrays import FloatArray
from alc_core.campaign.findings.findings_table import MeasureColumn
from alc_core.campaign.findings.other_measures import DISAGREEMENTS, Disagreement
from alc_core.campaign.findings.overview import bounds_text, told_losses
from alc_core.figures import template as draw
from alc_core.figures.attack_marks import (
    DRAWN,
    attack_marks,
    attacks_sentence,
    drawable,
    hover_texts,
    learned,
    mark_size,
    points,
    ring,
    through_line,
    told,
)
from alc_core.figures.looks import ATTACK, GUIDE, LOOKS, RISING_COLOURS, faded
from alc_core.phrasing import alc_number, count, loss_text, percent
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import READING_TITLES
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go


LOWEST = -0.5  # ALC has no lower end: lower ones are drawn here, with their own mark
RELEASE_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "pentagon", "star", "cross", "x")

_BELOW, _BELOW_MARK = "triangle-down", "▽"
# Diameter at a recall of `_LEAST_RECALL` or less, and of one, by the usual one
_SIZES = (0.55, 1.45)
_LEAST_RECALL = 1e-3
_SAID_RECALLS = (1.0, 0.1, 0.01)  # Those that the legend names


def loss_scatter(
    results: pd.DataFrame, scoring: ScoringParameters, *, selected: int | None = None
) -> go.Figure:
    """Draw ALC against precision for each attack."""
    shown = drawable(results)
    below = shown["decisive_alc"] < LOWEST
    texts = _hover_texts(shown, scoring)
    shown = shown.assign(**{DRAWN: shown["decisive_alc"].clip(lower=LOWEST)})
    at = {"x": "deciding_measured_precision", "y": DRAWN}
    releases = sorted(shown["release"].unique())
    groups = [
        (shown[(shown["release"] == release) & ~below], draw.plain(release), symbol)
        for release, symbol in zip(releases, cycle(RELEASE_SYMBOLS), strict=False)
    ]
    groups.append((shown[below], "Further below", _BELOW))
    traces = [
        points(
            shown, rows, texts, **at, name=name, showlegend=False,
            **_looks(rows, symbol), size=_sizes(rows["deciding_recall"], mark_size(shown)),
        )
        for rows, name, symbol in groups if len(rows)
    ]  # fmt: skip
    traces += _legend(shown, [(name, symbol) for _, name, symbol in groups[:-1]])
    return draw.new_figure(
        traces + ring(shown, selected, texts, **at),
        title="Loss of each attack",
        alt=_words_for(shown, scoring, selected),
        height=520 + 20 * max(0, len(releases) - 4),
        x={
            "range": [-0.01, 1.02], "tickformat": ".0%",
            "title": "Precision: share of correct answers",
        },
        y={
            "range": [LOWEST - 0.08, 1.04], "title": "ALC (higher is riskier)",
            **draw.LOSS_TICKS,
        },
        legend={
            "orientation": "h", "y": -0.17, "x": 0, "itemclick": False, "itemdoubleclick": False,
        },
        shapes=[
            *draw.zones(scoring, axis="y", low=LOWEST - 0.08, high=1.04),
            *draw.limit_lines(scoring), draw.rule("y", 0.0),
        ],
        annotations=_words(scoring, below=int(below.sum())),
    )  # fmt: skip


def _words_for(shown: pd.DataFrame, scoring: ScoringParameters, selected: int | None) -> str:
    if not len(shown):
        return "No results yet."
    losses = told_losses(shown).fillna(0.0).to_numpy()
    above = [int((losses >= limit).sum()) for limit in (scoring.serious, scoring.at_risk, 0.0)]
    sentences = [
        f"ALC against precision of {count(len(shown))} attacks.",
        f"{count(above[0])} at {scoring.serious:g} or above, {count(above[1] - above[0])} from "
        f"{scoring.at_risk:g} to {scoring.serious:g}, {count(above[2] - above[1])} from 0 to "
        f"{scoring.at_risk:g}, {count(len(shown) - above[2])} below 0.",
        _sentence("The worst", shown.iloc[int(np.argmax(losses))]),
    ]
    chosen = shown[shown["number"] == selected]
    if len(chosen):
        sentences.append(_sentence("Ringed", chosen.iloc[0]))
    return " ".join(sentences)


def _sentence(which: str, row: Any) -> str:
    return (
        f"{which}: {row['unknown']} from {row['release']}, ALC {loss_text(row['decisive_alc'])}, "
        f"precision {percent(row['deciding_measured_precision'])}, "
        f"recall {percent(row['deciding_recall'])}."
    )


def _looks(rows: pd.DataFrame, symbol: str) -> draw.Part:
    colours = [LOOKS[each].mark for each in rows["standing"]]
    shapes = [f"{symbol}{_opening(each)}" for each in rows["standing"]]
    edges = [
        colour if shape.endswith("open") else "white"
        for shape, colour in zip(shapes, colours, strict=True)
    ]
    return {"symbol": shapes, "colour": colours, "edge": {"width": 1.4, "color": edges}}


def _opening(standing: str) -> str:
    return "-open" if standing == Verdict.NO_LOSS else ""


def _sizes(recalls: Any, usual: int) -> list[float]:
    shares = np.clip(np.asarray(recalls, dtype=np.float64), _LEAST_RECALL, 1.0)
    least, most = (share * usual for share in _SIZES)
    grown = 1.0 - np.log10(shares) / np.log10(_LEAST_RECALL)
    return [round(float(each), 1) for each in least + (most - least) * grown]


def _legend(shown: pd.DataFrame, releases: Sequence[tuple[str, str]]) -> list[draw.Part]:
    entries: list[tuple[str, str, draw.Part]] = []
    if len(releases) > 1:
        entries += [("Release", name, {"symbol": symbol}) for name, symbol in releases]
    standings = set(shown["standing"])
    entries += [
        ("Verdict", look.word, {"colour": look.mark, "symbol": f"circle{_opening(standing)}"})
        for standing, look in LOOKS.items() if standing in standings
    ]  # fmt: skip
    if len(shown):
        sizes = _sizes(_SAID_RECALLS, mark_size(shown))
        entries += [
            ("Recall", percent(recall), {"size": size})
            for recall, size in zip(_SAID_RECALLS, sizes, strict=True)
        ]
    return [
        draw.marks(
            [None], [None], name, **{"colour": GUIDE, "size": 11, **look},
            legendgroup=group, legendgrouptitle={"text": group},
        )
        for group, name, look in entries
    ]  # fmt: skip


def _hover_texts(shown: pd.DataFrame, scoring: ScoringParameters) -> pd.Series[Any]:
    name, level = cache(draw.wrapped), percent(scoring.confidence)

    def said(row: Mapping[Hashable, Any]) -> str:
        bounds = row["decisive_low"], row["decisive_high"]
        return (
            f"{learned(row, name)}<br><b>{row['verdict']}</b>: {READING_TITLES[row['decisive']]} "
            f"<b>{loss_text(row['decisive_alc'])}</b> ({level} interval "
            f"{bounds_text(*bounds, exact=row['interval_exact'])})<br>"
            f"ALC, everyone {loss_text(row['alc'])}; hard to guess {loss_text(row['alc_rest'])}"
            f"{through_line(row, name)}<br>"
            f"right for {percent(row['deciding_measured_precision'])} (precision)<br>"
            f"predicts for {percent(row['deciding_recall'])} of people (recall)"
        )

    rows = told(
        shown, "deciding_measured_precision", "deciding_recall", "decisive", "decisive_low",
        "decisive_high", "interval_exact", "alc", "alc_rest",
    )  # fmt: skip
    return pd.Series([said(row) for row in rows], index=shown.index, dtype=object)


def _words(scoring: ScoringParameters, *, below: int) -> list[draw.Part]:
    further = f"<br>{_BELOW_MARK} {count(below)} further below" if below else ""
    at_zero = {"xref": "paper", "xshift": 6, "align": "left"}
    return [
        *reversed(draw.limit_words(scoring)),
        draw.note("Below limit", 0, 0, yanchor="bottom", **at_zero),
        draw.note(f"No loss{further}", 0, 0, yanchor="top", **at_zero),
    ]


_LEAST = draw.on_scale(float("-inf")) - 0.03


def measure_scatter(
    results: pd.DataFrame,
    scoring: ScoringParameters,
    *,
    column: MeasureColumn,
    selected: int | None = None,
) -> go.Figure:
    """Draw a measure against ALC; one on its scale as the paper does."""
    shown, alt = drawable(results), f"ALC and {column.title}: no attack has both."
    shown = shown[shown[column.name].notna()] if column.name in shown.columns else shown.iloc[:0]
    if column.number.like_alc:
        return disagreement_scatter(
            *(shown[name].to_numpy(np.float64) for name in ("decisive_alc", column.name)),
            recall=shown["deciding_recall"].to_numpy(np.float64),
            other_name=column.title,
            texts=hover_texts(shown).tolist(),
            numbers=shown["number"].tolist(),
            selected=selected,
            at_risk=scoring.at_risk,
            serious=scoring.serious,
        )
    shown = (
        shown.assign(**{DRAWN: shown["decisive_alc"].map(draw.on_scale)}) if len(shown) else shown
    )
    across: dict[str, object] = {"title": draw.plain(column.title)}
    if len(shown):
        least, most = shown[column.name].min(), shown[column.name].max()
        if least >= 0 and most <= 1:
            across["range"] = [-0.03, 1.03]
        alt = (
            f"{column.title} and ALC of {count(len(shown))} attacks, "
            f"{least:.2f} to {most:.2f}. {attacks_sentence(shown, selected)}"
        )
    return draw.new_figure(
        attack_marks(shown, x=column.name, y=DRAWN, selected=selected),
        title=f"{draw.plain(column.title)} and ALC",
        alt=alt,
        height=520,
        x=across,
        y={"range": [_LEAST, 1.04], "title": "ALC (higher is riskier)"},
        shapes=[*draw.zones(scoring, axis="y", low=_LEAST, high=1.04), *draw.limit_lines(scoring)],
        annotations=draw.limit_words(scoring),
    )


_FEW_AND_MANY = ((200, 11), (2000, 8))
_SMALLEST = 5
_AREAS = ((1, Verdict.AT_RISK), (2, Verdict.SERIOUS))


def disagreement_scatter(
    ours: FloatArray,
    other: FloatArray,
    *,
    recall: FloatArray,
    other_name: str,
    texts: Sequence[str] | None = None,
    numbers: Sequence[int] | None = None,
    selected: int | None = None,
    at_risk: float = 0.5,
    serious: float = 0.75,
    lowest: float = -0.2,
) -> go.Figure:
    """Draw ALC against another measure on the same scale (figure 7 of the paper).

    Losses below `lowest` are drawn there. Shaded areas, with their shares, are where only one of
    the two is below `at_risk`. Colour is the attack's recall at its ALC. `texts` (escaped) show on
    hovering; clicks return `numbers`; `selected` is ringed. Attacks without both measures are
    excluded.
    """
    there = np.flatnonzero(~(np.isnan(ours) | np.isnan(other)))
    found = Disagreement.of(ours, other, at_risk=at_risk, serious=serious)
    x, y = (np.maximum(each[there], lowest) for each in (other, ours))
    below = int(((other[there] < lowest) | (ours[there] < lowest)).sum())
    start = lowest - 0.04
    scale = {
        "range": [start, 1.03], "tickvals": [lowest, 0, at_risk, serious, 1],
        "ticktext": [f"\N{LESS-THAN OR EQUAL TO} {alc_number(lowest)}", "0", f"{at_risk:g}",
                     f"{serious:g}", "1"],
    }  # fmt: skip
    points = draw.marks(
        x, y, "Attacks", colour=GUIDE, edge={"width": 0.5, "color": GUIDE}, showlegend=False,
        size=next((size for most, size in _FEW_AND_MANY if len(there) <= most), _SMALLEST),
        texts=None if texts is None else [texts[place] for place in there.tolist()],
        numbers=None if numbers is None else [numbers[place] for place in there.tolist()],
        meta={"x": other[there].tolist(), "y": ours[there].tolist()},
    )  # fmt: skip
    ticks = np.arange(np.log10(_LEAST_RECALL), 1)
    points["marker"] |= {
        "color": np.log10(np.clip(recall[there], _LEAST_RECALL, 1.0)),
        "colorscale": list(RISING_COLOURS[:0:-1]), "cmin": float(ticks[0]), "cmax": 0.0,
        "colorbar": {
            "title": {"text": "Recall"}, "thickness": 12, "outlinewidth": 0,
            "tickvals": ticks.tolist(), "ticktext": [f"{10.0 ** (t + 2):g}%" for t in ticks],
        },
    }  # fmt: skip
    here = [place for place, each in enumerate(points.get("customdata", ())) if each == selected]
    ring = draw.marks(
        x[here], y[here], "Selected", colour=ATTACK, symbol="circle-open", size=22,
        edge={"width": 3, "color": ATTACK}, showlegend=False, visible=bool(here),
        meta={"x": other[there][here].tolist(), "y": ours[there][here].tolist()},
    )  # fmt: skip
    alt = f"ALC and {other_name}: no attack has both."
    if found.attacks:
        alt = (
            f"ALC and {other_name} of {count(found.attacks)} attacks. {count(found.missed)} have "
            f"ALC {at_risk:g} or more and {other_name} below it; {count(found.only_other)} the "
            "reverse."
        )
        alt += f" {count(below)} below {lowest:g} are drawn there." if below else ""
    return draw.new_figure(
        [draw.line([start, 1.02], [start, 1.02], "Equal", dash="dot"), points, ring],
        title=f"ALC and {draw.plain(other_name)}",
        alt=alt,
        height=520,
        x={**scale, "title": f"{draw.plain(other_name)} (higher is riskier)"},
        y={**scale, "title": "ALC (higher is riskier)"},
        shapes=[
            *_areas(at_risk, serious, start),
            *(draw.rule(axis, at, dash) for axis in "xy"
              for at, dash in ((0.0, "solid"), (at_risk, "dot"), (serious, "dash"))),
        ],
        annotations=_shares(found, serious, start),
    )  # fmt: skip


def _areas(at_risk: float, serious: float, start: float) -> list[draw.Part]:
    ends = (start, at_risk, serious, 1.03)
    shapes = []
    for place, verdict in _AREAS:
        between = ends[place], ends[place + 1]
        for axis, other, opacity in (("y", "x", 0.2), ("x", "y", 0.07)):
            shapes.append({
                "type": "rect", f"{axis}0": between[0], f"{axis}1": between[1],
                f"{other}0": start, f"{other}1": at_risk, "layer": "below", "line": {"width": 0},
                "fillcolor": faded(LOOKS[verdict].colour, opacity),
            })  # fmt: skip
    return shapes


def _shares(found: Disagreement, serious: float, start: float) -> list[draw.Part]:
    tops = (start, serious, 1.03)
    words = []
    for ours, other in DISAGREEMENTS:
        text = percent(found.share(ours, other))
        if ours:
            words.append(draw.note(text, start, tops[ours], xshift=4, yanchor="top"))
        else:
            words.append(draw.note(text, tops[other], start, xanchor="right", yanchor="bottom"))
    return words
