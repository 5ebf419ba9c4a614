"""``alc check``: whether the tables can be compared."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.options import (
    ACCEPT,
    ORIGINAL,
    QUIET,
    RELEASE,
    accepted_of,
    column_option,
    command,
    missing_of,
    missing_options,
    read_original,
    read_release,
    table_options,
)
from alc_core.cli.parts.planning import chosen_roles, role_lines, role_options
from alc_core.cli.parts.plugs import RELEASE_TYPE
from alc_core.cli.parts.printing import Outputs, echo, finding_line, out_option
from alc_core.cli.parts.sets import found_sets, sets_lines, sets_options, with_given_sets
from alc_core.phrasing import count, in_list

if TYPE_CHECKING:
    from alc_core.scenario.no_value import Missing
    from alc_core.tables.table import Table


@command()
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
@out_option("json", "Write all as JSON here; '-' for stdout.")
@out_option(
    "save-sets",
    "Write what the release's labels stand for as JSON here, to edit it for --sets; also over the "
    "file of --sets.",
)
@ACCEPT
@QUIET
def check(**options: Any) -> None:
    """Check an original against a release without attacking it.

    It also shows who is taken to know each column, what means 'no value' in it, so that people
    without a value are not attacked there, and which values of the release stand for several
    values. The exit code is 1 if something must be answered or fixed.
    """
    from alc_core.releases.registry import sets_by_column
    from alc_core.releases.release import released_columns
    from alc_core.scenario.no_value import check_doubtful, check_missing
    from alc_core.scenario.preflight import answers_to, is_accepted
    from alc_core.tables.checks.finding import grouped, worst_first
    from alc_core.tables.labels.language import sets_text
    from alc_core.tables.roles import Roles

    missing = missing_of(options)
    outputs = Outputs(options, save_sets="sets_file")
    original = read_original(options)
    release = with_given_sets(options, original, read_release(options, original))
    check_missing(original, missing)
    unknown = options["unknown"]
    roles = Roles.of(
        original,
        released_columns(release),
        chosen=chosen_roles(
            options, original, [release], known=options["known"],
            unknown=[] if unknown is None else [unknown],
        ),
        naming=[options["person"], options["household"]],
    )  # fmt: skip
    findings = release.checker(original).findings(
        known=options["known"] or None,
        unknown=unknown,
        person=options["person"],
        household=options["household"],
    )
    if unknown is not None:
        doubtful = check_doubtful(original, unknown, missing)
        findings = (*worst_first((*findings, *doubtful)),)
    sets = found_sets(original, release)
    accept = answers_to(findings, accepted_of(options))
    findings = tuple(found for found in findings if not is_accepted(found, accept))
    outputs.write("save_sets", lambda: sets_text(sets_by_column(original, release.tables)))
    if not outputs.on_stdout:
        for table in (original, *release.tables):
            echo(f"{table.name}: {count(len(table))} rows, {count(len(table.columns))} columns")
            for note in table.notes:
                echo(f"  {note}")
        echo("Columns:")
        for line in role_lines(roles):
            echo(f"  {line}")
        told = map(finding_line, grouped(findings))
        asked = original.columns if unknown is None else [unknown]
        no_value = _no_value_lines(original, missing, asked, told=unknown is None)
        for line in (*no_value, *sets_lines(sets), *(told if findings else ["Nothing to fix."])):
            echo(line)
    outputs.write_json(
        "check",
        lambda: {
            "findings": [finding.to_dict() for finding in findings],
            "sets": {
                table: {column: each.to_dict() for column, each in columns.items()}
                for table, columns in sets.items()
            },
        },
    )
    if any(finding.blocking for finding in findings):
        raise click.exceptions.Exit(1)


def _no_value_lines(
    original: Table, missing: Missing, columns: Sequence[str], *, told: bool
) -> Iterator[str]:
    """Yield what means 'no value' in some columns, and what seems to; what is asked if `told`."""
    from alc_core.scenario.no_value import columns_without_values, likely_no_values

    without = columns_without_values(original, missing, columns)
    for column, found in without.items():
        if found.rows:
            yield f"no value: '{original.name}', column '{column}': {found.words}"
    for each in likely_no_values(original, without) if missing is not None else ():
        if each.by is None and not told:
            continue
        values = ",".join(map(in_list, (*without[each.column].markers, each.value)))
        place = f"no value? '{original.name}', column '{each.column}'"
        option = f"--missing {shlex.quote(f'{each.column}={values}')}"
        yield f"{place}: {each.words}. If they have none: {option}"
