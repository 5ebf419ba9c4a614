"""The columns for review: kinds, roles, reasons, names, "no value"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import pandas as pd
import streamlit as st

from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.parts.widgets import component, draw_small_upload, draw_taken
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.campaign_planning import plan_preview
from alc_core.dashboard.work.uploads import take_codebook
from alc_core.errors import InputError
from alc_core.phrasing import count, listed, numbered
from alc_core.scenario.no_value import NO_VALUE, LikelyNoValue, WithoutValue
from alc_core.tables.checks.finding import Severity
from alc_core.tables.roles import ColumnRole, Roles
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.texts import canonical_labels, label_counts

PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 60
_TABLE = "column_table"
_CODEBOOK_MEGABYTES = 20


def preview(table: Table) -> pd.DataFrame:
    """Return the first rows as in the file."""
    rows = table.frame.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS]
    return pd.DataFrame(
        {
            str(name): ["" if pd.isna(value) else str(value) for value in rows[name]]
            for name in rows.columns
        }
    )


def column_rows(state: AppState) -> list[dict[str, str]]:
    """Return a row per column: name, kind, role, reason."""
    original, roles = state.original_table(), state.column_roles()
    return [
        {
            "column": column,
            "name": column,
            "code": original.codes.get(column, column),
            "kind": str(original.kind(column)),
            "role": str(roles.of_columns[column].role),
            "why_kind": original.guesses[column].reason,
            "why_role": roles.of_columns[column].reason,
        }
        for column in original.columns
        if column in roles.of_columns  # not of known rows
    ]


def draw_columns(state: AppState) -> None:
    """Draw the columns, with editable names, kinds and roles."""
    component(__file__, "column_table")(
        data={
            "rows": column_rows(state),
            "kinds": [
                {"value": str(kind), "label": str(kind), "meaning": kind.meaning}
                for kind in ColumnKind
            ],
            "roles": [
                {"value": str(role), "label": role.label, "meaning": role.meaning}
                for role in ColumnRole
            ],
            "taken": state.screen(ColumnsScreen).taken,
        },
        key=_TABLE,
        on_edits_change=partial(_take, state),
    )


@dataclass(slots=True, kw_only=True)
class ColumnsScreen:
    """Edits taken; a browser repeats each until it hears so."""

    taken: int = 0  # Numbered upwards by the browser


def _take(state: AppState) -> None:
    screen = state.screen(ColumnsScreen)
    for edit in st.session_state[_TABLE].get("edits") or ():
        if state.original is not None and edit["number"] > screen.taken:
            screen.taken = edit["number"]
            take_edit(state, edit["code"], edit["what"], edit["value"])


def take_edit(state: AppState, code: str, what: str, value: str) -> None:
    """Take a row's changes, if it exists."""
    table = state.original_table()
    column = next((each for each in table.columns if table.codes.get(each, each) == code), None)
    if column is None:
        return
    if what == "name":
        state.give_names(state.names.with_column(code, value.strip()))
    elif what == "kind":
        state.set_kind(column, ColumnKind(value))
    elif what == "role":
        state.set_role(column, ColumnRole(value))


def draw_names(state: AppState) -> None:
    """Draw a codebook's upload, and a button for names in the file."""
    words, upload = st.columns([3, 2], vertical_alignment="center")
    with upload:
        draw_small_upload(
            state,
            "codebook",
            "Codebook (optional)",
            partial(take_codebook, state),
            type=["csv", "tsv", "txt", "xlsx", "ods"],
            max_upload_size=_CODEBOOK_MEGABYTES,
            help="Column and label, or column, code and label.",
        )
    with words:
        st.markdown("Click a **name** to change it.")
        draw_taken(state, "codebook")
        labels = {} if state.original is None else state.original.read.labels
        if offered := {c: name for c, name in labels.items() if c not in state.names.columns}:
            st.button(
                f"Use {numbered(len(offered), 'name')} in the original's file",
                on_click=lambda: state.give_names(
                    replace(state.names, columns={**offered, **state.names.columns})
                ),
            )


def planning_problem(state: AppState) -> str:
    """Return why no attack can be planned, if so."""
    stopping = (f for f in state.findings() if f.severity is Severity.ERROR and not f.columns)
    if finding := next(stopping, None):
        return f"{finding.place}: {finding.message} {finding.action}"
    if state.choices.mode == "one":
        return ""
    try:
        with st.spinner("Planning the attacks"):
            state.attackable()
            plan_preview(state)
    except InputError as error:
        return str(error)
    return ""


def roles_sentence(roles: Roles) -> str:
    """Return the number of columns by role, and excluded ones."""
    few = (ColumnRole.PROTECTED, ColumnRole.KNOWN, ColumnRole.BOTH)
    found = ((role, len(roles.having(role))) for role in few)
    sentence = ", ".join(f"{count(number)} {role.label}" for role, number in found if number)
    weights = roles.having(ColumnRole.WEIGHT)
    spared = roles.having(ColumnRole.IDENTIFIER, ColumnRole.LEFT_OUT)
    for words, columns in (("survey weight", weights), ("left out", spared)):
        if columns:
            more = f" and {len(columns) - 6} more" if len(columns) > 6 else ""
            sentence += f"; {words}: {', '.join(columns[:6])}{more}"
    return sentence


