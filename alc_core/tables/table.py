"""A table in memory: its rows, the kind of each column, and notes from reading it."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.errors import ColumnError, InputError
from alc_core.plain_values import read_only
from alc_core.tables.formats.source import Project
from alc_core.tables.value_sets import ValueSet

TOGETHER = " & "  # Stands between the names, and the labels, of columns that are told together
_HEAD = 100


class ColumnKind(enum.StrEnum):
    """How the values of a column are compared.

    ``CATEGORICAL`` values are equal or not; ``CONTINUOUS`` ones have a distance; ``DATETIME`` ones
    are points in time, used as continuous; a ``TEXT`` holds sentences, which only the check reads;
    an ``IDENTIFIER`` names a person or record and is never attacked; ``IGNORE`` columns take no
    part.
    """

    CATEGORICAL = "categorical"
    CONTINUOUS = "continuous"
    DATETIME = "datetime"
    TEXT = "text"
    IDENTIFIER = "identifier"
    IGNORE = "ignore"

    @property
    def is_numeric(self) -> bool:
        """Whether values of this kind have a distance."""
        return self in (ColumnKind.CONTINUOUS, ColumnKind.DATETIME)

    @property
    def meaning(self) -> str:
        """How values of this kind are compared, in a few words."""
        return _MEANINGS[self]

    @property
    def is_compared(self) -> bool:
        """Whether attacks can use values of this kind."""
        return self not in (ColumnKind.TEXT, ColumnKind.IDENTIFIER, ColumnKind.IGNORE)


_MEANINGS = {
    ColumnKind.CATEGORICAL: "values are equal or not",
    ColumnKind.CONTINUOUS: "numbers, which have a distance",
    ColumnKind.DATETIME: "dates, which have a distance",
    ColumnKind.TEXT: "sentences, which no attack uses; the check finds those that return",
    ColumnKind.IDENTIFIER: "names a person or record, and is never attacked",
    ColumnKind.IGNORE: "takes no part",
}


@dataclass(frozen=True, slots=True)
class KindGuess:
    """A column's inferred kind and the reason for it."""

    kind: ColumnKind
    reason: str  # In words for the user
    constant: bool = False  # Whether all values that are not missing are the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """What a column was worked out from."""

    parts: frozenset[str]  # The columns of the file whose values it takes
    together: tuple[str, ...] = ()  # Where it is several at once: what each part of a label is of
    people: frozenset[str] = frozenset()  # Columns by which it takes a person's records together


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Rows about people, with a name and a kind for every column.

    Parameters
    ----------
    name : str
        What messages call the table, usually the file's name.
    frame : pandas.DataFrame of shape (n_rows, n_columns)
        The rows. Column names are unique strings. Missing values stay missing.
    guesses : mapping of str to KindGuess
        The inferred kind of every column.
    overrides : mapping of str to ColumnKind
        Kinds that the user chose instead.
    notes : tuple of str
        What the reader found out and decided (delimiter, encoding, ...).
    fingerprint : str
        SHA-256 of the file's bytes, for a further table in it of that and the table's name; of the
        frame where there was no file.
    value_sets : mapping of str to mapping of str to ValueSet
        By column and label what labels of a released table stand for, where that is several
        values of the original.
    same_columns : mapping of str to str
        Where columns of a released table are the original's under other names: the name in the
        file to the original's, which it has here.
    date_readings : mapping of str to str
        By column how its dates are read where they could be read otherwise: "day-first",
        "month-first", or what numbers count (:mod:`alc_core.tables.values.date_numbers`).
    codes : mapping of str to str
        Where columns were given names for people: the name to what the file calls the column.
    value_codes : mapping of str to mapping of str to str
        The same of values, by column.
    labels : mapping of str to str
        What the file itself calls its columns for people, as SPSS and Stata do.
    maybe_thousands : mapping of str to bool
        The columns whose marks may separate thousands as well as decimals: whether each of their
        numbers has one.
    doubtful_rows : tuple of int
        Rows of the file below its header that were left out, where some may be records: counted
        from 1, or from the end, where -1 is the last.
    empty_rows : tuple of int
        Places, from 0, of rows that were left out between others since they had no value.
    derived : mapping of str to Derived
        The columns that are not in the file but worked out from others
        (:mod:`alc_core.scenario.derived`).
    project : Project or None
        What the file of an anonymization tool says beside the rows.
    """

    name: str
    frame: pd.DataFrame
    guesses: Mapping[str, KindGuess]
    overrides: Mapping[str, ColumnKind] = field(default_factory=lambda: read_only({}))
    notes: tuple[str, ...] = ()
    fingerprint: str = ""
    value_sets: Mapping[str, Mapping[str, ValueSet]] = field(default_factory=lambda: read_only({}))
    same_columns: Mapping[str, str] = field(default_factory=lambda: read_only({}))
    date_readings: Mapping[str, str] = field(default_factory=lambda: read_only({}))
    codes: Mapping[str, str] = field(default_factory=lambda: read_only({}))
    value_codes: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: read_only({}))
    labels: Mapping[str, str] = field(default_factory=lambda: read_only({}))
    maybe_thousands: Mapping[str, bool] = field(default_factory=lambda: read_only({}))
    doubtful_rows: tuple[int, ...] = ()
    empty_rows: tuple[int, ...] = ()
    derived: Mapping[str, Derived] = field(default_factory=lambda: read_only({}))
    project: Project | None = None

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in file order."""
        return tuple(self.frame.columns)

    @property
    def compared(self) -> tuple[str, ...]:
        """Names of the columns that an attack can use, in file order."""
        return tuple(column for column in self.columns if self.kind(column).is_compared)

    @property
    def own_compared(self) -> tuple[str, ...]:
        """The compared columns that are not derived from others."""
        return tuple(column for column in self.compared if column not in self.derived)

    def __len__(self) -> int:
        return len(self.frame)

    def __repr__(self) -> str:
        """Name the table and its size; rows of people do not belong in logs or notebooks."""
        return f"<Table '{self.name}': {len(self)} rows, {len(self.columns)} columns>"

    @property
    def places(self) -> NDArray[np.intp]:
        """Each row's place in the file, from 0."""
        return np.delete(np.arange(len(self) + len(self.empty_rows)), [*self.empty_rows])

    @cached_property
    def telling(self) -> frozenset[str]:
        """Columns that vary, unlike empty columns or "*" throughout."""
        return frozenset(name for name in self.columns if _tells(self.frame[name]))

    def kind(self, column: str) -> ColumnKind:
        """Return the kind in force for a column: the user's choice, else the inferred one.

        Raises
        ------
        ColumnError
            If the table has no such column.
        """
        self.require(column)
        return self.overrides.get(column, self.guesses[column].kind)

    def require(self, *columns: str) -> None:
        """Refuse columns that the table does not have.

        Raises
        ------
        ColumnError
            If it lacks one.
        """
        for column in columns:
            if column not in self.guesses:
                raise ColumnError(missing_column_message(self, column))

    @property
    def kinds(self) -> dict[str, ColumnKind]:
        """The kind in force for every column of the file."""
        return {column: self.kind(column) for column in self.columns if column not in self.derived}

    def together(self, column: str) -> tuple[str, ...]:
        """Return the parts of a joint column; empty for others."""
        return self.derived[column].together if column in self.derived else ()

    def base(self, columns: Iterable[str]) -> frozenset[str]:
        """Return columns, derived ones replaced by the columns they use."""
        taken = (self.derived[c].parts if c in self.derived else (c,) for c in columns)
        return frozenset(itertools.chain.from_iterable(taken))

    def with_kinds(self, kinds: Mapping[str, ColumnKind | str]) -> Table:
        """Return the same table with the kinds of some columns overridden.

        Parameters
        ----------
        kinds : mapping of str to ColumnKind or str
            Column name to kind; kinds of columns not named stay as they are.

        Raises
        ------
        ColumnError
            If a column is not in the table.
        InputError
            If a kind is unknown.
        """
        named = {str(column): kind for column, kind in kinds.items()}
        self.require(*named)
        overrides = dict(self.overrides)
        for column, kind in named.items():
            try:
                overrides[column] = ColumnKind(kind)
            except ValueError:
                choices = ", ".join(ColumnKind)
                raise InputError(
                    f"Column '{column}' of '{self.name}' cannot be of kind '{kind}'. "
                    f"Choose one of: {choices}."
                ) from None
        return replace(self, overrides=read_only(overrides))

    def with_value_sets(self, column: str, sets: Mapping[str, ValueSet]) -> Table:
        """Return the released table with labels of a column that cover several values.

        Parameters
        ----------
        column : str
            The column.
        sets : mapping of str to ValueSet
            Label to what it stands for: labels of the original, or an interval. A label that is
            not named stands for itself.

        Raises
        ------
        ColumnError
            If the table has no such column.
        """
        self.require(column)
        return replace(self, value_sets=read_only({**self.value_sets, column: dict(sets)}))


