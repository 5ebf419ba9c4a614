"""Which changes of a column are tried, from mild to strong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from alc_core.releases.release import Release
from alc_core.remedies.applying import ReleasedColumn
from alc_core.remedies.changes import Coarsen, MergeRare, SwapColumn, UseLevel
from alc_core.remedies.intervals import coarsenings
from alc_core.tables.codes.columns import FloatArray
from alc_core.tables.table import ColumnKind, Table

SHARES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Shares of rows that are swapped."""

RARE = (0.01, 0.02, 0.05, 0.1, 0.2)
"""Shares of rows below which values are merged."""

OTHER = "other"


def swaps(column: str) -> tuple[SwapColumn, ...]:
    """Return the shares of a column that are swapped, from mild to strong."""
    return tuple(SwapColumn(column=column, share=share) for share in SHARES)


def coarser(original: Table, release: Release, column: str) -> tuple[Coarsen, ...]:
    """Return how a column is coarsened, from mild to strong; empty where it cannot be."""
    holders = [table for table in release.tables if column in table.columns]
    parts = [ReleasedColumn.of(original, table, column) for table in holders]
    kind = original.kind(column)
    given = {label: each for table in holders for label, each in _given(table, column).items()}
    if not kind.is_numeric and given:
        return _levels(column, parts, given)
    if kind.is_numeric or all(map(_is_ordered, parts)):
        values = np.concatenate([_row_numbers(part) for part in parts])
        if np.isnan(values).all():
            return ()
        return coarsenings(column, values, of_dates=kind is ColumnKind.DATETIME)
    return _merged(column, _label_rows(parts))


def _given(table: Table, column: str) -> dict[str, frozenset[str]]:
    """Return the labels of categories that the user has said something of."""
    sets = table.value_sets.get(column, {})
    return {label: each for label, each in sets.items() if isinstance(each, frozenset)}


def _is_ordered(part: ReleasedColumn) -> bool:
    """Return whether all values of a category are numbers, such as years of school."""
    single = [label not in part.sets for label in part.labels]
    return not np.isnan(part.numbers[single]).any()


def _row_numbers(part: ReleasedColumn) -> FloatArray:
    return np.append(part.numbers, np.nan)[part.codes]


def _label_rows(parts: Sequence[ReleasedColumn]) -> Counter[str]:
    """Return rows of each label that stands for one value, the most frequent first."""
    rows: Counter[str] = Counter()
    for part in parts:
        counts = np.bincount(part.codes[part.codes >= 0], minlength=len(part.labels))
        single = set(part.single)
        for label, number in zip(part.labels, counts.tolist(), strict=True):
            if label in single:
                rows[label] += number
    return Counter(dict(rows.most_common()))


def _merged(column: str, counts: Counter[str]) -> tuple[MergeRare, ...]:
    total = counts.total()
    label = OTHER if OTHER not in counts else f"{OTHER} (merged)"
    found: dict[tuple[str, ...], MergeRare] = {}
    for below in RARE:
        rare = tuple(sorted(each for each, rows in counts.items() if rows < below * total))
        if 1 < len(rare) < len(counts):
            change = MergeRare(
                column=column, below=below, rare=rare, kept=len(counts) - len(rare), label=label
            )
            found.setdefault(rare, change)
    return tuple(found.values())


def _levels(
    column: str, parts: Sequence[ReleasedColumn], covers: Mapping[str, frozenset[str]]
) -> tuple[UseLevel, ...]:
    """Return the levels of a hierarchy: each value's labels, the one of fewest values first."""
    chains: dict[str, list[str]] = {}
    for label in dict.fromkeys(label for part in parts for label in part.labels):
        own = covers.get(label, frozenset([label]))
        above = [each for each, covered in covers.items() if each != label and own <= covered]
        chains[label] = sorted(above, key=lambda each: (len(covers[each]), each))
    found: dict[tuple[tuple[str, tuple[str, ...]], ...], UseLevel] = {}
    for level in range(1, max(map(len, chains.values()), default=0) + 1):
        groups: dict[str, list[str]] = {}
        for value, chain in chains.items():
            if chain:
                groups.setdefault(chain[min(level, len(chain)) - 1], []).append(value)
        labels = tuple((label, tuple(sorted(each))) for label, each in sorted(groups.items()))
        if len(labels) > 1:
            found.setdefault(labels, UseLevel(column=column, level=level, labels=labels))
    return tuple(found.values())


def candidate_columns(
    release: Release,
    columns: Sequence[tuple[str, Sequence[str], float]],
    added: Mapping[str, float],
) -> tuple[str, ...]:
    """Return the columns of flagged attacks, the most promising first."""
    told = {column for table in release.tables for column in table.telling}
    weight: defaultdict[str, float] = defaultdict(float)
    for unknown, known, alc in columns:
        for column in (unknown, *known):
            weight[column] += max(alc, 0.0) * (2 if column == unknown else 1)
    names = [column for column in weight if column in told]
    return tuple(sorted(names, key=lambda c: (-added.get(c, 0.0), -weight[c], c)))
