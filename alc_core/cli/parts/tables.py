"""Reading the tables that options name."""

from __future__ import annotations

import glob
import itertools
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.codes import take_codes
from alc_core.cli.parts.linked import read_linked, read_original_tables
from alc_core.cli.parts.options import said_kinds
from alc_core.cli.parts.plugs import release_kinds, said_columns, said_dates
from alc_core.cli.parts.printing import ReadingPrinter
from alc_core.errors import InputError, TableReadError

if TYPE_CHECKING:
    from alc_core.releases.release import Release
    from alc_core.tables.formats.source import Purpose
    from alc_core.tables.names import Names
    from alc_core.tables.table import Table

MOST_OF_STDIN = 512 * 2**20  # Bytes


def read_original(options: dict[str, Any]) -> Table:
    """Read the original with given kinds; options then use its names."""
    from alc_core.tables.labels.date_readings import with_date_readings

    original = read_original_tables(
        options, lambda file: read_table_file(options, file, "original")
    )
    if isinstance(original, dict):
        review, kinds = read_linked(
            options, original, lambda file: read_table_file(options, file), said_kinds(options)
        )
        options["linked"] = review.releases
        if not options.get("quiet"):
            for side in review.sides:
                click.echo(f"Keys of {side.name}: {side.described()}", err=True)
        take_codes(options, review.original)
        return review.original.with_kinds(kinds)
    if options["keys"] or options["known_rows"] or options["rarest_rows"]:
        raise InputError(
            "--key, --known-rows and --rarest-rows need linked tables: --original people=FILE "
            "--original visits=FILE."
        )
    project = original.project
    if project is not None and project.household and not options.get("household"):
        options["household"] = project.household
    take_codes(options, original)
    original = with_date_readings(original, readings := said_dates(options))
    original.require(*readings)
    if options["metadata"]:
        from alc_core.tables.apart.read import with_metadata

        original = with_metadata(original, options["metadata"])
    return original.with_kinds(said_kinds(options))


def read_releases(options: Mapping[str, Any], original: Table) -> dict[str, Release]:
    """Read releases by name, in order; equal names are one release."""
    from alc_core.releases.registry import read_release, tables_with_same_columns
    from alc_core.tables.labels.date_readings import with_date_readings, with_read_dates

    if "linked" in options:
        if options.get("published"):
            raise InputError("Linked tables cannot be compared with --published ones. Remove it.")
        return dict(options["linked"])
    given = _given_files(options["releases"])
    names = _names_of(given)
    earlier = options.get("published", ())
    files = [("", file) for file in earlier] + [
        (name, file) for name, (_, file) in zip(names, given, strict=True)
    ]
    parts = [(name, table) for name, file in files for table in _read_release_tables(options, file)]
    tables = tables_with_same_columns(
        original,
        [table for _, table in parts],
        said_columns(options, original),
        names=[{name, table.name} for name, table in parts],
    )
    readings = said_dates(options)
    read = [
        with_read_dates(original, with_date_readings(table, readings, original=original))
        for table in tables
    ]
    own: dict[str, list[Table]] = {}
    for (name, _), table in zip(parts, read, strict=True):
        own.setdefault(name, []).append(table)
    earlier = own.pop("", [])
    alone = [name for name, (said, _) in zip(names, given, strict=True) if not said]
    _refuse_parts(original, [*itertools.chain.from_iterable(own[name] for name in alone)])
    _ask_about_joins(options, original, own)
    kinds = release_kinds(options, [*own])
    if earlier:
        own, kinds = _next_editions(options, own, earlier)
    return {
        name: read_release(each, name=name, original=original, kind=kind)
        for (name, each), kind in zip(own.items(), kinds, strict=True)
    }


def _next_editions(
    options: Mapping[str, Any], own: Mapping[str, list[Table]], published: Sequence[Table]
) -> tuple[dict[str, list[Table]], list[str]]:
    """Return each release's tables behind published ones, and its kind."""
    from alc_core.releases.series import NewEdition

    if several := [name for name, tables in own.items() if len(tables) > 1]:
        raise InputError(
            f"'{several[0]}' has several tables, but --published takes one in each release. Name "
            "each file."
        )
    if options["release_type"]:
        raise InputError("--published says what the release is. Remove --release-type.")
    return {name: [*published, *new] for name, new in own.items()}, [NewEdition.kind] * len(own)


def _read_release_tables(options: Mapping[str, Any], file: str) -> list[Table]:
    """Read a file's table, or tables of one release."""
    from alc_core.tables.formats.source import PART

    try:
        return [read_table_file(options, file, "release")]
    except TableReadError as error:
        if not error.together:
            raise
        return [read_table_file(options, f"{file}{PART}{each}") for each in error.tables]


