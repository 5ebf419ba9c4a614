"""Blocks on a page, with controls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.panels import draw_chip
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.state.session import Page, draw_link, selection
from alc_core.present.blocks import (
    Ask,
    Beside,
    Block,
    Chip,
    Code,
    Control,
    Facts,
    Figure,
    Fold,
    Grid,
    Heading,
    Items,
    Metrics,
    Place,
    Remark,
    Saved,
    Slide,
    Text,
    Tone,
    Way,
)

_LINKS = {
    Place.CAMPAIGN: (Page.ATTACK, ":material/checklist:"),
    Place.DATA: (Page.DATA, ":material/arrow_back:"),
}


@dataclass(slots=True, kw_only=True, eq=False)
class Controls:
    """What the controls among blocks do."""

    chosen: dict[str, str | float]  # By control
    ask: Callable[[Mapping[str, object]], None]  # Changes what is asked for
    open_attack: Callable[[int], object]
    key: str  # Distinguishes these blocks' controls
    drawn: int = 0  # Controls and charts so far, for unique keys

    def next_key(self, name: str) -> str:
        """Return a key unique on the page."""
        self.drawn += 1
        return f"{self.key}_{name}_{self.drawn}"


def draw_blocks(blocks: Iterable[Block], controls: Controls) -> None:
    """Draw blocks one below the other."""
    for block in blocks:
        _draw(block, controls)


def _draw(block: Block, controls: Controls) -> None:  # noqa: C901 - a case for each block
    match block:
        case Heading(text, main):
            st.markdown(f"{'##' if main else '###'} {literal(text)}")
        case Text(text, quiet, strong, more):
            shown = f"**{literal(text)}**" if strong else literal(text)
            (st.caption if quiet else st.markdown)(shown, help=literal(more) or None)
        case Code(text, language):
            st.code(text, language or None, wrap_lines=True)
        case Chip(standing, text):
            draw_chip(standing, text)
        case Facts(facts, title):
            head = [f"**{literal(title)}**", ""] if title else []
            lines = [f"- **{literal(label)}:** {literal(text)}" for label, text in facts]
            st.markdown("\n".join([*head, *lines]))
        case Remark():
            _draw_note(block)
        case Items(texts, quiet):
            items = "\n".join(f"- {literal(each)}" for each in texts)
            (st.caption if quiet else st.markdown)(items)
        case Metrics(metrics):
            with st.container(key=f"numbers_{controls.next_key('metrics')}"):
                places = st.columns(4)
            for number, metric in enumerate(metrics):
                words = literal(metric.help) or None
                places[number % 4].metric(literal(metric.title), literal(metric.value), help=words)
        case Grid():
            _draw_table(block)
        case Figure():
            _draw_figure(block, controls)
        case Beside(columns):
            for place, inner in zip(st.columns(len(columns), gap="medium"), columns, strict=True):
                with place:
                    draw_blocks(inner, controls)
        case Fold(title, inner, icon):
            with st.expander(literal(title), icon=icon or None):
                draw_blocks(inner, controls)
        case Control() | Slide():
            name = block.name
            draw_choice(
                block, f"{controls.key}_{name}", lambda value: controls.chosen.update({name: value})
            )
        case Way():
            _draw_way(block, controls)
        case Ask(title, values, words):
            st.button(
                literal(title), type="tertiary", icon=":material/filter_list:", help=literal(words),
                key=controls.next_key("ask"), on_click=controls.ask, args=(values,),
            )  # fmt: skip
        case Saved(title, file, make, words):
            draw_download(
                literal(title), make, file, key=controls.next_key("save"), help=literal(words)
            )


def _draw_note(note: Remark) -> None:
    text = literal(note.text)
    if note.lead:
        text = f"**{literal(note.lead)}** {text}"
    match note.tone:
        case Tone.FOUND:
            st.info(text, icon=":material/lightbulb:")
        case Tone.WELL:
            st.success(text, icon=":material/build:")
        case Tone.WARNING:
            st.warning(text, icon=":material/warning:")
        case Tone.ERROR:
            st.error(text, icon=":material/error:")


def _draw_table(table: Grid) -> None:
    if not table.rows:
        return
    if table.title or table.help:
        st.markdown(f"**{literal(table.title)}**", help=literal(table.help) or None)
    st.dataframe(
        pd.DataFrame(table.rows, columns=list(table.header)), hide_index=True, width="stretch",
        height="content" if len(table.rows) <= 20 else "auto", lazy=False, alt=table.alt,
    )  # fmt: skip


def _draw_figure(figure: Figure, controls: Controls) -> None:
    key, picks = f"{controls.key}_{figure.name}", figure.picks

    def pick() -> None:
        points = selection(key, "points")
        if points:
            controls.chosen[picks] = str(points[-1]["customdata"])
        else:
            controls.chosen.pop(picks, None)

    draw_chart(
        figure.draw(), key=key, name=figure.name, alt=figure.alt,
        on_select=pick if picks else None, saves=not figure.plain,
    )  # fmt: skip


def draw_choice(choice: Control | Slide, key: str, take: Callable[[Any], object]) -> None:
    """Draw a control that shows its value, and gives new ones to `take`."""
    if st.session_state.get(key) != choice.value:
        st.session_state[key] = choice.value

    def store() -> None:
        if key in st.session_state:  # else all data were removed meanwhile
            take(st.session_state[key])

    kept: dict[str, Any] = {"key": key, "on_change": store}
    title, words = literal(choice.title), literal(choice.help) or None
    if isinstance(choice, Slide):
        st.slider(title, choice.low, choice.high, step=choice.step, help=words, **kept)
        return
    options = list(choice.options)
    if choice.few:
        st.segmented_control(
            title, options, format_func=lambda option: literal(choice.options[option]),
            required=True, help=words, **kept,
        )  # fmt: skip
    else:
        st.selectbox(title, options, format_func=choice.options.__getitem__, help=words, **kept)


def _draw_way(way: Way, controls: Controls) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if way.lead:
            st.caption(literal(way.lead), width="content")
        if way.number is None:
            draw_link(_LINKS[way.place][0], literal(way.title), _LINKS[way.place][1])
        elif st.button(
            literal(way.title), key=controls.next_key("open"), type="tertiary",
            icon=":material/open_in_new:",
        ):  # fmt: skip
            controls.open_attack(way.number)
            st.rerun()
