"""Checks of whole tables: too few, repeated or sorted rows; releases equal to the original."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.phrasing import percent
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values import canonical_labels, distinct_codes

FEWEST_ROWS = 35
"""With fewer predictions no Wilson 95 % interval is 0.1 wide or less, even if all are right."""

ROWS_FOR_ANY_PRECISION = 381
"""With as many predictions the interval is at most 0.1 wide whatever the precision is."""

ROWS_FOR_LOW_RECALL = 2_000
"""With fewer targets, attacks that predict for few people only are easily missed."""

_REPEATED_WARNING = 0.05
_COPIED_SHARE = 0.5
_COLUMNS_TO_TELL_PEOPLE = 4
_HEAD = 1_000


def check_row_count(original: Table) -> Iterator[Finding]:
    """Say whether the original has rows enough for a significant measure.

    Yields
    ------
    Finding
        "too-few-rows".
    """
    count = len(original)
    if count < FEWEST_ROWS:
        severity = Severity.ERROR
        message = (
            f"The table has {count:,} rows: with fewer than {FEWEST_ROWS} no precision can be"
            " measured within 0.1, even if every prediction is right."
        )
    elif count < ROWS_FOR_ANY_PRECISION:
        severity = Severity.WARNING
        message = (
            f"The table has {count:,} rows: with fewer than {ROWS_FOR_ANY_PRECISION} only very"
            " high or very low precisions can be measured within 0.1."
        )
    elif count < ROWS_FOR_LOW_RECALL:
        severity = Severity.INFO
        message = (
            f"The table has {count:,} rows: with fewer than {ROWS_FOR_LOW_RECALL:,} an attack that"
            " predicts for few people only may be missed."
        )
    else:
        return
    action = "Give more rows" + (
        "." if severity is Severity.ERROR else ", or read the result with its interval."
    )
    yield Finding(
        severity=severity,
        code="too-few-rows",
        table=original.name,
        message=message,
        action=action,
    )


def check_sorted(original: Table, *, grouping: Sequence[str | None] = ()) -> Iterator[Finding]:
    """Tell that the original is sorted: harmless, since targets are shuffled.

    Parameters
    ----------
    original : Table
        The table of real people.
    grouping : sequence of str or None
        Person and household columns, by which tables are often sorted.

    Yields
    ------
    Finding
        "sorted-rows", for the first column by which the rows are sorted.
    """
    if len(original) < FEWEST_ROWS:
        return
    for column in original.columns:
        left_out = original.kind(column) in (ColumnKind.IDENTIFIER, ColumnKind.IGNORE)
        if left_out or column in grouping:
            continue
        if _is_sorted(original.frame[column]):
            yield Finding(
                severity=Severity.INFO,
                code="sorted-rows",
                table=original.name,
                column=column,
                message="The rows are sorted by this column.",
                action="Nothing to do: targets are always shuffled.",
            )
            return


def _is_sorted(series: pd.Series) -> bool:
    present = series.dropna()
    if len(present) < FEWEST_ROWS or isinstance(series.dtype, pd.CategoricalDtype):
        return False
    try:
        head = present.iloc[:_HEAD]
        if not (head.is_monotonic_increasing or head.is_monotonic_decreasing):
            return False
        if not (present.is_monotonic_increasing or present.is_monotonic_decreasing):
            return False
    except TypeError:
        return False
    return bool(present.iloc[0] != present.iloc[-1])


def check_repeated_people(original: Table) -> Iterator[Finding]:
    """Tell of original rows that equal another one in every column used.

    Yields
    ------
    Finding
        "duplicate-people".
    """
    columns = _compared(original, original.columns)
    if not columns or not len(original):
        return
    codes = _row_codes([original.frame[columns]])[0]
    counts = np.bincount(codes)
    share = float(counts[counts > 1].sum()) / len(original)
    if share == 0:
        return
    many = share >= _REPEATED_WARNING and len(columns) >= _COLUMNS_TO_TELL_PEOPLE
    yield Finding(
        severity=Severity.WARNING if many else Severity.INFO,
        code="duplicate-people",
        table=original.name,
        message=f"{percent(share)} of the rows have the same values as another row in all"
        f" {len(columns)} columns that are used.",
        action="If a person can have several rows, name the column that identifies the person, so"
        " that all of them are left out together.",
    )


def check_copies(original: Table, release: Table) -> Iterator[Finding]:
    """Tell of a release whose rows are the original's.

    Yields
    ------
    Finding
        "identical-release" or "copied-rows".
    """
    shared = [column for column in release.columns if column in original.columns]
    columns = _compared(original, shared)
    if len(columns) < 2 or not len(release):
        return
    codes, release_codes = _row_codes([original.frame[columns], release.frame[columns]])
    size = int(max(codes.max(), release_codes.max())) + 1
    counts = np.bincount(codes, minlength=size)
    if np.array_equal(counts, np.bincount(release_codes, minlength=size)):
        yield Finding(
            severity=Severity.WARNING,
            code="identical-release",
            table=release.name,
            message=f"The release has exactly the original's rows in all {len(columns)} shared"
            " columns: nothing was anonymized.",
            action="Check that the right file was given. A run will measure the full loss.",
        )
        return
    share = float(np.mean(counts[release_codes] > 0))
    if share >= _COPIED_SHARE and len(columns) >= _COLUMNS_TO_TELL_PEOPLE:
        yield Finding(
            severity=Severity.WARNING,
            code="copied-rows",
            table=release.name,
            message=f"{percent(share)} of the rows also occur in the original, with the same values"
            f" in all {len(columns)} shared columns.",
            action="Check that this much of the original is meant to be released.",
        )


def _compared(original: Table, columns: Sequence[str]) -> list[str]:
    left_out = (ColumnKind.IDENTIFIER, ColumnKind.IGNORE)
    return [column for column in columns if original.kind(column) not in left_out]


def _row_codes(frames: Sequence[pd.DataFrame]) -> list[NDArray[np.int64]]:
    """Give numbers to the distinct rows over several frames with the same columns, exactly."""
    n_rows = sum(len(frame) for frame in frames)
    rows = np.zeros(n_rows, dtype=np.int64)
    for column in frames[0].columns:
        codes, size = _joint_codes([frame[column] for frame in frames])
        if size > 1:
            rows = np.asarray(pd.factorize(rows * size + codes)[0], dtype=np.int64)
    ends = np.cumsum([len(frame) for frame in frames])[:-1]
    return [np.asarray(part, dtype=np.int64) for part in np.split(rows, ends)]


def _joint_codes(parts: Sequence[pd.Series]) -> tuple[NDArray[np.int64], int]:
    """Give numbers to a column's canonical labels over several tables; missing is a label."""
    numbers: dict[str | None, int] = {None: 0}
    joint = []
    if len(parts) == 1 or all(part.dtype == parts[0].dtype for part in parts):
        whole = pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
        codes, distinct = distinct_codes(whole)
        return np.asarray(codes, dtype=np.int64) + 1, len(distinct) + 1
    for part in parts:
        codes, distinct = distinct_codes(part)
        labels = canonical_labels(distinct)
        spelled = [numbers.setdefault(label, len(numbers)) for label in labels]
        joint.append(np.append(np.asarray(spelled, dtype=np.int64), 0)[codes])
    return np.concatenate(joint), len(numbers)
