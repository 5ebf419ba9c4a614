"""From what attacks see of a release to the table that the sampler reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.errors import InputError
from alc_core.group_posterior.coding import KnownCoding
from alc_core.group_posterior.settings import RANGES
from alc_core.group_posterior.tables import (
    CodeArray,
    Domain,
    GroupedTable,
    HorizontalTable,
    VerticalTable,
)
from alc_core.phrasing import listed
from alc_core.releases.groups import GroupsView
from alc_core.releases.microdata import ReleasedRows, RowsView
from alc_core.scenario.known_values import KnownValues

_MOST_CELLS = 200_000_000
"""Labels times values of a column, at most: one byte for each."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedRelease:
    """A release as a table in groups or of labels, and how people are looked up in it."""

    table: GroupedTable  # For the sampler
    coding: KnownCoding  # Of the known columns
    left_out: int = 0  # Rows whose unknown value is not a single one
    # Tables of the release that are not used: the rows of one are enough
    unused: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, view: RowsView, *, ranges: int = int(RANGES.default), people: KnownValues | None = None
    ) -> Self:
        """Read a view.

        Groups whose values are shuffled become a table in groups. Rows become a table of labels; a
        single value is a label for itself, a suppressed cell one for all values. The values that
        people can have are those of the original and of the release. Of several tables the one
        with the most known columns is used.
        """
        if isinstance(view, GroupsView):
            return cls._in_groups(view, ranges, people)
        most = max(view.tables, key=lambda table: len(_columns(table)))
        unused = tuple(table.name for table in view.tables if table is not most)
        coding = KnownCoding.of(most.known, people, ranges)
        has = np.ones(len(most), dtype=bool) if most.spread is None else most.spread.labels < 0
        suppressed = view.suppressed.get(most.name, np.empty(0, dtype=np.int32))
        values = np.concatenate([most.unknown[has], suppressed])
        if not len(values):
            raise InputError(
                f"No row of '{most.name}' has a single value of '{view.unknown.name}'. Choose "
                "another unknown column."
            )
        domain, codes = _domain(view, coding, values)
        rows = most.known.take(np.flatnonzero(has))
        labels, covers = zip(
            *(_labels(rows, name, coding, len(suppressed)) for name in coding.columns), strict=True
        )
        table = HorizontalTable(domain, np.column_stack(labels).astype(np.int32), covers, codes)
        left_out = int((~has).sum())
        return cls(table=table, coding=coding, left_out=left_out, unused=unused)

    @classmethod
    def _in_groups(cls, view: GroupsView, ranges: int, people: KnownValues | None) -> Self:
        (rows,), groups = view.tables, view.groups
        if rows.known.set_columns:
            raise InputError(
                f"Rows of '{rows.name}' are in groups, and {listed(list(rows.known.set_columns))} "
                "stand for several values, too. Choose known columns with single values."
            )
        coding = KnownCoding.of(rows.known, people, ranges)
        domain, codes = _domain(view, coding, groups.values)
        order = np.argsort(groups.group, kind="stable")
        known = coding.people(rows.known)[order]
        return cls(
            table=VerticalTable(domain, known, groups.starts, codes),
            coding=coding,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what of the release was not used."""
        notes = []
        if self.left_out:
            notes.append(
                f"{self.left_out:,} released rows have no single value of the unknown column; they "
                "were left out."
            )
        if self.unused:
            notes.append(
                f"Only the table with the most known columns was used, not {listed(self.unused)}."
            )
        return tuple(notes)


def _columns(table: ReleasedRows) -> tuple[str, ...]:
    return (*table.known.columns, *table.known.set_columns)


def _domain(view: RowsView, coding: KnownCoding, released: CodeArray) -> tuple[Domain, CodeArray]:
    """Return the domain, and the released rows' values as its codes, which are the view's.

    No value at all counts as one where a released row has none.
    """
    n_labels = len(view.unknown.labels)
    n_values = n_labels + bool((released == n_labels).any())
    domain = Domain(names=tuple(coding.columns), sizes=coding.sizes, n_values=n_values)
    return domain, released.astype(np.int32)


def _labels(
    rows: KnownValues, name: str, coding: KnownCoding, n_suppressed: int
) -> tuple[CodeArray, NDArray[np.bool_]]:
    """Return each row's label of a column, suppressed rows last, and what labels cover."""
    own, column = coding.columns[name], rows.set_columns.get(name)
    if column is None:
        labelled = np.zeros(len(rows), dtype=bool)
        codes = own.codes(rows.columns[name])
        sets = np.zeros((0, own.size), dtype=bool)
    else:
        labelled = column.codes < len(column.labels)
        single = np.where(labelled, 0, column.single)
        codes, sets = own.codes(single), own.covered(column)
    occur, numbered = np.unique(codes[~labelled], return_inverse=True)
    n_labels = len(occur) + len(sets) + 1
    if n_labels * own.size > _MOST_CELLS:
        raise InputError(
            f"Column '{name}' has {own.size:,} values and {n_labels:,} labels in the release, which"
            " is too many. Choose other known columns."
        )
    covers = np.zeros((n_labels, own.size), dtype=bool)
    covers[np.arange(len(occur)), occur] = True
    covers[len(occur) : -1] = sets
    covers[-1] = True
    labels = np.full(len(rows) + n_suppressed, n_labels - 1, dtype=np.int32)
    labels[np.flatnonzero(~labelled)] = numbered
    if column is not None:
        several = np.flatnonzero(labelled)
        labels[several] = len(occur) + column.codes[several]
    return labels, covers
