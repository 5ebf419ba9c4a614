"""How results show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go


class Faces(Protocol):
    """Draws results; words and figures are made in rooms above."""

    def html(self, found: object, /) -> str:
        """Return a result as HTML."""

    def summary(self, found: object, /) -> str:
        """Return it as lines to read."""

    def plot(self, found: object, /) -> go.Figure:
        """Return it as a figure."""

    def releases(self, view: Any, scoring: Any, /) -> pd.DataFrame:
        """Return what a campaign found of each release."""


_LOAD: list[Callable[[], Faces]] = []


def drawn_by(load: Callable[[], Faces]) -> None:
    """Set what draws results, loaded when the first is shown."""
    _LOAD[:] = [load]


def faces() -> Faces:
    """Return what draws results."""
    return _LOAD[0]()


class InNotebook:
    """A result with a place in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return faces().html(self)


class ShowsItself(InNotebook):
    """A result with a summary and a figure."""

    __slots__ = ()

    def summary(self) -> str:
        """Return what was found, as lines to read."""
        return faces().summary(self)

    def plot(self) -> go.Figure:
        """Return what was found as a figure."""
        return faces().plot(self)
