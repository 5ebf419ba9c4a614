"""What labels stand for from files, and for labels that are not listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from alc_core.dashboard.data.label_rows import say_label
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.browser import free_uploads
from alc_core.dashboard.state.labels import LabelledTable
from alc_core.dashboard.work.label_files import (
    MOST_MEGABYTES,
    labelled_columns,
    refuse_strange_label,
    take_hierarchy,
    take_sets_file,
)
from alc_core.errors import InputError


@dataclass(slots=True, kw_only=True)
class LabelFilesScreen:
    """What came of the last file of each release."""

    uploads: int = 0  # Part of the keys of the upload widgets: a new number empties them
    # By release what came of it, and whether it went well
    messages: dict[str, tuple[str, bool]] = field(default_factory=dict)


def draw_files(
    state: AppState, release: str, tables: Sequence[LabelledTable], afresh: Callable[[], None]
) -> None:
    """Draw the uploads of saved labels and of hierarchies, and a form for one more label."""
    screen = state.screen(LabelFilesScreen)
    columns = labelled_columns(tables)
    if message := screen.messages.get(release):
        text, good = message
        (st.success if good else st.error)(literal(text))
    with st.expander("Give a file, or a label that is not in the table"):
        saved = st.file_uploader(
            "Labels that were saved (JSON)",
            type=["json"],
            max_upload_size=MOST_MEGABYTES,
            key=f"labels_file_{screen.uploads}_{release}",
            help="As saved here, or by “alc check --save-sets”. It replaces your changes.",
        )
        left, right = st.columns([1, 2])
        column = left.selectbox("Column", columns, key=f"hierarchy_column_{release}")
        hierarchy = right.file_uploader(
            "Hierarchy of this column (CSV)",
            type=["csv", "txt"],
            max_upload_size=MOST_MEGABYTES,
            key=f"hierarchy_file_{screen.uploads}_{release}",
            help="As ARX saves it: one row per value of the original, its coarser labels beside it,"
            " separated by semicolons or commas.",
        )
        _draw_one_label(state, release, tables, afresh)
    if saved is not None:
        name, data = _taken(screen, saved)

        def take_saved() -> str:
            take_sets_file(state, tables, name, data)
            return f"Taken from '{name}'."

        _tell(screen, release, take_saved, afresh)
    if hierarchy is not None and column:
        name, data = _taken(screen, hierarchy)
        _tell(screen, release, lambda: take_hierarchy(state, tables, column, name, data), afresh)


def _draw_one_label(
    state: AppState, release: str, tables: Sequence[LabelledTable], afresh: Callable[[], None]
) -> None:
    with st.form(f"one_label_{release}", border=False, clear_on_submit=True):
        st.caption("A label that is not in the table:")
        left, middle, right = st.columns(3)
        column = left.selectbox("Column of the label", labelled_columns(tables))
        label = middle.text_input("Label", placeholder="65").strip()
        text = right.text_input("Stands for", placeholder="65..").strip()
        if not st.form_submit_button("Add"):
            return

    def add() -> str:
        refuse_strange_label(tables, column, label)
        for each in tables:
            if column in each.table.columns:
                say_label(state.labels, each, column, label, text)
        return ""

    _tell(state.screen(LabelFilesScreen), release, add, afresh)


def _taken(screen: LabelFilesScreen, upload: UploadedFile) -> tuple[str, bytes]:
    name, data = upload.name, upload.getvalue()
    free_uploads([upload.file_id])
    screen.uploads += 1
    return name, data


def _tell(
    screen: LabelFilesScreen, release: str, take: Callable[[], str], afresh: Callable[[], None]
) -> None:
    """Take something over, keep what came of it, and draw the page again."""
    try:
        screen.messages[release] = (take(), True)
    except InputError as error:
        screen.messages[release] = (str(error), False)
    else:
        afresh()
        if not screen.messages[release][0]:
            del screen.messages[release]
    st.rerun()
