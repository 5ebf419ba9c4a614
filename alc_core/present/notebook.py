"""How results show themselves in a notebook."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import plotly.graph_objects as go


class InNotebook:
    """A result with a place in a notebook.

    Words and figures are made in rooms above the results, so they are looked up by name when asked.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(faces().html(self))


class ShowsItself(InNotebook):
    """A result that has a summary and a figure, too."""

    __slots__ = ()

    def summary(self) -> str:
        """Return what was found, as lines to read."""
        return str(faces().summary(self))

    def plot(self) -> go.Figure:
        """Return what was found as a figure."""
        return faces().plot(self)


def faces() -> Any:
    """Return the module that says how results show themselves."""
    return import_module("alc_core.report.notebook")
