"""Figures as compact JSON for plotly.js; shared parts are written once."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from alc_core.figures.template import alt_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

Json = Any  # What JSON holds
_LONG = 12  # Longer lists of numbers are written as bytes
_WORTH_SHARING = 24  # Least characters of shared values
_DIGITS = 5
_NOT_DRAWN = ("template", "meta")
_HEIGHT = 420
_SHARED, _BESIDES = "$", "+"


@dataclass(slots=True, eq=False)
class ChartBook:
    """The charts of one document."""

    # Figures as plain values, by place in the document
    charts: dict[str, Json] = field(default_factory=dict)

    def add(
        self,
        key: str,
        figure: go.Figure,
        alt: str = "",
        *,
        hover: str | None = None,
        layout: Mapping[str, Json] = MappingProxyType({}),
    ) -> Markup:
        """Add a figure; return its place, with alternative text."""
        content = figure.to_plotly_json()
        own = _merged({k: v for k, v in content["layout"].items() if k not in _NOT_DRAWN}, layout)
        traces = [_lean(trace, hover) for trace in content["data"]]
        self.charts[key] = _plain({"data": traces, "layout": own})
        key, height = escape(key), int(own.get("height") or _HEIGHT)
        return Markup(  # noqa: S704 - escaped
            f'<figure><div class="chart" data-chart="{key}" data-height="{height}"'
            f' style="height:{height}px" role="img" aria-labelledby="c-{key}"></div>\n'
            f'<figcaption id="c-{key}">{escape(alt or alt_of(figure))}</figcaption></figure>'
        )

    def to_json(self) -> str:
        """Return all charts, shared parts once."""
        writer = _Writer(self.charts.values())
        charts = {key: writer.write(chart) for key, chart in self.charts.items()}
        text = _dumped({"shared": writer.shared, "charts": charts})
        # A name cannot end the element, or begin a comment or entity
        for mark in "<>&\u2028\u2029":
            text = text.replace(mark, f"\\u{ord(mark):04x}")
        return text


def _lean(trace: Mapping[str, Json], hover: str | None) -> dict[str, Json]:
    """Return a trace without what only interactive pages need."""
    kept = {k: v for k, v in trace.items() if k not in ("customdata", "selected", "unselected")}
    if "customdata" in str(kept.get("hovertemplate", "")):
        del kept["hovertemplate"]
        if hover is not None:
            kept["hovertemplate"] = hover
    return kept


def _merged(layout: Mapping[str, Json], changes: Mapping[str, Json]) -> dict[str, Json]:
    merged = {**layout}
    for key, change in changes.items():
        both = isinstance(change, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _merged(merged[key], change) if both else change
    return merged


def _plain(value: Json) -> Json:
    """Return plain JSON: rounded numbers, long lists as bytes."""
    if isinstance(value, Mapping):
        if "bdata" in value:
            return _single(value)
        return {str(k): _plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        if len(value) >= _LONG and all(isinstance(each, int | float) for each in value):
            return {"dtype": "f4", "bdata": _packed(np.asarray(value))}
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}") if np.isfinite(value) else None
    return value


def _single(array: Mapping[str, Json]) -> dict[str, Json]:
    if array["dtype"] != "f8":
        return dict(array)
    numbers = np.frombuffer(base64.b64decode(array["bdata"]), dtype="<f8")
    if len(numbers) < _LONG and "shape" not in array and np.isfinite(numbers).all():
        return _plain(numbers.tolist())  # type: ignore[no-any-return]
    return {**array, "dtype": "f4", "bdata": _packed(numbers)}


def _packed(numbers: NDArray[Any]) -> str:
    return base64.b64encode(numbers.astype("<f4").tobytes()).decode("ascii")


def _dumped(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def _is_data(value: Json) -> bool:
    """Return whether this is a chart's own data: numbers or bytes."""
    if isinstance(value, dict):
        return "bdata" in value
    return isinstance(value, list) and any(isinstance(each, int | float) for each in value)


def _parts(value: Mapping[str, Json]) -> tuple[dict[str, Json], dict[str, Json]]:
    """Return an object's shareable part, and its data."""
    data = {key: each for key, each in value.items() if _is_data(each)}
    return {key: each for key, each in value.items() if key not in data}, data


class _Writer:
    def __init__(self, charts: Iterable[Json]) -> None:
        self.shared: list[Json] = []
        self._seen: Counter[str] = Counter()
        self._places: dict[str, int] = {}
        self._texts: dict[int, str] = {}
        for chart in charts:
            self._tally(chart)

    def write(self, value: Json) -> Json:
        if not isinstance(value, dict | list):
            return value
        text = self._texts[id(value)]
        if self._occurs_again(text):
            return {_SHARED: self._place(text, value)}
        return self._written(value)

    def _tally(self, value: Json) -> str:
        if isinstance(value, list):
            text = f"[{','.join(map(self._tally, value))}]"
        elif isinstance(value, dict):
            texts = {key: self._tally(each) for key, each in value.items()}
            text = _object(texts)
            rest, data = _parts(value)
            if data and "bdata" not in value:
                self._seen[_object({key: texts[key] for key in rest})] += 1
        else:
            return _dumped(value)
        self._texts[id(value)] = text
        self._seen[text] += 1
        return text

    def _written(self, value: Json) -> Json:
        if isinstance(value, list):
            return [self.write(each) for each in value]
        rest, data = _parts(value)
        texts = {key: self._texts.get(id(each)) or _dumped(each) for key, each in rest.items()}
        if data and self._occurs_again(text := _object(texts)):
            own = {key: self.write(each) for key, each in data.items()}
            return {_SHARED: self._place(text, rest), _BESIDES: own}
        return {key: self.write(each) for key, each in value.items()}

    def _occurs_again(self, text: str) -> bool:
        return len(text) >= _WORTH_SHARING and self._seen[text] > 1

    def _place(self, text: str, value: Json) -> int:
        if text not in self._places:
            written = self._written(value)
            self._places[text] = len(self.shared)
            self.shared.append(written)
        return self._places[text]


def _object(texts: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{_dumped(key)}:{text}" for key, text in texts.items()) + "}"
