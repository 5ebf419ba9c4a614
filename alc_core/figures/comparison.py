"""Releases side by side: losses, changes, and attacks by release."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from alc_core.campaign.findings.overview import STANDINGS
from alc_core.campaign.model import KnownSetKind
from alc_core.compare.comparison import (
    NO_RESULT,
    Comparison,
    Gaps,
    ReleaseChange,
    ReleaseLosses,
    release_losses,
    worst_rows,
)
from alc_core.compare.sentences import change_sentence, difference_text
from alc_core.figures import template as draw
from alc_core.figures.looks import GUIDE, LOOKS, counted, faded
from alc_core.phrasing import cell_text, count, listed, loss_text
from alc_core.scoring.verdict import Verdict

if TYPE_CHECKING:
    import plotly.graph_objects as go


ROW_HEIGHT = 110  # Pixels of each release
_GOLDEN = 0.6180339887498949
_LOSSES = {"range": [-0.03, 1.04], **draw.LOSS_TICKS}


def loss_distributions(comparison: Comparison) -> go.Figure:
    """Draw each release's ALCs as strip and box."""
    n_releases = len(comparison.releases)
    sentences = [_distribution_sentence(losses) for losses in release_losses(comparison)]
    boxes = [
        {
            "type": "box", "x": losses, "y": np.full(len(losses), place), "orientation": "h",
            "boxpoints": False, "name": draw.plain(release), "showlegend": False,
            "hoverinfo": "skip", "line": {"color": GUIDE, "width": 1.5},
            "fillcolor": faded(GUIDE, 0.12), "width": 0.7,
        }
        for place, release in enumerate(comparison.releases)
        if len(losses := comparison.loss[comparison.measured[:, place], place])
    ]  # fmt: skip
    return draw.new_figure(
        boxes + _strips(comparison),
        title="Distribution of losses",
        alt=f"Distribution of ALC by release. {' '.join(sentences)}",
        height=150 + ROW_HEIGHT * n_releases,
        margin={"t": 72},
        x={**_LOSSES, "title": "ALC (higher is riskier)"},
        y=draw.rows_axis([draw.short(name, 22) for name in comparison.releases]),
        shapes=draw.limit_lines(comparison.scoring, axes="x"),
        annotations=draw.limit_words(comparison.scoring, axis="x"),
        dragmode="zoom",
        legend={
            "orientation": "h", "x": 0, "y": -0.32 / n_releases - 0.12, "traceorder": "reversed",
        },
    )  # fmt: skip


def loss_changes(comparison: Comparison, change: ReleaseChange) -> go.Figure:
    """Draw each attack's ALC on a release against the reference's."""
    before, after = comparison.place(change.reference), comparison.place(change.release)
    texts = AttackTexts(comparison)
    traces = [draw.line([0, 1], [0, 1], "Equal", dash="dot")]
    for sign, name, colour, symbol in (
        (0, "Intervals overlap", GUIDE, "circle-open"),
        (-1, "Clearly safer", LOOKS[Verdict.BELOW_LIMIT].mark, "circle"),
        (1, "Clearly riskier", LOOKS[Verdict.SERIOUS].mark, "x"),
    ):
        rows = change.rows[change.apart == sign]
        if len(rows):
            traces.append(
                draw.marks(
                    comparison.loss[rows, before], comparison.loss[rows, after], name,
                    colour=colour, symbol=symbol, edge={"width": 1.5, "color": colour},
                    texts=[texts.pair(row, before, after) for row in rows.tolist()],
                    numbers=comparison.number[rows, after].tolist(),
                )
            )  # fmt: skip
    return draw.new_figure(
        traces,
        title="Same attack on both releases",
        alt=f"ALC on two releases. {change_sentence(change)}",
        height=460,
        x={**_LOSSES, "title": f"ALC on {draw.short(change.reference, 24)}, 0 or less as 0"},
        y={**_LOSSES, "title": f"ALC on {draw.short(change.release, 24)}, 0 or less as 0"},
        shapes=draw.limit_lines(comparison.scoring, axes="xy"),
        annotations=[
            draw.note(f"{draw.short(change.release, 24)} is safer", 1, 0.04, xanchor="right"),
            draw.note(f"{draw.short(change.reference, 24)} is safer", 0, 0.98),
        ],
        legend={"orientation": "h", "y": -0.2, "x": 0},
    )


