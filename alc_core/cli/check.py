"""``alc check``: whether the tables can be compared."""

from __future__ import annotations

import itertools
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.codes import ColumnOption
from alc_core.cli.parts.command import command
from alc_core.cli.parts.options import (
    ACCEPT,
    ORIGINAL,
    PUBLISHED,
    QUIET,
    RELEASES,
    accepted_of,
    column_option,
    missing_of,
    missing_options,
    table_options,
)
from alc_core.cli.parts.planning import chosen_roles, role_lines, role_options
from alc_core.cli.parts.plugs import RELEASE_TYPE, parsed
from alc_core.cli.parts.printing import Outputs, echo, ended, finding_line, out_option
from alc_core.cli.parts.sets import found_sets, sets_lines, sets_options, with_given_sets
from alc_core.cli.parts.tables import read_original, read_releases
from alc_core.note import stops
from alc_core.phrasing import count, in_list, listed_name, quoted, with_values

if TYPE_CHECKING:
    from alc_core.releases.release import Release
    from alc_core.scenario.no_value import Missing
    from alc_core.tables.checks.finding import Finding
    from alc_core.tables.roles import Roles
    from alc_core.tables.table import Table
    from alc_core.tables.value_sets import ColumnSets


@command(usual="original release known unknown protect accept json save-sets quiet")
@ORIGINAL
@RELEASES
@PUBLISHED
@RELEASE_TYPE
@column_option("--known", help="Columns the attacker would know.")
@click.option(
    "--unknown",
    cls=ColumnOption,
    callback=parsed(lambda text: text and listed_name(text)),
    metavar="COLUMN",
    help="Column the attacker would infer.",
)
@role_options
@table_options
@sets_options
@missing_options
@out_option("json", "Write JSON here; '-' for stdout.")
@out_option(
    "save-sets",
    "Write label contents as JSON, for --sets.",
)
@out_option(
    "texts",
    "Write people's texts that a release repeats as CSV (personal data).",
)
@ACCEPT
@QUIET
def check(**options: Any) -> int:
    """Check the tables for problems first.

    It also shows who may know each column, which values mean 'missing', and which released values
    cover several original ones. The exit code is 1 if anything must be answered or fixed, or if
    the release contains original rows, traceable rows or people's texts.
    """
    from alc_core.releases.answers import asked_tables
    from alc_core.releases.linked import asked_releases
    from alc_core.releases.registry import sets_by_column
    from alc_core.scenario.no_value import check_missing
    from alc_core.tables.checks.finding import grouped
    from alc_core.tables.labels.language import sets_text

    outputs = Outputs(options, save_sets="sets_file")
    original = read_original(options)
    missing = missing_of(options)
    releases = {
        name: with_given_sets(options, original, each)
        for name, each in read_releases(options, original).items()
    }
    unknown = [] if options["unknown"] is None else [options["unknown"]]
    if "linked" in options and unknown:
        known = options["known"] or [*original.kinds]
        related = asked_releases([*releases.values()], known, *unknown)
        releases = {each.name: each for each in related}
    asked, published = asked_tables(
        original, [*releases.values()], [*options["known"], *unknown, *(missing or ())]
    )
    check_missing(asked, missing)
    tables = [table for each in releases.values() for table in each.tables]
    outputs.write("save_sets", lambda: sets_text(sets_by_column(original, tables)))
    outputs.write("texts", lambda: _texts(options, original, tables))
    attacked = dict(zip(releases, published, strict=True))
    findings = _findings(options, asked, attacked, missing)
    roles = {name: _roles(options, original, each) for name, each in releases.items()}
    sets = {name: found_sets(original, each) for name, each in releases.items()}
    if not outputs.on_stdout:
        no_value = _no_value_lines(asked, missing, unknown or original.columns, told=not unknown)
        for line in (*_table_lines(original), *no_value):
            echo(line)
        for name, release in releases.items():
            told = [*map(finding_line, grouped(findings[name]))] or ["Nothing to fix."]
            for line in (
                *([f"--- {name}"] if len(releases) > 1 else []),
                *(line for table in release.tables for line in _table_lines(table)),
                *(part for part in release.described() if isinstance(part, str)),
                "Columns:",
                *(f"  {line}" for line in role_lines(roles[name])),
                *sets_lines(sets[name]),
                *told,
            ):
                echo(line)
    outputs.write_json(
        "check",
        lambda: {
            "findings": [
                {**finding.to_dict(), "release_name": name}
                for name, found in findings.items()
                for finding in found
            ],
            "sets": _plain_sets(sets),
        },
    )
    why = [*_to_answer(findings), *_stopping(findings)]
    return ended(1 if why else 0, "; ".join(why))


