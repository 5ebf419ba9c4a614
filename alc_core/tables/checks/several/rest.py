"""Checks of the single values that a released column has beside labels for several values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import pandas as pd

from alc_core.tables.checks.finding import Finding
from alc_core.tables.checks.labels import check_labels
from alc_core.tables.checks.presence import check_column
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.checks.scales import check_scale, check_unreadable
from alc_core.tables.sets.column_sets import ColumnSets, label_rows
from alc_core.tables.table import ColumnKind, Table

_MOSTLY_SINGLE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """A released column as the checks look at it."""

    profile: ColumnProfile  # Of its single values
    # Share of the rows that have one, or none at all; the others have a label for several
    share: float

    @classmethod
    def of(cls, release: Table, column: str, sets: ColumnSets | None, profiles: Profiles) -> Self:
        """Take a column, without the labels that stand for several values."""
        if sets is None or not sets.labels:
            return cls(profile=profiles.of(release, column), share=1.0)
        single = release.frame[column].where(~label_rows(release.frame[column], sets.sets))
        rest = replace(release, frame=pd.DataFrame({column: single}))
        return cls(profile=profiles.of(rest, column), share=1 - sets.share)


def rest_findings(
    before: ColumnProfile, column: Released, *, is_known: bool, is_unknown: bool
) -> Iterator[Finding]:
    """Check the single values of a column in which other labels stand for several."""
    after = column.profile
    if not after.n_present:
        return
    mostly_single = column.share >= _MOSTLY_SINGLE
    if mostly_single and not is_unknown:
        yield from check_column(after, is_known=is_known, is_unknown=is_unknown)
    if before.kind is ColumnKind.CATEGORICAL:
        yield from check_labels(before, after)
    if before.kind.is_numeric:
        yield from check_unreadable(before, after)
        if mostly_single:
            yield from check_scale(before, after)
