"""Uploading files, what was read, reading again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd
import streamlit as st

from alc_core.dashboard.data.columns import PREVIEW_COLUMNS, preview
from alc_core.dashboard.data.samples import draw_making, draw_samples
from alc_core.dashboard.markdown import Markdown, literal, told_apart
from alc_core.dashboard.parts.widgets import draw_upload
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.files import (
    FailedFile,
    LoadedFile,
    ReadingOptions,
    ReleaseMode,
    ReleaseParts,
    Slot,
    assumed_mode,
)
from alc_core.dashboard.state.session import show_error
from alc_core.dashboard.work.uploads import (
    dismiss_failure,
    options_can_help,
    read_into,
    read_tables,
    remove_file,
    remove_metadata,
    shown_rows,
    take_uploads,
    use_demo,
)
from alc_core.glossary import explain
from alc_core.phrasing import count, listed, sentence_case
from alc_core.releases.registry import release_types, unreadable
from alc_core.releases.release import ROWS_OF_PEOPLE, USUAL_KIND, Release
from alc_core.releases.samples.demo import DEMO_NAMES, SWAPPED_SHARES
from alc_core.tables.apart.process import warm_up
from alc_core.tables.formats.recognise import EXTENSIONS, PACKED
from alc_core.tables.formats.source import Project
from alc_core.tables.table import Table

FILE_TYPES = [each.removeprefix(".") for each in (*EXTENSIONS, ".sqlite", ".db", *sorted(PACKED))]

_DEMO_TITLES = {
    "fair": "Marriage survey (6,366 people)",
    "randhie": "Health insurance experiment (20,190 records)",
}
_SHARE_TITLES = {
    (0.2,): "20% swapped (weak)",
    (0.05,): "5% swapped (hardly anonymized)",
    (0.8,): "80% swapped (strong)",
    SWAPPED_SHARES: "All, to compare",
}
_MODE_TITLES: dict[ReleaseMode, str] = {
    "several": "Only one: candidates to compare",
    "one": "Together: one release, such as five syntheses",
    "series": "In turn: editions, the earliest first",
}

# Upload labels: empty, and with files
_UPLOAD_LABELS: dict[Slot, tuple[str, str]] = {
    "original": ("Choose a file, or linked tables", "Replace it, or add a linked table"),
    "release": ("Choose files", "Add another file"),
    "holdout": ("Choose the holdout file", "Replace the holdout"),
}
_FILES = "files_step"
_AUTOMATIC = "detected"
_DELIMITERS = {_AUTOMATIC: None, "comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
_ENCODINGS = (
    _AUTOMATIC, "utf-8", "windows-1252", "iso-8859-1", "iso-8859-15", "utf-16", "cp850",
    *(f"windows-{page}" for page in range(1250, 1259) if page != 1252), "iso-8859-2", "koi8-r",
    "mac-roman", "shift-jis", "euc-jp", "cp949", "gb18030", "big5",
)  # fmt: skip
_THOUSANDS = {_AUTOMATIC: None, "point (1.500)": ".", "comma (1,500)": ","}
_DECIMALS = {_AUTOMATIC: None, "point (1.5)": ".", "comma (1,5)": ","}


@dataclass(slots=True, kw_only=True)
class FilesScreen:
    """Whether files were complete when last drawn, so folded."""

    complete: bool = False


def draw_files(state: AppState) -> None:
    """Draw original, releases and holdout, folded once complete.

    Reopened, they stay open until the next file.
    """
    screen, complete = state.screen(FilesScreen), state.ready and not state.failed
    if _FILES not in st.session_state or screen.complete is not complete:
        st.session_state[_FILES] = not complete
    screen.complete = complete
    mark = ":green[:material/check_circle:] " if complete else ""
    with st.expander(f"{mark}**1 Files**{_summary(state)}", key=_FILES, on_change="rerun"):
        left, right = st.columns(2, gap="medium")
        with left:
            st.markdown("**Original**", help=explain("original"))
            draw_slot(state, "original")
            _draw_metadata(state)
            draw_slot_upload(state, "original")
            draw_holdout(state)
        with right:
            st.markdown("**Release**", help=explain("release"))
            draw_slot(state, "release")
            draw_release_mode(state)
            draw_samples(state)
            draw_slot_upload(state, "release")
            if state.original is not None and state.linked is None:
                with st.expander(
                    "Make a test release from the original", icon=":material/science:"
                ):
                    draw_making(state)
        with st.expander(
            "No data at hand? Try the demo data",
            expanded=state.original is None and not state.release,
        ):
            draw_demo(state)


def _summary(state: AppState) -> Markdown:
    if not state.ready:
        return ": original and release"
    holdout = ", with a holdout" if state.holdout is not None else ""
    original, releases = state.original_table().name, [*state.releases()]
    if state.linked is not None:
        own, *released = state.linked.sides
        original, releases = listed([*state.linked.sides[own]]), released
    return f": {literal(original)}, released as {literal(listed(releases))}{holdout}"


def draw_slot_upload(state: AppState, slot: Slot) -> None:
    """Draw a slot's upload, and take files."""
    warm_up()
    first, further = _UPLOAD_LABELS[slot]
    files = draw_upload(
        literal(further if state.files(slot) else first),
        f"upload_{slot}",
        state.uploads[slot],
        type=FILE_TYPES,
        accept_multiple_files=slot != "holdout",
        help=(
            "CSV, Parquet, Excel, SQLite, Stata, SAS, SPSS, R, JSON, SDV metadata and more; also "
            "compressed."
        ),
    )
    if files:
        with st.spinner("Reading the file", show_time=True):
            take_uploads(state, slot, files)
        st.rerun()