class AttackTexts:
    """Hover texts of attacks; names are wrapped once, as that is slow."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._name = cache(draw.wrapped)

    def scenario(self, row: int) -> str:
        """Return what is inferred and known, and the attack if attacks differ."""
        known = ", ".join(self._comparison.known[row])
        several = self._comparison.several_attacks
        by = f"by {self._name(self._comparison.attack[row])}<br>" if several else ""
        return (
            f"Learns <b>{self._name(self._comparison.unknown[row])}</b><br>"
            f"knowing {self._name(known)}<br>{by}"
        )

    def standing(self, row: int, place: int) -> str:
        """Return ALC and standing on one release."""
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


def _strips(comparison: Comparison) -> list[draw.Part]:
    """Return the attacks, spread evenly without randomness."""
    texts, traces = AttackTexts(comparison), []
    for code, standing in reversed(list(enumerate(STANDINGS))):
        rows, places = np.nonzero((comparison.standing == code) & comparison.measured)
        look, spread = LOOKS[standing], 0.56 * (((rows + 1) * _GOLDEN) % 1.0 - 0.5)
        if len(rows):
            traces.append(
                draw.marks(
                    comparison.loss[rows, places], places + spread, look.word,
                    colour=look.mark, symbol=look.symbol, edge={"width": 1, "color": look.mark},
                    size=8 if len(comparison) <= 200 else 6,
                    texts=[texts.attack(row, at) for row, at in np.c_[rows, places].tolist()],
                    numbers=comparison.number[rows, places].tolist(),
                )
            )  # fmt: skip
    return traces


def _distribution_sentence(losses: ReleaseLosses) -> str:
    if losses.quartiles is None or losses.worst_alc is None:
        return f"{losses.release}: no attack has an ALC."
    quarter, half, three = losses.quartiles
    standings = [f"{count(number)} {each}" for each, number in counted(losses.counts)]
    return (
        f"{losses.release}: {count(losses.measured)} attacks, median {loss_text(half)}, middle "
        f"half {loss_text(quarter)} to {loss_text(three)}, highest {loss_text(losses.worst_alc)}; "
        f"{listed(standings)}."
    )


MOST_ROWS = 40  # Rows that are legible at once
# Most rows of single attacks; beyond, each unknown column is one row
MOST_APART = 20
# A note for a matrix without all rows
EACH_WORST = "worst attack on each release"
_NO_GAPS: Gaps = MappingProxyType({})
_GROUP, _LABEL, _NAME = 40, 30, 28  # Characters of a label, and of a name in a one-line label
_HEAD_LINES = 5  # Of the name of a release
_FEW_HEADS = 6  # Most releases whose names have more room
_MANY_ROWS, _HIGH, _LOW = 12, 40, 24  # Beyond this rows are low; pixels per row


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatrixRows:
    """What the rows of the matrix are."""

    labels: tuple[str, ...]  # Of each row, escaped
    first: tuple[int, ...]  # First row of the comparison in each row
    asked: NDArray[np.int64]  # Row of the comparison behind each cell
    cells: NDArray[np.int64]  # The same; -1 without a result
    attacks: NDArray[np.int64]  # Attacks with a result that a cell sums up
    grouped: bool  # Whether a row is an unknown column with all known sets
    left_out: int  # Rows beyond the legible ones


def matrix_rows(
    comparison: Comparison,
    unknown: str | None = None,
    *,
    apart: int | None = None,
    most: int = MOST_ROWS,
) -> MatrixRows:
    """Choose legible rows: the worst, and each release's own worst."""
    chosen = [row for row, name in enumerate(comparison.unknown) if unknown in (None, name)]
    grouped = unknown is None and len(chosen) > (MOST_APART if apart is None else apart)
    rows_of: dict[object, list[int]] = {}
    for row in chosen:
        rows_of.setdefault(comparison.unknown[row] if grouped else row, []).append(row)
    own = {*worst_rows(comparison, chosen)} if chosen else set()
    order = sorted(rows_of, key=lambda key: own.isdisjoint(rows_of[key]))[:most]
    groups = [rows for key, rows in rows_of.items() if key in {*order}]
    places = np.arange(len(comparison.releases))
    kinds = {comparison.kind[rows[0]] for rows in groups}
    alike = len(groups) > 1 and kinds == {KnownSetKind.ALL_OTHERS}
    worst = np.array([worst_rows(comparison, rows) for rows in groups], dtype=np.int64)
    worst = worst.reshape(len(groups), len(places))
    attacks = np.array(
        [(comparison.standing[rows] != NO_RESULT).sum(axis=0) for rows in groups], dtype=np.int64
    )
    return MatrixRows(
        labels=tuple(
            _label(
                comparison,
                rows[0],
                low=len(groups) > _MANY_ROWS,
                alone=alike,
                summed=worst_of(attacks[place]) if grouped else "",
            )
            for place, rows in enumerate(groups)
        ),
        first=tuple(rows[0] for rows in groups),
        asked=worst,
        cells=np.where(comparison.standing[worst, places] == NO_RESULT, -1, worst),
        attacks=attacks,
        grouped=grouped,
        left_out=len(rows_of) - len(groups),
    )


