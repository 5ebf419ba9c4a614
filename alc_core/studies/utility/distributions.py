"""One column's distribution in original and release, rare values unnamed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from alc_core.arrays import FloatArray, IntArray
from alc_core.errors import ColumnError
from alc_core.phrasing import count
from alc_core.releases.registry import ReleaseLike, as_release
from alc_core.studies.utility.coding import (
    NumberBins,
    check_rows,
    is_missing,
    number_bins,
    widest_holder,
)
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.codes.encode import CategoricalCodes, ContinuousScale, encode
from alc_core.tables.codes.sets import IntervalSets, SetColumn
from alc_core.tables.table import missing_column_message
from alc_core.tables.values.texts import parse_numbers

Part = Literal["value", "range", "rest", "outside", "missing", "suppressed", "unreadable"]

FEWEST_PEOPLE = 10  # Rarer values of the original are not named
MOST_VALUES = 15  # Values that are named at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A part of a distribution."""

    label: str  # A value, a range or a kind of others
    # "value"; "range" of numbers; "rest" of unnamed values; numbers "outside" the original's;
    # "missing"; "suppressed"; "unreadable" numbers or dates
    part: Part
    original: float  # Share of the rows
    released: float

    @property
    def only_in(self) -> Literal["", "original", "release"]:
        """The only table that has it; empty if both have."""
        if self.original and self.released:
            return ""
        return "original" if self.original else "release"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnDistribution:
    """A column of original and release, in shares of rows."""

    column: str  # What is compared
    release: str
    # Whether bars begin with ordered ranges; else with values, commonest first, or in order if
    # numbers
    numeric: bool
    bars: tuple[Bar, ...]  # Each table's shares add up to 1
    # Share of released rows with generalized labels, spread evenly over what they cover
    spread: float
    several_tables: str  # The table shown of several; else empty
    fewest: int  # Rarer values of the original are not named

    @property
    def distance(self) -> float:
        """Total variation distance of the bars."""
        return sum(abs(bar.original - bar.released) for bar in self.bars) / 2


def column_distribution(
    original: TableLike,
    release: ReleaseLike,
    column: str,
    *,
    fewest: int = FEWEST_PEOPLE,
) -> ColumnDistribution:
    """Compare a column's distribution in original and release."""
    table = as_table(original, name="original")
    released = as_release(release, table)
    table.require(column)
    compared = {*table.compared, column}
    widths = [[name for name in each.columns if name in compared] for each in released.tables]
    holder = widest_holder(widths, [column])
    if holder is None:
        raise ColumnError(missing_column_message(released.tables[0], column))
    source = released.tables[holder]
    check_rows([table, source])
    data = encode(table, [source], columns=[column])
    spec, values = data.specs[column], data.original.columns[column]
    sets = data.released[0].set_columns.get(column)  # Of generalized labels
    found = data.released[0].columns[column] if sets is None else sets.single[~sets.labelled]
    if isinstance(spec, CategoricalCodes):
        bars = _value_bars(spec, values.astype(np.int64), found.astype(np.int64), sets, fewest)
    else:
        frames = table.frame[column], source.frame[column]
        numbers = values.astype(np.float64), found.astype(np.float64)
        bars = _range_bars(spec, numbers, frames, sets, fewest)
    several = 0.0 if sets is None else float(np.mean(sets.labelled & ~sets.suppressed))
    return ColumnDistribution(
        column=column,
        release=released.name,
        numeric=isinstance(spec, ContinuousScale),
        bars=tuple(
            Bar(label=label, part=part, original=float(mine / len(table)),
                released=float(theirs / len(source)))
            for label, part, mine, theirs in bars
            if mine or theirs or part == "range"
        ),
        spread=several,
        several_tables=source.name if len(released.tables) > 1 else "",
        fewest=fewest,
    )  # fmt: skip


_Counted = tuple[str, Part, float, float]  # A bar in rows


def _label_rows(sets: SetColumn) -> FloatArray:
    rows = np.bincount(sets.codes[~sets.suppressed], minlength=len(sets.labels) + 1)
    return rows[: len(sets.labels)].astype(np.float64)


