"""What the user chose and clicked on the page that compares releases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import selected_row, selection
from alc_core.figures.risk_utility import RiskMeasure, UtilityMeasure
from alc_core.utility.distributions import ColumnDistribution
from alc_core.utility.utility import Utility


@dataclass(slots=True, kw_only=True, eq=False)
class CompareChoices:
    """What the user chose on the page.

    Attributes
    ----------
    view : CampaignView or None
        Of which campaign: with another one all choices are forgotten.
    reference, other, unknown : str
        Release to compare with (empty for the riskiest), release whose changes are listed, unknown
        column of the matrix (empty for all).
    picked : int or None
        Number of the attack that was clicked.
    picked_in : str
        Key of the chart or table that was clicked.
    rows : list of int
        Number of the attack in each row of the table of changes.
    everything : bool
        Whether attacks without a clear change are listed.
    utility_axis, risk_axis
        Of the map.
    targets : list of str
        Columns to predict; empty for the default.
    measured : dict of str to Utility
        Measured in this session.
    just_measured : bool
        Whether the page is to be drawn again with what was measured.
    message : str
        What went wrong in keeping them.
    lost_open : bool
        Whether the part on where the utility goes is open.
    lost_release, lost_view, lost_column : str
        What it shows: a release; columns, pairs or models; a column.
    lost_columns : list of str
        Column in each row of its table.
    distributions : dict
        What was counted in this session, by release and column.
    """

    view: CampaignView | None = None
    reference: str = ""
    other: str = ""
    unknown: str = ""
    picked: int | None = None
    picked_in: str = ""
    rows: list[int] = field(default_factory=list)
    everything: bool = False
    utility_axis: UtilityMeasure = "pairs"
    risk_axis: RiskMeasure = "worst"
    targets: list[str] = field(default_factory=list)
    measured: dict[str, Utility] = field(default_factory=dict)
    just_measured: bool = False
    message: str = ""
    lost_open: bool = False
    lost_release: str = ""
    lost_view: Literal["columns", "pairs", "models"] = "columns"
    lost_column: str = ""
    lost_columns: list[str] = field(default_factory=list)
    distributions: dict[tuple[str, str], ColumnDistribution] = field(default_factory=dict)


def compare_choices(state: AppState, view: CampaignView) -> CompareChoices:
    """Return what was chosen for this campaign."""
    choices = state.screen(CompareChoices)
    if choices.view is not view:
        choices = CompareChoices(view=view)
        state.screens[CompareChoices] = choices
    return choices


def pick_point(key: str) -> None:
    """Keep the attack whose point was clicked in a chart."""
    points = selection(key, "points")
    if points and points[-1].get("customdata") is not None:
        _pick(int(points[-1]["customdata"]), key)


def pick_row() -> None:
    """Keep the attack whose row was clicked in the table of changes."""
    choices = _choices()
    row = selected_row("compare_table")
    if row is not None and row < len(choices.rows):
        _pick(choices.rows[row], "compare_table")


def pick_column() -> None:
    """Keep the column whose row was clicked, to show its distribution."""
    choices = _choices()
    row = selected_row("lost_columns")
    if row is not None and row < len(choices.lost_columns):
        choices.lost_column = choices.lost_columns[row]


def unpick(choices: CompareChoices) -> None:
    """Close the attack that was clicked."""
    choices.picked = None


def _pick(number: int, key: str) -> None:
    choices = _choices()
    choices.picked, choices.picked_in = number, key


def _choices() -> CompareChoices:
    state: AppState = st.session_state["alc_state"]
    return state.screen(CompareChoices)
