"""Generalized labels: shown, and corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from alc_core.dashboard.data.label_table import (
    COLUMN,
    DOUBT,
    HOW,
    LABEL,
    SHARE,
    STANDS_FOR,
    TABLE,
    VALUES,
    LabelRow,
    label_frame,
    label_rows,
    say_label,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.widgets import (
    draw_download,
    draw_outcome,
    draw_upload,
    outcome_of,
    take_upload,
)
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.files import campaign_file_stem
from alc_core.dashboard.state.said import LabelledTable
from alc_core.errors import ColumnError, InputError
from alc_core.phrasing import count, listed, numbered
from alc_core.releases.registry import sets_by_column
from alc_core.tables.apart.read import read_hierarchy, read_plain_sets
from alc_core.tables.labels.find import column_domain
from alc_core.tables.labels.language import plain_set, sets_text
from alc_core.tables.value_sets import label_rows as rows_with
from alc_core.tables.values.texts import label_counts

MOST_ROWS = 1000  # Shown by frequency; the saved file has all
_ROW_HEIGHT, _MOST_HEIGHT, _NAME_WIDTH = 35, 420, 120
_MOST_MEGABYTES = 50
_SHOWN = 5
_HOW_TO_WRITE = (
    "**20..39** from 20 to 39 · **20..<40** without 40 · **20<..40** without 20. **65..** and "
    "over · **..17** and under. **a | b** one of these · **\\*** any value · empty: only itself."
)


@dataclass(slots=True, kw_only=True)
class LabelsScreen:
    """How the tables of labels are shown."""

    number: int = 0  # Part of keys: a new number resets them
    # Table, column and label of rows by release: rows keep places while edited
    orders: dict[str, tuple[tuple[str, str, str], ...]] = field(default_factory=dict)
    uploads: int = 0  # Part of upload keys: a new number empties them
    # Result of a release's last file, and success
    messages: dict[str, tuple[str, bool]] = field(default_factory=dict)

    def show_afresh(self) -> None:
        """Reset the tables."""
        self.number, self.orders = self.number + 1, {}


def draw_labels(state: AppState) -> None:
    """Draw the meanings of each release's generalized labels."""
    if not state.ready:
        return
    with st.spinner("Looking for generalized values"):
        tables = state.labelled_tables()
        found = {
            name: [tables[table.name] for table in release.tables]
            for name, release in state.made_releases().releases.items()
        }
        rows = {name: [r for each in own for r in label_rows(each)] for name, own in found.items()}
    shown = [name for name in found if rows[name]]
    if not shown:
        return
    st.header("Generalized values")
    for name in shown:
        if len(found) == 1:
            _draw_release(state, name, found[name], rows[name])
            continue
        to_do = any(row.open or row.wrong for row in rows[name])
        columns = list(dict.fromkeys(row.column for row in rows[name]))
        words = f"{numbered(len(rows[name]), 'label')} of {listed(columns)}"
        with st.expander(literal(f"{name}: {words}"), expanded=to_do, key=f"labels_of_{name}"):
            _draw_release(state, name, found[name], rows[name])


def _draw_release(
    state: AppState, name: str, tables: Sequence[LabelledTable], rows: list[LabelRow]
) -> None:
    st.markdown(literal(_explanation(rows)))
    _draw_open(rows)
    shown = _in_order(state.screen(LabelsScreen), name, _most(rows))
    _draw_editor(state, name, shown, several=len(tables) > 1)
    if more := len(rows) - len(shown):
        st.caption(
            f"The {count(len(shown))} most frequent labels. To edit {numbered(more, 'other')}, "
            "save, change and upload it."
        )
    st.caption(f"“{STANDS_FOR}”: {_HOW_TO_WRITE}")
    names = [each.table.name for each in tables]
    with st.container(horizontal=True):
        draw_download(
            "Save labels (JSON)",
            lambda: saved_sets(tables),
            f"{campaign_file_stem(name, 'labels')}.json",
            key=f"save_labels_{name}",
            help="Contains values of the original.",
        )
        st.button(
            "Undo all",
            icon=":material/undo:",
            key=f"labels_back_{name}",
            disabled=not any(state.labels.get(each) for each in names),
            on_click=_forget,
            args=(state, names),
        )
    _draw_files(state, name, tables)
    st.caption("The review file keeps this: prefer ranges to lists.")


