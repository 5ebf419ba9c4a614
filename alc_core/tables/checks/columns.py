"""Checks of which columns original and releases have in common."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from alc_core.phrasing import numbered, percent
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.likely_columns import LikelyColumn, likely_columns
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.formats.source import listed
from alc_core.tables.role_names import weight_reason
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.texts import LARGEST_NUMBER, numeric_values


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


_MOST_DISTINCT = 0.1
"""Share of the rows: with more different values, any two columns may seem to go together."""


def same_content(original: Table, profiles: Profiles) -> tuple[tuple[str, str], ...]:
    """Return pairs of compared columns whose values go together one to one."""
    alike: dict[int, list[str]] = {}
    for column in original.compared:
        distinct = len(profiles.of(original, column).labels)
        if 1 < distinct <= _MOST_DISTINCT * len(original):
            alike.setdefault(distinct, []).append(column)
    codes = {column: _codes(original, column) for group in alike.values() for column in group}
    return tuple(
        (one, other)
        for group in alike.values()
        for one, other in itertools.combinations(group, 2)
        if _go_together(codes[one], codes[other])
    )


def check_same_content(
    original: Table, pairs: tuple[tuple[str, str], ...], known: set[str] | None, unknown: str | None
) -> Iterator[Finding]:
    """Warn of columns that say the same, where attacks would use one to learn the other."""
    for one, other in pairs:
        told = (unknown == one and (known is None or other in known)) or (
            unknown == other and (known is None or one in known)
        )
        if unknown is None or told:
            yield Finding(
                severity=Severity.WARNING,
                code="same-content",
                table=original.name,
                column=other,
                message=f"Each value goes with one value of '{one}', and the other way round: who "
                "knows one column knows the other, whatever is released.",
                action="Give one of them the role 'left out': attacks on one that know the other "
                "have nothing left to learn.",
            )


def check_known_weights(original: Table, known: Sequence[str]) -> Iterator[Finding]:
    """Warn of known attributes that look like survey weights."""
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


def _codes(original: Table, column: str) -> NDArray[np.int64]:
    return pd.factorize(original.frame[column], use_na_sentinel=False)[0].astype(np.int64)


def _go_together(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """Return whether two columns of codes have as many different pairs as values."""
    values = int(one.max()) + 1
    if values != int(other.max()) + 1:
        return False
    return len(np.unique(one * values + other)) == values


_LINKED_SHARE = 0.5


def check_column(profile: ColumnProfile, *, is_known: bool, is_unknown: bool) -> Iterator[Finding]:
    """Check one column of one table by itself."""
    if is_unknown:
        yield from _infinite(profile)
        return
    if not profile.n_present:
        yield Finding(
            severity=Severity.WARNING,
            code="all-missing",
            table=profile.table.name,
            column=profile.column,
            message="All values are missing.",
            action="Check whether it was exported. Nobody can be told apart by it.",
        )
        return
    if profile.has_single_value and len(profile.table) > 1:
        complete = profile.n_present == len(profile.table)
        yield Finding(
            severity=Severity.WARNING if is_known else Severity.INFO,
            code="constant-column",
            table=profile.table.name,
            column=profile.column,
            message="All rows have the same value."
            if complete
            else "All rows with a value have the same one.",
            action="Nothing to do if that is right: the column does not tell people apart.",
        )
    yield from _infinite(profile)
    yield from _identifier(profile, is_known=is_known)


def _infinite(profile: ColumnProfile) -> Iterator[Finding]:
    if not pd.api.types.is_float_dtype(profile.series.dtype):
        return
    values = profile.series.to_numpy(dtype=np.float64, na_value=np.nan)
    count = int(np.count_nonzero(np.abs(values) > LARGEST_NUMBER))
    if count:
        yield Finding(
            severity=Severity.WARNING,
            code="infinite-values",
            table=profile.table.name,
            column=profile.column,
            message=f"{count:,} of the values are infinite or beyond 1e38.",
            action="They are treated as missing. Replace them if they mean a number.",
        )


def _identifier(profile: ColumnProfile, *, is_known: bool) -> Iterator[Finding]:
    if profile.kind is not ColumnKind.IDENTIFIER:
        return
    reason = profile.table.guesses[profile.column].reason
    overridden = profile.column in profile.table.overrides
    why = "it was set to be one" if overridden else reason
    yield Finding(
        severity=Severity.WARNING if is_known else Severity.INFO,
        code="identifier-like",
        table=profile.table.name,
        column=profile.column,
        message=f"The column looks like an identifier of people or records ({why}).",
        action="Do not use it as a known attribute. If it identifies the person, name it as the"
        " person column."
        if is_known
        else "It is left out. Choose another kind if it is an attribute.",
    )


def check_released_identifier(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    """Warn of a release that still has the original's identifiers."""
    if original.kind is not ColumnKind.IDENTIFIER:
        return
    share = _shared_share(original, release)
    if share >= _LINKED_SHARE:
        yield Finding(
            severity=Severity.WARNING,
            code="identifier-released",
            table=release.table.name,
            column=release.column,
            message=f"{percent(share)} of the rows have an identifier that is also in the original:"
            " people could be looked up by it.",
            action="Remove the column from the release, or put new random numbers in it.",
        )


def _shared_share(original: ColumnProfile, release: ColumnProfile) -> float:
    """Return the share of a release's values that the original has, too."""
    before, after = original.series, release.series.dropna()
    if not len(after):
        return 0.0
    numeric = original.is_stored_as_number and release.is_stored_as_number
    if numeric and before.dtype != after.dtype:
        before, after = (pd.Series(numeric_values(values)) for values in (before, after))
    if isinstance(before.dtype, pd.StringDtype) and isinstance(after.dtype, pd.StringDtype):
        shared = pc.is_in(pa.array(after), value_set=pa.array(before.dropna()))
        return float(np.mean(np.asarray(shared)))
    if before.dtype == after.dtype and not isinstance(after.dtype, pd.CategoricalDtype):
        return float(after.isin(before.dropna()).mean())
    labels = release.labels
    return float(labels[labels.index.isin(original.labels.index)].sum()) / release.n_present
