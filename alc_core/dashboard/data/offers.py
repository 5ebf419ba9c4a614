"""Answers to findings of the check that one click puts in force."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from alc_core.dashboard.state.app_state import AppState
from alc_core.phrasing import split_names
from alc_core.tables.checks.finding import Finding, Offer
from alc_core.tables.households import household_of
from alc_core.tables.names import name_and_column
from alc_core.tables.table import ColumnKind


def take_offer(state: AppState, finding: Finding, offer: Offer) -> None:
    """Put an answer in force, for the table that its finding is about."""
    if offer.option in {*ColumnKind}:
        state.kinds |= dict.fromkeys(split_names(offer.value), ColumnKind(offer.option))
        return
    _TAKEN[offer.option](state, finding.table, offer.value)


def _same(state: AppState, table: str, value: str) -> None:
    column, of = name_and_column(value, state.original_table().columns)
    state.same_columns[table] = {**state.same_columns.get(table, {}), column: of}


def _person(state: AppState, _table: str, value: str) -> None:
    state.run_choices.person = value


def _household(state: AppState, _table: str, value: str) -> None:
    state.run_choices.household = household_of(split_names(value))


def _missing(state: AppState, _table: str, value: str) -> None:
    column, _, values = value.partition("=")
    state.run_choices.missing[column] = tuple(split_names(values))


# What puts an answer in force, by option: takes the state, the table's name and the value
_TAKEN: Mapping[str, Callable[[AppState, str, str], None]] = {
    "same": _same,
    "person": _person,
    "household": _household,
    "missing": _missing,
}
