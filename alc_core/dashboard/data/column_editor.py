"""The table in which kinds and roles of columns are changed, and what follows from the roles."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from alc_core.dashboard.data.columns import (
    COLUMN,
    KIND,
    ROLE,
    WHY_KIND,
    WHY_ROLE,
    column_table,
    store_kinds,
    store_roles,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.campaign_planning import attackable_columns, plan_preview
from alc_core.errors import InputError
from alc_core.phrasing import numbered
from alc_core.tables.roles.role import ColumnRole
from alc_core.tables.roles.roles import Roles
from alc_core.tables.table import ColumnKind

_ROLE_HELP = "\n".join(f"- **{role}**: {role.meaning}" for role in ColumnRole)


def draw_columns(state: AppState) -> DeltaGenerator:
    """Draw the table of columns in which kinds and roles can be changed."""
    original, roles = state.original_table(), state.column_roles()
    key = f"kinds_{original.fingerprint[:12]}_{state.editor_number}"
    if key not in st.session_state or not state.editor_kinds:
        state.editor_kinds = original.kinds
    st.data_editor(
        column_table(original, state.editor_kinds, roles),
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
        state.editor_number += 1


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
