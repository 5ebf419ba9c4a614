"""ALC against another measure of the same attacks, with the areas in which they disagree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from alc_core.arrays import FloatArray
from alc_core.figures.looks import ATTACK, GUIDE, RISING_COLOURS, VERDICT_COLOURS, faded
from alc_core.figures.template import (
    Part,
    line,
    marks,
    new_figure,
    note,
    plain,
    rule,
)
from alc_core.phrasing import alc_number, count, percent
from alc_core.scoring.disagreement import DISAGREEMENTS, Disagreement
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go


_LEAST_RECALL = 1e-3
_SIZES = ((200, 11), (2000, 8))
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
    """Draw ALC against another measure's number on the same scale (figure 7 of the paper).

    Losses below `lowest` are drawn there. In the shaded areas one of the two calls an attack safe
    and the other does not; their shares are written in them. Colour is the attack's recall.

    Parameters
    ----------
    ours, other : ndarray of shape (n_attacks,)
        ALC, and the other number; attacks without one of them are left out.
    recall : ndarray of shape (n_attacks,)
        Recall of the attack where its ALC is taken.
    other_name : str
        What the other measure is called.
    texts, numbers : sequence of length n_attacks, optional
        What shows on hovering, already escaped, and what comes back from clicks.
    selected : int, optional
        One of the numbers: it is ringed.
    at_risk, serious, lowest : float
        Limits of both, and where axes end.

    References
    ----------
    Francis and Wagner (2025), figure 7.
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
    points = marks(
        x, y, "Attacks", colour=GUIDE, edge={"width": 0.5, "color": GUIDE}, showlegend=False,
        size=next((size for most, size in _SIZES if len(there) <= most), _SMALLEST),
        texts=None if texts is None else [texts[place] for place in there.tolist()],
        numbers=None if numbers is None else [numbers[place] for place in there.tolist()],
    )  # fmt: skip
    points["marker"] |= _by_recall(recall[there])
    here = [place for place, each in enumerate(points.get("customdata", ())) if each == selected]
    ring = marks(
        x[here], y[here], "Selected", colour=ATTACK, symbol="circle-open", size=22,
        edge={"width": 3, "color": ATTACK}, showlegend=False, visible=bool(here),
    )  # fmt: skip
    return new_figure(
        [line([start, 1.02], [start, 1.02], "Equal", dash="dot"), points, ring],
        title=f"ALC and {plain(other_name)}",
        alt=_words(found, other_name, below, lowest),
        height=520,
        x={**scale, "title": f"{plain(other_name)} (higher is riskier)"},
        y={**scale, "title": "ALC: anonymity loss (higher is riskier)"},
        shapes=[
            *_areas(at_risk, serious, start),
            *(rule(axis, at, dash) for axis in "xy"
              for at, dash in ((0.0, "solid"), (at_risk, "dot"), (serious, "dash"))),
        ],
        annotations=_shares(found, serious, start),
    )  # fmt: skip


def _by_recall(recall: FloatArray) -> Part:
    ticks = np.arange(np.log10(_LEAST_RECALL), 1)
    colours = RISING_COLOURS[:0:-1]
    return {
        "color": np.log10(np.clip(recall, _LEAST_RECALL, 1.0)),
        "colorscale": [[place / (len(colours) - 1), each] for place, each in enumerate(colours)],
        "cmin": float(ticks[0]), "cmax": 0.0,
        "colorbar": {
            "title": {"text": "Recall"}, "thickness": 12, "outlinewidth": 0,
            "tickvals": ticks.tolist(), "ticktext": [f"{10.0 ** (t + 2):g} %" for t in ticks],
        },
    }  # fmt: skip


def _areas(at_risk: float, serious: float, start: float) -> list[Part]:
    """Return the areas in which one of the two calls an attack safe and the other does not."""
    ends = (start, at_risk, serious, 1.03)
    shapes = []
    for place, verdict in _AREAS:
        between = ends[place], ends[place + 1]
        for axis, other, opacity in (("y", "x", 0.2), ("x", "y", 0.07)):
            shapes.append({
                "type": "rect", f"{axis}0": between[0], f"{axis}1": between[1],
                f"{other}0": start, f"{other}1": at_risk, "layer": "below", "line": {"width": 0},
                "fillcolor": faded(VERDICT_COLOURS[verdict], opacity),
            })  # fmt: skip
    return shapes


def _shares(found: Disagreement, serious: float, start: float) -> list[Part]:
    """Return the share of attacks in each of these areas, at its corner."""
    tops = (start, serious, 1.03)
    words = []
    for ours, other in DISAGREEMENTS:
        text = percent(found.share(ours, other))
        if ours:
            words.append(note(text, start, tops[ours], xshift=4, yanchor="top"))
        else:
            words.append(note(text, tops[other], start, xanchor="right", yanchor="bottom"))
    return words


def _words(found: Disagreement, other_name: str, below: int, lowest: float) -> str:
    if not found.attacks:
        return f"ALC and {other_name}: no attack has both."
    cut = f" {count(below)} lie below {lowest:g} and are drawn there." if below else ""
    return (
        f"ALC and {other_name} of {count(found.attacks)} attacks. {count(found.missed)} are at "
        f"risk or serious by ALC and safe by {other_name}; {count(found.only_other)} the other "
        f"way round.{cut}"
    )
