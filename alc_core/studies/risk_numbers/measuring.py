"""Measuring risk numbers of a release."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from alc_core.arrays import IntArray
from alc_core.errors import ColumnError, InputError
from alc_core.phrasing import quoted
from alc_core.releases.release import Release, without_rows
from alc_core.releases.unused import unmatched_columns
from alc_core.runtime.progress import Reporter
from alc_core.studies.risk_numbers.classes import (
    ClassedRows,
    ClassSizes,
    Diversity,
    measure_diversity,
    sizes_with_any_value,
)
from alc_core.studies.risk_numbers.population import NOT_COUNTED, check_population, people_who_fit
from alc_core.studies.risk_numbers.result import (
    LEAST_FIT,
    RiskNumbers,
    RiskSettings,
    RowsAre,
    RowsFit,
)
from alc_core.tables.checks.facts import file_facts
from alc_core.tables.codes.encode import EncodedData, encode
from alc_core.tables.labels.find import with_found_sets
from alc_core.tables.table import Table
from alc_core.tables.value_sets import AnyValue

_LEAST_COUNTED = 0.5
"""Share of rows that must have been looked up for that to be known."""


def measure_risk_numbers(
    original: Table, release: Release, settings: RiskSettings, *, reporter: Reporter | None = None
) -> tuple[RiskNumbers, ...]:
    """Measure the risk numbers of each table of a release that has a known column.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> people = alc.table_from_frame(pd.DataFrame({"age": [20, 30, 30], "job": ["a", "b", "b"]}))
    >>> release = alc.Microdata(tables=(people,), name="release")
    >>> asked = RiskSettings(known=("age",), protected=("job",))
    >>> (found,) = measure_risk_numbers(people, release, asked)
    >>> found.released.smallest, found.released.mean_risk, found.diversity[0].distinct
    (1, 0.6666666666666666, 1)
    """
    reporter = reporter or Reporter()
    if reason := without_rows(release, "Risk numbers need"):
        raise InputError(reason)
    settings.check(original)
    if settings.population is not None:
        check_population(settings.population, len(original))
    tables = [table for table in release.tables if set(settings.known) & set(table.columns)]
    if not tables:
        raise ColumnError(
            f"Release '{release.name}' has none of the known columns {quoted(settings.known)}. "
            "Choose columns that it has."
        )
    for table in (original, *tables):
        if not len(table):
            raise InputError(f"'{table.name}' has no rows. Choose a table with rows.")
    reporter.report("Counting classes of the original")
    own = ClassSizes.of(ClassedRows.of(original, settings.known).sizes)
    return tuple(_measure(original, own, release, table, settings, reporter) for table in tables)


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
    # Read once what labels stand for; encoding takes it over.
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
        released=None if changed else ClassSizes.of(classes.sizes[told]),
        any_value=None if changed else sizes_with_any_value(classes),
        in_original=_in_original(people, classes) if is_sample else None,
        facts=file_facts(original, table),
        diversity=() if changed else _diversities(original, table, protected, classes),
    )


def _classes(table: Table, columns: Sequence[str]) -> ClassedRows:
    """Put rows into classes by label; all labels that may be any value are one."""
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
    """Count how many rows can be people of the original, by the columns that can be compared.

    `by_known` is the share by all known columns.
    """
    told = [column for column in known if column not in unmatched]
    more = [column for column in protected if column not in unmatched]
    single = [column for column in told if not _is_coarser(table, column)]
    found = by_known if told == list(known) else _fit_by(data, table, told)
    return RowsFit(
        known=found,
        single=found if single == told else _fit_by(data, table, single),
        together=_fit_by(data, table, [*told, *more]) if told and more else None,
        coarser=tuple(column for column in told if column not in single),
    )


def _is_coarser(table: Table, column: str) -> bool:
    """Return whether labels of a column stand for several values, but not for any."""
    labels = table.value_sets.get(column, {}).values()
    return any(not isinstance(covers, AnyValue) for covers in labels)


def _rows_are(fit: RowsFit, settings: RiskSettings) -> RowsAre:
    """Say what rows are: as the user says, else as they fit.

    Labels that stand for several values may be read wrongly, or hold others than they say. So
    where they do not fit, the other columns alone decide, and without any it stays unknown.
    """
    if settings.rows_are is not RowsAre.UNKNOWN:
        return settings.rows_are
    if fit.known is not None and fit.known >= LEAST_FIT:
        return RowsAre.PEOPLE
    if fit.single is None:
        return RowsAre.UNKNOWN
    return RowsAre.PEOPLE if fit.single >= LEAST_FIT else RowsAre.CHANGED


def _fit_by(data: EncodedData, table: Table, columns: Sequence[str]) -> float | None:
    """Return the share of rows in classes that have no more rows than people who fit."""
    if not columns:
        return None
    classes = _classes(table, columns)
    return _share_that_fits(
        people_who_fit(data.original, data.released[0], columns, classes), classes
    )


def _share_that_fits(people: IntArray, classes: ClassedRows) -> float | None:
    """Return the share of rows in classes of at most as many rows as people who fit."""
    told = ~classes.nothing_told
    counted = told & (people != NOT_COUNTED)
    rows = float(classes.sizes[counted].sum())
    if not rows or rows < _LEAST_COUNTED * float(classes.sizes[told].sum()):
        return None
    return float(classes.sizes[counted & (classes.sizes <= people)].sum() / rows)


def _in_original(people: IntArray, classes: ClassedRows) -> ClassSizes | None:
    """Return the rows by the people of the original who fit, if all classes were counted."""
    told = ~classes.nothing_told
    people, rows = people[told], classes.sizes[told]
    if not len(people) or (people == NOT_COUNTED).any():
        return None
    # Where labels are read wrongly, a class is at least as large as its rows.
    return ClassSizes.of(np.maximum(people, rows), rows)


def _diversities(
    original: Table, table: Table, protected: Sequence[str], classes: ClassedRows
) -> tuple[Diversity, ...]:
    in_class = ~classes.nothing_told[classes.of_rows]
    found = [
        measure_diversity(
            column, original.kind(column), table.frame[column], classes.of_rows, in_class
        )
        for column in protected
    ]
    return tuple(each for each in found if each is not None)
