"""The table of columns that the user checks: kinds, roles, reasons; and the preview."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from alc_core.dashboard.state.app_state import AppState
from alc_core.tables.roles.role import ColumnRole
from alc_core.tables.roles.roles import Roles, may_have
from alc_core.tables.table import ColumnKind, Table

PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 60

COLUMN, KIND, ROLE = "Column", "Kind", "Role"
WHY_KIND, WHY_ROLE = "Why this kind", "Why this role"


def preview(table: Table) -> pd.DataFrame:
    """Return the first rows as text, so that every value is shown as the file has it."""
    rows = table.frame.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS]
    return pd.DataFrame(
        {
            str(name): ["" if pd.isna(value) else str(value) for value in rows[name]]
            for name in rows.columns
        }
    )


def column_table(original: Table, kinds: Mapping[str, ColumnKind], roles: Roles) -> pd.DataFrame:
    """Return one row per column of the original: kind and role, and why."""
    in_force = [roles.of_columns[column] for column in original.columns]
    return pd.DataFrame(
        {
            COLUMN: list(original.columns),
            KIND: [str(kinds.get(column, original.kind(column))) for column in original.columns],
            ROLE: [str(found.role) for found in in_force],
            WHY_ROLE: [found.reason for found in in_force],
            WHY_KIND: [original.guesses[column].reason for column in original.columns],
        }
    )


def store_kinds(state: AppState, edited_rows: Mapping[int, Mapping[str, Any]]) -> None:
    """Take over what was edited in the table of columns, counted from what it showed at first."""
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


def store_roles(state: AppState, edited_rows: Mapping[int, Mapping[str, Any]]) -> bool:
    """Take over the roles that were edited, once the kinds are."""
    if state.original is None:
        return False
    table = state.original.table
    edited = {
        table.columns[row]: ColumnRole(cells[ROLE])
        for row, cells in edited_rows.items()
        if cells.get(ROLE)
    }
    for column in [c for c, role in state.roles.items() if not _fits(state, c, role)]:
        if edited.get(column) is not state.roles[column]:
            del state.roles[column]
    overruled = False
    for column, role in edited.items():
        if not _fits(state, column, role):
            overruled = True
            if state.roles.pop(column, None) is role or not _made_usable(state, column):
                continue
        state.roles[column] = role
    return overruled


def _fits(state: AppState, column: str, role: ColumnRole) -> bool:
    naming = (state.run_choices.person, state.run_choices.household)
    return may_have(state.original_table(), column, role, naming)


def _made_usable(state: AppState, column: str) -> bool:
    """Give a column a kind that is compared, unless it names people; return whether it has one."""
    if state.original is None or column in (state.run_choices.person, state.run_choices.household):
        return False
    table = state.original.table
    state.kinds.pop(column, None)
    if not _fits(state, column, ColumnRole.BOTH):
        is_number = pd.api.types.is_numeric_dtype(table.frame[column].dtype)
        state.kinds[column] = ColumnKind.CONTINUOUS if is_number else ColumnKind.CATEGORICAL
    return True