def draw_demo(state: AppState) -> None:
    """Draw the demo data, loaded by one click."""
    name = st.radio("Data", DEMO_NAMES, format_func=_DEMO_TITLES.__getitem__, key="demo_name")
    share = st.radio(
        "Release",
        list(_SHARE_TITLES),
        format_func=_SHARE_TITLES.__getitem__,
        key="demo_share",
        help="Share of values exchanged between people at random.",
    )
    if st.button("Use demo data", icon=":material/science:", type="primary"):
        with st.spinner("Making the demo data"):
            use_demo(state, name, *(f"{each:.0%} swapped" for each in share))
        st.rerun()


def draw_slot(state: AppState, slot: Slot) -> None:
    """Draw a slot's files, and unreadable ones."""
    files = state.files(slot)
    for failure in (f for f in state.failed if f.slot == slot):
        _draw_failure(state, failure)
    if len(files) == 1:
        with st.container(border=True):
            _draw_file(state, slot, files[0])
    elif files:
        with st.container(border=True, gap="xsmall"):
            for file in files:
                _draw_in_list(state, slot, file)


def draw_holdout(state: AppState) -> None:
    """Draw the holdout, folded while empty."""
    failed = any(failure.slot == "holdout" for failure in state.failed)
    with st.expander(
        "Holdout: people not in the data (optional)",
        icon=":material/group_off:",
        expanded=state.holdout is not None or failed,
    ):
        st.caption("For the Holdout study.")
        draw_slot(state, "holdout")
        draw_slot_upload(state, "holdout")


def draw_release_mode(state: AppState) -> None:
    """Draw the number of releases, and types."""
    if not state.release:
        return
    made = state.made_releases()
    with st.container(border=True):
        if len(state.release) > 1:
            assumed, reason = assumed_mode(state.release_tables(), made.recognised)
            now = state.release_mode or assumed
            chosen = st.radio(
                "How will these files be published?",
                list(_MODE_TITLES),
                index=list(_MODE_TITLES).index(now),
                format_func=_MODE_TITLES.__getitem__,
                help="A release is attacked as a whole, candidates one by one.",
            )
            if chosen != now:
                state.release_mode = chosen
                st.rerun()
            if state.release_mode is None:
                st.caption(f"Assumed. {literal(reason)}")
        if state.original is not None:
            draw_release_types(state, made.parts)


def _draw_file(state: AppState, slot: Slot, file: LoadedFile) -> None:
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        _draw_name(file.table)
        _draw_removal(state, slot, file.table)
    _draw_project(file.table.project)
    if slot == "release":
        _draw_renaming(state, file.table.name)
    _draw_first_rows(slot, file.table)
    if file.data is not None:
        with st.expander("How the file was read"):
            _draw_reading(state, slot, file, file.data)


def _draw_in_list(state: AppState, slot: Slot, file: LoadedFile) -> None:
    name = file.table.name
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        _draw_name(file.table)
        with st.popover(told_apart("Preview", f"of {name}"), key=f"look_at_{slot}_{name}"):
            if state.linked is None:
                _draw_renaming(state, name)
            _draw_first_rows(slot, file.table)
            if file.data is not None:
                _draw_reading(state, slot, file, file.data)
        _draw_removal(state, slot, file.table)


def _draw_name(table: Table) -> None:
    size = f"{count(len(table))} rows, {count(len(table.columns))} columns"
    st.markdown(
        f":green[:material/check_circle:] **{literal(table.name)}**  \n{size}",
        width="stretch",
    )