_NAMED = 4
# Most frequent values offered
MOST_VALUES = 200


@dataclass(slots=True, kw_only=True)
class NoValueScreen:
    """Columns the user added to those with a finding."""

    columns: list[str] = field(default_factory=list)


def draw_no_values(state: AppState) -> None:
    """Draw what means "no value" in the original's columns."""
    with st.spinner("Looking for missing values"):
        found = state.without_values()
        likely = state.likely_no_values()
    chosen, screen = _missing(state), state.screen(NoValueScreen)
    shown = [c for c in found if found[c].markers or c in chosen or c in screen.columns]
    empty = [c for c in found if found[c].rows and c not in shown]
    with st.expander(f"Missing values: {_where(found)}", key="no_values"):
        _draw_likely(state, likely, found)
        st.markdown(_explanation(state, anybody=any(each.rows for each in found.values())))
        for number, column in enumerate(shown):
            _draw_column(state, number, column, found[column])
        if empty:
            words = "; ".join(f"{column}: {found[column].words}" for column in empty)
            st.caption(f"Only empty cells: {literal(words)}.")
        st.selectbox(
            "Another column with missing values",
            [column for column in found if column not in shown],
            index=None,
            placeholder="Choose a column",
            key="no_value_column",
            on_change=_add_column,
            args=(screen,),
        )


def _draw_likely(
    state: AppState, likely: Sequence[LikelyNoValue], found: Mapping[str, WithoutValue]
) -> None:
    for number, each in enumerate(likely):
        left, right = st.columns([3, 2], vertical_alignment="center")
        left.markdown(f"Is this a missing value? {literal(f'{each.column}: {each.words}')}.")
        markers = found[each.column].markers
        with right.container(horizontal=True):
            st.button(
                f"Missing in {literal(each.column)}",
                key=f"likely_no_value_{number}",
                on_click=store_no_values,
                args=(state, each.column, [*markers, each.value]),
            )
            if each.by is None:
                st.button(
                    f"A real answer in {literal(each.column)}",
                    key=f"real_answer_{number}",
                    on_click=keep_answer,
                    args=(state, each.column, markers),
                )


def keep_answer(state: AppState, column: str, markers: Sequence[str]) -> None:
    """Answer with a column's "no value" markers."""
    state.choose(missing={**_missing(state), column: tuple(markers)})
    state.answers.accepted.add((NO_VALUE, state.original_table().name, column))


def store_no_values(state: AppState, column: str, values: Sequence[str]) -> None:
    """Set a column's "no value" markers beyond recognized ones."""
    state.choose(missing={c: each for c, each in _missing(state).items() if c != column})
    recognised = set(state.without_values()[column].markers)
    spelled = canonical_labels(pd.Series(list(values), dtype=object)).dropna()
    if set(spelled) != recognised:
        state.choose(missing={**_missing(state), column: tuple(dict.fromkeys(spelled))})


def _missing(state: AppState) -> Mapping[str, Sequence[str]]:
    return state.choices.settings.targets.missing or {}


def _where(found: Mapping[str, WithoutValue]) -> Markdown:
    columns = [column for column, each in found.items() if each.rows]
    if not columns:
        return "none found"
    named = literal(", ".join(columns[:_NAMED]) + (" …" if len(columns) > _NAMED else ""))
    return f"in {numbered(len(columns), 'column')} ({named})"


def _explanation(state: AppState, *, anybody: bool) -> Markdown:
    if not anybody:
        return "No missing values found."
    if state.choices.include_missing:
        return "Missing values, also attacked:"
    return (
        "People with a missing value are **not attacked** in that column. Remove real answers "
        "below."
    )


def _draw_column(state: AppState, number: int, column: str, found: WithoutValue) -> None:
    original = state.original_table()
    key = f"no_value_{number}_{column}"
    st.session_state[key] = list(found.markers)
    labels = [str(label) for label in label_counts(original.frame[column]).index[:MOST_VALUES]]
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    left.multiselect(
        f"Missing in {literal(column)}",
        list(dict.fromkeys([*found.markers, *labels])),
        key=key,
        placeholder="Only empty cells",
        accept_new_options=True,
        on_change=_take_no_value,
        args=(state, column, key),
        wrap=True,
    )
    right.markdown(literal(found.words) if found.rows else "Nobody is excluded.")
    if found.absent:
        absent = listed([f"“{value}”" for value in found.absent])
        st.warning(
            literal(f"'{column}' has no {absent}. Check the spelling."),
            icon=":material/warning:",
        )


def _take_no_value(state: AppState, column: str, key: str) -> None:
    if key in st.session_state:
        store_no_values(state, column, st.session_state[key])


def _add_column(screen: NoValueScreen) -> None:
    if column := st.session_state.get("no_value_column"):
        screen.columns.append(column)
        st.session_state["no_value_column"] = None
