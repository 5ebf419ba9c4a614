"""ALC of attacks with dependent rows kept together, and apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alc_core.figures.looks import ATTACK, BASELINE
from alc_core.figures.template import (
    LEGEND_BELOW,
    LOSS_TICKS,
    marks,
    new_figure,
    on_scale,
    rows_axis,
    short,
    whiskers,
)
from alc_core.phrasing import alc_number, count
from alc_core.studies.dependence.measuring import DependenceResult

if TYPE_CHECKING:
    import plotly.graph_objects as go


def dependence_figure(found: DependenceResult) -> go.Figure:
    """Draw each attack both ways."""
    traces = []
    for name, colour, symbol in (
        ("apart", BASELINE, "diamond-open"), ("together", ATTACK, "circle"),
    ):  # fmt: skip
        sides = [getattr(each, name).alc for each in found.attacks]
        values = [on_scale(side.value) for side in sides]
        ends = [(on_scale(low), on_scale(high)) for low, high in (s.interval for s in sides)]
        traces.append(
            marks(
                values, list(range(len(values))), f"Dependent rows {name}", colour=colour,
                symbol=symbol, size=12, error_x=whiskers(values, ends, colour),
                texts=[f"ALC {alc_number(side.value)}, dependent rows {name}" for side in sides],
            )
        )  # fmt: skip
    gaps = [each.together.alc.value - each.apart.alc.value for each in found.attacks]
    return new_figure(
        traces,
        title="ALC with dependent rows together, and apart",
        alt=f"ALC of {count(len(gaps))} attacks both ways; kept together it is higher by "
        f"{alc_number(min(gaps))} to {alc_number(max(gaps))}.",
        height=170 + 34 * len(gaps),
        x={"range": [on_scale(-1) - 0.03, 1.04], "title": "ALC (higher is riskier)", **LOSS_TICKS},
        y=rows_axis([short(f"{e.number}: {e.unknown}", 44) for e in found.attacks]),
        margin={"b": 96},
        legend=LEGEND_BELOW,
    )
