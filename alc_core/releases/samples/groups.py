"""Releases in groups: Anatomy and Mondrian."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from alc_core.arrays import BoolArray, CodeArray, FloatArray
from alc_core.errors import InputError, ParameterError
from alc_core.parameter import check_whole
from alc_core.phrasing import count
from alc_core.releases.cells import range_label
from alc_core.releases.groups import Groups
from alc_core.releases.microdata import Microdata
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.codes.encode import CategoricalCodes, EncodedData, encode
from alc_core.tables.labels.find import column_domain
from alc_core.tables.labels.notation import read_label
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import Table
from alc_core.tables.value_sets import Domain

GROUP = "group_id"  # The column with the number of the group


class TooFrequentError(InputError):
    """One value has too many rows for diverse groups."""


def is_diverse(values: CodeArray, level: int) -> bool:
    """Return whether at most one in l rows has the same value."""
    return level == 1 or bool(np.bincount(values).max() * level <= len(values))


def check_diverse(values: CodeArray, level: int, coding: CategoricalCodes | None = None) -> None:
    """Refuse rows without diverse groups."""
    if is_diverse(values, level):
        return
    code, rows = int(np.bincount(values).argmax()), int(np.bincount(values).max())
    if coding is None:
        named = f"The value with code {code}"
    elif code == len(coding.labels):
        named = f"A missing value of column '{coding.name}'"
    else:
        named = f"'{coding.labels[code]}' of column '{coding.name}'"
    advice = (
        f"Choose a level of at most {len(values) // rows}"
        if len(values) >= 2 * rows
        else "Choose another unknown column"
    )
    raise TooFrequentError(
        f"{named} has {count(rows)} of {count(len(values))} rows: groups "
        f"cannot be {level}-diverse. {advice}."
    )


def anatomy_groups(
    values: CodeArray, level: int, rng: np.random.Generator, *,
    coding: CategoricalCodes | None = None,
) -> CodeArray:  # fmt: skip
    """Group l rows with l different values, a few of l + 1.

    Each group draws a random row of each of the l values with most rows left. The last rows join
    random groups without their value.

    References
    ----------
    Xiao and Tao (2006), Anatomy: Simple and effective privacy preservation.
    """
    check_whole("level", level, 2)
    if not len(values):
        raise InputError("No rows to group.")
    check_diverse(values, level, coding)
    left = np.bincount(values)
    rows = rng.permutation(len(values))
    rows = rows[np.argsort(values[rows], kind="stable")]
    last = np.cumsum(left)
    groups = np.full(len(values), -1, dtype=np.int32)
    number = 0
    while np.count_nonzero(left) >= level:
        # Ties are broken at random.
        taken = np.argsort(-(left + rng.random(len(left))))[:level]
        groups[rows[last[taken] - left[taken]]] = number
        left[taken] -= 1
        number += 1
    for row in rng.permutation(np.flatnonzero(groups < 0)):
        holders = groups[(values == values[row]) & (groups >= 0)]
        groups[row] = rng.choice(np.setdiff1d(np.arange(number), holders))
    return groups


def merge_groups(groups: CodeArray, merged: int) -> CodeArray:
    """Join neighbouring groups."""
    if merged < 1:
        raise ParameterError(f"Merge at least 1 group, not {merged}.")
    most = max((int(groups.max(initial=0)) + 1) // merged, 1) - 1
    return np.minimum(groups // merged, most).astype(np.int32)


def anatomize(
    original: TableLike,
    *,
    unknown: str,
    known: Sequence[str],
    level: int,
    merged: int = 1,
    bins: int = 20,
    seed: int = 0,
) -> Groups:
    """Release known columns with a group number, and groups' unknown values.

    For experiments only: patterns across groups reveal more than l-diversity promises.

    Parameters
    ----------
    original : Table, data frame or path
    unknown : str
        Released by group only.
    known : sequence of str
        Columns released by person; all others are removed.
    level : int
        The l of l-diversity, at least 2.
    merged : int, default 1
        Neighbouring groups that become one.
    bins : int, default 20
        Equal-width bins of a continuous unknown column.
    seed : int, default 0
        Same input and seed, same release.

    Returns
    -------
    Groups
        A table of people and one of values, joined by the group number.

    Raises
    ------
    ParameterError
        If `level` is below 2 or `merged` below 1.
    InputError
        If more than one in l people has the same value.

    Examples
    --------
    >>> import alc_core as alc
    >>> demo = alc.load_demo("fair")
    >>> release = anatomize(demo.original, unknown="occupation", known=["age", "educ"], level=2)
    >>> [table.columns for table in release.tables]
    [('group_id', 'age', 'educ'), ('group_id', 'occupation')]
    """
    check_whole("seed", seed)
    original = as_table(original, name="original")
    data = encode(original, (), columns=[unknown])
    values = data.as_unknown(data.original, unknown, bins)
    rng = np.random.default_rng(seed)
    groups = anatomy_groups(values, level, rng, coding=data.unknown_codes(unknown, bins))
    groups = merge_groups(groups, merged)
    people, sensitive = (
        (order := rng.permutation(len(values)))[np.argsort(groups[order], kind="stable")]
        for _ in range(2)
    )
    name = f"{original.name} Anatomy {level}" + (f", {merged} merged" if merged > 1 else "")
    group = GROUP
    while group in original.columns:
        group += "_"
    parts = [(people, list(known), "people"), (sensitive, [unknown], unknown)]
    tables = []
    for rows, columns, part in parts:
        frame = original.frame[columns].iloc[rows].reset_index(drop=True)
        frame.insert(0, group, groups[rows])
        tables.append(table_from_frame(frame, name=f"{name}, {part}"))
    return Groups.of_tables(tables, name=name, original=original)


SUPPRESSED = "*"


def mondrian_groups(
    positions: FloatArray, values: CodeArray, *, k: int, level: int,
    coding: CategoricalCodes | None = None,
) -> CodeArray:  # fmt: skip
    """Cut rows in two while both parts are large and diverse enough.

    Cuts are near the median of the widest column that allows one.

    References
    ----------
    LeFevre, DeWitt and Ramakrishnan (2006), Mondrian multidimensional k-anonymity.
    """
    check_whole("k", k, 2)
    check_whole("level", level, 1)
    if len(values) < k:
        raise InputError(f"{count(len(values))} rows are fewer than k = {k}. Choose a smaller k.")
    check_diverse(values, level, coding)
    groups = np.empty(len(values), dtype=np.int32)
    waiting, number = [np.arange(len(values))], 0
    while waiting:
        rows = waiting.pop()
        parts = _cut(positions[rows], values[rows], k, level)
        if parts is None:
            groups[rows] = number
            number += 1
        else:
            waiting += [rows[~parts], rows[parts]]
    return groups


def _cut(positions: FloatArray, values: CodeArray, k: int, level: int) -> np.ndarray | None:
    """Return the first part's rows; None if no cut is allowed."""
    if len(values) < 2 * k:
        return None
    widths = positions.max(axis=0) - positions.min(axis=0)
    for column in np.argsort(-widths, kind="stable"):
        if widths[column] <= 0:
            return None
        distinct, counts = np.unique(positions[:, column], return_counts=True)
        below = np.cumsum(counts)[:-1]  # Prefer equal parts
        last = distinct[np.abs(2 * below - len(values)).argmin()]
        first: BoolArray = positions[:, column] <= last
        parts = values[first], values[~first]
        if all(len(part) >= k and is_diverse(part, level) for part in parts):
            return first
    return None


