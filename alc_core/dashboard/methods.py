"""The Methods page: docs/methods.md, from a checkout or a wheel."""

from __future__ import annotations

import re

import streamlit as st

from alc_core.dashboard.app.launch import site_directory
from alc_core.dashboard.markdown import section_anchor

_LINK_TO_ANOTHER_PAGE = re.compile(r"!?\[([^\]]*)\]\((?!#|https:)[^)]*\)")


def methods_text() -> str:
    """Return the page below its title; links to other pages are only their words."""
    text = (site_directory() / "docs" / "methods.md").read_text("utf-8").partition("\n")[2]
    return _LINK_TO_ANOTHER_PAGE.sub(r"\1", text)


def section_links(text: str) -> str:
    """Return a page's contents, linked."""
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    return " · ".join(f"[{each}](#{section_anchor(each)})" for each in sections)


def draw_methods() -> None:
    """Draw the page, with its contents."""
    st.title("Methods")
    text = methods_text()
    with st.expander("Contents", icon=":material/toc:"):
        st.markdown(section_links(text))
    st.markdown(text, unsafe_allow_html=True)
