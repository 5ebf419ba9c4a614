"""``alc check``: whether the tables can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.options import (
    ORIGINAL,
    RELEASE,
    column_option,
    missing_of,
    missing_options,
    read_original,
    read_release,
    table_options,
)
from alc_core.cli.planning import chosen_roles, role_lines, role_options
from alc_core.cli.plugs import RELEASE_TYPE
from alc_core.cli.printing import finding_line

if TYPE_CHECKING:
    from alc_core.releases.release import Release
    from alc_core.tables.roles.roles import Roles
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
@missing_options
def check(**options: Any) -> None:
    """Check an original against a release without attacking it.

    It also shows who is taken to know each column, and what means 'no value' in it: people without
    a value are not attacked there. The exit code is 1 if something must be answered or fixed.
    """
    from alc_core.scenario.without_value import check_missing, columns_without_values
    from alc_core.tables.checks.patterns import grouped

    missing = missing_of(options)
    original, release = read_original(options), read_release(options)
    check_missing(original, missing)
    roles = _roles(options, original, release)
    findings = release.checker(original).findings(
        known=options["known"] or None,
        unknown=options["unknown"],
        person=options["person"],
        household=options["household"],
    )
    for table in (original, *release.tables):
        click.echo(f"{table.name}: {len(table)} rows, {len(table.columns)} columns")
        for note in table.notes:
            click.echo(f"  {note}")
    click.echo("Columns:")
    for line in role_lines(roles):
        click.echo(f"  {line}")
    unknown = options["unknown"]
    shown = original.columns if unknown is None else (unknown,)
    for column, found in columns_without_values(original, missing, shown).items():
        if found.rows:
            click.echo(f"no value: '{original.name}', column '{column}': {found.words}")
    for finding in grouped(findings):
        click.echo(finding_line(finding))
    if not findings:
        click.echo("Nothing to fix.")
    if any(finding.blocking for finding in findings):
        raise click.exceptions.Exit(1)


def _roles(options: Mapping[str, Any], original: Table, release: Release) -> Roles:
    """Return the roles of the columns, as a plan would have them."""
    from alc_core.releases.release import released_columns
    from alc_core.tables.roles.roles import Roles

    unknown = [] if options["unknown"] is None else [options["unknown"]]
    return Roles.of(
        original,
        released_columns(release),
        chosen=chosen_roles(options, original, [release], known=options["known"], unknown=unknown),
        naming=[options["person"], options["household"]],
    )
