"""The common look of figures."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from alc_core.figures.looks import ATTACK, BASELINE, GUIDE, LOOKS, faded
from alc_core.measures.measure import Measured
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go


def plain(text: str) -> str:
    """Escape markup; figures know no entity for quotation marks.

    >>> plain('<b>"city"</b>')
    '&lt;b&gt;"city"&lt;/b&gt;'
    """
    return html.escape(text, quote=False)


def short(name: str, length: int) -> str:
    """Return a name for a label: escaped, cut if long.

    >>> short("marital status", 8)
    'marital…'
    """
    name = " ".join(name.split())
    return plain(name if len(name) <= length else f"{name[: length - 1]}…")


def in_lines(name: str, length: int, most: int) -> str:
    """Return a name for a label: escaped, in few lines, cut if longer.

    Lines end with parts of the name, if possible.

    >>> in_lines("adult_swapped_80_percent.csv", 12, 3)
    'adult_<br>swapped_80_<br>percent.csv'
    """
    parts = re.findall(f"[^_. -]{{1,{length}}}[_. -]?|[_. -]", " ".join(name.split()))
    lines = [""]
    for part in parts:
        if len((lines[-1] + part).rstrip()) <= length:
            lines[-1] += part
        else:
            lines.append(part)
    kept = [each.strip() for each in lines[:most]]
    if len(lines) > most:
        kept[-1] = f"{kept[-1][: length - 1]}…"
    return "<br>".join(plain(line) for line in kept)


def wrapped(text: str) -> str:
    """Return a name for hover texts: escaped, wrapped, cut if long."""
    lines = textwrap.wrap(text, 60, max_lines=4, placeholder=" …") or [""]
    return "<br>".join(plain(line) for line in lines)


Part = dict[str, Any]  # Trace, shape, annotation or axis for plotly
HOVER = "%{text}<extra></extra>"  # Shows a mark's own text
HOVERTEXT = "%{hovertext}<extra></extra>"  # For marks with a written `text`
# At the lower edge, however narrow the figure
LEGEND_BELOW: Mapping[str, object] = MappingProxyType(
    {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0}
)
# A legend of two lines at most, and its room
BELOW: Mapping[str, Any] = MappingProxyType({"legend": LEGEND_BELOW, "margin": {"b": 96}})
# Between title and plot
LEGEND_ABOVE: Mapping[str, object] = MappingProxyType(
    {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0}
)
# Of ALC: none below 0
LOSS_TICKS: Mapping[str, object] = MappingProxyType(
    {"tickvals": [0, 0.25, 0.5, 0.75, 1], "ticktext": ["0", "0.25", "0.5", "0.75", "1"]}
)
# Left end of an ALC scale: no loss is drawn between here and 0
LEFT_END = -0.12
_CLEAR = "rgba(0,0,0,0)"
_MARGIN = {"l": 10, "r": 10, "t": 48, "b": 10}
_WORDS = {"size": 12}


def new_figure(
    traces: Sequence[Part],
    *,
    title: str,
    alt: str,
    height: int,
    x: Mapping[str, Any],
    y: Mapping[str, Any],
    margin: Mapping[str, int] = MappingProxyType({}),
    **layout: Any,
) -> go.Figure:
    """Return a figure in the common look, with a description `alt`."""
    import plotly.graph_objects as go

    quiet = {"showgrid": False, "zeroline": False}
    return go.Figure(
        list(traces),
        {
            "title": {"text": title, "y": 1, "yanchor": "top", "pad": {"t": 8}},
            "meta": {"alt": alt}, "height": height, "margin": {**_MARGIN, **margin},
            "xaxis": {**quiet, **x}, "yaxis": {**quiet, **y},
            "paper_bgcolor": _CLEAR, "plot_bgcolor": _CLEAR,
            "hovermode": "closest", "hoverlabel": {"align": "left"},
            **{name: dict(part) if isinstance(part, Mapping) else part
               for name, part in layout.items()},
        },
    )  # fmt: skip


def alt_of(figure: go.Figure) -> str:
    """Return what a figure shows, in words."""
    return str(figure.layout.meta["alt"])


def rows_axis(labels: Sequence[str]) -> Part:
    """Return a vertical axis with labelled rows, the first on top."""
    return {
        "tickvals": list(range(len(labels))), "ticktext": list(labels), "automargin": True,
        "range": [len(labels) - 0.5, -0.5],
    }  # fmt: skip


def share_axis(title: str, **more: Any) -> Part:
    """Return an axis of shares, with a grid."""
    return {"title": title, "tickformat": ".0%", "showgrid": True, **more}


def recall_axis(left: float) -> Part:
    """Return a logarithmic axis of recall from `left`."""
    powers = range(int(np.ceil(np.log10(left))), 1)
    return {
        "type": "log", "range": [float(np.log10(left)), 0.02],
        "title": "Recall: share of people answered for",
        "tickvals": [10.0**power for power in powers],
        "ticktext": [f"{10.0 ** (power + 2):g}%" for power in powers],
    }  # fmt: skip


def precision_axis(title: str = "Precision: share of correct answers") -> Part:
    """Return an axis of precision from 0 to 1."""
    return {"range": [0, 1.02], "title": title, "tickformat": ".0%"}


def line(
    x: Any, y: Any, name: str, *, colour: str = GUIDE, width: float = 1.5, dash: str = "solid",
    **more: Any,
) -> Part:  # fmt: skip
    """Return a line; silent on hovering without a ``hovertemplate``."""
    quiet = {} if "hovertemplate" in more else {"hoverinfo": "skip"}
    return {
        "type": "scatter", "mode": "lines", "x": x, "y": y, "name": name, "showlegend": False,
        "line": {"color": colour, "width": width, "dash": dash}, **quiet, **more,
    }  # fmt: skip


def band(x: Any, lower: Any, upper: Any, name: str, *, colour: str, **more: Any) -> Part:
    """Return the area between two curves."""
    return line(
        np.concatenate([x, x[::-1]]), np.concatenate([upper, lower[::-1]]), name, width=0,
        fill="toself", fillcolor=colour, **more,
    )  # fmt: skip


def marks(
    x: Any,
    y: Any,
    name: str,
    *,
    colour: str | Sequence[str],
    symbol: str | Sequence[str] = "circle",
    size: float | Sequence[float] = 10,
    edge: Mapping[str, Any] | None = None,
    texts: Sequence[str] | None = None,
    numbers: Sequence[int] | None = None,
    **more: Any,
) -> Part:
    """Return marks; `texts` show on hovering, clicks return `numbers`."""
    is_open = isinstance(symbol, str) and symbol.endswith("open")
    usual = {"width": 2, "color": colour} if is_open else {"width": 0.8, "color": "white"}
    said = {} if texts is None else {"text": list(texts), "hovertemplate": HOVER}
    # A click would fade all other marks until the rerun
    still = {"marker": {"opacity": 0.9}}
    clicked = {"customdata": numbers, "selected": still, "unselected": still}
    return {
        "type": "scatter", "mode": "markers", "x": x, "y": y, "name": name,
        "marker": {"symbol": symbol, "size": size, "color": colour, "opacity": 0.9,
                   "line": dict(usual if edge is None else edge)},
        **said, **({} if numbers is None else clicked), **more,
    }  # fmt: skip


def cell_texts(
    x: Any, y: Any, name: str, *, texts: Sequence[str], hover: Sequence[str],
    numbers: Sequence[int] = (), colour: Any = "#ffffff",
) -> Part:  # fmt: skip
    """Return texts in a heat map's cells, on marks that only take clicks."""
    still: Part = {"marker": {"opacity": 0}}
    if isinstance(colour, str):
        still["textfont"] = {"color": colour}
    return {
        "type": "scatter", "mode": "markers+text", "x": x, "y": y, "name": name,
        "showlegend": False, "text": list(texts), "textfont": {"color": colour, "size": 13},
        "hovertext": list(hover), "hovertemplate": HOVERTEXT,
        "customdata": list(numbers) or None,
        "marker": {"symbol": "square", "size": 28, "opacity": 0},
        "selected": still, "unselected": still,
    }  # fmt: skip


