"""Checks of which columns original and releases have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alc_core.phrasing import numbered
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.likely_columns import LikelyColumn, likely_columns
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.formats.source import listed
from alc_core.tables.table import Table


def check_shared_columns(
    original: Table,
    releases: Sequence[Table],
    scope: Sequence[str],
    *,
    profiles: Profiles,
    known: Sequence[str] | None,
    unknown: str | None,
) -> Iterator[Finding]:
    """Find columns that are missing in a release, and additional ones."""
    for release in releases:
        if not set(release.columns) & set(original.columns):
            likely = likely_columns(original, release, profiles)
            yield Finding(
                severity=Severity.ERROR,
                code="no-common-columns",
                table=release.name,
                message="No column of the release has the same name as a column of the original.",
                action="Say which of its columns are which of the original's, or check that this "
                "is the right file.",
                same_columns=tuple((each.column, each.of) for each in likely),
            )
            continue
        missing = [column for column in scope if column not in release.columns]
        likely = likely_columns(original, release, profiles) if missing else ()
        suggested = {each.of: each for each in likely}
        for column in missing:
            yield _missing_column(
                release, column, suggested.get(column), is_known=column in (known or ())
            )
        if known is None and unknown is None:
            yield from _extra_columns(original, release)


def _missing_column(
    release: Table, column: str, likely: LikelyColumn | None, *, is_known: bool
) -> Finding:
    """Say that a column is missing; those that the release has by no other name are together."""
    if likely is None:
        action = "Nothing to do if this is on purpose"
        action += ": nobody can be found by it, and no attack uses it." if is_known else "."
    else:
        why = f" {likely.why}" if likely.why else ""
        action = f"The release has a column '{likely.column}'{why}. If it is the same, say so: "
        action += "until then no attack uses it, and nothing is said of what it gives away."
    return Finding(
        severity=Severity.WARNING if likely else Severity.INFO,
        code="missing-column",
        table=release.name,
        column=column,
        message=f"The column '{column}' is missing in the release.",
        action=action,
        together=""
        if likely
        else "{n} columns of the original are missing in the release: {columns}.",
        same_columns=((likely.column, column),) if likely else (),
    )


def _extra_columns(original: Table, release: Table) -> Iterator[Finding]:
    extra = [name for name in release.columns if name not in original.columns]
    if extra:
        yield Finding(
            severity=Severity.INFO,
            code="extra-column",
            table=release.name,
            message=f"The release has {numbered(len(extra), 'column')} that the original does not"
            f" have: {listed(extra)}.",
            action="No attack uses what only the release has.",
        )
