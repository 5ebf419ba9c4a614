"""Releases with the unknown column in the classes of correct answers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from alc_core.arrays import BoolArray, CodeArray, FloatArray
from alc_core.errors import ColumnError, InputError
from alc_core.phrasing import count
from alc_core.releases.registry import with_tables
from alc_core.releases.release import EncodedRelease, Release, with_data
from alc_core.scenario.derived import with_condition, with_derived
from alc_core.scenario.scenario import YES, Scenario, Targets
from alc_core.tables.codes.columns import CategoricalCodes, ContinuousScale
from alc_core.tables.codes.encode import EncodedData, EncodedTable, encode
from alc_core.tables.codes.sets import IntervalSets, LabelSets, SetColumn
from alc_core.tables.labels.find import column_sets
from alc_core.tables.labels.intervals import with_intervals
from alc_core.tables.table import Table


def asked_tables(
    original: Table, releases: Sequence[Release], columns: Iterable[str]
) -> tuple[Table, tuple[Release, ...]]:
    """Return original and row releases with derived columns and parts' conditions."""
    names = [column for column in columns if column not in original.kinds]
    table = _with_parts(original, releases, names)
    table = with_derived(table, table, names)
    if not table.derived:
        return original, tuple(releases)
    made = []
    for release in releases:
        tables = [with_derived(table, each, names) for each in release.tables]
        same = all(new is old for new, old in zip(tables, release.tables, strict=True))
        kept = same or not release.holds_rows
        made.append(release if kept else with_tables(table, release, tables))
    return table, tuple(made)


def knowing_intervals(scenario: Scenario, original: Table, release: Release) -> Scenario:
    """Return a scenario with the days between known dates in their place if these are shifted."""
    tables = release.tables if release.holds_rows else ()
    return replace(scenario, known=with_intervals(original, tables, scenario.known))


def _with_parts(original: Table, releases: Iterable[Release], names: Sequence[str]) -> Table:
    """Return the original with columns for the conditions of releases' parts."""
    table = original
    for release in releases if names else ():
        for name, who in _all_parts(original, release).items():
            if name in names and name not in table.columns:
                table = with_condition(table, name, who)
    return table


def _all_parts(original: Table, release: Release) -> dict[str, BoolArray]:
    return {
        **release.parts(original, selected=True), **release.parts(original, selected=False)
    }  # fmt: skip