def whiskers(values: Sequence[float], bounds: Sequence[tuple[float, float]], colour: str) -> Part:
    """Return error bars from intervals."""
    return {
        "type": "data", "symmetric": False, "color": colour, "thickness": 2, "width": 5,
        "array": [high - value for value, (_, high) in zip(values, bounds, strict=True)],
        "arrayminus": [value - low for value, (low, _) in zip(values, bounds, strict=True)],
    }  # fmt: skip


def share_rows(
    title: str,
    alt: str,
    axis: str,
    labels: Sequence[str],
    others: tuple[str, Sequence[Measured]],
    shown: tuple[str, Sequence[Measured]],
    *,
    height: int,
    more: Sequence[str] = (),
) -> go.Figure:
    """Draw shares, a row per label; `more` shows on hovering."""
    looks = (BASELINE, "diamond"), (ATTACK, "circle")
    traces = []
    ends = [f"<br>{each}" for each in more] or [""] * len(labels)
    for (name, shares), (colour, symbol) in zip((others, shown), looks, strict=True):
        texts = [
            f"<b>{plain(label)}</b><br>{name.lower()}: {share.ranged}{end}"
            for label, share, end in zip(labels, shares, ends, strict=True)
        ]
        values = [share.value for share in shares]
        bars = whiskers(values, [share.interval for share in shares], colour)
        traces.append(
            marks(values, list(range(len(labels))), name, colour=colour, symbol=symbol, size=12,
                  texts=texts, error_x=bars)
        )  # fmt: skip
    return new_figure(
        traces,
        title=title,
        alt=alt,
        height=height + 34 * len(labels),
        x=share_axis(axis, rangemode="tozero"),
        y=rows_axis([short(label, 44) for label in labels]),
        **BELOW,
    )