def mondrian(
    original: TableLike,
    *,
    unknown: str,
    known: Sequence[str],
    k: int,
    level: int = 1,
    bins: int = 20,
    seed: int = 0,
) -> Microdata:
    """Coarsen known columns so that groups of people look the same.

    In a group (:func:`~alc_core.releases.samples.groups.mondrian_groups`), a known column has one
    label: the shared value, the range, the set of categories, or "*" (local recoding). For
    experiments only.

    Parameters
    ----------
    original : Table, data frame or path
    unknown : str
        Released unchanged.
    known : sequence of str
        Recoded; others are removed.
    k : int
        Least group size, at least 2.
    level : int, default 1
        The l of l-diversity; 1 asks nothing.
    bins : int, default 20
        Equal-width bins of a continuous unknown column.
    seed : int, default 0
        Of the row order.

    Returns
    -------
    Microdata

    Raises
    ------
    ParameterError
        If `k` is below 2 or `level` below 1.
    InputError
        If there are too few people, or one value has too many.

    Examples
    --------
    >>> import alc_core as alc
    >>> people = alc.load_demo("fair").original
    >>> release = mondrian(people, unknown="religious", known=["age", "educ"], k=5)
    >>> release.name
    'fair 5-anonymous'
    """
    check_whole("seed", seed)
    original = as_table(original, name="original")
    data = encode(original, (), columns=[*known, unknown])
    coding = data.unknown_codes(unknown, bins)
    values = data.as_unknown(data.original, unknown, bins)
    positions = np.stack([_positions(data, column) for column in known], axis=1)
    groups = mondrian_groups(positions, values, k=k, level=level, coding=coding)
    columns = {column: _recoded(original, data, column, groups) for column in known}
    columns[unknown] = original.frame[unknown]
    order = np.random.default_rng(seed).permutation(len(groups))
    frame = pd.DataFrame(columns).iloc[order].reset_index(drop=True)
    name = f"{original.name} {k}-anonymous" + (f" {level}-diverse" if level > 1 else "")
    return Microdata(tables=(table_from_frame(frame, name=name),), name=name)


