"""Risk numbers of releases: settings, counting, results."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from alc_core.arrays import IntArray
from alc_core.campaign.file.annotations import KeptResults
from alc_core.errors import ColumnError, InputError, ParameterError
from alc_core.parameter import check_whole
from alc_core.phrasing import count, quoted
from alc_core.releases.microdata import unmatched_columns
from alc_core.releases.registry import ReleaseLike, as_release
from alc_core.releases.release import Release, without_rows
from alc_core.runtime.progress import Reporter
from alc_core.scenario.scenario import texts_of
from alc_core.studies.risk_numbers.classes import (
    USUAL_THRESHOLD,
    ClassedRows,
    ClassSizes,
    Diversity,
    measure_diversity,
    sizes_with_any_value,
)
from alc_core.studies.risk_numbers.population import (
    NOT_COUNTED,
    PopulationEstimate,
    people_who_fit,
    population_estimate,
)
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.checks.facts import FileFacts, file_facts
from alc_core.tables.codes.encode import EncodedData, encode
from alc_core.tables.labels.find import with_found_sets
from alc_core.tables.table import Table
from alc_core.tables.value_sets import AnyValue
from alc_core.tables.values.texts import label_codes

# Least share of rows that fit people of the original, for a release of people
LEAST_FIT = 0.95


class RowsAre(enum.StrEnum):
    """What a release's rows are."""

    PEOPLE = "people"
    CHANGED = "changed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskSettings:
    """What :func:`measure_risk_numbers` counts.

    Attributes
    ----------
    known : sequence of str
        Quasi-identifiers (key variables).
    protected : sequence of str
        Columns for l-diversity and t-closeness.
    threshold : float
        Risk above which rows are counted, in (0, 1].
    population : int or None
        Size of the sampled population; None if unknown.
    rows_are : RowsAre
        Whether rows are people or changed; found out by default.
    person : str or None
        The person column.

    Raises
    ------
    ParameterError
        If threshold or population are out of bounds.

    Examples
    --------
    >>> RiskSettings(known=["age", "sex"]).known
    ('age', 'sex')
    """

    known: tuple[str, ...]
    protected: tuple[str, ...] = ()
    threshold: float = USUAL_THRESHOLD
    population: int | None = None
    rows_are: RowsAre = RowsAre.UNKNOWN
    person: str | None = None

    def __post_init__(self) -> None:
        for name in ("known", "protected"):
            object.__setattr__(self, name, texts_of(getattr(self, name)))
        if not 0 < self.threshold <= 1:
            raise ParameterError(
                f"The threshold must be above 0, such as 0.09, not {self.threshold:g}."
            )
        if self.population is not None:
            check_whole("population", self.population, 1)

    def check(self, original: Table) -> None:
        """Refuse unusable columns, and a population smaller than the table."""
        if not self.known:
            raise ColumnError("Choose a known column.")
        original.require(*self.known, *self.protected)
        if both := [column for column in self.known if column in self.protected]:
            raise ColumnError(f"{quoted(both)} cannot be both known and protected.")
        if self.population is not None and self.population < len(original):
            raise ParameterError(
                f"The population ({count(self.population)}) is below the table's "
                f"{count(len(original))} rows. Correct it."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsFit:
    """How far released rows can be people of the original."""

    # Share of rows in classes, by known columns, of no more rows than people who fit; None if not
    # counted
    known: float | None = None
    single: float | None = None  # The same without `coarser`
    together: float | None = None  # The same with protected columns
    coarser: tuple[str, ...] = ()  # Known columns with generalized labels


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskNumbers:
    """Risk numbers of a released table, beside the original's."""

    release: str  # Names of release and table
    table: str
    several_tables: bool  # Whether the release has other tables
    fingerprint: str  # Of the original
    settings: RiskSettings  # What was asked for
    absent: tuple[str, ...]  # Known columns missing in the table
    unmatched: tuple[str, ...]  # Columns with mostly other values than the original's
    treated: tuple[str, ...]  # Known columns with generalized or suppressed labels
    original_rows: int  # Rows of original and table
    rows: int
    suppressed: int  # Rows without any known value, set aside
    partly_suppressed: int  # Rows with some known values suppressed
    rows_are: RowsAre
    fit: RowsFit  # Evidence for that
    original: ClassSizes
    people: bool  # Whether the table names people, who are then counted in place of rows
    released: ClassSizes | None  # By label; None of changed rows
    any_value: ClassSizes | None  # Suppressed values as any; None without
    in_original: ClassSizes | None  # By people of the original who fit; None unless a sample of it
    diversity: tuple[Diversity, ...]  # Of the protected columns
    facts: FileFacts | None = None  # None in older results

    @property
    def label(self) -> str:
        """Name of the release, and of the table if several."""
        return f"{self.release}: {self.table}" if self.several_tables else self.release

    @property
    def known(self) -> tuple[str, ...]:
        """Known columns behind the classes."""
        return tuple(c for c in self.settings.known if c not in self.absent)

    def in_population(self, found: ClassSizes | None) -> PopulationEstimate | None:
        """Return the population estimate, if its size is known."""
        population = self.settings.population
        if population is None or found is None or not 0 < found.total <= population:
            return None
        return population_estimate(found, population)


KEPT_RISK_NUMBERS = KeptResults(
    "risk numbers", RiskNumbers, key=lambda found: f"{found.release} | {found.table}"
)


_LEAST_COUNTED = 0.5  # Least share of rows looked up for a result


def measure_risk_numbers(
    original: TableLike,
    release: ReleaseLike,
    settings: RiskSettings,
    *,
    reporter: Reporter | None = None,
) -> tuple[RiskNumbers, ...]:
    """Measure risk numbers of each released table with a known column.

    Sizes of classes of equal known values (k), risks, l-diversity and t-closeness, beside the
    original's.

    Raises
    ------
    InputError
        If the release has no rows of people, or lacks the known columns.

    Examples
    --------
    >>> people = {"age": [20, 30, 30], "job": ["a", "b", "b"]}
    >>> asked = RiskSettings(known=["age"], protected=["job"])
    >>> (found,) = measure_risk_numbers(people, people, asked)
    >>> found.released.smallest, found.released.mean_risk, found.diversity[0].distinct
    (1, 0.6666666666666666, 1)
    """
    reporter, own = reporter or Reporter(), as_table(original, name="original")
    released = release if isinstance(release, Release) else as_release(release, own)
    if reason := without_rows(released, "Risk numbers need"):
        raise InputError(reason)
    settings.check(own)
    tables = [table for table in released.tables if set(settings.known) & set(table.columns)]
    if not tables:
        raise ColumnError(
            f"'{released.name}' lacks the known columns {quoted(settings.known)}. Choose others."
        )
    for table in (own, *tables):
        if not len(table):
            raise InputError(f"'{table.name}' has no rows. Choose another table.")
    reporter.report("Counting classes of the original")
    sizes = _sizes(ClassedRows.of(own, settings.known), own, settings.person)
    return tuple(_measure(own, sizes, released, table, settings, reporter) for table in tables)


def _measure(
    original: Table,
    own: ClassSizes,
    release: Release,
    table: Table,
    settings: RiskSettings,
    reporter: Reporter,
) -> RiskNumbers:
    known = [column for column in settings.known if column in table.columns]
    protected = [column for column in settings.protected if column in table.columns]
    reporter.report(f"Counting classes of {table.name}")
    # Meanings of labels, read once, for encoding too
    table = with_found_sets(original, table, [*known, *protected])
    classes = _classes(table, known)
    told = ~classes.nothing_told
    reporter.report(f"Comparing {table.name} with the original")
    data = encode(original, [table], columns=[*known, *protected])
    unmatched = unmatched_columns(data, [*known, *protected])
    people = people_who_fit(data.original, data.released[0], known, classes)
    by_known = _share_that_fits(people, classes)
    fit = _fit(data, table, known, protected, unmatched, by_known)
    rows_are = _rows_are(fit, settings)
    changed = rows_are is RowsAre.CHANGED
    is_read = not set(known) & set(unmatched) and (fit.known or 0.0) >= LEAST_FIT
    is_sample = len(table) < len(original) and rows_are is RowsAre.PEOPLE and is_read
    by_people = settings.person in table.columns
    diversity = [
        measure_diversity(
            column, original.kind(column), table.frame[column], classes.of_rows,
            told[classes.of_rows],
        )
        for column in (() if changed else protected)
    ]  # fmt: skip
    return RiskNumbers(
        release=release.name,
        table=table.name,
        several_tables=len(release.tables) > 1,
        fingerprint=original.fingerprint,
        settings=settings,
        absent=tuple(column for column in settings.known if column not in known),
        unmatched=unmatched,
        treated=tuple(column for column in known if table.value_sets.get(column)),
        original_rows=len(original),
        rows=len(table),
        suppressed=int(classes.sizes[~told].sum()),
        partly_suppressed=int(classes.sizes[classes.partly_hidden].sum()),
        rows_are=rows_are,
        fit=fit,
        original=own,
        people=by_people,
        released=None if changed else _sizes(classes, table, settings.person),
        any_value=None if changed or by_people else sizes_with_any_value(classes),
        in_original=_in_original(people, classes) if is_sample and not by_people else None,
        facts=file_facts(original, table),
        diversity=tuple(each for each in diversity if each is not None),
    )


def _sizes(classes: ClassedRows, table: Table, person: str | None) -> ClassSizes:
    """Return the sizes of classes in people, if the table names them; else in rows."""
    if person not in table.columns:
        return ClassSizes.of(classes.sizes[~classes.nothing_told])
    codes = label_codes(table.frame[person])[0].astype(np.int64)
    unnamed = np.flatnonzero(codes < 0)
    codes[unnamed] = codes.max() + 1 + np.arange(len(unnamed))
    shared = classes.shared_by(codes)
    return ClassSizes.of(shared, np.ones_like(shared))


def _classes(table: Table, columns: Sequence[str]) -> ClassedRows:
    suppressed = {
        column: frozenset(
            label
            for label, covers in table.value_sets.get(column, {}).items()
            if isinstance(covers, AnyValue)
        )
        for column in columns
    }
    return ClassedRows.of(table, columns, suppressed)


def _fit(
    data: EncodedData,
    table: Table,
    known: Sequence[str],
    protected: Sequence[str],
    unmatched: Sequence[str],
    by_known: float | None,
) -> RowsFit:
    """Return shares of rows that can be people; `by_known` is by all known columns."""
    told = [column for column in known if column not in unmatched]
    more = [column for column in protected if column not in unmatched]
    single = [
        column
        for column in told
        if all(isinstance(covers, AnyValue) for covers in table.value_sets.get(column, {}).values())
    ]
    found = by_known if told == list(known) else _fit_by(data, table, told)
    return RowsFit(
        known=found,
        single=found if single == told else _fit_by(data, table, single),
        together=_fit_by(data, table, [*told, *more]) if told and more else None,
        coarser=tuple(column for column in told if column not in single),
    )


def _rows_are(fit: RowsFit, settings: RiskSettings) -> RowsAre:
    """Return what rows are: as the user says, or by fit, misread columns aside."""
    if settings.rows_are is not RowsAre.UNKNOWN:
        return settings.rows_are
    if fit.known is not None and fit.known >= LEAST_FIT:
        return RowsAre.PEOPLE
    if fit.single is None:
        return RowsAre.UNKNOWN
    return RowsAre.PEOPLE if fit.single >= LEAST_FIT else RowsAre.CHANGED


def _fit_by(data: EncodedData, table: Table, columns: Sequence[str]) -> float | None:
    if not columns:
        return None
    classes = _classes(table, columns)
    return _share_that_fits(
        people_who_fit(data.original, data.released[0], columns, classes), classes
    )


def _share_that_fits(people: IntArray, classes: ClassedRows) -> float | None:
    told = ~classes.nothing_told
    counted = told & (people != NOT_COUNTED)
    rows = float(classes.sizes[counted].sum())
    if not rows or rows < _LEAST_COUNTED * float(classes.sizes[told].sum()):
        return None
    return float(classes.sizes[counted & (classes.sizes <= people)].sum() / rows)


def _in_original(people: IntArray, classes: ClassedRows) -> ClassSizes | None:
    """Return rows by people of the original who fit, if all were counted."""
    told = ~classes.nothing_told
    people, rows = people[told], classes.sizes[told]
    if not len(people) or (people == NOT_COUNTED).any():
        return None
    # Despite misread labels, a class is at least as large as its rows
    return ClassSizes.of(np.maximum(people, rows), rows)
