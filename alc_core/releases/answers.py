"""Releases with the unknown column in the classes in which a scenario's answers are right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from alc_core.errors import InputError
from alc_core.releases.release import EncodedRelease, Release, with_data
from alc_core.releases.told import with_tables
from alc_core.scenario.derived import with_derived
from alc_core.scenario.scenario import Scenario
from alc_core.tables.codes.answers import at_release_level, cut_within
from alc_core.tables.codes.encode import EncodedData, encode
from alc_core.tables.labels.find import column_sets
from alc_core.tables.table import Table


def asked_tables(
    original: Table, releases: Sequence[Release], columns: Iterable[str]
) -> tuple[Table, tuple[Release, ...]]:
    """Return an original and releases of rows with those columns that names work out."""
    names = [column for column in columns if column not in original.kinds]
    table = with_derived(original, original, names)
    if not table.derived:
        return original, tuple(releases)
    made = []
    for release in releases:
        tables = [with_derived(table, each, names) for each in release.tables]
        same = all(new is old for new, old in zip(tables, release.tables, strict=True))
        kept = same or not release.holds_rows
        made.append(release if kept else with_tables(table, release, tables))
    return table, tuple(made)


def answered(encoded: EncodedRelease, scenario: Scenario) -> EncodedRelease:
    """Return a release as arrays, its unknown column as a scenario says what is right."""
    data = _answered(encoded.data, scenario)
    if data is None:
        raise InputError(
            f"The release does not have '{scenario.unknown}' in classes of several values, so it "
            "has no level of its own. Attack the exact values."
        )
    return encoded if data is encoded.data else with_data(encoded, data)


def _answered(data: EncodedData, scenario: Scenario) -> EncodedData | None:
    column, within, markers = scenario.unknown, scenario.tolerance, scenario.markers
    if within is not None:
        distance, relative = within.distance, within.relative
        data = cut_within(data, column, distance, relative=relative, markers=markers)
    if scenario.level == "exact":
        return data
    return at_release_level(data, column, bins=scenario.bins, markers=markers)


def levels(original: Table, release: Release, scenario: Scenario) -> tuple[Scenario, ...]:
    """Return a scenario, and the same at the level of a release that has its unknown coarsened."""
    original, (release,) = asked_tables(original, [release], [scenario.unknown])
    tables, column = release.coded_tables(), scenario.unknown
    coarse = any(column_sets(original, table, [column]) for table in tables)
    if not coarse and scenario.tolerance is None:
        return (scenario,)
    data = encode(original, tables, columns=[column])
    as_released = replace(scenario, level="release")
    found = _answered(data, as_released)
    return (scenario,) if found is None else (scenario, as_released)