def _draw_project(project: Project | None) -> None:
    if project is None:
        return
    if project.roles or project.kinds:
        st.badge(literal(f"roles from {project.tool}"), icon=":material/key:")
    if project.hierarchies:
        st.badge(literal(f"hierarchies from {project.tool}"), icon=":material/account_tree:")
    if project.both:
        st.caption(f"Both are from one {literal(project.tool)} object. To change one, remove it.")


def _draw_metadata(state: AppState) -> None:
    if state.metadata is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", wrap=False):
        st.markdown(
            f":green[:material/check_circle:] **{literal(state.metadata.name)}**  \nSDV metadata",
            width="stretch",
        )
        st.button(
            told_apart("Remove", state.metadata.name),
            key="remove_metadata",
            on_click=remove_metadata,
            args=(state,),
        )


def _draw_renaming(state: AppState, name: str) -> None:
    key = f"name_of_{name}"
    st.text_input("Called", name, key=key, on_change=_rename, args=(state, name, key))


def _rename(state: AppState, name: str, key: str) -> None:
    new = st.session_state[key].strip()
    state.rename_release(name, new)
    if new and new != name and name in {file.table.name for file in state.release}:
        st.session_state[key] = name
        st.toast(literal(f"There is already a release '{new}'."), icon=":material/error:")


def _draw_removal(state: AppState, slot: Slot, table: Table) -> None:
    st.button(
        told_apart("Remove", table.name),
        key=f"remove_{slot}_{table.name}",
        on_click=remove_file,
        args=(state, slot, table.name),
    )


def _draw_first_rows(slot: Slot, table: Table) -> None:
    st.dataframe(
        preview(table),
        hide_index=True,
        height=178,
        lazy=False,
        alt=f"First rows of {slot}.",
    )
    shown = "Shown on this page only."
    if len(table.columns) > PREVIEW_COLUMNS:
        shown += f" {PREVIEW_COLUMNS} of {count(len(table.columns))} columns."
    st.caption(shown)


def _draw_reading(state: AppState, slot: Slot, file: LoadedFile, data: bytes) -> None:
    st.markdown("\n".join(f"- {literal(note)}" for note in file.table.notes))
    if options_can_help(file.read.name, data):
        _draw_reading_options(state, slot, file.read.name, data, file.options)


def _draw_failure(state: AppState, failure: FailedFile) -> None:
    with st.container(border=True):
        if failure.tables:
            _draw_tables(state, failure)
        else:
            show_error(failure.message)
            if options_can_help(failure.name, failure.data):
                with st.expander("Read it with other options"):
                    _draw_reading_options(
                        state, failure.slot, failure.name, failure.data, failure.options
                    )
        st.button(
            "Dismiss",
            key=f"dismiss_{failure.slot}_{failure.name}",
            on_click=dismiss_failure,
            args=(state, failure),
        )


def _draw_tables(state: AppState, file: FailedFile) -> None:
    st.markdown(f":orange[:material/help:] **{literal(file.name)}** has several tables.")
    key = f"tables_{file.slot}_{file.name}"
    if file.slot == "holdout":
        one = st.selectbox("Table to read", file.tables, index=None, key=key)
        chosen = [] if one is None else [one]
    else:
        chosen = st.multiselect("Tables to read", file.tables, key=key)
    st.button(
        "Read", key=f"{key}_read", disabled=not chosen, type="primary",
        on_click=read_tables, args=(state, file, chosen),
    )  # fmt: skip


