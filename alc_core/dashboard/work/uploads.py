"""From uploads and demo data to the session's tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import PurePath

from streamlit.runtime.uploaded_file_manager import UploadedFile

from alc_core.dashboard.choices.plan import Choices
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.files import FailedFile, LoadedFile, ReadingOptions, Slot
from alc_core.dashboard.state.jobs import OUT_OF_MEMORY, UNEXPECTED, log_place
from alc_core.dashboard.state.linked_files import ORIGINAL, are_joined
from alc_core.dashboard.state.team import record, refuse_auditors, take_file
from alc_core.dashboard.work.alike import choose_alike
from alc_core.errors import AlcError, InputError, TableReadError
from alc_core.linked.sets import like_originals
from alc_core.phrasing import listed, numbered
from alc_core.releases.samples.demo import load_demo
from alc_core.tables.apart.read import first_rows, read_codebook, read_metadata, read_table
from alc_core.tables.formats.recognise import file_format
from alc_core.tables.formats.source import PART, Source
from alc_core.tables.metadata import Metadata, is_metadata
from alc_core.tables.names import Names, plain_names
from alc_core.tables.table import Table, some_names

NO_OPTIONS = ReadingOptions()
_SHOWN_ROWS = 15


def take_uploads(state: AppState, slot: Slot, uploads: Iterable[UploadedFile]) -> None:
    """Read uploads into a slot, free Streamlit's copy and empty the widget."""
    state.uploads[slot] += 1
    files = sorted(map(take_file, uploads), key=lambda file: is_metadata(file[1]))
    with state.reading:
        for number, (name, data) in enumerate(files):
            if is_metadata(data):
                _take_metadata(state, name, partial(read_metadata, data, name=name))
                _after_change(state)
                continue
            own = _own_name(state, name, data) if slot == "release" else name
            read_into(state, slot, own, data, NO_OPTIONS, beside=number > 0)


def _own_name(state: AppState, name: str, data: bytes) -> str:
    """Return a name distinct from other files with the same name."""
    files = state.files("release")
    taken = {file.read.name: file.data for file in files if file.data is not None}
    (stem,) = plain_names([name.partition(PART)[0]])
    own, number = name, 1
    while taken.get(own, data) != data:
        number += 1
        own = f"{stem} ({number}){name.removeprefix(stem)}"
    return own


def read_into(
    state: AppState, slot: Slot, name: str, data: bytes, options: ReadingOptions,
    *, beside: bool = False,
) -> bool:  # fmt: skip
    """Read bytes as a table into a slot; return success.

    An original replaces others, unless a key joins them or it was chosen `beside` them.
    """
    state.failed = tuple(f for f in state.failed if (f.slot, f.name) != (slot, name))
    table = _read(FailedFile(slot=slot, name=name, data=data, options=options))
    if isinstance(table, FailedFile) and table.together:
        read_tables(state, table, table.tables)
        return True
    if isinstance(table, FailedFile):
        if table.tables and (parts := _linked_parts(state, table)):
            _take(state, slot, parts, beside=beside)
            return True
        state.failed = (*state.failed, table)
        return False
    _take(state, slot, [LoadedFile.of(table, data, options)], beside=beside)
    return True


def _take(state: AppState, slot: Slot, files: Sequence[LoadedFile], *, beside: bool) -> None:
    """Put files that were read into a slot."""
    for file in files:
        rows, columns = len(file.read), len(file.read.columns)
        record("table", name=file.read.name, read_as=slot, rows=rows, columns=columns)
    loaded = files[0]
    if slot == "holdout":  # used by no attack or check
        state.holdout = loaded
        state.failed = tuple(f for f in state.failed if f.slot != slot)
        state.name_tables()
        return
    _drop_demo(state)
    names = {file.read.name for file in files}
    before = state.files(slot)
    others = [file for file in before if file.read.name not in names]
    if slot == "original":
        if not beside and len(others) == len(before) and not _joins(others, files):
            others = []
        state.failed = tuple(f for f in state.failed if beside or f.slot != slot)
        state.take_files((*others, *files), state.files("release"))
        if (held := state.metadata) is not None and state.linked is None:
            _take_metadata(state, held.name, lambda: held)
    else:
        state.take_files(state.files("original"), (*others, *files))
    _after_change(state)
    _take_project(state, slot, loaded)


