"""Checks of what is attacked: known and unknown columns, person and household columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from alc_core.phrasing import percent
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.table import ColumnKind, Table, missing_column_message

CONTINUOUS_BINS = 20
"""Equal-width bins into which a continuous unknown attribute is cut."""

MANY_LABELS = 100
"""An unknown attribute with more labels than this is hard to predict by chance or otherwise."""

_NEARLY_ALL = 0.9
_RARE_ROWS = 10
_DOMINATING = 0.5


def check_scenario_columns(
    original: Table,
    releases: Sequence[Table],
    known: Sequence[str] | None,
    unknown: str | None,
) -> Iterator[Finding]:
    """Check that the columns exist where the attack needs them."""
    for column in dict.fromkeys([*(known or ()), *([unknown] if unknown is not None else [])]):
        if column not in original.columns:
            yield _error(
                "missing-column",
                original.name,
                column,
                missing_column_message(original, column),
                "Choose a column that the original has.",
            )
        elif original.overrides.get(column) is ColumnKind.IGNORE:
            part = "unknown" if column == unknown else "known"
            yield _error(
                "ignored-column",
                original.name,
                column,
                f"The column '{column}' is to be ignored, but is also {part}.",
                f"Take it out of the {part} columns, or do not ignore it.",
            )
    if unknown is None:
        return
    if unknown in (known or ()):
        yield _error(
            "unknown-is-known",
            original.name,
            unknown,
            "The unknown attribute is among the known attributes: there is nothing to predict.",
            "Take it out of the known attributes, or choose another unknown attribute.",
        )
    others = [column for column in known or () if column != unknown]
    if known is not None and not others:
        yield _error(
            "no-known-columns",
            original.name,
            None,
            "There is no known attribute.",
            "Choose at least one column that an attacker may know.",
        )
    having = [release for release in releases if unknown in release.columns]
    if not having and unknown in original.columns:
        yield _error(
            "missing-column",
            ", ".join(release.name for release in releases),
            unknown,
            f"The unknown attribute '{unknown}' is in no release, so no attack can learn it.",
            "Choose an unknown attribute that a release has, or say which of its columns it is.",
        )
    if others and having and not any(c in r.columns for r in having for c in others):
        yield _error(
            "no-common-columns",
            ", ".join(release.name for release in having),
            None,
            f"No release with '{unknown}' has any of the known attributes.",
            "Choose known attributes that the release has, or say which of its columns they are.",
        )


def check_unknown(
    original: Table, releases: Sequence[Table], unknown: str, profiles: Profiles
) -> Iterator[Finding]:
    """Check that attacking the unknown attribute can show something."""
    profile = profiles.of(original, unknown)
    yield from _unusable(profile)
    for release in releases:
        if unknown in release.columns:
            yield from _unusable_release(profiles.of(release, unknown))
    if not profile.n_present or profile.has_single_value:
        return
    numeric = profile.kind.is_numeric
    if not numeric and (
        profile.kind is ColumnKind.IDENTIFIER
        or len(profile.labels) >= _NEARLY_ALL * profile.n_present
    ):
        yield _error(
            "all-distinct-unknown",
            original.name,
            unknown,
            f"The unknown attribute has {len(profile.labels):,} distinct values in"
            f" {profile.n_present:,} rows: it identifies records instead of describing them.",
            "Choose another unknown attribute, or choose the kind continuous if it is a quantity.",
        )
        return
    if not numeric:
        yield from _labels_of_unknown(profile)
    yield from _dominating(profile)


def _unusable(profile: ColumnProfile) -> Iterator[Finding]:
    if not profile.n_present:
        message = "All values of the unknown attribute are missing."
        yield _error("all-missing", profile.table.name, profile.column, message, _CHOOSE_OTHER)
    elif profile.has_single_value and profile.n_present == len(profile.table):
        message = "The unknown attribute has the same value in all rows: everybody knows it."
        yield _error("constant-unknown", profile.table.name, profile.column, message, _CHOOSE_OTHER)
    elif profile.has_single_value:
        yield Finding(
            severity=Severity.WARNING,
            code="constant-unknown",
            table=profile.table.name,
            column=profile.column,
            message="The unknown attribute is either missing or has always the same value.",
            action="Choose another one. An attack can only find out whether there is a value, and"
            " people without one are not attacked unless you ask for it.",
        )


def _unusable_release(profile: ColumnProfile) -> Iterator[Finding]:
    if not profile.n_present:
        message = "All values of the unknown attribute are missing in this release."
        action = "Leave the release out, or use one that has values."
        yield _error("all-missing", profile.table.name, profile.column, message, action)
    elif profile.has_single_value:
        yield Finding(
            severity=Severity.WARNING,
            code="constant-unknown",
            table=profile.table.name,
            column=profile.column,
            message="The unknown attribute has a single value in this release.",
            action="An attack can predict nothing else. Check that this is the right file.",
        )


def _labels_of_unknown(profile: ColumnProfile) -> Iterator[Finding]:
    count = len(profile.labels)
    if count > MANY_LABELS:
        yield Finding(
            severity=Severity.WARNING,
            code="high-cardinality-unknown",
            table=profile.table.name,
            column=profile.column,
            message=f"The unknown attribute has {count:,} distinct values.",
            action="Group them into fewer values, or choose the kind continuous if it is a"
            " quantity.",
        )
    rare = int((profile.labels < _RARE_ROWS).sum())
    if rare:
        yield Finding(
            severity=Severity.INFO,
            code="rare-values",
            table=profile.table.name,
            column=profile.column,
            message=f"{rare:,} of {count:,} values of the unknown attribute occur in fewer than"
            f" {_RARE_ROWS} rows.",
            action="People with rare values may be at higher risk than the result for everyone"
            " shows.",
        )


def _counts_of_ranges(values: NDArray[np.float64]) -> NDArray[np.int64]:
    try:
        return np.histogram(values, bins=CONTINUOUS_BINS)[0]
    except ValueError:  # too near to each other for ranges between them
        return np.unique(values, return_counts=True)[1]


def _dominating(profile: ColumnProfile) -> Iterator[Finding]:
    if profile.kind.is_numeric:
        values = profile.comparable(profile.kind)
        values = values[np.isfinite(values)]
        if not len(values):
            return
        counts = _counts_of_ranges(values)
        what = (
            f"One range of the unknown attribute (of the {CONTINUOUS_BINS} equal ranges that its"
            " values are cut into)"
        )
    else:
        counts = profile.labels.to_numpy()
        what = "One value of the unknown attribute"
    share = float(counts.max()) / len(profile.table)
    if share > _DOMINATING:
        yield Finding(
            severity=Severity.INFO,
            code="dominating-value",
            table=profile.table.name,
            column=profile.column,
            message=f"{what} makes up {percent(share)} of the rows.",
            action="Nothing to do: its rows are down-sampled to half of the attempts (to two"
            " thirds at most where the others are few), unless you switch that off."
            " Shares in the result then refer to the down-sampled people.",
        )


def check_grouping(
    original: Table, column: str, profiles: Profiles, *, code: str, what: str
) -> Iterator[Finding]:
    """Check a person or household column."""
    if column not in original.columns:
        message = missing_column_message(original, column)
        yield _error(code, original.name, column, message, f"Choose the {what} column, or none.")
        return
    profile = profiles.of(original, column)
    if not profile.n_present or profile.has_single_value:
        yield _error(
            code,
            original.name,
            column,
            f"The {what} column has a single value: all rows would belong together.",
            f"Choose a column that tells one {what} from another, or none.",
        )
    elif profile.n_present < len(original):
        missing = 1 - profile.n_present / len(original)
        yield Finding(
            severity=Severity.WARNING,
            code=code,
            table=original.name,
            column=column,
            message=f"The {what} column is missing in {percent(missing)} of the rows.",
            action=f"Each of these rows counts as a separate {what}.",
        )


_CHOOSE_OTHER = "Choose another unknown attribute."


def _error(code: str, table: str, column: str | None, message: str, action: str) -> Finding:
    return Finding(
        severity=Severity.ERROR,
        code=code,
        table=table,
        column=column,
        message=message,
        action=action,
    )
