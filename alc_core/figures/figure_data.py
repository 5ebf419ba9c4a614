"""The numbers of a figure as a table."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from alc_core.spreadsheet import csv_text

if TYPE_CHECKING:
    import plotly.graph_objects as go

# Columns besides the axes: trace, stretch of a line, text of a mark
SERIES, PART, TEXT = "series", "part", "text"
_BREAK, _TAG = re.compile(r"<br\s*/?>", re.IGNORECASE), re.compile(r"</?[a-zA-Z][^<>]*>")
_COLUMNS, _MATRICES = ("x", "y", "z"), ("heatmap", "contour", "surface")


def figure_csv(figure: go.Figure) -> str:
    """Return all points of a figure as CSV, one row each.

    For values beyond the end of a scale, the trace's ``meta`` has them by axis.

    >>> import plotly.graph_objects as go
    >>> line = go.Scatter(name="attack", x=[0.1, None, 1.0], y=[0.9, None, 0.5])
    >>> figure = go.Figure(line, {"xaxis": {"title": {"text": "recall"}}})
    >>> print(figure_csv(figure))
    series,part,recall,y
    attack,1,0.1,0.9
    attack,2,1.0,0.5
    <BLANKLINE>
    """
    rows = [row for number, trace in enumerate(figure.data) for row in _rows(figure, trace, number)]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    if all(row[PART] == 1 for row in rows) and PART in columns:
        columns.remove(PART)
    if TEXT in columns:  # last: it is the longest
        columns.append(columns.pop(columns.index(TEXT)))
    return csv_text(pd.DataFrame(rows, columns=columns, dtype=object))


def _rows(figure: go.Figure, trace: Any, number: int) -> Iterator[dict[str, object]]:
    names = _names(figure, trace)
    series = plain_text(trace.name or trace.legendgroup or f"series {number + 1}")
    points = _cells(trace, names) if trace.type in _MATRICES else _points(figure, trace, names)
    part, gap = 1, False
    for point in points:
        drawn: list[Any] = [point[name] for name in names.values() if name in point]
        if any(pd.api.types.is_scalar(value) and pd.isna(value) for value in drawn):
            gap = True
            continue
        part, gap = part + gap, False
        yield {SERIES: series, PART: part, **point}


def _points(figure: go.Figure, trace: Any, names: Mapping[str, str]) -> Iterator[dict[str, object]]:
    columns = {names[axis]: _values(trace, axis) for axis in _COLUMNS}
    columns |= _colours(figure, trace)
    columns |= {TEXT: [plain_text(str(each)) for each in _said(trace)]}
    length = max(map(len, columns.values()))
    for row in range(length):
        yield {name: values[row] for name, values in columns.items() if row < len(values)}


def _cells(trace: Any, names: Mapping[str, str]) -> Iterator[dict[str, object]]:
    table = [list(row) for row in trace.z] if trace.z is not None else []
    rows, said = _values(trace, "y"), _said(trace)
    columns = _values(trace, "x")
    for place, values in enumerate(table):
        for column, value in enumerate(values):
            cell: dict[str, object] = {
                names["x"]: columns[column] if column < len(columns) else column,
                names["y"]: rows[place] if place < len(rows) else place,
                names["z"]: value,
            }
            if place < len(said) and not isinstance(said[place], str):
                cell[TEXT] = plain_text(str(said[place][column]))
            yield cell


def _names(figure: go.Figure, trace: Any) -> dict[str, str]:
    names = {"z": _title(getattr(trace, "colorbar", None)) or "z"}
    for axis in ("x", "y"):
        own = getattr(trace, f"{axis}axis", None) or axis
        layout = figure.layout[f"{axis}axis{own[1:]}"] if f"{axis}axis" in trace else None
        names[axis] = _title(layout) or axis
    if names["x"] == names["y"]:
        names |= {axis: f"{names[axis]} ({axis})" for axis in ("x", "y")}
    return names


def _colours(figure: go.Figure, trace: Any) -> dict[str, list[Any]]:
    """Return numbers behind colours, by scale title; none if it has own labels."""
    marker: Any = getattr(trace, "marker", None)
    values = getattr(marker, "color", None)
    if values is None or isinstance(values, str) or np.asarray(values).dtype.kind not in "if":
        return {}
    axis = marker.coloraxis
    scale = figure.layout[axis].colorbar if axis else marker.colorbar
    title = _title(scale)
    return {title: list(values)} if title and scale.ticktext is None else {}


def _values(trace: Any, axis: str) -> list[Any]:
    drawn = getattr(trace, axis, None) if axis in trace else None
    values = trace.meta.get(axis, drawn) if isinstance(trace.meta, dict) else drawn
    found = [] if values is None else list(values)
    return [plain_text(each) if isinstance(each, str) else each for each in found]


def _said(trace: Any) -> Sequence[Any]:
    for name in ("text", "hovertext"):
        said = getattr(trace, name, None) if name in trace else None
        if said is not None and not isinstance(said, str):
            return list(said)
    return []


def _title(axis: Any) -> str:
    text = None if axis is None else axis.title.text
    return plain_text(text) if text else ""


def plain_text(text: str) -> str:
    """Return a label of a figure without its markup.

    >>> plain_text("<b>age</b><br>3 &lt; 4")
    'age; 3 < 4'
    """
    parts = _BREAK.split(text)
    text = "; ".join(_TAG.sub("", part).strip() for part in parts if part.strip())
    return html.unescape(text.replace(",; ", ", "))
