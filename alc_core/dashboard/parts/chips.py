"""Verdicts as chips: one icon, colour and word for each place where an attack can stand."""

from __future__ import annotations

import html
from typing import Literal

import streamlit as st

from alc_core.figures.standings import LOOKS


def chip(standing: str, text: str, *, size: float = 1.0, role: str = "") -> str:
    """Return a chip as HTML."""
    look = LOOKS[standing]
    return plain_chip(f"{look.icon}\u2002{text}", look.colour, size=size, role=role)


def plain_chip(text: str, colour: str, *, size: float = 1.0, role: str = "") -> str:
    """Return a chip that is not about where an attack stands; see :func:`chip`."""
    return (
        f'<span {f"role={role} " if role else ""}style="display:inline-block;background:{colour};'
        f"color:#fff;font-size:{size}rem;font-weight:650;padding:.3em .8em;border-radius:1em;"
        f'line-height:1.35">{html.escape(text)}</span>'
    )


def draw_chip(
    standing: str,
    text: str,
    *,
    size: float = 1.25,
    width: Literal["stretch", "content"] | int = "stretch",
) -> None:
    """Draw the chip of a verdict."""
    st.html(chip(standing, text, size=size, role="status"), width=width)
