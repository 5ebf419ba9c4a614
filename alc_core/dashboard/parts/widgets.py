"""Widgets of several pages."""

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
    """Draw a parameter's widget, bound by :func:`bind`.

    `choices` may replace its own.
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
    """Draw an upload, which a new number empties; return untaken files.

    The previous number's may have got files during reading. For one file, take the first: a second
    comes at the next redraw.
    """
    uploaded = st.file_uploader(label, key=f"{key}_{number}", **settings)
    return waiting_uploads(st.session_state.get(f"{key}_{number - 1}"), uploaded)


@cache
def _texts(module: str, name: str) -> dict[str, Any]:
    files = Path(module).parent.glob(f"{name}.*")
    return {file.suffix.removeprefix("."): file.read_text("utf-8") for file in files}


def component(module: str, name: str) -> Any:
    """Return a component with HTML, CSS and script beside a module."""
    return st.components.v2.component(name, **_texts(module, name))


@dataclass(slots=True, kw_only=True)
class UploadsScreen:
    """Results of small files, by widget."""

    taken: dict[str, int] = field(default_factory=dict)  # Number taken: a new one empties a widget
    # The last result, and success
    said: dict[str, tuple[str, bool]] = field(default_factory=dict)


def draw_small_upload(
    state: AppState,
    name: str,
    label: Markdown,
    take: Callable[[str, bytes], str],
    then: Callable[[], object] = st.rerun,
    **settings: Any,
) -> None:
    """Draw the upload of a file that `take` reads at once.

    After a success, `then` is called.
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
    """Take a file; return the result, and success."""

    def read() -> str:
        name, data = take_file(upload)
        with state.reading:
            return take(name, data)

    return outcome_of(read)


def outcome_of(change: Callable[[], str]) -> tuple[str, bool]:
    """Change something; return the result, and success."""
    try:
        return change(), True
    except AlcError as error:
        return str(error), False


def draw_taken(state: AppState, name: str) -> None:
    """Draw the result of a small upload's last file."""
    draw_outcome(*state.screen(UploadsScreen).said.get(name, ("", True)))


def draw_outcome(words: str, well: bool) -> None:
    """Draw a result, if any."""
    if words:
        (st.success if well else st.error)(literal(words))


# Content types by file extension
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
    """Draw a button that saves a file without rerunning the page."""
    kind = _KINDS[name.rsplit(".", 1)[-1]]
    st.download_button(
        label,
        data=offered_at_click(data, kind, name) if callable(data) else data,
        file_name=name,
        mime=kind,
        on_click="ignore",
        **{"icon": ":material/download:", **settings},
    )
