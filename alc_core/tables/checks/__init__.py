"""The pre-flight check of an original against releases: findings as data, before anything runs."""

from __future__ import annotations

from collections.abc import Sequence

from alc_core.tables.checks.checker import TableChecker
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.table import Table

__all__ = ["Finding", "Severity", "TableChecker", "check_tables"]


def check_tables(
    original: Table,
    releases: Sequence[Table],
    *,
    known: Sequence[str] | None = None,
    unknown: str | None = None,
    person: str | None = None,
    household: str | None = None,
) -> tuple[Finding, ...]:
    """Check an original and its releases for what would break or mislead an attack.

    Parameters
    ----------
    original : Table
        The table of real people.
    releases : sequence of Table
        What is published of it.
    known : sequence of str, optional
        Known attributes of the scenario. With a scenario, only its columns are examined, so that
        problems elsewhere do not stop a run; without, all columns that are not ignored are.
    unknown : str, optional
        Unknown attribute of the scenario.
    person, household : str, optional
        Columns of the original that tell whose records belong together.

    Returns
    -------
    tuple of Finding
        Worst first, then by table and column. Messages never quote a value of the original.

    Examples
    --------
    >>> import pandas as pd
    >>> from alc_core.tables import table_from_frame
    >>> original = table_from_frame(pd.DataFrame({"job": ["a", "b"] * 2000}), name="original")
    >>> release = table_from_frame(pd.DataFrame({"job": ["X1", "X2"] * 2000}), name="release")
    >>> [(f.severity.value, f.code) for f in check_tables(original, [release]) if f.blocking]
    [('question', 'unknown-labels')]
    """
    return TableChecker(original, releases).findings(
        known=known, unknown=unknown, person=person, household=household
    )