def _given_files(texts: Sequence[str]) -> list[tuple[str, str]]:
    given: list[tuple[str, str]] = []
    for text in texts:
        name, equals, file = text.partition("=")
        if not equals or Path(text).exists() or glob.glob(text):  # noqa: PTH207 - as it is read
            given.append(("", text))
        elif name.strip() and file:
            given.append((name.strip(), file))
        else:
            raise InputError(f"--release takes FILE or NAME=FILE, not '{text}'.")
    return given


def _names_of(given: Sequence[tuple[str, str]]) -> list[str]:
    """Return each file's release name: given, or like the file."""
    from alc_core.tables.names import plain_names

    plain = plain_names([_file_name(file) for name, file in given if not name])
    if twice := {name for name, _ in given}.intersection(plain):
        raise InputError(f"Two releases are called '{min(twice)}', one after its file. Name that.")
    taken: set[str] = set()
    alone = iter([_free(name, taken) for name in plain])
    return [name or next(alone) for name, _ in given]


def _refuse_parts(original: Table, tables: Sequence[Table]) -> None:
    """Refuse unnamed files that look like tables of one release."""
    from alc_core.releases.registry import recognise

    for found in recognise(original, tables) if len(tables) > 1 else ():
        if len(found.tables) > 1:
            raise InputError(
                f"{found.reason} For one release, name all files alike, such as --release "
                f"{found.kind}=FILE, with --release-type {found.kind}. Otherwise name each."
            )


def _ask_about_joins(
    options: Mapping[str, Any], original: Table, releases: Mapping[str, Sequence[Table]]
) -> None:
    """Refuse releases joined by a key, unless answered."""
    from alc_core.tables.checks.links import check_joins

    accepted = {text.partition(":")[0] for text in options.get("accept", ("joined-tables",))}
    if "joined-tables" in accepted:
        return
    for pair in itertools.combinations(releases.values(), 2):
        tables = tuple(table for of_release in pair for table in of_release)
        of = {table.name: number for number, tables in enumerate(pair) for table in tables}
        for found in check_joins(original, tables, options["person"]):
            other = found.facts["other"]
            if of[found.table] != of[other]:
                raise InputError(
                    f"'{found.table}' and '{other}' share '{found.column}', which joins a "
                    "person's rows. Name linked tables: --original people=FILE --original "
                    "visits=FILE, likewise releases. If separate, "
                    f"--accept {found.code}."
                )


def _file_name(path: str) -> str:
    from alc_core.tables.formats.recognise import located

    label = "stdin" if path == "-" else located(path, None)[0]
    is_pattern = glob.has_magic(label) and not Path(path).exists()
    return (is_pattern and Path(path).parent.name) or label


def _free(name: str, taken: set[str]) -> str:
    numbered = (f"{name} ({number})" for number in itertools.count(2))
    free = next(each for each in itertools.chain([name], numbered) if each not in taken)
    taken.add(free)
    return free


def read_holdout(options: Mapping[str, Any], original: Table) -> Table:
    """Read the holdout with given date readings."""
    from alc_core.tables.labels.date_readings import with_date_readings

    table = read_table_file(options, options["holdout"])
    return with_date_readings(table, said_dates(options), original=original)


# Options that take [TABLE=]VALUE
_OF_TABLES = ("delimiter", "decimal", "thousands", "header_row", "skip_rows")


def _of_table(name: str, texts: Sequence[str]) -> str | None:
    """Return the last text for a table, or for all."""
    said: dict[str, str] = {}
    for text in texts:
        table, _, value = text.rpartition("=")
        said[table if value else ""] = value or text
    return said.get(name, said.get(""))


def read_table_file(options: Mapping[str, Any], path: str, purpose: Purpose | None = None) -> Table:
    """Read a file in its own process, reporting if slow."""
    from alc_core.tables.apart.read import read_table
    from alc_core.tables.formats.recognise import located
    from alc_core.tables.names import with_names

    label = "stdin" if path == "-" else located(path, None)[0]
    how = {key: options[key] for key in ("encoding", "sheet")} | {"purpose": purpose}
    how |= {key: _of_table(label, options[key]) for key in _OF_TABLES}
    waiting = None if options.get("quiet") else ReadingPrinter(Path(path).name)
    if path == "-":
        original = options["original"]
        own = original.values() if isinstance(original, dict) else (original,)
        given = (*own, options.get("holdout"), *options.get("releases", ()))
        if sum((text or "").rpartition("=")[2] == "-" for text in given) > 1:
            raise InputError("Two tables are '-' (stdin). Name a file for one.")
        data = sys.stdin.buffer.read(MOST_OF_STDIN + 1)
        if len(data) > MOST_OF_STDIN:
            raise InputError("Standard input exceeds 512 MiB. Save it as a file.")
        table = read_table(data, name="stdin", **how, waiting=waiting)
    else:
        table = read_table(path, **how, waiting=waiting)
    return with_names(table, _names(options["names"])) if options.get("names") else table


@cache
def _names(path: str) -> Names:
    from alc_core.tables.apart.read import read_codebook

    return read_codebook(path)
