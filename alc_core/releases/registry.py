"""Types of release, reading of releases, and meanings of labels."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from alc_core.errors import ColumnError, InputError
from alc_core.parameter import check_name
from alc_core.phrasing import quoted
from alc_core.releases.counts import Counts
from alc_core.releases.groups import Groups
from alc_core.releases.linked import KnownRows
from alc_core.releases.microdata import Microdata
from alc_core.releases.release import USUAL_KIND, Recognised, Release
from alc_core.releases.series import NewEdition, Series
from alc_core.runtime.plugins import add_plugged, described
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.checks.facts import FileFacts, file_facts, rows_fact
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.labels.language import (
    PlainSet,
    PlainSets,
    plain_sets,
    told_sets,
    with_plain_sets,
)
from alc_core.tables.names import SameColumns, with_same_columns
from alc_core.tables.recode import read_source
from alc_core.tables.table import Table
from alc_core.tables.thousands import with_thousands

ReleaseLike = Release | TableLike | Sequence[TableLike]
ReleasesLike = ReleaseLike | Sequence[Release] | Mapping[str, ReleaseLike]

ReleaseType = TypeVar("ReleaseType", bound=type[Release])

_TYPES: dict[str, type[Release]] = {}


def register_release(release_type: ReleaseType) -> ReleaseType:
    """Register a type of release by its kind; usable as decorator.

    Raises
    ------
    InputError
        If the kind is taken.

    Examples
    --------
    >>> import alc_core as alc
    >>> register_release(alc.Counts).kind
    'counts'
    """
    members = "kind", "title", "help", "holds_rows", "of_tables", "recognise", "encoded"
    if not isinstance(release_type, type) or not all(hasattr(release_type, m) for m in members):
        raise InputError(
            f"register_release takes a class with {quoted(members)}, not {described(release_type)}."
        )
    add_plugged(_TYPES, release_type.kind, release_type, "type of release")
    return release_type


def release_types() -> dict[str, type[Release]]:
    """Return the types of release by kind, in order of registration.

    Examples
    --------
    >>> sorted(release_types())[:2]
    ['counts', 'events']
    """
    return dict(_TYPES)


def of_rows(kind: str) -> bool:
    """Return whether a kind is rows of people; False if unregistered."""
    return kind in _TYPES and _TYPES[kind].holds_rows


def release_facts(original: Table, release: Release) -> tuple[FileFacts, ...]:
    """Return each file's counts; only the number if not rows."""
    if release.holds_rows:
        return tuple(file_facts(original, table) for table in release.tables)
    return tuple(FileFacts(table=t.name, facts=(rows_fact(original, t),)) for t in release.tables)


def read_release(
    tables: Sequence[Table], *, name: str, original: Table, kind: str = USUAL_KIND
) -> Release:
    """Build a release of a kind from its tables."""
    check_name("type of release", kind, _TYPES)
    tables = [with_thousands(original, table) for table in tables]
    return _TYPES[kind].of_tables(tables, name=name, original=original)


def recognise(original: Table, tables: Sequence[Table]) -> tuple[Recognised, ...]:
    """Return tables that are not rows of people, each in one release at most."""
    profiles = Profiles()
    found = [
        each
        for release_type in reversed(_TYPES.values())
        for each in release_type.recognise(original, tables, profiles)
    ]
    taken: set[int] = set()
    kept = []
    for each in sorted(found, key=lambda each: -len(each.tables)):
        if taken.isdisjoint(each.tables):
            taken.update(each.tables)
            kept.append(each)
    return tuple(sorted(kept, key=lambda each: (-len(each.tables), each.tables)))


def unreadable(kind: str, tables: Sequence[Table], original: Table) -> str:
    """Say why tables cannot be read as a kind, if so."""
    try:
        read_release(tables, name="release", original=original, kind=kind)
    except InputError as error:
        return str(error)
    return ""


def as_release(
    source: ReleaseLike, original: Table | None = None, *, name: str = "release 1"
) -> Release:
    """Return a release from a release, tables, frames or paths; `name` is a single frame's.

    With an original, one-hot columns are decoded.
    """
    release = source if isinstance(source, Release) else _of_tables(source, name)
    if original is None or not release.holds_rows:
        return release
    return with_kept_columns(original, release, [{}] * len(release.tables))


def _of_tables(source: TableLike | Sequence[TableLike], name: str) -> Release:
    if isinstance(source, list | tuple):
        tables = tuple(as_table(t, name=f"release {n}") for n, t in enumerate(source, start=1))
    else:
        tables = (as_table(cast(TableLike, source), name=name),)
    return Microdata(tables=tables, name=" + ".join(table.name for table in tables))


