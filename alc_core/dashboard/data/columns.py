"""The table of columns that the user checks: kinds, reasons, suggested parts; and the preview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from alc_core.dashboard.state.app_state import AppState
from alc_core.tables.roles.suggest import suggest_roles
from alc_core.tables.table import ColumnKind, Table

PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 60

KIND, COLUMN = "Kind", "Column"

_ROLE_WORDS = {
    "known": "known",
    "unknown": "unknown",
    "identifier": "leave out",
    "ignore": "leave out",
}


def preview(table: Table) -> pd.DataFrame:
    """Return the first rows as text, so that every value is shown as the file has it."""
    rows = table.frame.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS]
    return pd.DataFrame(
        {
            str(name): ["" if pd.isna(value) else str(value) for value in rows[name]]
            for name in rows.columns
        }
    )


def column_table(
    original: Table, releases: Sequence[Table], kinds: Mapping[str, ColumnKind]
) -> pd.DataFrame:
    """Return one row per column of the original: kind and why, suggested part and why."""
    roles = {s.column: s for s in suggest_roles(original, releases or [original])}
    return pd.DataFrame(
        {
            COLUMN: list(original.columns),
            KIND: [str(kinds.get(column, original.kind(column))) for column in original.columns],
            "Why this kind": [original.guesses[column].reason for column in original.columns],
            "Suggested part": [_ROLE_WORDS[roles[column].role] for column in original.columns],
            "Why this part": [roles[column].reason for column in original.columns],
        }
    )


def store_kinds(state: AppState, edited_rows: Mapping[int, Mapping[str, Any]]) -> None:
    """Take over what was edited in the table of columns, counted from what it showed at first.

    Parameters
    ----------
    state : AppState
        Its kinds follow.
    edited_rows : mapping of int to mapping
        Row number to changed cells, as ``st.data_editor`` keeps them.
    """
    if state.original is None:
        return
    table = state.original.table
    kinds = {**state.editor_kinds}
    for row, cells in edited_rows.items():
        if cells.get(KIND):
            kinds[table.columns[row]] = ColumnKind(cells[KIND])
    elsewhere = {column: kind for column, kind in state.kinds.items() if column not in kinds}
    changed = {c: kind for c, kind in kinds.items() if kind is not table.guesses[c].kind}
    state.kinds = {**elsewhere, **changed}
