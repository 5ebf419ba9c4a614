"""The Methods page: docs/methods.md, from a checkout or a wheel."""

from __future__ import annotations

import re

import streamlit as st

from alc_core.dashboard.app.launch import site_directory

_LINK_TO_ANOTHER_PAGE = re.compile(r"!?\[([^\]]*)\]\((?!#|https:)[^)]*\)")


def methods_text() -> str:
    """Return the page; links to other pages are only their words."""
    text = (site_directory() / "docs" / "methods.md").read_text("utf-8")
    return _LINK_TO_ANOTHER_PAGE.sub(r"\1", text)


def draw_methods() -> None:
    """Draw the page."""
    st.markdown(methods_text(), unsafe_allow_html=True)
