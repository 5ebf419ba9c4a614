"""Checks of links from rows to people: row numbers, and order."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import spread_out
from alc_core.note import ROW_NUMBER, ROW_ORDER
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.texts import canonical_labels

Rows = NDArray[np.intp]

# Shifts of rows, for agreement by chance or sorting
SHIFTS = (1, -1, 2, -2, 7)
# Limits; see tests/unit/tables/checks/test_links.py
_ROWS_LOOKED_AT = 4_000  # Rows compared
_FEWEST_ROWS = 35  # Rows of a table that is examined
_LEAST_LIFT = 0.1  # Agreement beyond neighbouring rows
_STANDARD_ERRORS = 6.0  # Of that agreement
_MOSTLY = 0.5  # Share of values that the original has
_COMPARED = 4  # Columns compared in pairs
_MOST_ROWS = 50  # Mean rows of a person; more are a group's
_LEAST_BEYOND = 0.03  # Agreement in a second column beyond the first's implication


def check_links(original: Table, release: Table, profiles: Profiles) -> Iterator[Finding]:
    """Find whether rows can be traced by a number or by order.

    Rows are compared at that place, and at places beside it; generalized values do not count.
    """
    shared = telling_columns(original, release)
    if not shared or min(len(original), len(release)) < _FEWEST_ROWS:
        return
    for column in release.columns:
        if column in original.columns:
            continue
        numbers = _row_numbers(release, column, profiles)
        found = None if numbers is None else _by_number(original, release, shared, numbers)
        if found:
            yield Finding.of(Severity.WARNING, ROW_NUMBER, release.name, column, **found)
    _, theirs, own = np.intersect1d(
        original.places, release.places, assume_unique=True, return_indices=True
    )
    if found := agreement(original, release, shared, theirs, own):
        yield Finding.of(Severity.WARNING, ROW_ORDER, release.name, **found)


def check_joins(
    original: Table, releases: Sequence[Table], person: str | None = None
) -> Iterator[Finding]:
    """Find columns joining two released tables by person.

    Nearly unique in one; or, if it names people or is not compared, with few rows a value in both.
    """
    for one, other in itertools.combinations(releases, 2):
        if {*one.columns} <= {*other.columns} or {*other.columns} <= {*one.columns}:
            continue  # A join would say nothing more
        for column in one.columns:
            fact = column in original.own_compared and column != person
            if column not in other.columns or (
                fact and not original.frame[column].dropna().is_unique
            ):
                continue
            keys = [canonical_labels(table.frame[column]).dropna() for table in (one, other)]
            fewer, more = sorted((each.drop_duplicates() for each in keys), key=len)
            few = all(len(each) <= _MOST_ROWS * each.nunique() for each in keys)
            names_people = any(each.is_unique for each in keys) or (few and not fact)
            if len(fewer) < _FEWEST_ROWS or not names_people:
                continue
            if (share := float(fewer.isin(more).mean())) >= _MOSTLY:
                yield Finding.of(
                    Severity.QUESTION, "joined-tables", one.name, column,
                    other=other.name, share=share,
                )  # fmt: skip


def telling_columns(original: Table, release: Table) -> list[str]:
    """Return columns whose agreement is evidence of order.

    Not identifiers, nor columns that sort both tables.
    """
    return [
        column
        for column in original.own_compared
        if column in release.columns
        and not (in_order(original.frame[column]) and in_order(release.frame[column]))
    ]


def in_order(series: pd.Series) -> bool:
    """Return whether values rise or fall throughout, if comparable."""
    try:
        return bool(series.is_monotonic_increasing or series.is_monotonic_decreasing)
    except TypeError:
        return False


def _row_numbers(release: Table, column: str, profiles: Profiles) -> Rows | None:
    profile = profiles.of(release, column)
    if profile.kind is ColumnKind.DATETIME or profile.n_present < len(release):
        return None
    if pd.to_numeric(profile.head, errors="coerce").isna().any():
        return None
    numbers = profile.numbers
    if not np.isfinite(numbers).all() or (numbers != np.floor(numbers)).any():
        return None
    if np.abs(numbers).max() > np.iinfo(np.int32).max:
        return None
    whole = numbers.astype(np.intp)
    return whole if len(np.unique(whole)) == len(whole) else None


def _by_number(
    original: Table, release: Table, shared: Sequence[str], numbers: Rows
) -> dict[str, Any] | None:
    """Return agreement with rows numbered from 0 or 1."""
    for first in (0, 1):
        places = numbers - first
        inside = np.flatnonzero((places >= 0) & (places < len(original)))
        if len(inside) < max(_FEWEST_ROWS, len(release) // 2):
            continue
        if found := agreement(original, release, shared, places[inside], inside):
            return found
    return None


def agreement(
    original: Table, release: Table, shared: Sequence[str], theirs: Rows, own: Rows
) -> dict[str, Any] | None:
    """Compare rows with partners, and their neighbours; None without a link.

    A single agreeing column may be sorted in both tables: it is not evidence if other columns could
    agree and do not.
    """
    chosen = spread_out(len(own), _ROWS_LOOKED_AT)
    theirs, own = theirs[chosen], own[chosen]
    shares: dict[str, float] = {}
    clear: list[str] = []
    at_chance = False
    for column in shared:
        released = canonical_labels(release.frame[column].iloc[own]).to_numpy()
        together, *others = _agreeing(original.frame[column], theirs, released)
        beside = max(others)
        error = np.sqrt(max(beside * (1 - beside), 1 / len(own)) / len(own))
        lift = (together - beside) / (1 - beside) if beside < 1 else 0.0
        if together - beside >= _STANDARD_ERRORS * error:
            clear.append(column)
            if lift >= _LEAST_LIFT:
                shares[column] = together
        elif not at_chance:
            known = canonical_labels(original.frame[column].drop_duplicates())
            at_chance = bool(np.isin(released, known).mean() > _MOSTLY)
    columns = sorted(shares, key=lambda column: -shares[column])
    weaker = [column for column in clear if column not in columns]

    def apart(one: str, other: str) -> bool:
        return all(
            _agree_beyond(original, release, pair, theirs=theirs, own=own)
            for pair in ((one, other), (other, one))
        )

    pairs = itertools.combinations([*columns, *weaker][:_COMPARED], 2)
    if not columns or (at_chance and not any(apart(*pair) for pair in pairs)):
        return None
    share = shares[columns[0]]
    return {"columns": tuple(columns), "several": len(columns) > 1, "share": share}


def _agree_beyond(
    original: Table, release: Table, pair: tuple[str, str], *, theirs: Rows, own: Rows
) -> bool:
    """Return whether the second column agrees beyond the first's implication.

    Compared with the original's next row by the first column.
    """
    first, second = (original.frame[column] for column in pair)
    number = first if pd.api.types.is_numeric_dtype(first.dtype) else canonical_labels(first)
    order = np.argsort(pd.factorize(number, sort=True)[0], kind="stable")
    following = np.empty_like(order)
    following[order] = np.roll(order, -1)
    released = canonical_labels(release.frame[pair[1]].iloc[own]).to_numpy()
    together, beside = (
        float(np.mean(canonical_labels(second.iloc[rows]).to_numpy() == released))
        for rows in (theirs, following[theirs])
    )
    return together - beside >= _LEAST_BEYOND


def _agreeing(original: pd.Series, rows: Rows, released: NDArray[np.object_]) -> list[float]:
    """Return the share of equal values in these rows, and beside them."""
    places = np.array([(rows + step) % len(original) for step in (0, *SHIFTS)])
    before = canonical_labels(original.iloc[places.ravel()]).to_numpy().reshape(places.shape)
    equal = (before == released) & (released != None)  # noqa: E711 - elementwise
    return [float(share) for share in np.mean(equal, axis=1)]