def _value_bars(
    spec: CategoricalCodes,
    original: IntArray,
    single: IntArray,
    sets: SetColumn | None,
    fewest: int,
) -> list[_Counted]:
    mine = np.bincount(original, minlength=spec.size).astype(np.float64)
    theirs = np.bincount(single, minlength=spec.size).astype(np.float64)
    if sets is not None and not isinstance(sets.sets, IntervalSets):
        # Without rows, all values covered are equally likely
        theirs += _label_rows(sets) @ sets.sets.weights(np.zeros(spec.size))
    missing = mine[-1], theirs[-1]
    mine, theirs = mine[:-1], theirs[:-1]
    common = (mine >= fewest) | ((mine == 0) & (theirs >= fewest))
    weight = np.maximum(mine / len(original), theirs / max(theirs.sum(), 1.0))
    order = np.lexsort((-theirs, -mine, -weight * common))
    named = [code for code in order[:MOST_VALUES].tolist() if common[code]]
    numbers = parse_numbers([spec.labels[code] for code in named])
    if np.isnan(numbers).any():
        named.sort(key=lambda code: (-mine[code], -theirs[code]))
    else:
        named = [named[place] for place in np.argsort(numbers, kind="stable").tolist()]
    bars: list[_Counted] = [
        (spec.labels[code], "value", mine[code], theirs[code]) for code in named
    ]
    rest = np.ones(len(mine), dtype=bool)
    rest[named] = False
    for label, codes in (
        ("Other values", rest & (mine > 0)),
        ("Other values, only in the release", rest & (mine == 0) & (theirs > 0)),
    ):
        words = f"{label} ({count(int(codes.sum()))})"
        bars.append((words, "rest", mine[codes].sum(), theirs[codes].sum()))
    return [*bars, *_without_value(missing, sets)]


def _range_bars(
    spec: ContinuousScale,
    numbers: tuple[FloatArray, FloatArray],
    frames: tuple[pd.Series, pd.Series],
    sets: SetColumn | None,
    fewest: int,
) -> list[_Counted]:
    what = "date" if spec.of_dates else "number"
    blank = is_missing(frames[0]), is_missing(frames[1])
    if sets is not None:
        blank = blank[0], blank[1][~sets.labelled]
    empty = np.isnan(numbers[0]), np.isnan(numbers[1])
    mine, theirs = numbers[0][~empty[0]], numbers[1][~empty[1]]
    bars: list[_Counted] = []
    if len(mine):
        bins = number_bins(mine, fewest=fewest, of_dates=spec.of_dates)
        bars += _bin_bars(bins, mine, theirs, sets, fewest)
    else:
        covered = 0.0 if sets is None else _label_rows(sets).sum()
        bars.append((f"Any {what}", "outside", 0, len(theirs) + covered))
    unreadable = [float((none & ~gap).sum()) for none, gap in zip(empty, blank, strict=True)]
    missing = [float((none & gap).sum()) for none, gap in zip(empty, blank, strict=True)]
    bars.append((f"Not a {what}", "unreadable", unreadable[0], unreadable[1]))
    return [*bars, *_without_value((missing[0], missing[1]), sets)]


def _bin_bars(
    bins: NumberBins, mine: FloatArray, theirs: FloatArray, sets: SetColumn | None, fewest: int
) -> list[_Counted]:
    below, above = theirs < mine.min(), theirs > mine.max()
    rows, released = bins.counts(mine), bins.counts(theirs[~below & ~above])
    if sets is not None and isinstance(sets.sets, IntervalSets):
        released += _label_rows(sets) @ bins.shares(sets.sets.low, sets.sets.high)
    rare = (rows > 0) & (rows < fewest)
    bars: list[_Counted] = [("Below the original's lowest", "outside", 0, float(below.sum()))]
    bars += [
        (label, "range", rows[place], released[place])
        for place, label in enumerate(bins.labels)
        if not rare[place]
    ]
    bars += [
        ("Above the original's highest", "outside", 0, float(above.sum())),
        (f"Rare ranges ({count(int(rare.sum()))})", "rest", rows[rare].sum(), released[rare].sum()),
    ]
    return bars


def _without_value(missing: tuple[float, float], sets: SetColumn | None) -> list[_Counted]:
    suppressed = 0.0 if sets is None else float(sets.suppressed.sum())
    return [("Suppressed", "suppressed", 0.0, suppressed), ("Missing", "missing", *missing)]
