"""Checks of which columns original and releases have in common."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from alc_core.phrasing import numbered
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.formats.source import listed
from alc_core.tables.table import Table

_SAME_VALUES = 0.8
"""Share of the values of both columns from which on one may be the other, renamed."""


def check_shared_columns(
    original: Table,
    releases: Sequence[Table],
    scope: Sequence[str],
    *,
    profiles: Profiles,
    known: Sequence[str] | None,
    unknown: str | None,
) -> Iterator[Finding]:
    """Find columns that are missing in a release, and additional ones.

    Parameters
    ----------
    original : Table
        The table of real people.
    releases : sequence of Table
        What is published of it.
    scope : sequence of str
        The columns to look for.
    profiles : Profiles
        Of the columns of these tables.
    known, unknown : sequence of str, str or None
        The scenario, if there is one; additional columns matter only without.

    Yields
    ------
    Finding
        "no-common-columns", "missing-column" or "extra-column".
    """
    for release in releases:
        if not set(release.columns) & set(original.columns):
            yield Finding(
                severity=Severity.ERROR,
                code="no-common-columns",
                table=release.name,
                message="No column of the release has the same name as a column of the original.",
                action="Give its columns the names that they have in the original, or check that"
                " this is the right file.",
            )
            continue
        for column in scope:
            if column not in release.columns:
                yield _missing_column(
                    original, release, column, profiles, is_known=column in (known or ())
                )
        if known is None and unknown is None:
            yield from _extra_columns(original, release)


def _missing_column(
    original: Table, release: Table, column: str, profiles: Profiles, *, is_known: bool
) -> Finding:
    """Say that a column is missing; those without a similar name are told together."""
    unmatched = [name for name in release.columns if name not in original.columns]
    alike = {_bare(name): name for name in unmatched}
    near = difflib.get_close_matches(_bare(column), list(alike), n=1, cutoff=0.8)
    action = "Nothing to do if this is on purpose"
    action += ": nobody can be found by it, and no attack uses it." if is_known else "."
    others = [profiles.of(release, name) for name in unmatched]
    same = alike[near[0]] if near else _same_values(profiles.of(original, column), others)
    if same:
        why = "" if near else " with the same values"
        action = f"The release has a column '{same}'{why}. If it is the same, rename it: until then"
        action += " no attack uses it, and nothing is said of what it gives away."
    return Finding(
        severity=Severity.WARNING if same else Severity.INFO,
        code="missing-column",
        table=release.name,
        column=column,
        message=f"The column '{column}' is missing in the release.",
        action=action,
        together=""
        if same
        else "{n} columns of the original are missing in the release: {columns}.",
    )


def _same_values(own: ColumnProfile, among: Sequence[ColumnProfile]) -> str:
    """Return which of the release's columns has nearly the same values; empty without one."""
    shares = {}
    for each in among:
        both = len(own.labels.index.intersection(each.labels.index))
        either = len(own.labels) + len(each.labels) - both
        shares[each.column] = both / either if both > 1 else 0.0
    best = max(shares, key=shares.__getitem__, default="")
    return best if best and shares[best] >= _SAME_VALUES else ""


def _bare(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


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
