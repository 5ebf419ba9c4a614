"""Checking that nobody is taken to know a survey weight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.roles.weights import weight_reason
from alc_core.tables.table import Table


def check_known_weights(original: Table, known: Sequence[str]) -> Iterator[Finding]:
    """Warn of known attributes that look like survey weights.

    Yields
    ------
    Finding
        "known-weight".
    """
    for column in known:
        if column not in original.columns:
            continue
        if weight_reason(column, original.frame[column], original.columns):
            yield Finding(
                severity=Severity.WARNING,
                code="known-weight",
                table=original.name,
                column=column,
                message="The known attribute looks like a survey weight. Nobody knows the weight of"
                " somebody else, and it often singles people out: the loss may look larger than"
                " it is.",
                action="Take it out of the known attributes, unless it is something else.",
            )
