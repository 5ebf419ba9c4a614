"""The user's reading of dates."""

from __future__ import annotations

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.tables.labels.date_readings import ORDERS
from alc_core.tables.table import ColumnKind
from alc_core.tables.values.date_numbers import NUMBER_SYSTEMS

_AS_FOUND = "as the values show"
_PER_ROW = 3
_CODES = ("dates-order", "unreadable-dates")


def draw_dates(state: AppState) -> None:
    """Draw each date column's choice: order of day and month, or unit."""
    original = state.original_table()
    asked = {c for f in state.findings() if f.code in _CODES for c in f.columns}
    columns = [
        column
        for column in original.columns
        if column in state.date_readings.keys() | asked
        or original.kind(column) is ColumnKind.DATETIME
    ]
    if not columns:
        return
    with st.expander("How dates are read", icon=":material/calendar_month:"):
        st.caption("For dates such as 05/01/1985, or numbers.")
        for start in range(0, len(columns), _PER_ROW):
            for place, column in zip(
                st.columns(_PER_ROW), columns[start : start + _PER_ROW], strict=False
            ):
                with place:
                    _draw_choice(state, column)


def _draw_choice(state: AppState, column: str) -> None:
    now = state.date_readings.get(column, _AS_FOUND)
    options = [_AS_FOUND, *ORDERS, *NUMBER_SYSTEMS]
    key = f"dates_{(column, now)!r}"

    def take() -> None:
        chosen = st.session_state[key]
        state.date_readings.pop(column, None)
        if chosen != _AS_FOUND:
            state.date_readings[column] = chosen

    st.selectbox(
        f"“{literal(column)}” is read", options, index=options.index(now), key=key, on_change=take
    )
