"""What labels stand for, from files: saved tables of labels, and hierarchies."""

from __future__ import annotations

from collections.abc import Sequence

from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.labels import LabelledTable
from alc_core.errors import ColumnError, InputError
from alc_core.phrasing import listed, numbered
from alc_core.releases.labels import sets_by_column
from alc_core.tables.apart.labels import read_hierarchy, read_plain_sets
from alc_core.tables.found_sets import column_domain
from alc_core.tables.sets.column_sets import label_rows
from alc_core.tables.sets.language import plain_set
from alc_core.tables.told_sets import sets_text
from alc_core.tables.values.texts import label_counts

MOST_MEGABYTES = 50
"""Of a file that says what labels stand for."""


def labelled_columns(tables: Sequence[LabelledTable]) -> list[str]:
    """Return the columns of released tables whose labels can stand for values of the original."""
    found = (column for each in tables for column in each.table.columns if each.compares(column))
    return list(dict.fromkeys(found))


def saved_sets(tables: Sequence[LabelledTable]) -> str:
    """Return what the labels of a release stand for as a file that the command line reads."""
    return sets_text(sets_by_column(tables[0].original, [each.table for each in tables]))


def take_sets_file(
    state: AppState, tables: Sequence[LabelledTable], name: str, data: bytes
) -> None:
    """Let the labels of a release stand for what a saved file says, in place of earlier changes."""
    told = read_plain_sets(data, name=name)
    columns = labelled_columns(tables)
    if strange := [column for column in told if column not in columns]:
        raise ColumnError(
            f"'{name}' says what labels of '{strange[0]}' stand for, but original and release do "
            f"not have this column in common. They have {listed(columns[:12])}."
        )
    for each in tables:
        own = {column: told[column] for column in told if column in each.table.columns}
        state.labels.forget(each.table.name)
        for column, labels in own.items():
            state.labels.say(each.table.name, column, labels)


def take_hierarchy(
    state: AppState, tables: Sequence[LabelledTable], column: str, name: str, data: bytes
) -> str:
    """Let the labels of a column stand for what a hierarchy says; return what came of it."""
    domain = column_domain(tables[0].original, column)
    covered = read_hierarchy(data, domain, column=column, name=name)
    taken: set[str] = set()
    for each in tables:
        if column not in each.table.columns:
            continue
        there = set(map(str, label_counts(each.table.frame[column]).index))
        told = {c: plain_set(sets, domain) for c, sets in covered.items() if c in there}
        if told:
            state.labels.say(each.table.name, column, told)
        taken |= told.keys()
    if not taken:
        raise InputError(
            f"The hierarchy '{name}' has no label that column '{column}' of the release has. Check "
            "that it is the one that the release was made with."
        )
    return f"Taken from '{name}': what {numbered(len(taken), 'label')} of '{column}' stand for."


def refuse_strange_label(tables: Sequence[LabelledTable], column: str, label: str) -> None:
    """Raise an error where no released table has a label in a column."""
    for each in tables:
        if column in each.table.columns and label_rows(each.table.frame[column], [label]).any():
            return
    raise InputError(
        f"Column '{column}' of the release has no value '{label}'. Write it as the file has it."
    )
