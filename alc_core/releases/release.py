"""The protocol of a release: anything published from an original.

A type plugs in by :func:`register_release`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self, cast, runtime_checkable

import numpy as np
import pandas as pd

from alc_core.arrays import BoolArray
from alc_core.errors import InputError
from alc_core.note import Note
from alc_core.scenario.preflight import ReleaseChecker
from alc_core.scenario.scenario import Scenario
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.codes.encode import CategoricalCodes, ColumnSpec, EncodedData
from alc_core.tables.table import Table

USUAL_KIND = "rows"  # Default kind
ROWS_OF_PEOPLE = "rows of people"  # Its title


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """Tables that look like a release of a type.

    Attributes
    ----------
    kind : str
        Of the type.
    tables : tuple of int
        Their places.
    reason : str
        One sentence.

    Examples
    --------
    >>> Recognised(kind="counts", tables=(0,), reason="It has 'people'.").kind
    'counts'
    """

    kind: str
    tables: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttackView:
    """What an attack may use besides known values.

    Attributes
    ----------
    known : mapping of str to ColumnSpec
        Known columns with codes or scales over all tables.
    unknown : CategoricalCodes
        The codes to predict.
    absent : tuple of str
        Known columns missing or uninformative.
    unmatched : tuple of str
        Columns with mostly other values than the original's, useless to attacks.

    Examples
    --------
    >>> import alc_core as alc
    >>> issubclass(alc.RowsView, AttackView)
    True
    """

    known: Mapping[str, ColumnSpec]
    unknown: CategoricalCodes
    absent: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the view with shuffled unknown values."""
        raise NotImplementedError


class EncodedRelease(Protocol):
    """A release as arrays, for any scenario; sent to worker processes."""

    @property
    def data(self) -> EncodedData:
        """Original and released tables under the same codes."""
        ...

    def view(self, scenario: Scenario) -> AttackView:
        """Return what an attack may use, or refuse."""
        ...

    def notes(self, scenario: Scenario) -> tuple[str | Note, ...]:
        """Report what of the release is unused, or was worked out."""
        ...


@runtime_checkable
class Release(Protocol):
    """What is published.

    Attributes
    ----------
    kind : str
        Such as "rows".
    title : str
        Such as "rows of people".
    help : str
        Its content, in a sentence.
    holds_rows : bool
        Whether each row is a person, as most studies need.

    Examples
    --------
    >>> import alc_core as alc
    >>> sorted(alc.release_types())
    ['counts', 'events', 'groups', 'new-edition', 'rows', 'series']
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    help: ClassVar[str]
    holds_rows: ClassVar[bool]

    @property
    def name(self) -> str:
        """The release's name in reports."""
        ...

    @property
    def part_of(self) -> str:
        """The release of linked tables it is a part of; empty if it is whole."""
        ...

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables as published."""
        ...

    @classmethod
    def of_tables(cls, tables: Sequence[Table], *, name: str, original: Table) -> Self:
        """Build a release from its tables.

        Parameters
        ----------
        tables : sequence of Table
            As published.
        name : str
            In reports.
        original : Table
            Its source.

        Raises
        ------
        InputError
            If they are not such a release.
        """
        ...

    @classmethod
    def recognise(
        cls, original: Table, tables: Sequence[Table], profiles: Profiles
    ) -> tuple[Recognised, ...]:
        """Return tables that look like this type, most certain first.

        Larger sets of tables take precedence, then the last type.

        Parameters
        ----------
        original : Table
            Their source.
        tables : sequence of Table
            Of any number of releases.
        profiles : Profiles
            Cached properties of tables.
        """
        ...

    def described(self) -> tuple[str | pd.DataFrame, ...]:
        """Describe how tables were read: sentences, and first rows.

        Empty if unchanged.
        """
        ...

    def renamed(self, name: str) -> Self:
        """Return the release under another name."""
        ...

    def columns_beside(self, column: str) -> tuple[str, ...]:
        """Return columns released together with a column."""
        ...

    def checker(self, original: Table) -> ReleaseChecker:
        """Return what checks the release against its original."""
        ...

    def coded_tables(self) -> tuple[Table, ...]:
        """Return the tables to be coded with the original."""
        ...

    def parts(self, original: Table, *, selected: bool) -> Mapping[str, BoolArray]:
        """Return conditions under which attackers read a part of the release.

        With the rows that meet them. A scenario selecting people by one attacks that part.

        Parameters
        ----------
        original : Table
            Of the release.
        selected : bool
            Whether the user selects people, who all meet the conditions.
        """
        ...

    def encoded(self, data: EncodedData) -> EncodedRelease:
        """Return the release as arrays.

        Parameters
        ----------
        data : EncodedData
            The original, and the tables of :meth:`coded_tables`.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PublishedTables:
    """Common base of most types of release.

    Attributes
    ----------
    tables : tuple of Table
        As published.
    name : str
    part_of : str
        The release of linked tables it is a part of; empty if it is whole.

    Examples
    --------
    >>> import alc_core as alc
    >>> issubclass(alc.Counts, PublishedTables)
    True
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    help: ClassVar[str]
    holds_rows: ClassVar[bool] = False

    tables: tuple[Table, ...]
    name: str
    part_of: str = ""

    def __post_init__(self) -> None:
        if not self.tables:
            raise InputError("A release needs at least one table.")

    @classmethod
    def recognise(
        cls, original: Table, tables: Sequence[Table], profiles: Profiles  # noqa: ARG003
    ) -> tuple[Recognised, ...]:  # fmt: skip
        """Recognise nothing."""
        return ()

    def described(self) -> tuple[str | pd.DataFrame, ...]:
        """Describe nothing: the tables are taken unchanged."""
        return ()

    def renamed(self, name: str) -> Self:
        """Return the release under another name."""
        return replace(self, name=name)

    def columns_beside(self, column: str) -> tuple[str, ...]:
        """Return the other informative columns of tables with a column."""
        tables = [table for table in self.coded_tables() if column in table.telling]
        beside = (c for table in tables for c in table.columns if c in table.telling)
        return tuple(c for c in dict.fromkeys(beside) if c != column)

    def coded_tables(self) -> tuple[Table, ...]:
        """Return the tables themselves."""
        return self.tables

    def parts(self, original: Table, *, selected: bool) -> Mapping[str, BoolArray]:  # noqa: ARG002
        """Return no parts: attackers read the whole release."""
        return {}


def with_data(encoded: EncodedRelease, data: EncodedData) -> EncodedRelease:
    """Return an encoded release with other data."""
    return cast(EncodedRelease, replace(cast(Any, encoded), data=data))


def without_rows(release: Release, needs: str) -> str:
    """Say that rows of people are needed; empty if there are.

    >>> import alc_core as alc
    >>> without_rows(alc.load_demo("fair").releases["80% swapped"], "RAPID needs")
    ''
    """
    if release.holds_rows:
        return ""
    return f"{needs} {ROWS_OF_PEOPLE}; release '{release.name}' is {release.title}."


def released_columns(release: Release) -> frozenset[str]:
    """Return all columns coded together with the original."""
    return frozenset(column for table in release.coded_tables() for column in table.columns)


def attackable(release: Release, unknown: str, known: Iterable[str]) -> bool:
    """Return whether a release relates the unknown to a known column."""
    return not set(known).isdisjoint(release.columns_beside(unknown))
