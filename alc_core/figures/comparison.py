"""The losses on several releases side by side, and attack by attack against a reference."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from alc_core.assessment.words import loss_text
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.compare.comparison import Comparison, ReleaseChange
from alc_core.compare.losses import ReleaseLosses, release_losses
from alc_core.compare.sentences import change_sentence, difference_text
from alc_core.figures.palette import GUIDE, faded
from alc_core.figures.short_names import plain, short, wrapped
from alc_core.figures.standings import LOOKS, counted
from alc_core.figures.template import (
    LOSS_TICKS,
    Part,
    limit_lines,
    limit_words,
    line,
    marks,
    new_figure,
    note,
    rows_axis,
)
from alc_core.phrasing import count, listed
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go

ROW_HEIGHT = 110
"""Pixels of each release."""

_GOLDEN = 0.6180339887498949
_SPREAD = 0.56
_LOSSES = {"range": [-0.03, 1.04], **LOSS_TICKS}


def loss_distributions(comparison: Comparison) -> go.Figure:
    """Draw the ALC of every attack as a strip and a box for each release."""
    n_releases = len(comparison.releases)
    return new_figure(
        _boxes(comparison) + _strips(comparison),
        title="How the losses are distributed",
        height=150 + ROW_HEIGHT * n_releases,
        margin={"t": 72},
        x={**_LOSSES, "title": "ALC: anonymity loss, 0 or less as 0 (higher is riskier)"},
        y=rows_axis([short(name, 22) for name in comparison.releases]),
        shapes=limit_lines(comparison.scoring, axes="x"),
        annotations=limit_words(comparison.scoring, axis="x"),
        dragmode="zoom",
        legend={
            "orientation": "h", "x": 0, "y": -0.32 / n_releases - 0.12, "traceorder": "reversed",
        },
    )  # fmt: skip


def loss_distributions_alt(comparison: Comparison) -> str:
    """Say what :func:`loss_distributions` shows."""
    sentences = [_distribution_sentence(losses) for losses in release_losses(comparison)]
    return f"Distribution of ALC by release. {' '.join(sentences)}"


def loss_changes(comparison: Comparison, change: ReleaseChange) -> go.Figure:
    """Draw the ALC of each attack on one release against that on the reference."""
    before, after = comparison.place(change.reference), comparison.place(change.release)
    texts = AttackTexts(comparison)
    traces = [line([0, 1], [0, 1], "Equal", dash="dot")]
    for sign, name, colour, symbol in (
        (0, "Intervals overlap", GUIDE, "circle-open"),
        (-1, "Clearly safer", LOOKS[Verdict.SAFE].mark, "circle"),
        (1, "Clearly riskier", LOOKS[Verdict.SERIOUS].mark, "x"),
    ):
        rows = change.rows[change.apart == sign]
        if len(rows):
            traces.append(
                marks(
                    comparison.loss[rows, before], comparison.loss[rows, after], name,
                    colour=colour, symbol=symbol, edge={"width": 1.5, "color": colour},
                    texts=[texts.pair(row, before, after) for row in rows.tolist()],
                    numbers=comparison.number[rows, after].tolist(),
                )
            )  # fmt: skip
    return new_figure(
        traces,
        title="The same attack on both releases",
        height=460,
        x={**_LOSSES, "title": f"ALC on {short(change.reference, 24)}, 0 or less as 0"},
        y={**_LOSSES, "title": f"ALC on {short(change.release, 24)}, 0 or less as 0"},
        shapes=limit_lines(comparison.scoring, axes="xy"),
        annotations=[
            note(f"{short(change.release, 24)} is safer", 1, 0.04, xanchor="right"),
            note(f"{short(change.reference, 24)} is safer", 0, 0.98),
        ],
        legend={"orientation": "h", "y": -0.2, "x": 0},
    )


def loss_changes_alt(change: ReleaseChange) -> str:
    """Say what :func:`loss_changes` shows."""
    return f"ALC of the same attacks on two releases. {change_sentence(change)}"


class AttackTexts:
    """What is said of attacks on hovering over them; each name is wrapped once, as that is slow."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._name = cache(wrapped)

    def scenario(self, row: int) -> str:
        """Return what is learned and what is known, and by which attack where they differ."""
        known = ", ".join(self._comparison.known[row])
        several = self._comparison.several_attacks
        by = f"by {self._name(self._comparison.attack[row])}<br>" if several else ""
        return (
            f"Learns <b>{self._name(self._comparison.unknown[row])}</b><br>"
            f"knowing {self._name(known)}<br>{by}"
        )

    def standing(self, row: int, place: int) -> str:
        """Return the ALC and the standing of an attack on one release."""
        standing = STANDINGS[int(self._comparison.standing[row, place])]
        return f"ALC {difference_text(self._comparison, row, place)}: <b>{standing}</b>"

    def attack(self, row: int, place: int) -> str:
        """Return all of that for one release."""
        release = self._name(self._comparison.releases[place])
        return f"{self.scenario(row)}from {release}<br>{self.standing(row, place)}"

    def pair(self, row: int, *places: int) -> str:
        """Return all of that for several releases."""
        lines = [
            f"{self._name(self._comparison.releases[place])}: {self.standing(row, place)}"
            for place in places
        ]
        return f"{self.scenario(row)}{'<br>'.join(lines)}"


def _boxes(comparison: Comparison) -> list[Part]:
    return [
        {
            "type": "box", "x": losses, "y": np.full(len(losses), place), "orientation": "h",
            "boxpoints": False, "name": plain(release), "showlegend": False, "hoverinfo": "skip",
            "line": {"color": GUIDE, "width": 1.5}, "fillcolor": faded(GUIDE, 0.12), "width": 0.7,
        }
        for place, release in enumerate(comparison.releases)
        if len(losses := comparison.loss[comparison.measured[:, place], place])
    ]  # fmt: skip


def _strips(comparison: Comparison) -> list[Part]:
    """Return the attacks, spread by a sequence that fills gaps evenly: always the same picture."""
    texts, traces = AttackTexts(comparison), []
    for code, standing in reversed(list(enumerate(STANDINGS))):
        rows, places = np.nonzero((comparison.standing == code) & comparison.measured)
        look, spread = LOOKS[standing], ((rows + 1) * _GOLDEN) % 1.0 - 0.5
        if len(rows):
            traces.append(
                marks(
                    comparison.loss[rows, places], places + _SPREAD * spread, look.word,
                    colour=look.mark, symbol=look.symbol, edge={"width": 1, "color": look.mark},
                    size=8 if len(comparison) <= 200 else 6,
                    texts=[texts.attack(row, at) for row, at in np.c_[rows, places].tolist()],
                    numbers=comparison.number[rows, places].tolist(),
                )
            )  # fmt: skip
    return traces


def _distribution_sentence(losses: ReleaseLosses) -> str:
    if losses.quartiles is None or losses.worst_alc is None:
        return f"{losses.release}: no attack has a result."
    quarter, half, three = losses.quartiles
    standings = [f"{count(number)} {each}" for each, number in counted(losses.counts)]
    return (
        f"{losses.release}: {count(losses.measured)} attacks, median {loss_text(half)}, middle "
        f"half {loss_text(quarter)} to {loss_text(three)}, highest {loss_text(losses.worst_alc)}; "
        f"{listed(standings)}."
    )