def _texts(options: Mapping[str, Any], original: Table, tables: Sequence[Table]) -> str:
    import pandas as pd

    from alc_core.spreadsheet import csv_text
    from alc_core.tables.replayed_texts import replayed_pieces

    found = [replayed_pieces(original, table, person=options["person"]) for table in tables]
    return csv_text(pd.concat(found, ignore_index=True))


def _to_answer(findings: Mapping[str, Sequence[Finding]]) -> Iterator[str]:
    from alc_core.tables.checks.finding import grouped

    open_ = [f for found in findings.values() for f in grouped(found) if f.blocking]
    if said := dict.fromkeys(f"{f.code} ({quoted(f.columns) or f.place})" for f in open_):
        yield f"to fix or answer: {', '.join(said)}"


def _stopping(findings: Mapping[str, Sequence[Finding]]) -> Iterator[str]:
    from alc_core.review.attack_words import stopping_text

    for name, found in findings.items():
        for each in filter(stops, found):
            said = stopping_text(
                each.code, table=each.table, columns=each.columns, numbers=dict(each.numbers)
            ).removesuffix(".")
            yield f"{name}: {said}" if len(findings) > 1 else said


def _findings(
    options: Mapping[str, Any], original: Table, releases: Mapping[str, Release], missing: Missing
) -> dict[str, tuple[Finding, ...]]:
    """Return the check's findings by release, without answered questions.

    Those that stop a release stay as warnings.
    """
    from alc_core.scenario.no_value import NOT_ATTACKED, check_no_values
    from alc_core.scenario.preflight import answers_to, is_accepted
    from alc_core.tables.checks.finding import Severity, worst_first

    unknown, found = options["unknown"], {}
    for name, release in releases.items():
        findings = release.checker(original).findings(
            known=options["known"] or None,
            unknown=unknown,
            person=options["person"],
            household=options["household"],
        )
        roles = _roles(options, original, release).of_columns
        attacked = [c for c, each in roles.items() if each.role.is_protected]
        for column in attacked if unknown is None else [unknown]:
            said = check_no_values(original, column, missing)
            kept = (f for f in said if unknown is not None or f.code == NOT_ATTACKED)
            findings = (*worst_first((*findings, *kept)),)
        accept = answers_to(findings, accepted_of(options))
        found[name] = tuple(
            replace(each, severity=Severity.WARNING) if is_accepted(each, accept) else each
            for each in findings
            if stops(each) or not is_accepted(each, accept)
        )
    return found


def _plain_sets(sets: Mapping[str, Mapping[str, Mapping[str, ColumnSets]]]) -> dict[str, Any]:
    """Return label meanings by table, and by release if ambiguous."""
    times = Counter(itertools.chain.from_iterable(sets.values()))
    return {
        table if times[table] == 1 else f"{table} ({name})": {
            column: each.to_dict() for column, each in columns.items()
        }
        for name, tables in sets.items()
        for table, columns in tables.items()
    }


def _roles(options: Mapping[str, Any], original: Table, release: Release) -> Roles:
    from alc_core.releases.release import released_columns
    from alc_core.tables.roles import Roles

    unknown = [] if options["unknown"] is None else [options["unknown"]]
    return Roles.of(
        original,
        released_columns(release),
        chosen=chosen_roles(options, original, [release], known=options["known"], unknown=unknown),
        naming=[options["person"], options["household"]],
    )


def _table_lines(table: Table) -> Iterator[str]:
    yield f"{table.name}: {count(len(table))} rows, {count(len(table.columns))} columns"
    for note in table.notes:
        yield f"  {note}"


def _no_value_lines(
    original: Table, missing: Missing, columns: Sequence[str], *, told: bool
) -> Iterator[str]:
    """Yield what means, or may mean, 'no value'; questions if `told`."""
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
        option = f"--missing {shlex.quote(with_values(each.column, values))}"
        yield f"{place}: {each.words}. If they are missing values: {option}"
