"""The terms with their explanations."""

from __future__ import annotations

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.glossary import GLOSSARY


def draw_glossary() -> None:
    """Draw all terms with their explanations."""
    st.markdown(
        "\n".join(
            f"- **{term[0].upper()}{literal(term[1:])}**: {literal(text)}"
            for term, text in GLOSSARY.items()
        )
    )