def _draw_reading_options(
    state: AppState, slot: Slot, name: str, data: bytes, options: ReadingOptions
) -> None:
    _draw_rows_of_file(state, slot, name, data, options)
    delimiters = _DELIMITERS
    if options.delimiter not in delimiters.values():
        delimiters = {**delimiters, str(options.delimiter): options.delimiter}
    with st.form(f"reading_{slot}_{name}", border=False):
        left, right = st.columns(2)
        delimiter = left.selectbox(
            "Delimiter", list(delimiters), index=_place(delimiters, options.delimiter)
        )
        decimal = right.selectbox(
            "Decimal mark", list(_DECIMALS), index=_place(_DECIMALS, options.decimal)
        )
        thousands = right.selectbox(
            "Thousands mark", list(_THOUSANDS), index=_place(_THOUSANDS, options.thousands)
        )
        encoding = left.selectbox(
            "Encoding",
            _ENCODINGS,
            index=_ENCODINGS.index(options.encoding) if options.encoding in _ENCODINGS else 0,
        )
        header_row = right.text_input(
            "Header row",
            options.header_row or "",
            placeholder=_AUTOMATIC,
            help="Such as 3; 1-2 joins two rows. Blank rows count.",
        )
        skip_rows = right.text_input(
            "Rows to exclude",
            options.skip_rows or "",
            placeholder=_AUTOMATIC,
            help="Such as 2,3,-1 (-1 is the last). “none” keeps all.",
        )
        if st.form_submit_button("Read again", icon=":material/refresh:"):
            chosen = ReadingOptions(
                delimiter=delimiters[delimiter],
                decimal=_DECIMALS[decimal],
                thousands=_THOUSANDS[thousands],
                encoding=None if encoding == _AUTOMATIC else encoding,
                sheet=options.sheet,
                header_row=header_row.strip() or None,
                skip_rows=skip_rows.strip() or None,
            )
            with st.spinner("Reading the file", show_time=True):
                read_into(state, slot, name, data, chosen)
            st.rerun()


def _draw_rows_of_file(
    state: AppState, slot: Slot, name: str, data: bytes, options: ReadingOptions
) -> None:
    if not st.toggle("Show the first rows of the file", key=f"rows_of_{slot}_{name}"):
        return
    rows = state.memo.remember(
        ("first rows", slot, name),
        (options, len(data)),
        lambda: shown_rows(name, data, options),
    )
    if rows:
        frame = pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1)).fillna("")
        frame.columns = pd.Index([f"{number}" for number in range(1, frame.shape[1] + 1)])
        st.dataframe(frame, lazy=False, alt=f"First rows of {name}.")
    else:
        st.caption("This file has no rows.")


def _place(choices: dict[str, str | None], value: str | None) -> int:
    return list(choices.values()).index(value) if value in choices.values() else 0


@dataclass(slots=True, kw_only=True)
class ReleaseTypesScreen:
    """Errors in the choice of types."""

    # Why a release cannot be read as its chosen type
    problems: dict[str, str] = field(default_factory=dict)


def draw_release_types(state: AppState, releases: Sequence[ReleaseParts]) -> None:
    """Draw each release's type, preset as recognized.

    Folded if all are rows.
    """
    several, problems = len(releases) > 1, state.screen(ReleaseTypesScreen).problems
    plain = several and all(
        each.kind == USUAL_KIND
        and each.recognised is None
        and not (each.problem or problems.get(each.name))
        for each in releases
    )
    title = f"Each is read as {ROWS_OF_PEOPLE}"
    with st.expander(title) if plain else st.container():
        for parts in releases:
            _draw_release_type(state, parts, several=several)


def _draw_release_type(state: AppState, parts: ReleaseParts, *, several: bool) -> None:
    types = release_types()
    known = parts.recognised
    if known is not None:
        st.markdown(
            f"{literal(known.reason)} Read {'it' if len(known.tables) == 1 else 'them'} so?"
        )
    key = f"release_type_{parts.name}"
    if st.session_state.get(key) != parts.kind:
        st.session_state[key] = parts.kind
    st.selectbox(
        f"Type of {literal(parts.name)}" if several else "Release type",
        list(types),
        format_func=lambda kind: _title(types[kind]),
        key=key,
        on_change=_choose,
        args=(state, parts.name, key),  # no tables: widgets outlive them
        help=types_help(),
    )
    problem = state.screen(ReleaseTypesScreen).problems.get(parts.name) or parts.problem
    if problem:
        show_error(problem)
    for part in state.releases()[parts.name].described():  # how the tables were understood
        if isinstance(part, str):
            st.caption(literal(part))
        else:
            alt = f"First rows of {parts.name}."
            st.dataframe(part, hide_index=True, lazy=False, alt=alt)


def types_help() -> Markdown:
    """Return what each type of release holds."""
    return "  \n".join(
        f"**{literal(_title(each))}**: {literal(each.help)}" for each in release_types().values()
    )


def _choose(state: AppState, name: str, key: str) -> None:
    (parts,) = (each for each in state.made_releases().parts if each.name == name)
    chosen, problems = st.session_state[key], state.screen(ReleaseTypesScreen).problems
    problems.pop(parts.name, None)
    problem = unreadable(chosen, parts.tables, state.original_table())
    if problem:
        problems[parts.name] = problem
    else:
        state.release_kinds = {**state.release_kinds, parts.name: chosen}


def _title(release_type: type[Release]) -> str:
    return sentence_case(release_type.title)
