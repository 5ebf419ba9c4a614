"""Checks of what is attacked: known and unknown columns, person and household columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.codes.columns import heavy_cuts
from alc_core.tables.table import ColumnKind, Table, nearest_column

CONTINUOUS_BINS = 20
"""Equal-width bins into which a continuous unknown attribute is cut."""

MANY_LABELS = 100
"""An unknown attribute with more labels than this is hard to predict by chance or otherwise."""

_NEARLY_ALL = 0.9
_RARE_ROWS = 10
_DOMINATING = 0.5

_error = partial(Finding.of, Severity.ERROR)


def check_scenario_columns(
    original: Table,
    releases: Sequence[Table],
    known: Sequence[str] | None,
    unknown: str | None,
) -> Iterator[Finding]:
    """Check that the columns exist where the attack needs them."""
    for column in dict.fromkeys([*(known or ()), *([unknown] if unknown is not None else [])]):
        if column not in original.columns:
            yield _lacks(original, column, "missing-column", "original")
        elif original.overrides.get(column) is ColumnKind.IGNORE:
            part = "unknown" if column == unknown else "known"
            yield _error("ignored-column", original.name, column, part=part)
    if unknown is None:
        return
    if unknown in (known or ()):
        yield _error("unknown-is-known", original.name, unknown)
    others = [column for column in known or () if column != unknown]
    if known is not None and not others:
        yield _error("no-known-columns", original.name)
    having = [release for release in releases if unknown in release.columns]
    if not having and unknown in original.columns:
        names = ", ".join(release.name for release in releases)
        yield _error("missing-column", names, unknown, case="in-no-release")
    if others and having and not any(c in r.columns for r in having for c in others):
        names = ", ".join(release.name for release in having)
        yield _error("no-common-columns", names, case="known", unknown=unknown)


def check_unknown(
    original: Table, releases: Sequence[Table], unknown: str, profiles: Profiles
) -> Iterator[Finding]:
    """Check that attacking the unknown attribute can show something."""
    profile = profiles.of(original, unknown)
    if not profile.n_present:
        yield profile.found(Severity.ERROR, "all-missing", "unknown")
    elif profile.has_single_value and profile.n_present == len(original):
        yield profile.found(Severity.ERROR, "constant-unknown")
    elif profile.has_single_value:
        yield profile.found(Severity.WARNING, "constant-unknown", "or-missing")
    for after in (profiles.of(each, unknown) for each in releases if unknown in each.columns):
        if not after.n_present:
            yield after.found(Severity.ERROR, "all-missing", "unknown-here")
        elif after.has_single_value:
            yield after.found(Severity.WARNING, "constant-unknown", "here")
    if not profile.n_present or profile.has_single_value:
        return
    numeric = profile.kind.is_numeric
    if not numeric and (
        profile.kind is ColumnKind.IDENTIFIER
        or len(profile.labels) >= _NEARLY_ALL * profile.n_present
    ):
        yield profile.found(
            Severity.ERROR, "all-distinct-unknown",
            values=len(profile.labels), rows=profile.n_present,
        )  # fmt: skip
        return
    if not numeric:
        yield from _labels_of_unknown(profile)
    yield from _dominating(profile)


def _labels_of_unknown(profile: ColumnProfile) -> Iterator[Finding]:
    values = len(profile.labels)
    if values > MANY_LABELS:
        yield profile.found(Severity.WARNING, "high-cardinality-unknown", values=values)
    if rare := int((profile.labels < _RARE_ROWS).sum()):
        yield profile.found(
            Severity.INFO, "rare-values", rare=rare, values=values, fewest=_RARE_ROWS
        )


def _counts_of_ranges(values: NDArray[np.float64]) -> NDArray[np.int64]:
    try:
        return np.histogram(values, bins=heavy_cuts(values, CONTINUOUS_BINS) or CONTINUOUS_BINS)[0]
    except ValueError:  # too near to each other for ranges between them
        return np.unique(values, return_counts=True)[1]


def _dominating(profile: ColumnProfile) -> Iterator[Finding]:
    counts = profile.labels.to_numpy()
    if profile.kind.is_numeric:
        values = profile.comparable(profile.kind)
        values = values[np.isfinite(values)]
        if not len(values):
            return
        counts = _counts_of_ranges(values)
    share = float(counts.max()) / len(profile.table)
    if share > _DOMINATING:
        numeric = profile.kind.is_numeric
        yield profile.found(
            Severity.INFO, "dominating-value", share=share, value=not numeric,
            ranges=CONTINUOUS_BINS if numeric else None,
        )  # fmt: skip


def check_grouping(
    original: Table, column: str, profiles: Profiles, *, code: str
) -> Iterator[Finding]:
    """Check a person or household column."""
    if column not in original.columns:
        yield _lacks(original, column, code)
        return
    profile = profiles.of(original, column)
    if not profile.n_present or profile.has_single_value:
        yield profile.found(Severity.ERROR, code, "single")
    elif profile.n_present < len(original):
        missing = 1 - profile.n_present / len(original)
        yield profile.found(Severity.WARNING, code, "gaps", share=missing)


def _lacks(original: Table, column: str, code: str, case: str = "") -> Finding:
    close = nearest_column(original, column)
    return _error(code, original.name, column, case=case, has=original.columns, close=close)