def answered(encoded: EncodedRelease, scenario: Scenario) -> EncodedRelease:
    """Return a release with the unknown column in the scenario's classes."""
    data = _answered(encoded.data, scenario)
    if data is None:
        raise InputError(
            f"The release has no generalized '{scenario.unknown}'. Attack the exact values."
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
    """Return a scenario, its copy at a coarsened level, and both on parts."""
    where = scenario.selection.where
    parts = release.parts(original, selected=bool(where))
    if where and not _all_parts(original, release).keys().isdisjoint(where):
        parts = {}
    found = _levels(original, release, scenario)
    read = (replace(s, targets=_meeting(part, s.selection)) for part in parts for s in found)
    return (*found, *read)


def _meeting(part: str, targets: Targets) -> Targets:
    return replace(targets, where={**targets.where, part: (YES,)})


def _levels(original: Table, release: Release, scenario: Scenario) -> tuple[Scenario, ...]:
    original, (release,) = asked_tables(original, [release], [scenario.unknown])
    tables, column = release.coded_tables(), scenario.unknown
    coarse = any(column_sets(original, table, [column]) for table in tables)
    if not coarse and scenario.tolerance is None:
        return (scenario,)
    data = encode(original, tables, columns=[column])
    as_released = replace(scenario, level="release")
    found = _answered(data, as_released)
    return (scenario,) if found is None else (scenario, as_released)


MOST_RANGES = 1_000  # Most ranges of a number
_PARTS = 3  # A tolerance is this many ranges: the named one and its neighbours
# Share of generalized labels of a coarsened column
COARSENED_SHARE = 0.5


def cut_within(
    data: EncodedData, column: str, distance: float, *, relative: bool, markers: Sequence[str]
) -> EncodedData:
    """Return data with a column cut so that neighbouring ranges are near.

    A range and its neighbours are within the distance of its middle.
    """
    spec = data.specs[column]
    if not isinstance(spec, ContinuousScale) or (relative and spec.of_dates):
        held, give = (
            ("dates", "Give a number of days.")
            if isinstance(spec, ContinuousScale)
            else ("categories", "Give no tolerance, or make the column continuous.")
        )
        raise ColumnError(f"Column '{column}' holds {held}, which have no such distance. {give}")
    numbers = np.asarray(data.original.columns[column], dtype=np.float64)
    present = numbers[np.isfinite(numbers) & ~spec.is_marker(numbers, markers)]
    if not len(present):
        return data
    low, high = float(present.min()), float(present.max())
    sizes = np.abs(present[present != 0]) if relative else present
    least, most = (float(sizes.min()), float(sizes.max())) if len(sizes) else (1.0, 1.0)
    step = (np.log((1 + distance) / (1 - distance)) if relative else 2 * distance) / _PARTS
    whole = np.log(most / least) if relative else most - least
    ranges = max(1, int(np.ceil(whole / step)))
    if ranges > MOST_RANGES:
        told = f"{100 * distance:g}%" if relative else f"{distance:g}"
        raise InputError(
            f"Widen the tolerance of {told}: it cuts '{column}' into {count(ranges)} ranges, more "
            f"than {count(MOST_RANGES)}."
        )
    steps = step * np.arange(ranges + 1)
    edges = _signed(least * np.exp(steps), low, high) if relative else low + steps
    # Empty ranges separate numbers from missing
    edges[-1] = max(edges[-1], np.nextafter(high, np.inf))
    last = np.nextafter(edges[-1], np.inf)
    return _with_cuts(data, column, [*edges, last, np.nextafter(last, np.inf)], near=True)


def _signed(above: FloatArray, low: float, high: float) -> FloatArray:
    between = above[0] * np.array([1 / 3, 2 / 3])
    below = [*np.nextafter(-above, np.inf)[::-1], *-between[::-1]]
    return np.array([*(below if low < 0 else [0.0]), *([*between, *above] if high > 0 else [0.0])])


def _with_cuts(
    data: EncodedData, column: str, edges: Sequence[float] | FloatArray, *, near: bool
) -> EncodedData:
    spec = cast(ContinuousScale, data.specs[column])
    spec = replace(spec, cuts=tuple(map(float, edges)), near=near)
    return replace(data, specs={**data.specs, column: spec})


def at_release_level(
    data: EncodedData, column: str, *, bins: int, markers: Sequence[str]
) -> EncodedData | None:
    """Return data with the release's classes of a column.

    Classes are generalized labels' value sets, most rows first, without overlap. Other values stay;
    numbers keep their bins if released singly, else are joined.
    """
    holders = [t for t in data.released if t.has(column)]
    coarse = [t.set_columns[column] for t in holders if column in t.set_columns]
    told = sum(int((~c.suppressed & c.labelled).sum()) for c in coarse)
    if not told or told < COARSENED_SHARE * sum(map(len, holders)):
        return None
    original = data.original
    before = data.as_unknown(original, column, bins, markers)
    if isinstance(data.specs[column], ContinuousScale):
        single = [
            t.set_columns[column].single if column in t.set_columns else t.columns[column]
            for t in holders
        ]
        edges = _range_edges(data, column, coarse, np.concatenate(single), bins, markers)
        changed = _with_cuts(data, column, edges, near=False)
    else:
        changed = _with_classes(data, column, coarse, data.lacks_value(column, markers))
    after = changed.as_unknown(original, column, bins, markers)
    classes = changed.unknown_codes(column, bins, markers).size - 1
    if classes < 2 or np.ptp(after) == 0:
        return None
    return changed if classes < len(np.unique(before)) or _span(after, before) else None


def _span(classes: CodeArray, bins: CodeArray) -> bool:
    pairs = np.unique(np.stack([classes, bins]), axis=1)[0]
    return bool(2 * np.isin(classes, pairs[:-1][pairs[1:] == pairs[:-1]]).sum() > len(classes))


def _range_edges(
    data: EncodedData,
    column: str,
    coarse: Sequence[SetColumn],
    single: FloatArray,
    bins: int,
    markers: Sequence[str],
) -> FloatArray:
    """Return the classes' first numbers, and the end of the last."""
    rows: dict[tuple[float, float], int] = {}
    for each in coarse:
        sets = cast(IntervalSets, each.sets)
        counts = np.bincount(each.codes, minlength=len(each.labels))
        for low, high, every, times in zip(sets.low, sets.high, sets.any, counts, strict=False):
            if not every:
                rows[low, high] = rows.get((low, high), 0) + int(times)
    chosen: list[tuple[float, float]] = []
    for low, high in sorted(rows, key=lambda ends: (-rows[ends], ends)):
        if not any(low < other_high and other_low < high for other_low, other_high in chosen):
            chosen.append((low, high))
    spec = cast(ContinuousScale, data.specs[column])
    numbers = np.asarray(data.original.columns[column], dtype=np.float64)
    present = numbers[np.isfinite(numbers) & ~spec.is_marker(numbers, markers)]
    scale = spec.of_values(numbers, markers, bins)
    between = scale.edges(bins)[np.unique(scale.to_bins(single[np.isfinite(single)], bins))]
    inside = np.any([(low < between) & (between <= high) for low, high in chosen], axis=0)
    ends = [np.nextafter(high, np.inf) for _, high in chosen]
    starts = np.unique([*(low for low, _ in chosen), *ends, *between[~inside]])
    # No class begins without people, such as between 39 and 40
    held = np.unique(np.maximum(np.searchsorted(starts, present, side="right") - 1, 0))
    last = np.nextafter(starts[held][-1], np.inf)
    return np.append(starts[held], max(spec.maximum, last))


def _with_classes(
    data: EncodedData, column: str, coarse: Sequence[SetColumn], lacking: np.ndarray
) -> EncodedData:
    codes = cast(CategoricalCodes, data.specs[column])
    covered: dict[str, np.ndarray] = {}
    rows: dict[str, int] = {}
    for each in coarse:
        sets = cast(LabelSets, each.sets).covered
        for number, label in enumerate(each.labels):
            if not sets[number].all():
                covered.setdefault(label, sets[number])
                rows[label] = rows.get(label, 0) + int((each.codes == number).sum())
    original = np.asarray(data.original.columns[column], dtype=np.int32)
    names = np.array([*codes.labels, ""], dtype=object)
    alone = np.ones(codes.size, dtype=bool)
    for label in sorted(rows, key=lambda label: (-rows[label], label)):
        if alone[covered[label]].all():
            names[covered[label]] = label
            alone[covered[label]] = False
    there = ~alone  # Labels of other releases are not classes
    there[original] = True
    for table in data.released:
        if column in table.columns:
            there[table.columns[column].astype(np.intp)] = True
        elif column in table.set_columns:
            there[table.set_columns[column].single.astype(np.intp)] = True
    kept = np.setdiff1d(np.flatnonzero(there[:-1]), np.unique(original[lacking]))
    labels = tuple(dict.fromkeys(names[kept].tolist()))
    place = {label: number for number, label in enumerate(labels)}
    of_code = np.full(codes.size, len(labels), dtype=np.int32)
    of_code[kept] = [place[name] for name in names[kept]]
    tables = [_in_classes(table, column, of_code) for table in (data.original, *data.released)]
    return replace(
        data,
        specs={**data.specs, column: CategoricalCodes(name=column, labels=labels)},
        original=tables[0],
        released=tuple(tables[1:]),
    )


def _in_classes(table: EncodedTable, column: str, of_code: CodeArray) -> EncodedTable:
    """Return a table coded by class; a label within a class is that class."""
    if column in table.columns:
        return replace(
            table, columns={**table.columns, column: of_code[table.columns[column].astype(np.intp)]}
        )
    if column not in table.set_columns:
        return table
    found = table.set_columns[column]
    classes = np.eye(of_code.max() + 1, dtype=bool)[of_code]
    covered = cast(LabelSets, found.sets).covered @ classes
    sure = covered[:, :-1].sum(axis=1) == 1
    # The last entry is for rows without a label.
    places = np.append(np.where(sure, np.int32((~sure).sum()), np.cumsum(~sure) - 1), (~sure).sum())
    single = np.append(np.where(sure, covered.argmax(axis=1), -1), -1)[found.codes]
    plain = of_code[found.single.astype(np.intp)]
    single = np.where(found.labelled, single, plain).astype(np.int32)
    if sure.all():
        others = {name: sets for name, sets in table.set_columns.items() if name != column}
        return replace(table, columns={**table.columns, column: single}, set_columns=others)
    labels = tuple(itertools.compress(found.labels, ~sure))
    sets: Mapping[str, SetColumn] = {
        **table.set_columns,
        column: SetColumn(
            labels=labels,
            codes=places[found.codes].astype(np.int32),
            sets=LabelSets(covered=covered[~sure]),
            single=single,
        ),
    }
    return replace(table, set_columns=sets)
