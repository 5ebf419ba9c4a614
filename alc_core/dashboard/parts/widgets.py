"""Widgets that several pages have: a parameter, a small upload, saving a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from alc_core.dashboard.markdown import Markdown, literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.browser import offered_at_click, waiting_uploads
from alc_core.dashboard.state.team import take_file
from alc_core.errors import AlcError
from alc_core.parameter import Parameter
from alc_core.phrasing import sentence_case


def draw_parameter(
    parameter: Parameter,
    kept: Mapping[str, Any],
    *,
    choices: Sequence[str] | None = None,
    titles: Mapping[str, str] = MappingProxyType({}),
    placeholder: Markdown | None = None,
) -> None:
    """Draw the widget of a parameter, bound as :func:`bind` says.

    What can be chosen as things are may be other choices.
    """
    title, text = literal(sentence_case(parameter.title)), literal(parameter.help)
    if options := parameter.choices if choices is None else choices:
        names = {option: titles.get(option, option) for option in options}
        st.selectbox(title, list(options), format_func=names.__getitem__, help=text, **kept)
    elif parameter.type is bool:
        st.checkbox(title, help=text, **kept)
    elif parameter.type is str:
        st.text_input(title, help=text, **kept)
    else:
        of: Any = parameter.type
        bounds = parameter.low, parameter.high
        low, high = (None if math.isinf(each) else of(each) for each in bounds)
        if parameter.low_open and low is not None and parameter.step:
            low = of(parameter.step)
        st.number_input(
            title, min_value=low, max_value=high, help=text, placeholder=placeholder,
            step=None if parameter.step is None else of(parameter.step),
            format="%g" if of is float else None, **kept,
        )  # fmt: skip


def draw_upload(label: Markdown, key: str, number: int, **settings: Any) -> list[UploadedFile]:
    """Draw an upload, which a new number empties; return the files that came and were not taken.

    The one of the number before may have got files while those before them were read. Of an upload
    for one file the first is to be taken: a second one comes when the page is drawn again.
    """
    uploaded = st.file_uploader(label, key=f"{key}_{number}", **settings)
    return waiting_uploads(st.session_state.get(f"{key}_{number - 1}"), uploaded)


@cache
def _texts(module: str, name: str) -> dict[str, Any]:
    files = Path(module).parent.glob(f"{name}.*")
    return {file.suffix.removeprefix("."): file.read_text("utf-8") for file in files}


def component(module: str, name: str) -> Any:
    """Return a component of ours, whose HTML, CSS and script are in files beside a module."""
    return st.components.v2.component(name, **_texts(module, name))


@dataclass(slots=True, kw_only=True)
class UploadsScreen:
    """What came of small files, by the names of their widgets."""

    taken: dict[str, int] = field(default_factory=dict)  # How many: a new number empties a widget
    # What came of the last one, and whether it went well
    said: dict[str, tuple[str, bool]] = field(default_factory=dict)


def draw_small_upload(
    state: AppState,
    name: str,
    label: Markdown,
    take: Callable[[str, bytes], str],
    then: Callable[[], object] = st.rerun,
    **settings: Any,
) -> None:
    """Draw the upload of a file whose name and bytes are taken at once; `take` says what came.

    Once the last that came went well, `then` is called.
    """
    screen = state.screen(UploadsScreen)
    number = screen.taken.get(name, 0)
    files = draw_upload(label, name, number, **settings)
    if not files:
        return
    screen.taken[name] = number + 1
    screen.said.pop(name, None)
    screen.said[name] = outcome = take_upload(state, files[0], take)
    (then if outcome[1] and len(files) == 1 else st.rerun)()


def take_upload(
    state: AppState, upload: UploadedFile, take: Callable[[str, bytes], str]
) -> tuple[str, bool]:
    """Take a file by its name and bytes; return what came of it, and whether it went well."""

    def read() -> str:
        name, data = take_file(upload)
        with state.reading:
            return take(name, data)

    return outcome_of(read)


def outcome_of(change: Callable[[], str]) -> tuple[str, bool]:
    """Change something; return what is said of it, and whether it went well."""
    try:
        return change(), True
    except AlcError as error:
        return str(error), False


def draw_taken(state: AppState, name: str) -> None:
    """Draw what came of the last file of a small upload."""
    draw_outcome(*state.screen(UploadsScreen).said.get(name, ("", True)))


def draw_outcome(words: str, well: bool) -> None:
    """Draw how something went, if anything is said of it."""
    if words:
        (st.success if well else st.error)(literal(words))


# Kinds of content by the ending of the file's name
_KINDS = {
    "alc": "application/octet-stream",
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def draw_download(
    label: Markdown, data: str | bytes | Callable[[], str | bytes], name: str, **settings: Any
) -> None:
    """Draw a button that saves a file; the page is not run again for it."""
    kind = _KINDS[name.rsplit(".", 1)[-1]]
    st.download_button(
        label,
        data=offered_at_click(data, kind, name) if callable(data) else data,
        file_name=name,
        mime=kind,
        on_click="ignore",
        **{"icon": ":material/download:", **settings},
    )
