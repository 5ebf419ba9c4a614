"""What the user chose and clicked on the page that compares releases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from alc_core.dashboard.state.session import clicked_point, selected_row
from alc_core.figures.risk_utility import RiskMeasure, UtilityMeasure


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
    lost_open: bool = False  # Whether the part on where the utility goes is open
    lost_release: str = ""  # What it shows: a release; columns, pairs or models; a column
    lost_view: Literal["columns", "pairs", "models"] = "columns"
    lost_column: str = ""
    lost_columns: list[str] = field(default_factory=list)  # Column in each row of its table

    def pick_point(self, key: str) -> None:
        """Keep the attack whose point was clicked in a chart."""
        if (number := clicked_point(key)) is not None:
            self.picked, self.picked_in = number, key

    def pick_row(self) -> None:
        """Keep the attack whose row was clicked in the table of changes."""
        row = selected_row("compare_table")
        if row is not None and row < len(self.rows):
            self.picked, self.picked_in = self.rows[row], "compare_table"

    def pick_column(self) -> None:
        """Keep the column whose row was clicked, to show its distribution."""
        row = selected_row("lost_columns")
        if row is not None and row < len(self.lost_columns):
            self.lost_column = self.lost_columns[row]
