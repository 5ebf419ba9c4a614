"""Recognising which files are groups or counts, and which of them belong together."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from alc_core.errors import InputError
from alc_core.releases.counts import Counts
from alc_core.releases.group_layout import Grouping, GroupLayout
from alc_core.releases.groups import Groups
from alc_core.releases.release import Release
from alc_core.tables.checks.finding import Severity
from alc_core.tables.checks.no_people import check_cells, joining_group
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """Tables that are a release of another type than rows of people."""

    kind: str  # Of the type
    tables: tuple[int, ...]  # Which tables
    reason: str  # How it was recognised, in a sentence


def recognise(original: Table, tables: Sequence[Table]) -> tuple[Recognised, ...]:
    """Recognise the pairs of tables that Anatomy makes, and tables of counts."""
    profiles = Profiles()
    pairs = _pairs(original, tables, profiles)
    found = [
        Recognised(
            kind=Groups.kind,
            tables=pair,
            reason=f"'{tables[pair[0]].name}' and '{tables[pair[1]].name}' look like two parts of "
            "one Anatomy release: only the number of a group joins them.",
        )
        for pair in pairs
    ]
    paired = {number for pair in pairs for number in pair}
    for number, table in enumerate(tables):
        if number not in paired and _are_counts(original, table, profiles):
            found.append(
                Recognised(
                    kind=Counts.kind,
                    tables=(number,),
                    reason=f"'{table.name}' looks like a table of counts: its rows are no people.",
                )
            )
    return tuple(found)


def _pairs(
    original: Table, tables: Sequence[Table], profiles: Profiles
) -> tuple[tuple[int, int], ...]:
    """Return pairs that groups join, those whose groups agree in size first."""
    joined = [
        pair
        for pair in itertools.combinations(range(len(tables)), 2)
        if joining_group(original, tables[pair[0]], tables[pair[1]], profiles) is not None
    ]
    joined.sort(key=lambda pair: not _agree([tables[n] for n in pair], original))
    taken: set[int] = set()
    found = []
    for pair in joined:
        if taken.isdisjoint(pair):
            taken.update(pair)
            found.append(pair)
    return tuple(sorted(found))


def _agree(pair: Sequence[Table], original: Table) -> bool:
    try:
        layout = GroupLayout.of(pair, original)
    except InputError:
        return False
    grouping = Grouping.of(pair, layout)
    return all(grouping.mismatch(number) is None for number in layout.values)


def _are_counts(original: Table, table: Table, profiles: Profiles) -> bool:
    if not any(f.severity is Severity.ERROR for f in check_cells(original, table, profiles)):
        return False
    return readable(Counts, [table], original) == ""


def readable(release_type: type[Release], tables: Sequence[Table], original: Table) -> str:
    """Return why tables cannot be read as a type of release; empty where they can."""
    try:
        release_type.of_tables(tables, name="release", original=original)
    except InputError as error:
        return str(error)
    return ""
