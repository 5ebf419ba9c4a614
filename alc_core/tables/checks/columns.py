"""Checks of columns: missing and additional ones, and each of them by itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.likely_columns import likely_columns
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.role_names import weight_reason
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.texts import LARGEST_NUMBER, numeric_values

_MOST_DISTINCT = 0.1
"""Share of the rows: with more different values, any two columns may seem to go together."""

_LINKED_SHARE = 0.5


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
            same = tuple((e.column, e.of) for e in likely_columns(original, release, profiles))
            yield Finding.of(Severity.ERROR, "no-common-columns", release.name, same_columns=same)
            continue
        missing = [column for column in scope if column not in release.columns]
        likely = likely_columns(original, release, profiles) if missing else ()
        suggested = {each.of: each for each in likely}
        for column in missing:
            if (found := suggested.get(column)) is not None:
                yield Finding.of(
                    Severity.WARNING, "missing-column", release.name, column, case="likely",
                    same_columns=((found.column, column),), likely=found.column,
                    why=found.why or None,
                )  # fmt: skip
            else:
                case = "known" if column in (known or ()) else ""
                yield Finding.of(Severity.INFO, "missing-column", release.name, column, case=case)
        extra = tuple(name for name in release.columns if name not in original.columns)
        if extra and known is None and unknown is None:
            yield Finding.of(
                Severity.INFO, "extra-column", release.name, extra=len(extra), names=extra
            )


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
    original: Table,
    pairs: Sequence[tuple[str, str]],
    known: Sequence[str] | None,
    unknown: str | None,
) -> Iterator[Finding]:
    """Warn of columns that say the same, where attacks would use one to learn the other."""
    for one, other in pairs:
        told = (unknown == one and (known is None or other in known)) or (
            unknown == other and (known is None or one in known)
        )
        if unknown is None or told:
            yield Finding.of(Severity.WARNING, "same-content", original.name, other, other=one)


def check_known_weight(original: Table, column: str) -> Iterator[Finding]:
    """Warn of a known attribute that looks like a survey weight."""
    if column in original.columns and weight_reason(
        column, original.frame[column], original.columns
    ):
        yield Finding.of(Severity.WARNING, "known-weight", original.name, column)


def _codes(original: Table, column: str) -> NDArray[np.int64]:
    return pd.factorize(original.frame[column], use_na_sentinel=False)[0].astype(np.int64)


def _go_together(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """Return whether two columns of codes have as many different pairs as values."""
    values = int(one.max()) + 1
    if values != int(other.max()) + 1:
        return False
    return len(np.unique(one * values + other)) == values


def check_column(profile: ColumnProfile, *, is_known: bool, is_unknown: bool) -> Iterator[Finding]:
    """Check one column of one table by itself."""
    if is_unknown:
        yield from _infinite(profile)
        return
    if not profile.n_present:
        yield profile.found(Severity.WARNING, "all-missing")
        return
    level = Severity.WARNING if is_known else Severity.INFO
    if profile.has_single_value and len(profile.table) > 1:
        complete = profile.n_present == len(profile.table)
        yield profile.found(level, "constant-column", "" if complete else "or-missing")
    yield from _infinite(profile)
    if profile.kind is ColumnKind.IDENTIFIER:
        overridden = profile.column in profile.table.overrides
        why = "it was set to be one" if overridden else profile.table.guesses[profile.column].reason
        yield profile.found(level, "identifier-like", "known" if is_known else "", why=why)


def _infinite(profile: ColumnProfile) -> Iterator[Finding]:
    if not pd.api.types.is_float_dtype(profile.series.dtype):
        return
    values = profile.series.to_numpy(dtype=np.float64, na_value=np.nan)
    if count := int(np.count_nonzero(np.abs(values) > LARGEST_NUMBER)):
        yield profile.found(Severity.WARNING, "infinite-values", values=count)


def check_released_identifier(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    """Warn of a release that still has the original's identifiers."""
    if original.kind is not ColumnKind.IDENTIFIER:
        return
    share = _shared_share(original, release)
    if share >= _LINKED_SHARE:
        yield release.found(Severity.WARNING, "identifier-released", share=share)


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
