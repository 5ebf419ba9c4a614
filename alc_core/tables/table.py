"""A table: rows, kinds of columns, notes."""

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

TOGETHER = " & "  # Separates names, and labels, of joint columns
_HEAD = 100


class ColumnKind(enum.StrEnum):
    """How the values of a column are compared.

    ``CATEGORICAL``: equal or not; ``CONTINUOUS``: with a distance; ``DATETIME``: as continuous;
    ``TEXT``: sentences, only for the check; ``IDENTIFIER``: of a person or record, never attacked;
    ``IGNORE``: unused.

    Examples
    --------
    >>> ColumnKind("continuous").is_numeric
    True
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
        """How such values are compared, briefly."""
        return _MEANINGS[self]

    @property
    def is_compared(self) -> bool:
        """Whether attacks can use values of this kind."""
        return self not in (ColumnKind.TEXT, ColumnKind.IDENTIFIER, ColumnKind.IGNORE)


_MEANINGS = {
    ColumnKind.CATEGORICAL: "values are equal or not",
    ColumnKind.CONTINUOUS: "numbers, which have a distance",
    ColumnKind.DATETIME: "dates, which have a distance",
    ColumnKind.TEXT: "sentences, which only the check uses",
    ColumnKind.IDENTIFIER: "names a person or record; never attacked",
    ColumnKind.IGNORE: "takes no part",
}


@dataclass(frozen=True, slots=True)
class KindGuess:
    """A column's inferred kind, and why."""

    kind: ColumnKind
    reason: str  # In words for the user
    constant: bool = False  # Whether all values present are equal


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """What a column was worked out from."""

    parts: frozenset[str]  # File columns whose values it takes
    together: tuple[str, ...] = ()  # Columns of a joint label's parts
    people: frozenset[str] = frozenset()  # Columns that identify a person's records


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Rows about people, with a name and a kind for every column.

    Parameters
    ----------
    name : str
        Usually the file's.
    frame : pandas.DataFrame of shape (n_rows, n_columns)
        Column names are unique strings.
    guesses : mapping of str to KindGuess
        By column.
    overrides : mapping of str to ColumnKind
        Kinds the user chose.
    notes : tuple of str
        The reader's decisions (delimiter, encoding, ...).
    fingerprint : str
        SHA-256 of the file's bytes, with a further table's name; of the frame without a file.
    value_sets : mapping of str to mapping of str to ValueSet
        Generalized labels of a released table, by column and label.
    same_columns : mapping of str to str
        From the name in a released file to the original's.
    date_readings : mapping of str to str
        Reading of ambiguous dates: "day-first", "month-first", or what numbers count
        (:mod:`alc_core.tables.values.date_numbers`).
    codes : mapping of str to str
        From given names of columns to the file's.
    value_codes : mapping of str to mapping of str to str
        Likewise of values, by column.
    labels : mapping of str to str
        The file's own column labels, as in SPSS and Stata.
    maybe_thousands : mapping of str to bool
        Columns whose marks may separate thousands or decimals: whether all numbers have one.
    doubtful_rows : tuple of int
        Rows below the header left out, perhaps records: from 1, or -1 for the last.
    empty_rows : tuple of int
        Places, from 0, of empty rows left out.
    derived : mapping of str to Derived
        Columns worked out from others (:mod:`alc_core.scenario.derived`).
    project : Project or None
        From an anonymization tool's file.

    Examples
    --------
    >>> import alc_core as alc
    >>> table = alc.table_from_frame({"age": [31, 45], "job": ["cook", "clerk"]}, name="people")
    >>> table.columns, len(table)
    (('age', 'job'), 2)
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
        """Columns an attack can use, in file order."""
        return tuple(column for column in self.columns if self.kind(column).is_compared)

    @property
    def own_compared(self) -> tuple[str, ...]:
        """Compared columns that are not derived."""
        return tuple(column for column in self.compared if column not in self.derived)

    def __len__(self) -> int:
        return len(self.frame)

    def __repr__(self) -> str:
        """Name and size; rows of people do not belong in logs."""
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
        """Return a column's kind: chosen, else inferred.

        Raises
        ------
        ColumnError
            If missing.
        """
        self.require(column)
        return self.overrides.get(column, self.guesses[column].kind)

    def require(self, *columns: str) -> None:
        """Refuse missing columns.

        Raises
        ------
        ColumnError
            If one is missing.
        """
        for column in columns:
            if column not in self.guesses:
                raise ColumnError(missing_column_message(self, column))

    @property
    def kinds(self) -> dict[str, ColumnKind]:
        """Kinds of all columns of the file."""
        return {column: self.kind(column) for column in self.columns if column not in self.derived}

    def together(self, column: str) -> tuple[str, ...]:
        """Return a joint column's parts; empty for others."""
        return self.derived[column].together if column in self.derived else ()

    def base(self, columns: Iterable[str]) -> frozenset[str]:
        """Return columns, with derived ones replaced by their sources."""
        taken = (self.derived[c].parts if c in self.derived else (c,) for c in columns)
        return frozenset(itertools.chain.from_iterable(taken))

    def with_kinds(self, kinds: Mapping[str, ColumnKind | str]) -> Table:
        """Return the table with some columns' kinds overridden.

        Parameters
        ----------
        kinds : mapping of str to ColumnKind or str
            By column.

        Raises
        ------
        ColumnError
            If a column is missing.
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

    def with_worked_out(self, column: str, values: pd.Series, kind: ColumnKind) -> Table:
        """Return the table with a column worked out from others."""
        guess = KindGuess(kind=kind, reason="worked out from others")
        return replace(
            self,
            frame=self.frame.assign(**{column: values}),
            guesses=read_only({**self.guesses, column: guess}),
        )

    def with_value_sets(self, column: str, sets: Mapping[str, ValueSet]) -> Table:
        """Return the table with a column's generalized labels.

        Parameters
        ----------
        column : str
        sets : mapping of str to ValueSet
            By label: labels of the original, or an interval. Other labels are values.

        Raises
        ------
        ColumnError
            If missing.
        """
        self.require(column)
        return replace(self, value_sets=read_only({**self.value_sets, column: dict(sets)}))


Found = TypeVar("Found")


def once_of_both(look: Callable[[Table, Table], Found]) -> Callable[[Table, Table], Found]:
    """Cache findings on two tables while both live; they must hold neither."""
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
    """Say that a column is missing, with the nearest name if close."""
    close = nearest_column(table, column)
    hint = f" Did you mean '{close}'?" if close else ""
    return (
        f"Column '{column}' is not in '{table.name}', which has {some_names(table.columns)}.{hint}"
    )


def nearest_column(table: Table, column: str) -> str | None:
    """Return the column with the most similar name, if close."""
    import difflib

    return next(iter(difflib.get_close_matches(str(column), table.columns, n=1)), None)


def some_names(names: Sequence[str]) -> str:
    """List the first twelve names in quotation marks."""
    more = f", and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(f"'{name}'" for name in names[:12]) + more
