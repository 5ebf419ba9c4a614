"""The one way to save a file from a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from alc_core.dashboard.markdown import Markdown
from alc_core.dashboard.state.browser import offered_at_click

_KINDS = {
    "alc": "application/octet-stream",
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Kinds of content by the ending of the file's name."""


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
