"""Risk numbers of one released table; class sizes only, no values of people."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.risk_numbers.class_sizes import ClassSizes
from alc_core.risk_numbers.diversity import Diversity
from alc_core.risk_numbers.population import PopulationEstimate, population_estimate
from alc_core.risk_numbers.settings import RiskSettings, RowsAre


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsFit:
    """How far rows of a release can be people of the original.

    Attributes
    ----------
    known : float or None
        Share of the rows whose class, by the known columns, has no more rows than there are people
        whom its values fit; None where that could not be counted.
    single : float or None
        The same by those known columns only whose labels do not stand for several values.
    together : float or None
        The same by the known and the protected columns.
    coarser : tuple of str
        The known columns whose labels stand for several values.
    """

    known: float | None = None
    single: float | None = None
    together: float | None = None
    coarser: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskNumbers:
    """Risk numbers of one released table, beside those of the original.

    Attributes
    ----------
    release, table : str
        Names of the release and of its table.
    several_tables : bool
        Whether the release has other tables, too.
    fingerprint : str
        Of the original.
    settings : RiskSettings
        What was asked for.
    absent : tuple of str
        Known columns that the table does not have.
    unmatched : tuple of str
        Columns of which most values are not the original's.
    treated : tuple of str
        Known columns with labels that stand for several values, or for any.
    original_rows, rows : int
        Rows of the original and of the table.
    suppressed : int
        Rows of the table without any known value: they are set aside.
    partly_suppressed : int
        Rows of the table with some known values suppressed.
    rows_are : RowsAre
        What the rows are; risks of the release are there unless they are changed or made up.
    fit : RowsFit
        On what that stands.
    original : ClassSizes
        Of the original.
    released : ClassSizes or None
        Of the table, by label; None where its rows are changed or made up.
    any_value : ClassSizes or None
        Of the table if a suppressed value may be any; None where none is suppressed.
    in_original : ClassSizes or None
        The table's rows by the people of the original whom their classes fit; None unless the
        table is a sample of the original.
    diversity : tuple of Diversity
        Of the protected columns, over the classes by label.
    """

    release: str
    table: str
    several_tables: bool
    fingerprint: str
    settings: RiskSettings
    absent: tuple[str, ...]
    unmatched: tuple[str, ...]
    treated: tuple[str, ...]
    original_rows: int
    rows: int
    suppressed: int
    partly_suppressed: int
    rows_are: RowsAre
    fit: RowsFit
    original: ClassSizes
    released: ClassSizes | None
    any_value: ClassSizes | None
    in_original: ClassSizes | None
    diversity: tuple[Diversity, ...]

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