Found = TypeVar("Found")


def once_of_both(look: Callable[[Table, Table], Found]) -> Callable[[Table, Table], Found]:
    """Cache what is found of two tables while both are alive; it must hold neither."""
    found: WeakKeyDictionary[Table, WeakKeyDictionary[Table, Found]] = WeakKeyDictionary()

    @wraps(look)
    def once(original: Table, release: Table) -> Found:
        known = found.setdefault(original, WeakKeyDictionary())
        if release not in known:
            known[release] = look(original, release)
        return known[release]

    return once


def _tells(series: pd.Series) -> bool:
    try:
        return any(len(part.drop_duplicates()) > 1 for part in (series.iloc[:_HEAD], series))
    except TypeError:  # values that cannot be hashed
        return True


def missing_column_message(table: Table, column: str) -> str:
    """Say that a table lacks a column, with the nearest name if one is close."""
    close = nearest_column(table, column)
    hint = f" Did you mean '{close}'?" if close else ""
    return (
        f"Column '{column}' is not in '{table.name}', which has {some_names(table.columns)}.{hint}"
    )


def nearest_column(table: Table, column: str) -> str | None:
    """Return the column with the most similar name, if one is close."""
    import difflib

    return next(iter(difflib.get_close_matches(str(column), table.columns, n=1)), None)


def some_names(names: Sequence[str]) -> str:
    """List names in quotation marks, the first twelve of many."""
    more = f", and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(f"'{name}'" for name in names[:12]) + more