def _take_metadata(state: AppState, name: str, read: Callable[[], Metadata]) -> None:
    """Hold SDV metadata, unless it is damaged or about other tables than the original."""
    state.metadata = None
    state.failed = tuple(f for f in state.failed if (f.slot, f.name) != ("original", name))
    try:
        metadata = read()
        if state.linked is not None:
            metadata.check_tables(state.linked.sides[ORIGINAL])
        elif state.original is not None:
            metadata.described(state.original.read)
        state.metadata = metadata
        state.take_files(state.files("original"), state.files("release"))
    except AlcError as error:
        failure = FailedFile(
            slot="original", name=name, data=b"", options=NO_OPTIONS, message=str(error)
        )
        state.failed = (*state.failed, failure)


def remove_metadata(state: AppState) -> None:
    """Forget the SDV metadata."""
    state.metadata = None
    state.take_files(state.files("original"), state.files("release"))
    _after_change(state)


def _joins(others: Sequence[LoadedFile], files: Sequence[LoadedFile]) -> bool:
    """Return whether new tables belong to others: a key joins them, and none replaces another."""
    return bool(others) and are_joined({file.read.name: file.read for file in (*others, *files)})


def _linked_parts(state: AppState, file: FailedFile) -> list[LoadedFile]:
    """Return all tables of a file, if they are linked; else none."""
    alone = state.original is not None and state.linked is None and file.slot != "original"
    if file.options.sheet is not None or alone or file.slot == "holdout":
        return []
    parts = []
    for name in file.tables:
        options = replace(file.options, sheet=name)
        part = replace(file, name=f"{file.name}{PART}{name}", options=options)
        if isinstance(table := _read(part), FailedFile):
            return []
        parts.append(LoadedFile.of(table, file.data, options))
    tables = dict(zip(file.tables, (part.read for part in parts), strict=True))
    if file.slot == "release" and state.linked is not None:
        own = state.linked.sides[ORIGINAL]
        return parts if like_originals(tables, own).keys() <= own.keys() else []
    return parts if are_joined(tables) else []


def _take_project(state: AppState, slot: Slot, file: LoadedFile) -> None:
    """Take a household, and the other table of an object that holds both."""
    project, (name, _, _) = file.read.project, file.read.name.partition(PART)
    if project is None or file.data is None:
        return
    if project.household:
        state.choose(household=project.household)
    if project.both and slot == "original" and not state.release:
        read_into(state, "release", name, file.data, file.options)
    if project.both and slot == "release" and state.original is None:
        read_into(state, "original", name, file.data, file.options)


def read_tables(state: AppState, file: FailedFile, tables: Iterable[str]) -> None:
    """Read a file's chosen tables, each under its name."""
    dismiss_failure(state, file)
    chosen = [*tables]
    for number, table in enumerate(chosen, 1):
        one_of = f" ({number} of {len(chosen)})"  # By which files are one release
        name = file.name + (one_of if file.together else f"{PART}{table}")
        own = _own_name(state, name, file.data) if file.slot == "release" else name
        options = replace(file.options, sheet=table)
        read_into(state, file.slot, own, file.data, options, beside=number > 1)


def use_demo(state: AppState, name: str, *releases: str) -> None:
    """Replace all tables by a demo's original and releases."""
    refuse_auditors()
    demo = load_demo(name)
    released = [
        LoadedFile.of(table)
        for release in releases or demo.releases
        for table in demo.releases[release].tables
    ]
    state.take_files([LoadedFile.of(demo.original)], released)
    state.holdout, state.failed, state.start = None, (), demo.scenario
    state.release_mode, state.release_names = None, {}  # answers about other files
    _after_change(state)


