"""What risk numbers are asked for."""

from __future__ import annotations

import enum
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from alc_core.errors import ColumnError, ParameterError
from alc_core.phrasing import quoted
from alc_core.risk_numbers.class_sizes import USUAL_THRESHOLD, check_threshold
from alc_core.tables.roles import Roles, known_and_protected
from alc_core.tables.table import Table, missing_column_message

LEAST_FIT = 0.95
"""Share of rows that must be able to be people of the original for a release of people."""


class RowsAre(enum.StrEnum):
    """What rows of a release are, as far as that is known or told."""

    PEOPLE = "people"
    CHANGED = "changed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskSettings:
    """What is asked for."""

    known: tuple[str, ...]  # Columns that others can know: quasi-identifiers, key variables
    # Columns that nobody should learn, for l-diversity and t-closeness
    protected: tuple[str, ...] = ()
    threshold: float = USUAL_THRESHOLD  # Risk above which rows are counted
    # People of whom the original is a random sample; None where that is not known
    population: int | None = None
    # What the user says of the release's rows: unknown has it found out
    rows_are: RowsAre = RowsAre.UNKNOWN
    person: str | None = None  # Column that says whose record a row is

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        if self.population is not None and self.population < 1:
            raise ParameterError(
                f"The population has at least one person, not {self.population:,}."
            )

    def check(self, original: Table) -> None:
        """Refuse columns that cannot be used."""
        if not self.known:
            raise ColumnError(
                "No column is known to others, so there are no classes. Choose at least one."
            )
        for column in (*self.known, *self.protected):
            if column not in original.columns:
                raise ColumnError(missing_column_message(original, column))
        if both := [column for column in self.known if column in self.protected]:
            raise ColumnError(
                f"{quoted(both)} cannot be both known and protected. Take it from one of the two."
            )


def chosen_columns(
    original: Table,
    roles: Roles,
    released: Collection[str],
    *,
    known: Sequence[str] = (),
    protected: Sequence[str] = (),
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the known and the protected columns: as the user says, else by their roles."""
    possible = [c for c in original.columns if c in released and roles.role(c).takes_part]
    usual_known, usual_protected = known_and_protected(original, roles, possible)
    if not known:
        known = [column for column in usual_known if column not in protected]
    if not protected:
        protected = [column for column in usual_protected if column not in known]
    return tuple(dict.fromkeys(known)), tuple(dict.fromkeys(protected))
