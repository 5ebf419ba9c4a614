"""The check's one-click answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from alc_core.dashboard.markdown import literal, told_apart
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.files import Slot
from alc_core.dashboard.work.uploads import read_into
from alc_core.phrasing import listed, name_and_values, split_names
from alc_core.tables.checks.finding import Finding, Offer
from alc_core.tables.households import household_of
from alc_core.tables.labels.date_readings import ORDERS, reading_of
from alc_core.tables.names import name_and_column
from alc_core.tables.table import ColumnKind


def draw_offers(state: AppState, finding: Finding) -> None:
    """Draw a finding's answers; a shared one answers all parts."""
    where, by_words = f"{finding.table} {' '.join(finding.columns)}", _offers(finding)
    for words, offers in by_words.items():
        readings = [offer.value for _, offer in offers if offer.option == "same"]
        st.button(
            told_apart(words, where),
            key=f"offer_{(words, finding.code, where)!r}",
            on_click=_take_all,
            args=(state, offers),
            type="primary",
            help=literal(listed(readings)) or None,
        )


def _offers(finding: Finding) -> dict[str, list[tuple[Finding, Offer]]]:
    by_words: dict[str, list[tuple[Finding, Offer]]] = {}
    for part in finding.parts or (finding,):
        for offer in part.offers:
            by_words.setdefault(offer.words, []).append((part, offer))
    return by_words


def _take_all(state: AppState, offers: Sequence[tuple[Finding, Offer]]) -> None:
    for finding, offer in offers:
        take_offer(state, finding, offer)


def take_offer(state: AppState, finding: Finding, offer: Offer) -> None:
    """Apply an answer to its finding's table."""
    if offer.option in {*ColumnKind}:
        state.kinds |= dict.fromkeys(split_names(offer.value), ColumnKind(offer.option))
        return
    _TAKEN[offer.option](state, finding.table, offer.value)


def _same(state: AppState, table: str, value: str) -> None:
    column, of = name_and_column(value, state.original_table().columns)
    others = {c: o for c, o in state.same_columns.get(table, {}).items() if o != of}
    state.same_columns[table] = {**others, column: of}


def _known(state: AppState, _table: str, value: str) -> None:
    state.choose(state.choices.knowing(split_names(value), state.chosen().one))


def _person(state: AppState, _table: str, value: str) -> None:
    state.choose(person=value)


def _household(state: AppState, _table: str, value: str) -> None:
    state.choose(household=household_of(split_names(value)))


def _missing(state: AppState, _table: str, value: str) -> None:
    column, _, values = name_and_values(value)
    missing = state.choices.settings.targets.missing or {}
    state.choose(missing={**missing, column: tuple(split_names(values))})


def _date_order(state: AppState, _table: str, value: str, *, order: str) -> None:
    state.date_readings |= dict.fromkeys(split_names(value), order)


def _dates(state: AppState, _table: str, value: str) -> None:
    column, system = reading_of(value)
    state.date_readings[column] = system


def _release_type(state: AppState, table: str, value: str) -> None:
    for parts in state.made_releases().parts:
        if table in {each.name for each in parts.tables}:
            state.release_kinds[parts.name] = value


def _read_again(option: str, state: AppState, table: str, value: str) -> None:
    released = state.released_files()
    slot: Slot = "release" if table in released else "original"
    file = released.get(table, state.original)
    if file is not None and file.data is not None:
        other = {"decimal": None, "thousands": None} if option in _MARKS else {}
        changes: dict[str, Any] = {**other, option: value.removeprefix(f"{table}=")}
        read_into(state, slot, file.read.name, file.data, replace(file.options, **changes))


_MARKS = ("decimal", "thousands")  # A mark is one of them


# Appliers by option, from state, table name and value
_TAKEN: Mapping[str, Callable[[AppState, str, str], None]] = {
    "same": _same,
    "known": _known,
    "person": _person,
    "household": _household,
    "missing": _missing,
    **{order: partial(_date_order, order=order) for order in ORDERS},
    "dates": _dates,
    "release-type": _release_type,
    "decimal": partial(_read_again, "decimal"),
    "thousands": partial(_read_again, "thousands"),
    "skip-rows": partial(_read_again, "skip_rows"),
    "delimiter": partial(_read_again, "delimiter"),
}