def _draw_editor(state: AppState, name: str, rows: Sequence[LabelRow], *, several: bool) -> None:
    key = f"labels_{state.screen(LabelsScreen).number}_{name}"
    # A form: each change alone would check the tables anew, under further changes
    with st.form(f"{key}_form", border=False, enter_to_submit=False):
        st.data_editor(
            label_frame(rows, several=several),
            key=key,
            hide_index=True,
            width="stretch",
            height=min(_MOST_HEIGHT, _ROW_HEIGHT * (len(rows) + 1) + 3),
            disabled=[TABLE, COLUMN, LABEL, VALUES, SHARE, HOW, DOUBT],
            column_config={
                COLUMN: st.column_config.TextColumn(pinned=True, width=_NAME_WIDTH),
                LABEL: st.column_config.TextColumn(pinned=True, width=_NAME_WIDTH),
                STANDS_FOR: st.column_config.TextColumn(
                    f"{STANDS_FOR} (click to change)", width="medium"
                ),
                VALUES: st.column_config.NumberColumn(
                    help="Original values covered.",
                    width="small",
                    format="localized",
                ),
                SHARE: st.column_config.NumberColumn(format="percent"),
                DOUBT: st.column_config.TextColumn(width="large"),
            },
            alt=f"What the labels of the release {name} cover.",
        )
        st.form_submit_button(
            "Apply", icon=":material/check:", on_click=_take, args=(state, name, key)
        )


def _explanation(rows: Sequence[LabelRow]) -> str:
    columns = dict.fromkeys((row.table, row.column) for row in rows)
    have = "has" if len(columns) == 1 else "have"
    if all(row.open for row in rows):
        return (
            f"{numbered(len(columns), 'column')} of this release {have} new values, such as "
            f"{rows[0].shown_label}. Enter what each covers."
        )
    usable = [row for row in rows if row.n_values and row.text != "*"] or rows
    example = next((row for row in usable if row.explains_itself), usable[0])
    label = example.shown_label if example.label else "an empty cell"
    if example.text and not example.explains_itself:
        label += f" for {'any value' if example.text == '*' else example.text}"
    return (
        f"{numbered(len(columns), 'column')} of this release {have} generalized values, such as "
        f"{label}, which match all they cover."
    )


def _draw_open(rows: Sequence[LabelRow]) -> None:
    for row in [row for row in rows if row.wrong][:_SHOWN]:
        st.error(
            literal(f"{row.column}, label “{row.shown_label}”: {row.doubt} Your text is not used."),
            icon=":material/error:",
        )
    doubts = dict.fromkeys(
        f"{row.column}: {row.doubt}" for row in rows if row.doubt and row.n_values
    )
    if doubts:
        st.caption("  \n".join(literal(doubt) for doubt in list(doubts)[:_SHOWN]))
    unread = [row for row in rows if row.open]
    if unread:
        columns = listed(list(dict.fromkeys(f"“{row.column}”" for row in unread)))
        st.warning(
            literal(
                f"{numbered(len(unread), 'label')} of {columns} could not be read. Enter what "
                "each covers, or upload a hierarchy."
            ),
            icon=":material/help:",
        )


def _most(rows: list[LabelRow]) -> list[LabelRow]:
    if len(rows) <= MOST_ROWS:
        return rows
    first = sorted(rows, key=lambda row: (not (row.open or row.wrong), -row.share))[:MOST_ROWS]
    kept = {row.place for row in first}
    return [row for row in rows if row.place in kept]


def _in_order(screen: LabelsScreen, name: str, rows: list[LabelRow]) -> list[LabelRow]:
    by_place = {row.place: row for row in rows}
    order = screen.orders.get(name, ())
    if set(order) != set(by_place):
        if order:
            screen.number += 1
        screen.orders[name] = order = tuple(by_place)
    return [by_place[place] for place in order]


def _take(state: AppState, release: str, key: str) -> None:
    if key in st.session_state:
        store_labels(state, release, st.session_state[key]["edited_rows"])


def store_labels(state: AppState, release: str, edited: dict[int, dict[str, str | None]]) -> None:
    """Take the edits of a release's labels."""
    order, tables = state.screen(LabelsScreen).orders[release], state.labelled_tables()
    for number, cells in edited.items():
        if STANDS_FOR in cells and number < len(order):
            table, column, label = order[number]
            say_label(state.labels, tables[table], column, label, cells[STANDS_FOR] or "")


