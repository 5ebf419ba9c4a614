"""The protocol of a release: anything published from an original.

A type plugs in by :func:`register_release`. It lists the original's columns it covers, checks
itself against the original, and gives attacks their view.
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
        How they were recognized, in a sentence.
    """

    kind: str
    tables: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttackView:
    """All that an attack may use besides the target's known values.

    Each type of release adds its content.

    Attributes
    ----------
    known : mapping of str to ColumnSpec
        Known columns and their codes or scales (over all tables).
    unknown : CategoricalCodes
        The codes to predict.
    absent : tuple of str
        Known columns missing from the release, or uninformative there.
    unmatched : tuple of str
        The scenario's columns whose released values are mostly not the original's, so that no
        attack can use them.
    """

    known: Mapping[str, ColumnSpec]
    unknown: CategoricalCodes
    absent: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the view with shuffled unknown values."""
        raise NotImplementedError


class EncodedRelease(Protocol):
    """A release as arrays, for any scenario; a dataclass, sent to worker processes."""

    @property
    def data(self) -> EncodedData:
        """The original and the release's tables, under the same codes."""
        ...

    def view(self, scenario: Scenario) -> AttackView:
        """Return what an attack may use; refuse a scenario with nothing to attack."""
        ...

    def notes(self, scenario: Scenario) -> tuple[str | Note, ...]:
        """Report what a scenario does not use of the release, or was worked out."""
        ...


@runtime_checkable
class Release(Protocol):
    """What is published.

    Attributes
    ----------
    kind : str
        Of the type, in files and on the command line, such as "rows".
    title : str
        The type in words, such as "rows of people".
    help : str
        Its content, in a sentence, for choosing among types.
    holds_rows : bool
        Whether each row is a person, with columns like the original's: needed by distances, risk
        numbers, utility, RAPID and changes of a release.
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
    def tables(self) -> tuple[Table, ...]:
        """The tables as published; results give their size and fingerprint."""
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
            Its source, which identifies columns and values.

        Raises
        ------
        InputError
            If the tables are not a release of this type; it says what is missing.
        """
        ...

    @classmethod
    def recognise(
        cls, original: Table, tables: Sequence[Table], profiles: Profiles
    ) -> tuple[Recognised, ...]:
        """Return the tables that look like releases of this type, most certain first.

        A table joins one release: larger sets of tables take precedence, then the type registered
        last.

        Parameters
        ----------
        original : Table
            Their source.
        tables : sequence of Table
            Of any number of releases.
        profiles : Profiles
            Cache of the tables' properties.
        """
        ...

    def described(self) -> tuple[str | pd.DataFrame, ...]:
        """Describe how the tables were read: sentences, and first rows if helpful.

        Empty if they are taken unchanged.
        """
        ...

    def renamed(self, name: str) -> Self:
        """Return the release under another name."""
        ...

    def columns_beside(self, column: str) -> tuple[str, ...]:
        """Return the columns released together with a column; empty if none."""
        ...

    def checker(self, original: Table) -> ReleaseChecker:
        """Return what checks the release against its original."""
        ...

    def coded_tables(self) -> tuple[Table, ...]:
        """Return the tables to be coded together with the original."""
        ...

    def parts(self, original: Table, *, selected: bool) -> Mapping[str, BoolArray]:
        """Return conditions on people under which attackers read only a part of the release.

        Each comes with the rows of the original that meet it. A scenario that selects people by
        one attacks that part.

        Parameters
        ----------
        original : Table
            Of the release.
        selected : bool
            Whether the user selects who is attacked, so that everyone meets the conditions.
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
        In reports.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    help: ClassVar[str]
    holds_rows: ClassVar[bool] = False

    tables: tuple[Table, ...]
    name: str

    def __post_init__(self) -> None:
        if not self.tables:
            raise InputError("A release needs at least one table. Add a table to it.")

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
    """Say that something needs rows of people; empty if the release has them.

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
    """Return whether a release relates the unknown column to a known one."""
    return not set(known).isdisjoint(release.columns_beside(unknown))
