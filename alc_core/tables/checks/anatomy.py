"""Recognising two released tables that only a group joins, as Anatomy publishes them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np

from alc_core.phrasing import count, quoted
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.table import Table

_SAME_GROUPS = 0.9
_ROWS_PER_GROUP = 1.5


def check_anatomy(
    original: Table, releases: Mapping[int, Table], profiles: Profiles
) -> Iterator[tuple[int, tuple[Finding, ...]]]:
    """Find two tables of a release that share nothing but the number of a group.

    One has some of the original's columns and the other has others, so that a person's values are
    among those of the group, in no order.
    """
    for first, second in itertools.combinations(releases, 2):
        tables = releases[first], releases[second]
        group = joining_group(original, *tables, profiles)
        if group is not None:
            for number, other in ((first, second), (second, first)):
                part = _part(original, releases[number], releases[other], group, profiles)
                yield number, (part,)


def joining_group(original: Table, first: Table, second: Table, profiles: Profiles) -> str | None:
    """Return the column that joins two tables group-wise, if it is all that they share."""
    common = [column for column in first.columns if column in second.columns]
    if len(common) != 1 or common[0] in original.columns:
        return None
    known = set(original.columns)
    if not (known & set(first.columns) and known & set(second.columns)):
        return None
    groups = [profiles.of(table, common[0]).labels for table in (first, second)]
    if any(not len(each) or each.sum() < _ROWS_PER_GROUP * len(each) for each in groups):
        return None
    shared = float(np.mean(groups[0].index.isin(groups[1].index)))
    return common[0] if shared >= _SAME_GROUPS else None


def _part(original: Table, table: Table, other: Table, group: str, profiles: Profiles) -> Finding:
    has = [
        quoted([c for c in each.columns if c in original.columns], most=6)
        for each in (table, other)
    ]
    groups = len(profiles.of(table, group).labels)
    return Finding(
        severity=Severity.ERROR,
        code="anatomy-pair",
        table=table.name,
        message=f"This table and '{other.name}' are two parts of one release, as the method Anatomy"
        f" makes it: the one has {has[0]}, the other has {has[1]}, and only '{group}' joins them"
        f" ({count(groups)} groups, several rows in each). Neither part alone tells of a person"
        " what the release tells.",
        action="Have both read as groups of people, which attacks can use: choose that type of"
        " release on the Data page, or add --release-type groups on the command line.",
    )