def _positions(data: EncodedData, column: str) -> FloatArray:
    """Return rows' places from 0 to 1; negative if missing."""
    spec, values = data.specs[column], data.original.columns[column]
    if isinstance(spec, CategoricalCodes):
        return np.asarray(values / max(1, len(spec.labels) - 1), dtype=np.float64)
    scaled = (np.asarray(values, dtype=np.float64) - spec.minimum) / (spec.range or 1.0)
    return np.where(np.isnan(scaled), -1.0, scaled)


def _recoded(original: Table, data: EncodedData, column: str, groups: CodeArray) -> pd.Series:
    spec, values = data.specs[column], data.original.columns[column]
    order = np.argsort(groups, kind="stable")
    parts = np.split(values[order], np.flatnonzero(np.diff(groups[order])) + 1)
    if isinstance(spec, CategoricalCodes):
        domain = column_domain(original, column)
        present = [frozenset(np.unique(part).tolist()) for part in parts]
        labels = {part: _set_label(domain, spec, part) for part in set(present)}
        found = [labels[part] for part in present]
    else:
        found = [
            _range_label(np.asarray(part, np.float64), of_dates=spec.of_dates) for part in parts
        ]
    return pd.Series(np.array(found, dtype=object)[groups], dtype="str")


def _set_label(domain: Domain, spec: CategoricalCodes, present: frozenset[int]) -> str | None:
    if len(present) == 1:
        (code,) = present
        return spec.labels[code] if code < len(spec.labels) else None
    if len(present) == len(spec.labels) or len(spec.labels) in present:
        return SUPPRESSED
    covered = frozenset(spec.labels[code] for code in present)
    label = f"{{{'; '.join(sorted(covered))}}}"
    reading = read_label(label, domain)
    return label if reading is not None and reading.value_set == covered else SUPPRESSED


def _range_label(numbers: FloatArray, *, of_dates: bool) -> str | None:
    present = numbers[~np.isnan(numbers)]
    if not len(present):
        return None
    if len(present) < len(numbers):
        return SUPPRESSED
    return range_label(float(present.min()), float(present.max()), of_dates=of_dates)
