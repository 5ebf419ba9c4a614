"""Checks of rows: too few or sorted ones of the original, more of a release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.households import Household
from alc_core.tables.table import Table
from alc_core.tables.values.texts import canonical_labels

FEWEST_ROWS = 35
"""With fewer predictions no Wilson 95 % interval is 0.1 wide or less, even if all are right."""

ROWS_FOR_ANY_PRECISION = 381
"""With as many predictions the interval is at most 0.1 wide whatever the precision is."""

ROWS_FOR_LOW_RECALL = 2_000
"""With fewer targets, attacks that predict for few people only are easily missed."""

_HEAD = 1_000


def check_row_count(original: Table) -> Iterator[Finding]:
    """Check whether the original has enough rows for a significant measure."""
    count = len(original)
    if count < FEWEST_ROWS:
        severity = Severity.ERROR
        message = (
            f"The table has {count:,} rows: with fewer than {FEWEST_ROWS} no precision can be"
            " measured within 0.1, even if every prediction is right."
        )
    elif count < ROWS_FOR_ANY_PRECISION:
        severity = Severity.WARNING
        message = (
            f"The table has {count:,} rows: with fewer than {ROWS_FOR_ANY_PRECISION} only very"
            " high or very low precisions can be measured within 0.1."
        )
    elif count < ROWS_FOR_LOW_RECALL:
        severity = Severity.INFO
        message = (
            f"The table has {count:,} rows: with fewer than {ROWS_FOR_LOW_RECALL:,} an attack that"
            " predicts for only a few people may be missed."
        )
    else:
        return
    action = "Use a table with more rows" + (
        "." if severity is Severity.ERROR else ", or look at the interval of the result."
    )
    yield Finding(
        severity=severity,
        code="too-few-rows",
        table=original.name,
        message=message,
        action=action,
    )


def check_sorted(original: Table, *, grouping: Sequence[Household] = ()) -> Iterator[Finding]:
    """Report that the original is sorted: harmless, since targets are shuffled."""
    if len(original) < FEWEST_ROWS:
        return
    for column in original.compared:
        if column in grouping:
            continue
        if _is_sorted(original.frame[column]):
            yield Finding(
                severity=Severity.INFO,
                code="sorted-rows",
                table=original.name,
                column=column,
                message="The rows are sorted by this column.",
                action="Nothing to do: targets are always shuffled.",
            )
            return


def _is_sorted(series: pd.Series) -> bool:
    present = series.dropna()
    if len(present) < FEWEST_ROWS:
        return False
    if isinstance(present.dtype, pd.CategoricalDtype):
        present = _ranks(present)
    try:
        head = present.iloc[:_HEAD]
        if not (head.is_monotonic_increasing or head.is_monotonic_decreasing):
            return False
        if not (present.is_monotonic_increasing or present.is_monotonic_decreasing):
            return False
    except TypeError:
        return False
    return bool(present.iloc[0] != present.iloc[-1])


def _ranks(present: pd.Series) -> pd.Series:
    """Replace categories by their places in alphabetical order, as text would be sorted."""
    categories = canonical_labels(pd.Series(present.cat.categories))
    ranks = categories.rank(method="min", na_option="top").to_numpy()
    return pd.Series(ranks[present.cat.codes])


def check_more_rows(original: Table, release: Table) -> Iterator[Finding]:
    """Note a release with more rows than the original."""
    if len(release) > len(original):
        yield Finding(
            severity=Severity.INFO,
            code="more-rows",
            table=release.name,
            message=f"The release has {len(release):,} rows, the original {len(original):,}.",
            action="A synthetic table may be larger. Otherwise check that this is the right file.",
        )
