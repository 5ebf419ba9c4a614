"""Which columns of a released table are which of the original's, where their names differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from alc_core.errors import ColumnError, InputError
from alc_core.tables.table import Table, missing_column_message

Value = TypeVar("Value")

SameColumns = Mapping[str, str]
"""By column of a released table, as its file names it, the original's column that it is."""


def with_same_columns(original: Table, release: Table, same: SameColumns) -> Table:
    """Return a released table whose columns are taken as columns of the original by other names.

    Parameters
    ----------
    original : Table
        The table of real people.
    release : Table
        One released table. Its fingerprint stays that of its file.
    same : mapping of str to str
        Released column to the original's. A column that is not named keeps its name.

    Returns
    -------
    Table
        With the original's names; ``same_columns`` says what they were.

    Raises
    ------
    ColumnError
        If the release lacks a column that is named, or the original does.
    InputError
        If the release has a column of the original's name already, or two are said to be one.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> original = alc.table_from_frame(pd.DataFrame({"age": [1, 2], "job": ["a", "b"]}), name="a")
    >>> release = alc.table_from_frame(pd.DataFrame({"age": [1, 2], "work": ["b", "a"]}), name="b")
    >>> alc.with_same_columns(original, release, {"work": "job"}).columns
    ('age', 'job')
    """
    names = {column: of for column, of in same.items() if column != of}
    _refuse(original, release, names)
    if not names:
        return release

    def renamed(values: Mapping[str, Value]) -> MappingProxyType[str, Value]:
        return MappingProxyType({names.get(name, name): value for name, value in values.items()})

    before = {of: column for column, of in release.same_columns.items()}
    told = {before.get(name, name): names.get(name, name) for name in (*before, *names)}
    notes = (
        f"Column '{column}' is taken as the original's '{of}'." for column, of in names.items()
    )
    return replace(
        release,
        frame=release.frame.rename(columns=names),
        guesses=renamed(release.guesses),
        overrides=renamed(release.overrides),
        value_sets=renamed(release.value_sets),
        same_columns=MappingProxyType({column: of for column, of in told.items() if column != of}),
        notes=(*release.notes, *notes),
    )


def fitting(original: Table, release: Table, same: SameColumns) -> dict[str, str]:
    """Return the part of what was said of a released table that still fits it."""
    kept = {c: of for c, of in same.items() if c in release.columns and of in original.columns}
    taken = set(release.columns) - kept.keys()
    found: dict[str, str] = {}
    for column, of in kept.items():
        if of not in taken:
            found[column] = of
            taken.add(of)
    return found if found.keys() == kept.keys() else fitting(original, release, found)


def _refuse(original: Table, release: Table, names: SameColumns) -> None:
    first: dict[str, str] = {}
    for column, of in names.items():
        if column not in release.columns:
            raise ColumnError(missing_column_message(release, column))
        if of not in original.columns:
            raise ColumnError(missing_column_message(original, of))
        if of in release.columns and of not in names:
            raise InputError(
                f"Column '{column}' of '{release.name}' cannot be the original's '{of}': the "
                f"release has a column '{of}' itself. Leave '{column}' as it is, or say which "
                f"column of the original its '{of}' is."
            )
        if of in first:
            raise InputError(
                f"Columns '{first[of]}' and '{column}' of '{release.name}' are both said to be "
                f"the original's '{of}'. Name one of them."
            )
        first[of] = column
