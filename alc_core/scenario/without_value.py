"""Who has no value of the unknown attribute, and is no target for that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pandas as pd

from alc_core.errors import ColumnError, InputError
from alc_core.phrasing import count, listed, percent
from alc_core.scenario.scenario import Scenario, Targets
from alc_core.tables.encode import EncodedData, encode
from alc_core.tables.no_value import WhyNoValue, recognised_markers
from alc_core.tables.table import Table, missing_column_message
from alc_core.tables.values.texts import canonical_labels, label_counts

Missing = Mapping[str, Sequence[str]] | None
"""As in :class:`Targets`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutValue:
    """The rows of one column that have no value."""

    markers: tuple[str, ...]  # Values that mean "no value", beside empty cells
    rows: int  # Rows with an empty cell or a marker
    share: float  # Their share of all rows
    # Whether all rows with a value have the same one, or none has one
    nothing_to_learn: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)  # Rows of each marker
    # Why each marker that was recognised was; none of those that were named
    why: Mapping[str, WhyNoValue] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """What means "no value", with its rows and the reason, and their share."""
        found = [
            f"'{marker}' ({count(self.counts[marker])}{', ' * bool(why)}{why})"
            for marker in self.markers
            for why in (self.why.get(marker, ""),)
        ]
        if empty := self.rows - sum(self.counts.values()):
            found.append(f"empty cells ({count(empty)})")
        return f"{listed(found)}, {percent(self.share)} of the rows"

    @property
    def absent(self) -> tuple[str, ...]:
        """Markers that no row has."""
        return tuple(marker for marker in self.markers if not self.counts[marker])

    @property
    def missing(self) -> tuple[str, ...] | None:
        """What :class:`Targets` names for the column; None where everybody has a value."""
        return self.markers if self.rows else None


def without_value(original: Table, column: str, missing: Missing) -> WithoutValue:
    """Return what means "no value" in a column, and how many rows have none."""
    if missing is None:
        return WithoutValue(markers=(), rows=0, share=0.0)
    named = missing.get(column)
    spelled = canonical_labels(pd.Series(list(named or ()), dtype=object)).dropna()
    why = recognised_markers(original, column) if named is None else {}
    markers = tuple(sorted({*(why if named is None else spelled)}))
    data = encode(original, [], columns=[column])
    lacking = data.lacks_value(column, markers)
    present = data.original.columns[column][~lacking]
    return WithoutValue(
        markers=markers,
        rows=int(lacking.sum()),
        share=float(lacking.mean()) if len(lacking) else 0.0,
        nothing_to_learn=not len(present) or bool((present == present[0]).all()),
        counts=_rows_of_each(original, column, markers, data),
        why=why,
    )


def _rows_of_each(
    original: Table, column: str, markers: Sequence[str], data: EncodedData
) -> dict[str, int]:
    empty = int(data.lacks_value(column, ()).sum())
    counts = {m: int(data.lacks_value(column, (m,)).sum()) - empty for m in markers}
    if not all(counts.values()):  # a text among numbers counts as an empty cell there
        written = label_counts(original.frame[column])
        counts = {m: rows or int(written.get(m, 0)) for m, rows in counts.items()}
    return counts


def columns_without_values(
    original: Table, missing: Missing, columns: Iterable[str]
) -> dict[str, WithoutValue]:
    """Return :func:`without_value` of several columns."""
    for column in missing or ():
        if column not in original.columns:
            raise ColumnError(missing_column_message(original, column))
    return {c: without_value(original, c, missing) for c in columns if c in original.columns}


def settled(scenario: Scenario, original: Table) -> Scenario:
    """Return a scenario that names exactly the values that leave people out of its targets."""
    selection = scenario.selection
    if selection.missing is None or scenario.unknown not in original.columns:
        return scenario
    found = without_value(original, scenario.unknown, selection.missing)
    return replace(scenario, targets=narrowed(selection, scenario.unknown, found))


def narrowed(targets: Targets, column: str, found: WithoutValue) -> Targets:
    """Return whom an attack on one column attacks, once it is known what means "no value" there."""
    missing = None if found.missing is None else {column: found.missing}
    return replace(targets, missing=missing)


def check_missing(original: Table, missing: Missing) -> None:
    """Refuse values that are to mean "no value" but do not occur."""
    for column, values in (missing or {}).items():
        if column not in original.columns:
            raise ColumnError(missing_column_message(original, column))
        if absent := without_value(original, column, {column: values}).absent:
            raise InputError(
                f"Column '{column}' of '{original.name}' has no value '{absent[0]}', so it cannot "
                "mean that there is none. Check how it is spelled, or leave it out."
            )