def note(text: str, x: float, y: float, **more: Any) -> Part:
    """Return words at a place of the plot, by default their start."""
    return {
        "text": text, "x": x, "y": y, "showarrow": False, "xanchor": "left", "font": _WORDS,
        **more,
    }  # fmt: skip


def curve_label(text: str, height: float, **more: Any) -> Part:
    """Return words at the right end of a curve, where log recall is 0."""
    return note(text, 0, height, xref="x", xshift=10, **more)


def rule(axis: str, at: float, dash: str = "solid") -> Part:
    """Return a straight line across the plot at a value of an axis."""
    other = "y" if axis == "x" else "x"
    return {
        "type": "line", f"{axis}0": at, f"{axis}1": at, f"{other}0": 0, f"{other}1": 1,
        f"{other}ref": "paper", "line": {"color": GUIDE, "width": 1.5, "dash": dash},
    }  # fmt: skip


def r_min_word(r_min: float) -> Part:
    """Return the label of the R_min line; a logarithmic axis takes the exponent."""
    return note("R_min", float(np.log10(r_min)), 0, yref="paper", yanchor="bottom", xshift=4)


def limits(scoring: ScoringParameters) -> tuple[tuple[float, str, str], ...]:
    """Return limits of ALC with word and dash, the lower first."""
    return (scoring.at_risk, "At risk", "dot"), (scoring.serious, "Serious", "dash")


def limit_lines(scoring: ScoringParameters, *, axes: str = "y") -> list[Part]:
    """Return lines at the limits of ALC."""
    return [rule(axis, limit, dash) for axis in axes for limit, _, dash in limits(scoring)]


def limit_words(scoring: ScoringParameters, *, axis: str = "y") -> list[Part]:
    """Return words at the limits, side by side if close."""
    words = []
    for limit, word, _ in limits(scoring):
        text, lower = f"{word} ≥ {limit:g}", limit == scoring.at_risk
        if axis == "x":
            ends = {"xanchor": "right" if lower else "left", "yanchor": "bottom"}
            words.append(note(text, limit, 1, yref="paper", **ends))
        else:
            aside = 0.3 if lower and scoring.serious - scoring.at_risk < 0.08 else 0.0
            words.append(note(text, aside, limit, xref="paper", yanchor="bottom", xshift=6))
    return words


def verdict_bands(
    scoring: ScoringParameters, *, low: float, high: float
) -> tuple[tuple[float, float, Verdict, float], ...]:
    """Return each verdict's range between two ends, and its colour's strength."""
    return (
        (low, 0.0, Verdict.NO_LOSS, 0.05),
        (0.0, scoring.at_risk, Verdict.BELOW_LIMIT, 0.1),
        (scoring.at_risk, scoring.serious, Verdict.AT_RISK, 0.14),
        (scoring.serious, high, Verdict.SERIOUS, 0.18),
    )


def zones(
    scoring: ScoringParameters,
    *,
    axis: str,
    low: float,
    high: float,
    across: tuple[float, float] | None = None,
    strength: float = 1.0,
) -> list[Part]:
    """Return the verdicts' zones on an axis of ALC, `across` the other axis."""
    other = "y" if axis == "x" else "x"
    whole = {f"{other}ref": "paper"} if across is None else {}
    begin, end = across or (0, 1)
    return [
        {
            "type": "rect", f"{axis}0": first, f"{axis}1": last, f"{other}0": begin,
            f"{other}1": end, **whole, "layer": "below", "line": {"width": 0},
            "fillcolor": faded(LOOKS[verdict].colour, strength * opacity),
        }
        for first, last, verdict, opacity in verdict_bands(scoring, low=low, high=high)
    ]  # fmt: skip


def on_scale(loss: float) -> float:
    """Return where an ALC is drawn on a scale ending at :data:`LEFT_END`."""
    return max(loss, LEFT_END / 2)
