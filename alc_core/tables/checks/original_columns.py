"""Checks of the original's columns: weights that nobody knows, columns that say the same."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.roles.weights import weight_reason
from alc_core.tables.table import Table

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
