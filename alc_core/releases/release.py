"""What a release is: anything that is published of an original, of whatever type.

A type of release plugs in by :func:`register_release`. It says which of the original's columns it
has something about, checks itself against the original, and gives attacks their view of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self, cast, runtime_checkable

import numpy as np
import pandas as pd

from alc_core.errors import InputError
from alc_core.note import Note
from alc_core.scenario.preflight import ReleaseChecker
from alc_core.scenario.scenario import Scenario
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.codes.encode import CategoricalCodes, ColumnSpec, EncodedData
from alc_core.tables.table import Table

USUAL_KIND = "rows"  # The kind of what nobody says anything else of
ROWS_OF_PEOPLE = "rows of people"  # The title of that kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """Tables that look like a release of a type.

    Attributes
    ----------
    kind : str
        Of the type.
    tables : tuple of int
        Which tables.
    reason : str
        How they were recognised, in a sentence.
    """

    kind: str
    tables: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttackView:
    """All that an attack may use besides the target's known attributes.

    Each type of release adds what it holds.

    Attributes
    ----------
    known : mapping of str to ColumnSpec
        The known columns and their codes or scales (over all tables).
    unknown : CategoricalCodes
        The codes to predict.
    absent : tuple of str
        Known columns that the release does not have, or that say nothing there.
    unmatched : tuple of str
        Columns of the scenario that the release has, but mostly with values that the original
        does not have, so that no attack can use them.
    """

    known: Mapping[str, ColumnSpec]
    unknown: CategoricalCodes
    absent: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the view with the values of the unknown attribute in random order."""
        raise NotImplementedError


class EncodedRelease(Protocol):
    """A release as arrays, for any number of scenarios; a dataclass, sent to worker processes."""

    @property
    def data(self) -> EncodedData:
        """The original, and the tables of the release, under the same codes."""
        ...

    def view(self, scenario: Scenario) -> AttackView:
        """Return what an attack may use; refuse a scenario in which there is nothing to attack."""
        ...

    def notes(self, scenario: Scenario) -> tuple[str | Note, ...]:
        """Say what of the release is not used in a scenario, or was worked out."""
        ...


@runtime_checkable
class Release(Protocol):
    """What is published.

    Attributes
    ----------
    kind : str
        Of the type, in files and on the command line, such as "rows".
    title : str
        The type in words for people, such as "rows of people".
    help : str
        What it holds, in a sentence, for somebody who chooses among the types.
    holds_rows : bool
        Whether each row of its tables is a person, with columns like the original's: what
        distances, risk numbers, utility, RAPID and changes of a release need.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    help: ClassVar[str]
    holds_rows: ClassVar[bool]

    @property
    def name(self) -> str:
        """What reports call the release."""
        ...

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables as they were published; results give their size and fingerprint."""
        ...

    @classmethod
    def of_tables(cls, tables: Sequence[Table], *, name: str, original: Table) -> Self:
        """Build a release from the tables of its files.

        Parameters
        ----------
        tables : sequence of Table
            As they were published.
        name : str
            What reports call the release.
        original : Table
            What it was made from, whose columns and values say what is what.

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
        """Return which tables look like releases of this type, the surest first.

        A table becomes part of one release: what takes more tables together goes before what takes
        fewer, and then the type that was registered last.

        Parameters
        ----------
        original : Table
            What they were made from.
        tables : sequence of Table
            Of any number of releases.
        profiles : Profiles
            What is looked at of a table is looked at once.
        """
        ...

    def described(self) -> tuple[str | pd.DataFrame, ...]:
        """Say how the tables were understood: sentences, and first rows where these help.

        Empty where they are taken as they are.
        """
        ...

    def renamed(self, name: str) -> Self:
        """Return the release under another name."""
        ...

    def columns_beside(self, column: str) -> tuple[str, ...]:
        """Return the columns that the release relates to a column; empty if it has none."""
        ...

    def checker(self, original: Table) -> ReleaseChecker:
        """Return what checks the release against its original."""
        ...

    def coded_tables(self) -> tuple[Table, ...]:
        """Return tables whose columns are coded together with the original's of the same name."""
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
    """What most types of release have in common, to derive them from.

    Attributes
    ----------
    tables : tuple of Table
        As they were published.
    name : str
        What reports call the release.
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
        """Say nothing: the tables are taken as they are."""
        return ()

    def renamed(self, name: str) -> Self:
        """Return the release under another name."""
        return replace(self, name=name)

    def columns_beside(self, column: str) -> tuple[str, ...]:
        """Return the other columns of the coded tables that tell a column, as far as they tell."""
        tables = [table for table in self.coded_tables() if column in table.telling]
        beside = (c for table in tables for c in table.columns if c in table.telling)
        return tuple(c for c in dict.fromkeys(beside) if c != column)

    def coded_tables(self) -> tuple[Table, ...]:
        """Return the tables themselves."""
        return self.tables


def with_data(encoded: EncodedRelease, data: EncodedData) -> EncodedRelease:
    """Return a release as arrays with other data; all else stays."""
    return cast(EncodedRelease, replace(cast(Any, encoded), data=data))


def without_rows(release: Release, needs: str) -> str:
    """Say that something needs rows of people and a release has none; empty where it has.

    >>> import alc_core as alc
    >>> without_rows(alc.load_demo("fair").releases["80% swapped"], "RAPID needs")
    ''
    """
    if release.holds_rows:
        return ""
    return f"{needs} {ROWS_OF_PEOPLE}; release '{release.name}' is {release.title}."


def released_columns(release: Release) -> frozenset[str]:
    """Return all columns of the tables that are coded together with the original."""
    return frozenset(column for table in release.coded_tables() for column in table.columns)


def attackable(release: Release, unknown: str, known: Iterable[str]) -> bool:
    """Return whether a release relates the unknown column to a known one."""
    return not set(known).isdisjoint(release.columns_beside(unknown))
