"""Who has no value in each column of the original, looked at once for each choice."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from alc_core.scenario.no_value import LikelyNoValue, WithoutValue, likely_no_values, without_value
from alc_core.tables.table import Table


@dataclass(slots=True, kw_only=True)
class NoValues:
    """What was found of each column, after what it was found for."""

    found: dict[str, tuple[Hashable, WithoutValue]] = field(default_factory=dict)
    _likely: tuple[Hashable, tuple[LikelyNoValue, ...]] = (None, ())

    def of(
        self, original: Table, missing: Mapping[str, tuple[str, ...]], columns: Iterable[str]
    ) -> dict[str, WithoutValue]:
        """Return who has no value in some columns; what was found before is kept."""
        return {column: self._of(original, missing, column) for column in columns}

    def likely(
        self, original: Table, found: Mapping[str, WithoutValue]
    ) -> tuple[LikelyNoValue, ...]:
        """Return what else may mean "no value"; what was found before is kept."""
        key = (
            original.fingerprint,
            tuple((column, original.kind(column), each.markers) for column, each in found.items()),
        )
        if self._likely[0] != key:
            self._likely = key, likely_no_values(original, found)
        return self._likely[1]

    def _of(
        self, original: Table, missing: Mapping[str, tuple[str, ...]], column: str
    ) -> WithoutValue:
        key = (original.fingerprint, original.kind(column), missing.get(column))
        if column not in self.found or self.found[column][0] != key:
            self.found[column] = key, without_value(original, column, missing)
        return self.found[column][1]
