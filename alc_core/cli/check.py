"""``alc check``: whether the tables can be compared."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.options import (
    ORIGINAL,
    RELEASE,
    check_writable,
    column_option,
    missing_of,
    missing_options,
    read_original,
    read_release,
    table_options,
)
from alc_core.cli.parts.planning import chosen_roles, role_lines, role_options
from alc_core.cli.parts.plugs import RELEASE_TYPE
from alc_core.cli.parts.printing import echo, finding_line
from alc_core.cli.parts.sets import (
    found_sets,
    save_sets,
    sets_lines,
    sets_options,
    with_given_sets,
)

if TYPE_CHECKING:
    from alc_core.releases.release import Release
    from alc_core.tables.checks.finding import Finding
    from alc_core.tables.labels.column_sets import ColumnSets
    from alc_core.tables.roles import Roles
    from alc_core.tables.table import Table


@click.command()
@ORIGINAL
@RELEASE
@RELEASE_TYPE
@column_option("--known", help="Columns that the attacker would know.")
@click.option(
    "--unknown", metavar="COLUMN", help="The column that the attacker would want to learn."
)
@role_options
@table_options
@sets_options
@missing_options
@click.option("--json", "json_out", metavar="OUT", help="Write all as JSON here; '-' for stdout.")
@click.option(
    "--save-sets",
    metavar="FILE",
    help="Write what the labels of the release stand for to a JSON file, to edit it for --sets.",
)
def check(**options: Any) -> None:
    """Check an original against a release without attacking it.

    It also shows who is taken to know each column, what means 'no value' in it, so that people
    without a value are not attacked there, and which values of the release stand for several
    values. The exit code is 1 if something must be answered or fixed.
    """
    from alc_core.scenario.no_value import check_missing, columns_without_values, likely_no_values
    from alc_core.tables.checks.finding import grouped

    missing = missing_of(options)
    for out in (options["json_out"], options["save_sets"]):
        check_writable(out)
    original = read_original(options)
    release = with_given_sets(options, original, read_release(options, original))
    check_missing(original, missing)
    roles = _roles(options, original, release)
    findings = release.checker(original).findings(
        known=options["known"] or None,
        unknown=options["unknown"],
        person=options["person"],
        household=options["household"],
    )
    sets = found_sets(original, release)
    unknown = options["unknown"]
    shown = original.columns if unknown is None else (unknown,)
    without = columns_without_values(original, missing, shown)
    no_value = [
        f"no value: '{original.name}', column '{column}': {found.words}"
        for column, found in without.items()
        if found.rows
    ]
    no_value += [
        f"no value? '{original.name}', column '{each.column}': {each.words}. If they have none: "
        f"--missing {_named(each.column, (*without[each.column].markers, each.value))}"
        for each in (likely_no_values(original, without) if missing is not None else ())
    ]
    if options["save_sets"]:
        save_sets(options["save_sets"], original, release)
    if options["json_out"] != "-":
        _print_tables((original, *release.tables))
        echo("Columns:")
        for line in role_lines(roles):
            echo(f"  {line}")
        told = map(finding_line, grouped(findings))
        for line in (*no_value, *sets_lines(sets), *(told if findings else ["Nothing to fix."])):
            echo(line)
    if options["json_out"]:
        _write_json(options["json_out"], findings, sets)
    if any(finding.blocking for finding in findings):
        raise click.exceptions.Exit(1)


def _named(column: str, values: Sequence[str]) -> str:
    """Return values of a column as the option takes them, and the shell."""
    quoted = [f'"{value}"' if "," in value else value for value in values]
    return shlex.quote(f"{column}={','.join(quoted)}")


def _print_tables(tables: Sequence[Table]) -> None:
    for table in tables:
        echo(f"{table.name}: {len(table)} rows, {len(table.columns)} columns")
        for note in table.notes:
            echo(f"  {note}")


def _write_json(
    out: str, findings: Sequence[Finding], sets: Mapping[str, Mapping[str, ColumnSets]]
) -> None:
    text = json.dumps(
        {
            "findings": [finding.to_dict() for finding in findings],
            "sets": {
                table: {column: found.to_dict() for column, found in columns.items()}
                for table, columns in sets.items()
            },
        },
        ensure_ascii=False,
        indent=2,
    )
    if out == "-":
        echo(text)
    else:
        Path(out).write_text(text + "\n", encoding="utf-8")


def _roles(options: Mapping[str, Any], original: Table, release: Release) -> Roles:
    """Return the roles of the columns, as a plan would have them."""
    from alc_core.releases.release import released_columns
    from alc_core.tables.roles import Roles

    unknown = [] if options["unknown"] is None else [options["unknown"]]
    return Roles.of(
        original,
        released_columns(release),
        chosen=chosen_roles(options, original, [release], known=options["known"], unknown=unknown),
        naming=[options["person"], options["household"]],
    )
