"""What counts as "no value" in each column: shown, and changed where it is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd
import streamlit as st

from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.phrasing import listed, numbered
from alc_core.scenario.no_value import LikelyNoValue, WithoutValue
from alc_core.tables.values.texts import canonical_labels, label_counts

_NAMED = 4
MOST_VALUES = 200
"""Values of a column that are offered, the most frequent ones; any other can be typed."""


@dataclass(slots=True, kw_only=True)
class NoValueScreen:
    """Columns that the user asked for, beside those in which something is found."""

    columns: list[str] = field(default_factory=list)


def draw_no_values(state: AppState) -> None:
    """Draw what means "no value" in the columns of the original."""
    with st.spinner("Looking for values that mean “no value”"):
        found = state.without_values()
        likely = state.likely_no_values()
    chosen, screen = state.run_choices.missing, state.screen(NoValueScreen)
    shown = [c for c in found if found[c].markers or c in chosen or c in screen.columns]
    empty = [c for c in found if found[c].rows and c not in shown]
    with st.expander(f"People without a value: {_where(found)}", key="no_values"):
        _draw_likely(state, likely, found)
        _draw_found(state, found, shown, empty)


def _draw_found(
    state: AppState,
    found: Mapping[str, WithoutValue],
    shown: Sequence[str],
    empty: Sequence[str],
) -> None:
    st.markdown(_explanation(state, anybody=any(each.rows for each in found.values())))
    for number, column in enumerate(shown):
        _draw_column(state, number, column, found[column])
    if empty:
        st.caption(
            "Only empty cells: "
            + literal("; ".join(f"{column}: {found[column].words}" for column in empty))
            + "."
        )
    others = [column for column in found if column not in shown]
    st.selectbox(
        "Another column with a value that means “no value”",
        others,
        index=None,
        placeholder="Choose a column",
        key="no_value_column",
        on_change=_add_column,
        args=(state.screen(NoValueScreen),),
    )


def _draw_likely(
    state: AppState, likely: Sequence[LikelyNoValue], found: Mapping[str, WithoutValue]
) -> None:
    """Offer values that may mean "no value", each for a click."""
    for number, each in enumerate(likely):
        left, right = st.columns([3, 2], vertical_alignment="center")
        left.markdown(f"Does it mean “no value”? {literal(f'{each.column}: {each.words}')}.")
        right.button(
            f"No value in {literal(each.column)}",
            key=f"likely_no_value_{number}",
            on_click=store_no_values,
            args=(state, each.column, [*found[each.column].markers, each.value]),
        )


def store_no_values(state: AppState, column: str, values: Sequence[str]) -> None:
    """Take over what means "no value" in a column; what is recognised anyway is not kept."""
    chosen = state.run_choices.missing
    chosen.pop(column, None)
    recognised = set(state.without_values()[column].markers)
    spelled = canonical_labels(pd.Series(list(values), dtype=object)).dropna()
    if set(spelled) != recognised:
        chosen[column] = tuple(dict.fromkeys(spelled))


def _where(found: Mapping[str, WithoutValue]) -> Markdown:
    columns = [column for column, each in found.items() if each.rows]
    if not columns:
        return "none found"
    named = literal(", ".join(columns[:_NAMED]) + (" …" if len(columns) > _NAMED else ""))
    return f"in {numbered(len(columns), 'column')} ({named})"


def _explanation(state: AppState, *, anybody: bool) -> Markdown:
    if not anybody:
        return "Everybody has a value in every column, as far as can be seen."
    if state.run_choices.include_missing:
        return (
            "People without a value are attacked like all others, as you chose on the Campaign "
            "page. These have none:"
        )
    return (
        "People without a value in a column have nothing to hide there, and are **not attacked** "
        "when that column is. They stay in the data. Left out are empty cells and the values "
        "below. Take a value out if it is a real answer; add one that is not."
    )


def _draw_column(state: AppState, number: int, column: str, found: WithoutValue) -> None:
    original = state.original_table()
    key = f"no_value_{number}_{column}"
    st.session_state[key] = list(found.markers)
    labels = [str(label) for label in label_counts(original.frame[column]).index[:MOST_VALUES]]
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    left.multiselect(
        f"No value in {literal(column)}",
        list(dict.fromkeys([*found.markers, *labels])),
        key=key,
        placeholder="Only empty cells",
        accept_new_options=True,
        on_change=_take,
        args=(state, column, key),
        wrap=True,
    )
    right.markdown(literal(found.words) if found.rows else "Nobody is left out.")
    if found.absent:
        absent = listed([f"“{value}”" for value in found.absent])
        st.warning(
            literal(f"{column} has no {absent}. Check how it is spelled."),
            icon=":material/warning:",
        )


def _take(state: AppState, column: str, key: str) -> None:
    if key in st.session_state:
        store_no_values(state, column, st.session_state[key])


def _add_column(screen: NoValueScreen) -> None:
    if column := st.session_state.get("no_value_column"):
        screen.columns.append(column)
        st.session_state["no_value_column"] = None
