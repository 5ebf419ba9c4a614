"""Who has no value in each column of the original, looked at once for each choice."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from alc_core.scenario.without_value import WithoutValue, without_value
from alc_core.tables.table import Table


@dataclass(slots=True, kw_only=True)
class NoValues:
    """What was found of each column, after what it was found for."""

    found: dict[str, tuple[Hashable, WithoutValue]] = field(default_factory=dict)

    def of(
        self, original: Table, missing: Mapping[str, tuple[str, ...]], columns: Iterable[str]
    ) -> dict[str, WithoutValue]:
        """Return who has no value in some columns; what was found before is kept."""
        return {column: self._of(original, missing, column) for column in columns}

    def _of(
        self, original: Table, missing: Mapping[str, tuple[str, ...]], column: str
    ) -> WithoutValue:
        key = (original.fingerprint, original.kind(column), missing.get(column))
        if column not in self.found or self.found[column][0] != key:
            self.found[column] = key, without_value(original, column, missing)
        return self.found[column][1]
