"""Linked tables: a drawing of tables and keys, and other keys."""

from __future__ import annotations

import html
from collections.abc import Mapping
from functools import partial

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.linked_files import ORIGINAL, LinkedFiles
from alc_core.dashboard.state.session import show_error
from alc_core.linked.keys import Link, LinkedTables, possible_keys
from alc_core.phrasing import numbered, sentence_case


def draw_linked(state: AppState, linked: LinkedFiles) -> None:
    """Draw the tables of each side with their keys, and the choice of other keys."""
    with st.container(border=True):
        st.markdown("**Linked tables**")
        if linked.problem:
            show_error(linked.problem)
        shown = {name: found for name in linked.sides if (found := linked.joined(name))}
        for place, (name, side) in zip(st.columns(max(2, len(shown))), shown.items(), strict=False):
            with place:
                st.html(tree(name, side))
        with st.expander("Change the keys", expanded=bool(linked.problem)):
            for name in linked.sides:
                _draw_keys(state, linked, name)


def tree(name: str, side: LinkedTables) -> str:
    """Return the tables of one side as a nested list: each one's size, and its key.

    Examples
    --------
    >>> from alc_core.tables.read import table_from_frame
    >>> people = table_from_frame({"id": [1, 2], "age": [30, 40]}, name="people")
    >>> visits = table_from_frame({"id": [1, 1]}, name="visits")
    >>> side = LinkedTables.of({"people": people, "visits": visits}, name="original")
    >>> "<b>visits</b> 2 rows" in tree("Original", side)
    True
    """

    def item(table: str, key: str) -> str:
        size = numbered(len(side.tables[table]), "row")
        of_people = ", one for each person" if table == side.root else ""
        own = (link for link in side.links if link.parent == table)
        below = "".join(item(each.child, _key_words(each)) for each in own)
        return (
            f"<li>{key}<span class='alc-table'><b>{html.escape(table)}</b> {size}{of_people}</span>"
            f"{f'<ul>{below}</ul>' if below else ''}</li>"
        )

    tops = [(side.root, "")] if side.root else []
    tops += [(link.child, _key_words(link)) for link in side.links if not link.parent]
    items = "".join(item(table, key) for table, key in tops)
    title = html.escape(sentence_case(_side(name)))
    return f"<div class='alc-tables'>{title}<ul>{items}</ul></div>"


def _key_words(link: Link) -> str:
    column, own = html.escape(link.column), html.escape(link.parent_column)
    words = f"by {column}" if column == own else f"by {column} = {own}"
    return f"<span class='alc-key'>{words}</span>"


def _draw_keys(state: AppState, linked: LinkedFiles, side: str) -> None:
    """Draw the key of each table but the one with a row for each person."""
    tables, found = linked.sides[side], linked.joined(side)
    for child in tables if found is None else found.children:
        prints = tuple(table.fingerprint for table in tables.values())
        links = state.memo.remember(
            ("keys", side, child), prints, partial(possible_keys, tables, child)
        )
        now = None if found is None else found.link(child)
        choices = {str(link): link for link in (now, *links) if link and link.parent}
        key = f"key_of_{side}_{child}_{now}"
        st.selectbox(
            f"Key of {literal(child)} in the {literal(_side(side))}",
            list(choices),
            index=0 if str(now) in choices else None,
            placeholder="Choose a key",
            format_func=partial(_option, choices),
            key=key,
            on_change=_take,
            args=(state, linked, side, key),
        )


def _option(choices: Mapping[str, Link], text: str) -> str:
    link = choices[text]
    return f"{link.column} = {link.parent}.{link.parent_column}"


def _side(name: str) -> str:
    return name if name == ORIGINAL else f"release {name}"


def _take(state: AppState, linked: LinkedFiles, side: str, key: str) -> None:
    if text := st.session_state[key]:
        state.link(linked.with_key(Link.read(text), side))
        state.memo.clear()
