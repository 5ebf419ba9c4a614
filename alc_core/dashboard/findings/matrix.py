"""Every attack on every release as a matrix, to open one from."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.compare.layout import (
    BY_STRONGEST,
    comparable,
    compare_releases,
    find_gaps,
    is_by_strongest,
    only_attacks,
)
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.focus import Focus
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.figures.comparison import EACH_WORST, MOST_APART, loss_matrix, matrix_rows
from alc_core.glossary import explain
from alc_core.phrasing import count
from alc_core.scoring.parameters import ScoringParameters

_KEY = "findings_matrix"


@dataclass(slots=True, kw_only=True, eq=False)
class MatrixChoices:
    """Which rows of a long matrix are shown: those of one unknown column, or all (empty)."""

    unknown: str = ""


def draw_matrix(
    state: AppState,
    view: CampaignView,
    scoring: ScoringParameters,
    focus: Focus,
    *,
    shown: Collection[int] | None = None,
) -> None:
    """Draw attack by release, with a choice of the unknown column where there are many."""
    every = compare_releases(view, scoring)
    comparison = comparable(every if shown is None else only_attacks(every, shown))
    choices = state.screen(MatrixChoices)
    columns = sorted(set(comparison.unknown))
    many = len(comparison) > MOST_APART
    if not many or choices.unknown not in columns:
        choices.unknown = ""
    if many:
        st.selectbox(
            "Unknown column", ["", *columns], help=explain("unknown attribute"),
            format_func=lambda name: name or "All, with the worst attack on each",
            **bind(choices, "unknown"),
        )  # fmt: skip
    unknown = choices.unknown or None
    draw_chart(
        loss_matrix(comparison, unknown, find_gaps(view, comparison)),
        key=_KEY,
        name="attack-by-release",
        on_select=lambda: focus.open_clicked(_KEY),
    )
    left_out = matrix_rows(comparison, unknown).left_out
    more = f" {count(left_out)} more rows are left out: {EACH_WORST}." if left_out else ""
    strongest = f" {BY_STRONGEST}" if is_by_strongest(comparison) else ""
    if strongest or more:
        st.caption(f"{strongest}{more}")
