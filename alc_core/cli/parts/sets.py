"""Label meanings on the command line: from files, and printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from alc_core.cli.parts.codes import ColumnOption, before_sign
from alc_core.cli.parts.command import together
from alc_core.cli.parts.plugs import one_each
from alc_core.errors import ColumnError, InputError
from alc_core.phrasing import count

if TYPE_CHECKING:
    from alc_core.releases.release import Release
    from alc_core.tables.table import Table
    from alc_core.tables.value_sets import ColumnSets, LabelSet

_SHOWN = 12
_LONG = 40

# Meanings of generalized labels
sets_options = together(
    click.option(
        "--hierarchy",
        "hierarchies",
        cls=ColumnOption,
        reads=before_sign,
        multiple=True,
        type=click.Path(),
        metavar="COLUMN=FILE",
        help="ARX hierarchy of a column; repeatable. [default: worked out; see 'alc check']",
    ),
    click.option(
        "--sets",
        "sets_file",
        type=click.Path(),
        metavar="FILE",
        help="What labels cover, as written by 'alc check --save-sets'.",
    ),
    group="Tables and columns",
)


def with_given_sets(options: Mapping[str, Any], original: Table, release: Release) -> Release:
    """Return a release with label meanings from options."""
    from alc_core.releases.registry import with_sets_by_column, with_tables
    from alc_core.tables.apart.read import read_plain_sets, with_hierarchy
    from alc_core.tables.names import column_named

    told = read_plain_sets(options["sets_file"]) if options["sets_file"] else {}
    told = {column_named(c, original.columns, original.codes): of for c, of in told.items()}
    of_columns = []
    for text in options["hierarchies"]:
        column, _, file = (part.strip() for part in text.partition("="))
        if not column or not file:
            raise InputError(f"--hierarchy takes COLUMN=FILE, not '{text}'.")
        of_columns.append((column, file))
    hierarchies = one_each("--hierarchy", of_columns)
    if not told and not hierarchies:
        return release
    for column in (*told, *hierarchies):
        if not any(column in table.columns for table in release.tables):
            raise ColumnError(
                f"No table of release '{release.name}' has column '{column}' of --hierarchy or "
                "--sets."
            )
    tables = []
    for table in release.tables:
        for column in hierarchies.keys() & set(table.columns):
            table = with_hierarchy(original, table, column, hierarchies[column])
        tables.append(table)
    return with_sets_by_column(original, with_tables(original, release, tables), told)


def found_sets(original: Table, release: Release) -> dict[str, Mapping[str, ColumnSets]]:
    """Return label meanings by table and column."""
    from alc_core.tables.labels.find import column_sets

    found: dict[str, dict[str, ColumnSets]] = {}
    for table in release.coded_tables():
        found.setdefault(table.name, {}).update(column_sets(original, table))
    return dict(found)


def sets_lines(found: Mapping[str, Mapping[str, ColumnSets]]) -> Iterator[str]:
    """Yield lines with label meanings."""
    for table, columns in found.items():
        for column, sets in columns.items():
            yield f"generalized values: '{table}', column '{column}':"
            for label in sets.labels[:_SHOWN]:
                yield f"  {_label_line(label)}"
            if len(sets.labels) > _SHOWN:
                rest = sets.labels[_SHOWN:]
                rows = count(sum(each.rows for each in rest))
                yield f"  and {count(len(rest))} more labels ({rows} rows)"


def _label_line(label: LabelSet) -> str:
    from alc_core.phrasing import percent

    name = " ".join(label.shown_label.split())
    short = name if len(name) <= _LONG else f"{name[: _LONG - 1]}…"
    number = f" ({count(label.n_values)} values)" if label.n_values > 1 else ""
    doubt = f" {label.doubt}" if label.doubt else ""
    how = f"{percent(label.share)} of the rows; {label.found}"
    return f"{short} -> {label.words}{number}, {how}{'.' if doubt else ''}{doubt}"