def _forget(state: AppState, names: Sequence[str]) -> None:
    for name in names:
        state.labels.pop(name, None)
    screen = state.screen(LabelsScreen)
    screen.messages.clear()
    screen.show_afresh()


def _draw_files(state: AppState, release: str, tables: Sequence[LabelledTable]) -> None:
    screen = state.screen(LabelsScreen)
    draw_outcome(*screen.messages.get(release, ("", True)))
    with st.expander("Upload labels, or add one"):
        saved = draw_upload(
            "Saved labels (JSON)", f"labels_file_{release}", screen.uploads,
            type=["json"], max_upload_size=_MOST_MEGABYTES,
            help="Replaces your changes.",
        )  # fmt: skip
        left, right = st.columns([1, 2])
        column = left.selectbox(
            "Column", _labelled_columns(tables), key=f"hierarchy_column_{release}"
        )
        with right:
            hierarchies = draw_upload(
                "Hierarchy of this column (CSV)", f"hierarchy_file_{release}", screen.uploads,
                type=["csv", "txt"], max_upload_size=_MOST_MEGABYTES,
                help="As of ARX: an original value, then its coarser labels.",
            )  # fmt: skip
        _draw_one_label(state, release, tables)
    if saved:
        screen.uploads += 1
        _tell(screen, release, take_upload(state, saved[0], partial(_take_saved, state, tables)))
    if hierarchies and column:
        screen.uploads += 1
        take = partial(_take_hierarchy, state, tables, column)
        _tell(screen, release, take_upload(state, hierarchies[0], take))


def _draw_one_label(state: AppState, release: str, tables: Sequence[LabelledTable]) -> None:
    with st.form(f"one_label_{release}", border=False, clear_on_submit=True):
        st.caption("Another label:")
        left, middle, right = st.columns(3)
        column = left.selectbox("Column of the label", _labelled_columns(tables))
        label = middle.text_input("Label", placeholder="65").strip()
        text = right.text_input("Covers", placeholder="65..").strip()
        if not st.form_submit_button("Add"):
            return

    def add() -> str:
        of = [each.table.frame[column] for each in tables if column in each.table.columns]
        if not any(rows_with(values, [label]).any() for values in of):
            raise InputError(
                f"Column '{column}' of the release lacks '{label}'. Check the spelling."
            )
        for each in tables:
            if column in each.table.columns:
                say_label(state.labels, each, column, label, text)
        return ""

    _tell(state.screen(LabelsScreen), release, outcome_of(add))


def _tell(screen: LabelsScreen, release: str, outcome: tuple[str, bool]) -> None:
    screen.messages[release] = outcome
    if outcome[1]:
        screen.show_afresh()
    st.rerun()


def _labelled_columns(tables: Sequence[LabelledTable]) -> list[str]:
    found = (column for each in tables for column in each.table.columns if each.compares(column))
    return list(dict.fromkeys(found))


def saved_sets(tables: Sequence[LabelledTable]) -> str:
    """Return label meanings as a file for the command line."""
    return sets_text(sets_by_column(tables[0].original, [each.table for each in tables]))


def _take_saved(state: AppState, tables: Sequence[LabelledTable], name: str, data: bytes) -> str:
    told = read_plain_sets(data, name=name)
    columns = _labelled_columns(tables)
    if strange := [column for column in told if column not in columns]:
        raise ColumnError(
            f"'{name}' describes '{strange[0]}', but original and release share "
            f"{listed(columns[:12])}."
        )
    for each in tables:
        state.labels.pop(each.table.name, None)
        for column, labels in told.items():
            if column in each.table.columns:
                state.labels.say(each.table.name, column, labels)
    return f"Taken from '{name}'."


def _take_hierarchy(
    state: AppState, tables: Sequence[LabelledTable], column: str, name: str, data: bytes
) -> str:
    domain = column_domain(tables[0].original, column)
    covered = read_hierarchy(data, domain, column=column, name=name)
    taken: set[str] = set()
    for each in tables:
        if column not in each.table.columns:
            continue
        there = set(map(str, label_counts(each.table.frame[column]).index))
        told = {c: plain_set(sets, domain) for c, sets in covered.items() if c in there}
        if told:
            state.labels.say(each.table.name, column, told)
        taken |= told.keys()
    if not taken:
        raise InputError(
            f"The hierarchy '{name}' has no label of column '{column}'. Choose another."
        )
    return f"{numbered(len(taken), 'label')} of '{column}' from '{name}'."
