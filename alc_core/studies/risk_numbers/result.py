"""What risk numbers are asked for."""

from __future__ import annotations

import enum
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from alc_core.campaign.file.annotations import Annotations, KeptResults
from alc_core.errors import ColumnError, ParameterError
from alc_core.phrasing import count, quoted
from alc_core.studies.risk_numbers.classes import (
    USUAL_THRESHOLD,
    ClassSizes,
    Diversity,
    check_threshold,
)
from alc_core.studies.risk_numbers.population import PopulationEstimate, population_estimate
from alc_core.tables.checks.facts import FileFacts
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
                f"The population has at least one person, not {count(self.population)}."
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsFit:
    """How far rows of a release can be people of the original."""

    # Share of the rows whose class, by the known columns, has no more rows than there are people
    # whom its values fit; None where that could not be counted
    known: float | None = None
    # The same by those known columns only whose labels do not stand for several values
    single: float | None = None
    together: float | None = None  # The same by the known and the protected columns
    coarser: tuple[str, ...] = ()  # The known columns whose labels stand for several values


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskNumbers:
    """Risk numbers of one released table, beside those of the original."""

    release: str  # Names of the release and of its table
    table: str
    several_tables: bool  # Whether the release has other tables, too
    fingerprint: str  # Of the original
    settings: RiskSettings  # What was asked for
    absent: tuple[str, ...]  # Known columns that the table does not have
    unmatched: tuple[str, ...]  # Columns of which most values are not the original's
    treated: tuple[str, ...]  # Known columns with labels that stand for several values, or for any
    original_rows: int  # Rows of the original and of the table
    rows: int
    suppressed: int  # Rows of the table without any known value: they are set aside
    partly_suppressed: int  # Rows of the table with some known values suppressed
    # What the rows are; risks of the release are there unless they are changed or made up
    rows_are: RowsAre
    fit: RowsFit  # On what that stands
    original: ClassSizes
    # Of the table, by label; None where its rows are changed or made up
    released: ClassSizes | None
    # Of the table if a suppressed value may be any; None where none is suppressed
    any_value: ClassSizes | None
    # The table's rows by the people of the original whom their classes fit; None unless the table
    # is a sample of the original
    in_original: ClassSizes | None
    diversity: tuple[Diversity, ...]  # Of the protected columns, over the classes by label
    facts: FileFacts | None = None  # What rows have of the original's; older results hold none

    @property
    def label(self) -> str:
        """Name of the release, and of the table where there are several."""
        return f"{self.release}: {self.table}" if self.several_tables else self.release

    @property
    def known(self) -> tuple[str, ...]:
        """The known columns by which the table's classes are made."""
        return tuple(c for c in self.settings.known if c not in self.absent)

    def in_population(self, found: ClassSizes | None) -> PopulationEstimate | None:
        """Return what is estimated of the population, where its size is given."""
        if self.settings.population is None or found is None or not found.total:
            return None
        return population_estimate(found, self.settings.population)


KEPT_RISK_NUMBERS = KeptResults(
    Annotations("risk numbers", str, RiskNumbers),
    key=lambda found: f"{found.release} | {found.table}",
    refusal="These risk numbers are not of the original of the campaign in '{path}'. Measure them "
    "on the campaign's original.",
)