def worst_of(attacks: NDArray[np.int64]) -> str:
    """Say of how many attacks, by release, a row shows the worst.

    Examples
    --------
    >>> worst_of(np.array([8, 8])), worst_of(np.array([4, 8])), worst_of(np.array([0, 0]))
    ('worst of 8', 'worst of up to 8', 'no result')
    """
    if not attacks.any():
        return "no result"
    up_to = "up to " if attacks.min() < attacks.max() else ""
    return f"worst of {up_to}{count(int(attacks.max()))}"


def loss_matrix(
    comparison: Comparison, unknown: str | None = None, gaps: Gaps = _NO_GAPS
) -> go.Figure:
    """Draw each attack's standing on each release."""
    rows, texts = matrix_rows(comparison, unknown), AttackTexts(comparison)
    n_rows, n_releases = rows.cells.shape
    codes = np.where(
        rows.cells >= 0,
        comparison.standing[np.maximum(rows.cells, 0), np.arange(n_releases)],
        NO_RESULT,
    )
    edges = np.linspace(0, 1, len(STANDINGS) + 1).tolist()
    steps = [
        (edges[n + end], LOOKS[each].colour) for n, each in enumerate(STANDINGS) for end in (0, 1)
    ]
    heat = {
        "type": "heatmap", "z": np.where(codes == NO_RESULT, np.nan, codes),
        "x": np.arange(n_releases), "y": np.arange(n_rows), "zmin": -0.5,
        "zmax": len(STANDINGS) - 0.5, "xgap": 3, "ygap": 2, "colorscale": steps,
        "showscale": False, "hoverinfo": "skip", "name": "Standing",
    }  # fmt: skip
    down, across = np.nonzero(codes != NO_RESULT)
    at = list(zip(down.tolist(), across.tolist(), strict=True))
    marked = draw.cell_texts(
        across, down, "Attacks",
        texts=[_cell_text(comparison, int(rows.cells[each]), each[1]) for each in at],
        hover=[_hover(texts, rows, *each) for each in at],
        numbers=[int(comparison.number[rows.cells[each], each[1]]) for each in at],
    )  # fmt: skip
    # Heads must not touch in a narrow window
    beside = max(n_releases, 1)
    width = max(7 if beside > _FEW_HEADS else 9, 36 // beside, min(12, 60 // beside))
    named = [draw.in_lines(name, width, _HEAD_LINES) for name in comparison.releases]
    heads = [  # Whole on hovering
        draw.note(
            shown, place, 1, yref="paper", xanchor="center",
            yanchor="bottom", hovertext=draw.wrapped(name), captureevents=True,
        )
        for place, (name, shown) in enumerate(zip(comparison.releases, named, strict=True))
    ]  # fmt: skip
    above = 50 + 16 * max((shown.count("<br>") + 1 for shown in named), default=1)
    return draw.new_figure(
        [heat, *_gap_marks(rows, codes, gaps), marked],
        title="ALC of each attack",
        alt=_matrix_words(comparison, rows),
        height=10 + above + (_LOW if n_rows > _MANY_ROWS else _HIGH) * max(n_rows, 1),
        margin={"t": above},
        dragmode=False,
        x={"visible": False, "fixedrange": True, "range": [-0.5, n_releases - 0.5]},
        y={**draw.rows_axis(rows.labels), "fixedrange": True, "tickfont": {"size": 12}},
        annotations=heads,
    )  # fmt: skip


def _gap_marks(rows: MatrixRows, codes: NDArray[np.int64], gaps: Gaps) -> list[draw.Part]:
    found = [
        (down, across, gap)
        for down, across in np.argwhere(codes == NO_RESULT).tolist()
        if (gap := gaps.get((int(rows.asked[down, across]), across))) is not None
    ]
    if not found:
        return []
    return [
        draw.cell_texts(
            [across for _, across, _ in found], [down for down, _, _ in found], "Without a result",
            texts=[gap.mark for _, _, gap in found],
            hover=[draw.wrapped(gap.reason) for _, _, gap in found],
            colour=None,  # on the page's ground
        )
    ]  # fmt: skip


def _matrix_words(comparison: Comparison, rows: MatrixRows) -> str:
    what = "unknown columns, each with its worst attack" if rows.grouped else "attacks"
    left_out = f"; {count(rows.left_out)} more not shown" if rows.left_out else ""
    sentences = []
    for place, release in enumerate(comparison.releases):
        cells = rows.cells[:, place]
        codes = comparison.standing[cells[cells >= 0], place]
        parts = [
            f"{count(int((codes == code).sum()))} {standing}"
            for code, standing in enumerate(STANDINGS)
            if (codes == code).any()
        ]
        sentences.append(f"{release}: {', '.join(parts) or 'no result'}.")
    return (
        f"{count(len(rows.labels))} {what}, worst first{left_out}, by release. "
        f"{' '.join(sentences)}"
    )


def _label(comparison: Comparison, row: int, *, low: bool, alone: bool, summed: str) -> str:
    """Return what is inferred and, if needed, known; low rows in one line."""
    if summed:
        name = f"<b>{draw.short(comparison.unknown[row], _GROUP)}</b>"
        return name if low else f"{name}<br>{summed}"
    known, room = comparison.known[row], _NAME if low else _LABEL
    number = f"{count(len(known))} columns: " if len(known) > 2 else ""
    facts = (
        f"all {count(len(known))} others"
        if comparison.kind[row] is KnownSetKind.ALL_OTHERS
        else f"{number}{draw.short(', '.join(known), room - len(number))}"
    )
    by = f", {draw.short(comparison.attack[row], room)}" if comparison.several_attacks else ""
    name = f"<b>{draw.short(comparison.unknown[row], room)}</b>"
    if alone and not by:
        return name
    return f"{name} {facts}{by}" if low else f"{name}<br>← {facts}{by}"


def _cell_text(comparison: Comparison, row: int, place: int) -> str:
    icon = LOOKS[STANDINGS[int(comparison.standing[row, place])]].icon
    loss = comparison.loss[row, place]
    return icon if np.isnan(loss) else f"{icon} {cell_text(loss)}"


def _hover(texts: AttackTexts, rows: MatrixRows, down: int, across: int) -> str:
    text = texts.attack(int(rows.cells[down, across]), across)
    n_attacks = int(rows.attacks[down, across])
    return f"The worst of {count(n_attacks)} attacks<br>{text}" if rows.grouped else text
