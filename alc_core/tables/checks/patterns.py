"""Telling findings of the same kind in several columns of a table as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alc_core.phrasing import count, quoted
from alc_core.tables.checks.finding import Finding


def grouped(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Put findings together that say the same of several columns of one table.

    Parameters
    ----------
    findings : iterable of Finding
        As a check gives them.

    Returns
    -------
    tuple of Finding
        In the order of the first of each kind; what was put together is in ``parts``.

    Examples
    --------
    >>> from alc_core.tables.checks.finding import Severity
    >>> def found(column):
    ...     return Finding(severity=Severity.WARNING, code="all-missing", table="release",
    ...                    column=column, message="All values are missing.", action="Check it.")
    >>> (finding,) = grouped([found("age"), found("sex"), found("job")])
    >>> finding.message
    "In 'age': All values are missing. Likewise in 'sex' and 'job'."
    """
    kinds: dict[object, list[Finding]] = {}
    for finding in findings:
        single = finding.column is None
        same = (finding.severity, finding.code, finding.table, finding.action, finding.together)
        kinds.setdefault(finding if single else same, []).append(finding)
    return tuple(parts[0] if len(parts) == 1 else _together(parts) for parts in kinds.values())


def _together(parts: Sequence[Finding]) -> Finding:
    first = parts[0]
    columns = [part.column for part in parts if part.column is not None]
    if first.together:
        message = first.together.format(n=count(len(columns)), columns=quoted(columns))
    else:
        message = f"In '{first.column}': {first.message} Likewise in {quoted(columns[1:])}."
    return Finding(
        severity=first.severity,
        code=first.code,
        table=first.table,
        message=message,
        action=first.action,
        parts=tuple(parts),
    )
