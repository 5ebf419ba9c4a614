"""What labels of released tables stand for: found out, described, and put into the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from weakref import WeakKeyDictionary

import pandas as pd

from alc_core.tables.sets.codes import may_be_codes
from alc_core.tables.sets.column_sets import ColumnSets, HowFound, label_set
from alc_core.tables.sets.domain import Domain
from alc_core.tables.sets.find import find_column_sets
from alc_core.tables.sets.linked import LinkedPairs, LinkedRows
from alc_core.tables.sets.value_sets import SUPPRESSED_CELL, ValueSet
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.texts import label_counts, numeric_values


class _Pair:
    """An original and one released table; what is found is kept while both are alive."""

    def __init__(self, original: Table, release: Table) -> None:
        self._frames = original.frame, release.frame
        self._kinds = original.kinds
        self._found: dict[str, ColumnSets | None] = {}
        self._linked: LinkedRows | None = None

    def of(self, column: str) -> ColumnSets | None:
        if column not in self._found:
            self._found[column] = find_column_sets(
                column, self.domain(column), self._frames[1][column], lambda: self._pairs(column)
            )
        return self._found[column]

    def domain(self, column: str) -> Domain:
        return _domain(self._frames[0], self._kinds[column], column)

    def _pairs(self, column: str) -> LinkedPairs:
        if self._linked is None:
            original, release = self._frames
            shared = [c for c in original.columns if c in release.columns and not self._coded(c)]
            self._linked = LinkedRows(original, release, shared)
        return self._linked.pairs(column)

    def _coded(self, column: str) -> bool:
        """Return whether a column's numbers look like codes of intervals."""
        original, release = (frame[column] for frame in self._frames)
        if not all(pd.api.types.is_numeric_dtype(part.dtype) for part in (original, release)):
            return False
        return may_be_codes(Domain(original, numeric=True), numeric_values(release))


_PAIRS: WeakKeyDictionary[Table, WeakKeyDictionary[Table, _Pair]] = WeakKeyDictionary()
"""By original and released table; gone with either of them."""


def column_sets(
    original: Table, release: Table, columns: Sequence[str] | None = None
) -> Mapping[str, ColumnSets]:
    """Say which labels of a released table stand for several values, and for which.

    Intervals, open ends, masked characters, sets, suppressed cells and dates cut to months are
    read; codes of intervals, top and bottom codes, and words for groups of values are worked out
    from the original and from rows that are recognisably the same in both tables. Labels that the
    original has itself stand for themselves.

    Parameters
    ----------
    original : Table
        The table of real people.
    release : Table
        One released table.
    columns : sequence of str, optional
        Of the original; by default all that are neither identifiers nor to be ignored.

    Returns
    -------
    mapping of str to ColumnSets
        Of those columns that have such labels, or such that cannot be read. What the user has
        given (:meth:`Table.with_value_sets`) is described as it is.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> original = alc.table_from_frame(pd.DataFrame({"age": [*range(18, 78)] * 2}), name="a")
    >>> ages = ["18-37", "38-57", "58+"]
    >>> release = alc.table_from_frame(pd.DataFrame({"age": ages * 20}), name="release")
    >>> found = alc.column_sets(original, release)["age"]
    >>> [(label.label, label.words, label.n_values) for label in found.labels]
    [('18-37', '18 to 37', 20), ('38-57', '38 to 57', 20), ('58+', '58 and over', 20)]
    """
    if columns is None:
        columns = original.compared
    pair = _pair(original, release)
    found: dict[str, ColumnSets] = {}
    for column in columns:
        if column not in original.columns or column not in release.columns:
            continue
        if column in release.value_sets:
            found[column] = _given(pair, release, column)
        elif (sets := pair.of(column)) is not None:
            found[column] = sets
    return found


def recognised_sets(original: Table, release: Table, column: str) -> ColumnSets | None:
    """Say what labels of a column stand for by themselves, whatever the user has said of them."""
    if column not in original.columns or column not in release.columns:
        return None
    return _pair(original, release).of(column)


def _pair(original: Table, release: Table) -> _Pair:
    pairs = _PAIRS.setdefault(original, WeakKeyDictionary())
    if release not in pairs:
        pairs[release] = _Pair(original, release)
    return pairs[release]


def with_found_sets(original: Table, release: Table, columns: Sequence[str] | None = None) -> Table:
    """Return a released table with what its labels stand for; the same one if all are single.

    What the user has given stays.
    """
    found = {
        column: sets.sets
        for column, sets in column_sets(original, release, columns).items()
        if column not in release.value_sets and sets.labels
    }
    if not found:
        return release
    return replace(release, value_sets=MappingProxyType({**release.value_sets, **found}))


def with_sets(
    original: Table, release: Table, told: Mapping[str, Mapping[str, ValueSet | None]]
) -> Table:
    """Return a release with what the user says of some labels and what is found of others."""
    pair = _pair(original, release)
    for column, labels in told.items():
        found = column_sets(original, release, [column]).get(column)
        merged = {**(found.sets if found else {}), **labels}
        sets = {label: covers for label, covers in merged.items() if covers is not None}
        release = release.with_value_sets(column, sets)
        _PAIRS[original][release] = pair  # the same rows: what was recognised need not be again
    return release


def column_domain(original: Table, column: str) -> Domain:
    """Return the values of a column of the original, as labels are read by."""
    return _domain(original.frame, original.kind(column), column)


def _domain(frame: pd.DataFrame, kind: ColumnKind, column: str) -> Domain:
    dates = kind is ColumnKind.DATETIME
    return Domain(frame[column], numeric=kind.is_numeric, of_dates=dates)


def _given(pair: _Pair, release: Table, column: str) -> ColumnSets:
    """Describe what the user has given; where it is what was found, as it was found."""
    domain, found = pair.domain(column), pair.of(column)
    known = {label.label: label for label in found.labels} if found else {}
    counts = label_counts(release.frame[column])
    rows = {str(label): int(count) for label, count in counts.items()}
    rows[SUPPRESSED_CELL] = len(release) - sum(rows.values())
    labels = [
        known[label]
        if label in known and known[label].covers == covers
        else label_set(domain, label, covers, rows=rows, n_rows=len(release), found=HowFound.GIVEN)
        for label, covers in release.value_sets[column].items()
    ]
    given = release.value_sets[column]
    return ColumnSets(
        column=column,
        numeric=domain.numeric,
        labels=tuple(sorted(labels, key=lambda label: (-label.rows, label.label))),
        unread=tuple(label for label in found.unread if label.label not in given) if found else (),
        n_rows=len(release),
    )
