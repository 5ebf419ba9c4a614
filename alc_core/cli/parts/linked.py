"""Options about linked tables."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.plugs import parsed, said_dates
from alc_core.errors import InputError
from alc_core.phrasing import quoted, split_names

if TYPE_CHECKING:
    from alc_core.linked.keys import Link
    from alc_core.releases.linked import LinkedReview
    from alc_core.tables.metadata import Metadata
    from alc_core.tables.table import Table

ReadFile = Callable[[str], "Table"]

_RELEASE = "release"  # Name of an unnamed release
_NAMING = ("known", "unknown", "named", "protect")  # Options that may name summaries of rows


def originals(texts: Sequence[str]) -> str | dict[str, str]:
    """Return the original's file, or linked tables' files by name."""
    named = [(text, *text.partition("=")[::2]) for text in texts]
    is_named = [name and file and not _is_file(text) for text, name, file in named]
    if not any(is_named):
        if len(texts) > 1:
            raise InputError(
                "Several --original are linked tables: --original people=FILE --original "
                "visits=FILE."
            )
        return texts[0] if texts else ""
    if not all(is_named):
        raise InputError("Give each table of --original a name, such as --original people=FILE.")
    names = [name.strip() for _, name, _ in named]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"Two tables of --original are called '{twice[0]}'. Rename one of them.")
    return {name.strip(): file for _, name, file in named}


def _is_file(text: str) -> bool:
    return Path(text).exists() or bool(glob.glob(text))  # noqa: PTH207 - as it is read


def _events(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, equals, columns = text.partition("=")
        if not equals or not columns:
            raise InputError(f"--known-rows takes TABLE=COLUMNS, not '{text}'.")
        found[name.strip()] = tuple(split_names(columns))
    return found


LINKED = (
    click.option(
        "--key",
        "keys",
        multiple=True,
        metavar="CHILD.KEY=PARENT.KEY",
        help="Key of linked tables, such as visits.patient=people.id; repeatable. [default: "
        "found, and "
        "shown]",
    ),
    click.option(
        "--known-rows",
        multiple=True,
        callback=parsed(_events),
        metavar="TABLE=NAMES",
        help="Known of some rows, such as visits=date,ward. [default: what others may know]",
    ),
    click.option(
        "--rarest-rows",
        is_flag=True,
        help="Known rows are a person's rarest. [default: some at random]",
    ),
)


def read_original_tables(options: Mapping[str, Any], read: ReadFile) -> Table | dict[str, Table]:
    """Return the original, or linked tables by name: named, or all of one file."""
    from alc_core.linked.sets import check_linked, tables_in

    given = options["original"]
    if isinstance(given, dict):
        return {name: read(file) for name, file in given.items()}
    if given == "-" or options["sheet"]:
        return read(given)

    def check(tables: Mapping[str, Table]) -> None:
        check_linked(tables, name=given, keys=_keys(options, _metadata(options)))

    return tables_in(given, read, check)


def read_linked(
    options: Mapping[str, Any], originals: Mapping[str, Table], read: ReadFile,
    kinds: Mapping[str, str],
) -> tuple[LinkedReview, dict[str, str]]:  # fmt: skip
    """Read linked releases; return also kinds of columns in no table."""
    from alc_core.linked.view import asked_columns
    from alc_core.releases.linked import link_tables
    from alc_core.tables.labels.date_readings import with_date_readings

    if options["person"]:
        raise InputError("Linked tables have one row per person. Remove --person.")
    readings = said_dates(options)
    metadata = _metadata(options)
    tables = {}
    for name, original in originals.items():
        own = {column: how for column, how in readings.items() if column in original.columns}
        table = with_date_readings(original, own)
        if metadata:
            table = metadata.described(table, of=name)
        tables[name] = table.with_kinds(
            {c: kind for c, kind in kinds.items() if c in table.columns}
        )
    releases: dict[str, dict[str, Table]] = {}
    for release, name, table in _released(options, tables, read):
        own = {c: how for c, how in readings.items() if c in table.columns}
        if name in tables:
            table = with_date_readings(table, own, original=tables[name])
        if releases.setdefault(release, {}).setdefault(name, table) is not table:
            raise InputError(f"Release '{release}' has two tables '{name}'. Rename one release.")
    review = link_tables(
        tables, releases, keys=map(str, _keys(options, metadata)),
        asked=asked_columns(_texts([options.get(each) for each in _NAMING]), tables),
        events=options["known_rows"], rarest=options["rarest_rows"], seed=options.get("seed") or 0,
    )  # fmt: skip
    return review, {
        c: k for c, k in kinds.items() if all(c not in t.columns for t in tables.values())
    }


def _metadata(options: Mapping[str, Any]) -> Metadata | None:
    from alc_core.tables.apart.read import read_metadata

    return read_metadata(options["metadata"]) if options["metadata"] else None


def _keys(options: Mapping[str, Any], metadata: Metadata | None) -> list[Link]:
    from alc_core.linked.keys import Link

    found = () if metadata is None else metadata.keys
    return [Link.read(each) for each in (*options["keys"], *found)]


def _texts(given: object) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, list | tuple):
        for each in given:
            yield from _texts(each)


def _released(
    options: Mapping[str, Any], tables: Mapping[str, Table], read: ReadFile
) -> Iterator[tuple[str, str, Table]]:
    """Yield release, name and table of each --release."""
    from alc_core.linked.sets import like_originals, tables_in

    for text in options.get("releases", ()):
        name, equals, file = ("", "=", text) if _is_file(text) else text.partition("=")
        release, slash, table = name.strip().rpartition("/")
        if equals and file and table in tables:
            yield release if slash else _RELEASE, table, read(file)
            continue
        found = tables_in(file, read) if file else None
        if not isinstance(found, dict):
            raise InputError(
                f"--release '{text}' names none of the tables {quoted([*tables])}. Write "
                f"--release {next(iter(tables))}=FILE, or NAME/{next(iter(tables))}=FILE."
            )
        for own, each in like_originals(found, tables).items():
            yield name.strip() or Path(file).stem, own, each
