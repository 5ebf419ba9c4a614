"""The table of columns that the user checks: kinds, roles, reasons; and the preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.campaign_planning import attackable_columns, plan_preview
from alc_core.errors import InputError
from alc_core.phrasing import numbered
from alc_core.tables.roles import ColumnRole, Roles, may_have
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


@dataclass(slots=True, kw_only=True)
class ColumnsScreen:
    """The table of columns as it was first shown on this visit of the page."""

    kinds: dict[str, ColumnKind] = field(default_factory=dict)  # In force then
    number: int = 0  # Part of its key: a new number shows it afresh


def columns_screen(state: AppState) -> ColumnsScreen:
    """Return what the table of columns showed of the original that is there."""
    return state.screen(ColumnsScreen, None if state.original is None else state.original.table)


def store_kinds(state: AppState, edited_rows: Mapping[int, Mapping[str, Any]]) -> None:
    """Take over what was edited in the table of columns, counted from what it showed at first."""
    if state.original is None:
        return
    table = state.original.table
    kinds = {**columns_screen(state).kinds}
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


_ROLE_HELP = "\n".join(f"- **{role}**: {role.meaning}" for role in ColumnRole)


def draw_columns(state: AppState) -> DeltaGenerator:
    """Draw the table of columns in which kinds and roles can be changed."""
    original, roles = state.original_table(), state.column_roles()
    screen = columns_screen(state)
    key = f"kinds_{original.fingerprint[:12]}_{screen.number}"
    if key not in st.session_state or not screen.kinds:
        screen.kinds = original.kinds
    st.data_editor(
        column_table(original, screen.kinds, roles),
        key=key,
        hide_index=True,
        width="stretch",
        disabled=[COLUMN, WHY_KIND, WHY_ROLE],
        column_config={
            COLUMN: st.column_config.TextColumn(pinned=True),
            KIND: st.column_config.SelectboxColumn(
                "Kind (click to change)",
                options=[str(kind) for kind in ColumnKind],
                required=True,
                width="medium",
            ),
            ROLE: st.column_config.SelectboxColumn(
                "Role (click to change)",
                options=[str(role) for role in ColumnRole],
                required=True,
                width="medium",
                help=_ROLE_HELP,
            ),
        },
        on_change=_take_columns,
        args=(state, key),
        alt="Columns of the original with their kind and their role, and the reasons for these.",
    )
    st.caption(
        "Categorical values are equal or not; continuous ones and dates have a distance. An "
        "identifier names a person or record and is never attacked. Columns to ignore take no part."
    )
    return st.container()


def draw_outcome(state: AppState, place: DeltaGenerator) -> None:
    """Say who knows what by the roles, and how many attacks that makes."""
    place.markdown(literal(" ".join(_role_sentences(state.column_roles()))))
    if not state.ready or state.campaign_choices.mode == "one":
        return
    try:
        with place, st.spinner("Planning the attacks"):
            attackable_columns(state)
            planned = plan_preview(state).plan.summary
    except InputError as error:
        place.warning(literal(error), icon=":material/block:")
        return
    place.markdown(f"That makes **{literal(planned)}**")


def _take_columns(state: AppState, key: str) -> None:
    if key not in st.session_state:
        return
    edited = st.session_state[key]["edited_rows"]
    store_kinds(state, edited)
    if store_roles(state, edited):
        columns_screen(state).number += 1


def _role_sentences(roles: Roles) -> list[str]:
    found = roles.columns_by_role
    attacked = roles.having(ColumnRole.PROTECTED, ColumnRole.BOTH)
    few = roles.having(ColumnRole.KNOWN, ColumnRole.BOTH)
    sentences = [
        f"{numbered(len(attacked), 'column')} {'is' if len(attacked) == 1 else 'are'} to be "
        f"protected, and {len(few)} may be among the few facts that an attacker knows."
    ]
    if weights := found.get(ColumnRole.WEIGHT):
        one = "Survey weight" if len(weights) == 1 else "Survey weights"
        sentences.append(f"{one}, known to nobody and used to weight nothing: {_named(weights)}.")
    spared = roles.having(ColumnRole.IDENTIFIER, ColumnRole.LEFT_OUT)
    if spared:
        sentences.append(f"Left out: {_named(spared)}.")
    return sentences


def _named(columns: tuple[str, ...]) -> str:
    shown, more = list(columns[:6]), len(columns) - 6
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
