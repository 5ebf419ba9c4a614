"""What is published. A release is a type; an attack says which types it can read.

Today there is :class:`Microdata`. Groups with a broken link, generalized tables and published
counts join as further classes here, and attacks on them declare those in ``accepts``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import pandas as pd

from alc_core.errors import InputError
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Microdata:
    """One or more tables of rows like those of the original: anonymized, swapped or synthetic.

    Attributes
    ----------
    tables : tuple of Table
        Each holds all or some of the original's columns.
    name : str
        What reports call the release.
    """

    tables: tuple[Table, ...]
    name: str

    def __post_init__(self) -> None:
        if not self.tables:
            raise InputError("A release needs at least one table; give one.")


Release = Microdata
"""Every type of release."""

ReleaseLike = Release | Table | pd.DataFrame | Iterable[Table | pd.DataFrame]
ReleasesLike = ReleaseLike | Sequence[Release] | Mapping[str, ReleaseLike]


def as_table(source: Table | pd.DataFrame, *, name: str) -> Table:
    """Return a table unchanged, or a data frame as a table of the given name."""
    return source if isinstance(source, Table) else table_from_frame(source, name=name)


def as_release(source: ReleaseLike) -> Release:
    """Return a release from a release, one table or data frame, or several of one release."""
    if isinstance(source, Microdata):
        return source
    if isinstance(source, Table | pd.DataFrame):
        source = [source]
    tables = tuple(
        as_table(table, name=f"release {number}") for number, table in enumerate(source, start=1)
    )
    return Microdata(tables=tables, name=" + ".join(table.name for table in tables))


def as_releases(source: ReleasesLike) -> tuple[Release, ...]:
    """Return several releases from themselves or from a mapping of names; else the one given.

    Raises
    ------
    InputError
        If there is none, or two have one name.
    """
    if isinstance(source, Mapping):
        given = {name: as_release(release) for name, release in source.items()}
        named = [Microdata(tables=release.tables, name=name) for name, release in given.items()]
    elif isinstance(source, Sequence) and all(isinstance(r, Microdata) for r in source):
        named = [as_release(cast(ReleaseLike, release)) for release in source]
    else:
        named = [as_release(cast(ReleaseLike, source))]
    if not named:
        raise InputError("No release is given. Give at least one.")
    names = [release.name for release in named]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"The release '{twice[0]}' is given twice. Give or name it once.")
    return tuple(named)
