"""Checks of single columns: constant, missing, infinite, identifiers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from alc_core.phrasing import percent
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.profile import ColumnProfile
from alc_core.tables.table import ColumnKind
from alc_core.tables.values.texts import LARGEST_NUMBER, numeric_values

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