def as_releases(source: ReleasesLike, original: Table | None = None) -> tuple[Release, ...]:
    """Return several releases, also from a mapping of names."""
    if isinstance(source, Mapping):
        given = {name: as_release(each, original, name=name) for name, each in source.items()}
        named = [release.renamed(name) for name, release in given.items()]
    elif isinstance(source, Sequence) and all(isinstance(r, Release) for r in source):
        named = [as_release(cast(Release, release), original) for release in source]
    else:
        named = [as_release(cast(ReleaseLike, source), original)]
    if not named:
        raise InputError("No release to attack. Choose at least one.")
    names = [release.name for release in named]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"Two releases have the name '{twice[0]}'. Name each differently.")
    return tuple(named)


register_release(Microdata)
register_release(Groups)
register_release(Counts)
register_release(KnownRows)
register_release(Series)
register_release(NewEdition)


# User-given meanings of labels, by release and table
ToldSets = Mapping[str, tuple[PlainSets, ...]]


def told_of_releases(
    original: Table, releases: Iterable[Release]
) -> dict[str, tuple[PlainSets, ...]]:
    """Return user-given meanings that differ from recognized ones."""
    told = {
        release.name: tuple(told_sets(original, table) for table in release.tables)
        for release in releases
    }
    return {name: tables for name, tables in told.items() if any(tables)}


def with_told_sets(original: Table, release: Release, told: Sequence[PlainSets]) -> Release:
    """Return a release with user-given meanings by table."""
    if not told:
        return release
    tables = [
        with_plain_sets(original, table, sets)
        for table, sets in zip(release.tables, told, strict=True)
    ]
    return with_tables(original, release, tables)


def with_tables(original: Table, release: Release, tables: Sequence[Table]) -> Release:
    """Return a release of the same type and name with other tables."""
    if isinstance(release, KnownRows):
        return replace(release, tables=tuple(tables))
    return type(release).of_tables(tables, name=release.name, original=original)


def with_sets_by_column(original: Table, release: Release, told: PlainSets) -> Release:
    """Return a release with user-given meanings by column."""
    tables = [
        with_plain_sets(original, table, {c: told[c] for c in told if c in table.columns})
        for table in release.tables
    ]
    return with_tables(original, release, tables)


def sets_by_column(
    original: Table, tables: Iterable[Table]
) -> dict[str, dict[str, PlainSet | None]]:
    """Return the meanings of a release's labels by column.

    The first table with a column decides.
    """
    joined: dict[str, dict[str, PlainSet | None]] = {}
    for table in tables:
        for column, labels in plain_sets(original, table).items():
            joined[column] = {**labels, **joined.get(column, {})}
    return joined


def tables_with_same_columns(
    original: Table, tables: Sequence[Table], same: SameColumns, *, names: Sequence[Container[str]]
) -> tuple[Table, ...]:
    """Return tables with the user's matches of columns.

    A text with a table's name and an equals sign is for that table.
    """
    own = [_said_of(table, names, same) for table, names in zip(tables, names, strict=True)]
    others = sorted({column for table in tables for column in table.columns} - {*original.columns})
    for text, of in same.items():
        if not any(text in said.values() for said in own):
            raise ColumnError(
                f"No released table has '{text}' for the original's '{of}', but "
                f"{quoted(others) or 'none'}."
            )
    return tuple(
        with_same_columns(original, table, {column: same[text] for column, text in said.items()})
        for table, said in zip(tables, own, strict=True)
    )


def _said_of(table: Table, names: Container[str], same: SameColumns) -> dict[str, str]:
    """Return a table's texts, its own first."""
    said = {text: text for text in same if read_source(text, table.columns)}
    for text in same:
        name, _, column = text.partition("=")
        if name in names and read_source(column, table.columns):
            said = {each: its for each, its in said.items() if same[its] != same[text]}
            said[column] = text
    return said


def with_kept_columns(original: Table, release: Release, kept: Sequence[SameColumns]) -> Release:
    """Return a release with a campaign's column names."""
    tables = []
    for table, then in zip(release.tables, kept, strict=True):
        left = {c: of for c, of in then.items() if table.same_columns.get(c) != of}
        tables.append(with_same_columns(original, table, left))
    if all(new is old for new, old in zip(tables, release.tables, strict=True)):
        return release
    return with_tables(original, release, tables)