def remove_file(state: AppState, slot: Slot, name: str) -> None:
    """Remove a slot's table."""
    if slot == "holdout":
        state.holdout = None
        return
    if slot == "original":
        kept = [file for file in state.files(slot) if file.table.name != name]
        state.take_files(kept, state.files("release"))
    elif state.linked is not None:
        kept = [file for file in state.files(slot) if file.table.name != name]
        state.take_files(state.files("original"), kept)
    else:
        for file in state.release:
            if file.table.name == name:
                state.release_names.pop(file.read.name, None)
        state.release_kinds = {of: kind for of, kind in state.release_kinds.items() if of != name}
        state.release = tuple(file for file in state.release if file.table.name != name)
        for each in (name, f"{name} (release)"):
            state.same_columns.pop(each, None)
            state.labels.pop(each, None)
    _after_change(state)


def take_codebook(state: AppState, name: str, data: bytes) -> str:
    """Apply a codebook's names; return the result."""
    found = read_codebook(data, name=name)
    if state.original is None:
        return ""
    own = found.of(state.original.read)
    if not own:
        raise InputError(
            f"No column of '{name}' is in the original "
            f"({some_names(state.original.read.columns)}). Put its names first."
        )
    state.give_names(
        Names(
            columns={**state.names.columns, **found.columns},
            labels={**state.names.labels, **found.labels},
        )
    )
    parts = (("{}", own.columns), ("the values of {}", own.labels))
    taken = [words.format(numbered(len(of), "column")) for words, of in parts if of]
    return f"Names of {listed(taken)} from '{name}'."


def options_can_help(name: str, data: bytes) -> bool:
    """Return whether the format has options."""
    if not data or data.isspace():
        return False
    extension = PurePath(name).suffix.lower()
    try:
        found = file_format(Source(name=name, data=data, extension=extension))
    except AlcError:
        return False
    return found in ("text", "excel", "page", "sqlite")


def shown_rows(name: str, data: bytes, options: ReadingOptions) -> list[list[str]]:
    """Return a file's first rows, unparsed."""
    try:
        return first_rows(data, name=name, most=_SHOWN_ROWS, options=asdict(options))
    except AlcError:
        return []


def dismiss_failure(state: AppState, failure: FailedFile) -> None:
    """Forget an unreadable file."""
    state.failed = tuple(other for other in state.failed if other is not failure)


def _read(file: FailedFile) -> Table | FailedFile:
    try:
        purpose = None if file.slot == "holdout" else file.slot
        return read_table(file.data, name=file.name, purpose=purpose, **asdict(file.options))
    except TableReadError as error:
        return replace(file, message=str(error), tables=error.tables, together=error.together)
    except AlcError as error:
        return replace(file, message=str(error))
    except MemoryError:
        return replace(file, message=OUT_OF_MEMORY)
    except Exception as error:  # noqa: BLE001 - a file of any content must not stop the page
        log_place(error)
        return replace(file, message=UNEXPECTED)


def _drop_demo(state: AppState) -> None:
    if state.start is not None:
        state.start, state.choices = None, Choices()
    if state.linked is None:
        own = ([f for f in state.files(s) if f.data is not None] for s in ("original", "release"))
        state.take_files(*own)


def _after_change(state: AppState) -> None:
    if len(state.release) < 2:
        state.release_mode = None
    if not state.release:
        state.release_kinds = {}
    state.name_tables()
    if state.original is not None:
        state.choices = state.choices.of_columns(state.original.table.columns)
    state.campaign_message, state.campaign_failed, state.campaign_questions = "", False, ()
    state.answers.accepted, state.answers.withdrawn = set(), set()
    state.memo.clear()  # derived from removed tables
    choose_alike(state)
