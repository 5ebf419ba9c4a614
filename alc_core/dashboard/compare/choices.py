"""What the user chose and clicked on the page that compares releases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import selected_row, selection
from alc_core.figures.risk_utility import RiskMeasure, UtilityMeasure
from alc_core.studies.utility.distributions import ColumnDistribution
from alc_core.studies.utility.result import Utility


@dataclass(slots=True, kw_only=True, eq=False)
class CompareChoices:
    """What the user chose on the page."""

    # Release to compare with (empty for the riskiest), release whose changes are listed, unknown
    # column of the matrix (empty for all)
    reference: str = ""
    other: str = ""
    unknown: str = ""
    picked: int | None = None  # Number of the attack that was clicked
    picked_in: str = ""  # Key of the chart or table that was clicked
    # Number of the attack in each row of the table of changes
    rows: list[int] = field(default_factory=list)
    everything: bool = False  # Whether attacks without a clear change are listed
    utility_axis: UtilityMeasure = "pairs"  # Of the map
    risk_axis: RiskMeasure = "worst"
    targets: list[str] = field(default_factory=list)  # Columns to predict; empty for the default
    measured: dict[str, Utility] = field(default_factory=dict)  # Measured in this session
    just_measured: bool = False  # Whether the page is to be drawn again with what was measured
    message: str = ""  # What went wrong in keeping them
    lost_open: bool = False  # Whether the part on where the utility goes is open
    lost_release: str = ""  # What it shows: a release; columns, pairs or models; a column
    lost_view: Literal["columns", "pairs", "models"] = "columns"
    lost_column: str = ""
    lost_columns: list[str] = field(default_factory=list)  # Column in each row of its table
    # What was counted in this session, by release and column
    distributions: dict[tuple[str, str], ColumnDistribution] = field(default_factory=dict)


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
