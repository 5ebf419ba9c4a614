"""Answers to findings of the check that one click puts in force."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.files import Slot
from alc_core.dashboard.work.uploads import read_into
from alc_core.phrasing import split_names
from alc_core.tables.checks.finding import Finding, Offer
from alc_core.tables.households import household_of
from alc_core.tables.names import name_and_column
from alc_core.tables.table import ColumnKind

_ORIGINAL: Slot = "original"
_RELEASE: Slot = "release"


def take_offer(state: AppState, finding: Finding, offer: Offer) -> None:
    """Put an answer in force, for the table that its finding is about."""
    if offer.option in {*ColumnKind}:
        state.kinds |= dict.fromkeys(split_names(offer.value), ColumnKind(offer.option))
        return
    _TAKEN[offer.option](state, finding.table, offer.value)


def _same(state: AppState, table: str, value: str) -> None:
    column, of = name_and_column(value, state.original_table().columns)
    state.same_columns[table] = {**state.same_columns.get(table, {}), column: of}


def _read_again(state: AppState, table: str, value: str, option: str) -> None:
    """Read the file of a table again with an option, which its value names behind "="."""
    said = {option: value[len(table) + 1 :]}
    file, slot = state.original, _ORIGINAL
    if file is None or file.table.name != table:
        file, slot = state.released_files().get(table), _RELEASE
    if file is not None and file.data is not None:
        read_into(state, slot, file.read.name, file.data, replace(file.options, **said))


def _person(state: AppState, _table: str, value: str) -> None:
    state.run_choices.person = value


def _household(state: AppState, _table: str, value: str) -> None:
    state.run_choices.household = household_of(split_names(value))


# What puts an answer in force, by option: takes the state, the table's name and the value
_TAKEN: Mapping[str, Callable[[AppState, str, str], None]] = {
    "same": _same,
    "person": _person,
    "household": _household,
    "skip-rows": partial(_read_again, option="skip_rows"),
    "delimiter": partial(_read_again, option="delimiter"),
}
