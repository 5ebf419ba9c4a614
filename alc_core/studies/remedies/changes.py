"""Changes of one released column."""

from __future__ import annotations

import enum
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.errors import InputError
from alc_core.phrasing import decimal, listed, numbered, percent, quoted
from alc_core.releases.cells import to_ranges
from alc_core.releases.registry import with_tables
from alc_core.releases.release import Release
from alc_core.releases.samples.perturbed import swap_columns
from alc_core.studies.utility.released_column import ReleasedColumn
from alc_core.tables.labels.notation import labels_inside
from alc_core.tables.table import Table
from alc_core.tables.value_sets import SUPPRESSED_CELL, Interval, ValueSet

_SHOWN = 4  # Labels, values and columns named at most
_MOST_SPELLED = 2  # Changes written in full at most


class ChangeKind(enum.StrEnum):
    """What is done to a column."""

    DROP = "drop"
    COARSEN = "coarsen"
    SWAP = "swap"


@dataclass(frozen=True, slots=True, kw_only=True)
class DropColumn:
    """Leave a column out."""

    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CoarsenNumbers:
    """Write intervals instead of numbers or dates."""

    column: str
    # First number of each interval, and the last end; days since 1970 for dates
    bounds: tuple[float, ...]
    labels: tuple[str, ...]  # How each interval is written
    covers: tuple[Interval, ...]  # What each interval covers
    width: float | None  # Of each interval; None if equally full
    of_dates: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRare:
    """Write one label for the rare values of a category."""

    column: str
    below: float  # Largest share of rows of a rare value
    rare: tuple[str, ...]  # These values of the release
    kept: int  # How many other values there are
    label: str  # What is written instead


@dataclass(frozen=True, slots=True, kw_only=True)
class UseLevel:
    """Write the labels of a hierarchy's level."""

    column: str
    level: int  # From 1 on, the finest first
    # The level's labels, with the values covered
    labels: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapColumn:
    """Permute values among a share of the rows."""

    column: str
    share: float  # Share of the rows


Coarsen = CoarsenNumbers | MergeRare | UseLevel  # Ways to coarsen a column
Change = DropColumn | Coarsen | SwapColumn  # A change of one column
Remedy = tuple[Change, ...]  # Changes made together, each of another column


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDone:
    """One change in words."""

    column: str
    kind: ChangeKind  # Drop, coarsen or swap
    words: str  # A few words
    instruction: str  # What to do, in a sentence
    # Equivalent code by tool
    in_tools: Mapping[str, str] = field(default_factory=dict)


def in_words(change: Change) -> ChangeDone:
    """Describe a change briefly, and what to do in a sentence."""
    column, kind = change.column, ChangeKind.COARSEN
    match change:
        case DropColumn():
            kind, words = ChangeKind.DROP, f"Drop {column}"
            to_do = f"Remove column '{column}'."
        case SwapColumn(share=share):
            kind, words = ChangeKind.SWAP, f"Swap {percent(share)} of {column}"
            rows = "all rows" if share == 1 else f"{percent(share)} of rows, at random"
            to_do = f"Permute '{column}' among {rows}."
        case CoarsenNumbers(labels=labels, width=width):
            how = f" of {decimal(width)}" if width else ", about as many rows each"
            words = f"Coarsen {column} into {numbered(len(labels), 'interval')}{how}"
            to_do = f"Write '{column}' in intervals: {'; '.join(labels)}."
        case MergeRare(rare=rare, label=label):
            values, below = numbered(len(rare), "value"), percent(change.below)
            words = f"Merge the {values} of {column} rarer than {below} into '{label}'"
            to_do = (
                f"Write '{label}' in '{column}' instead of {quoted(rare, most=_SHOWN)} (each below "
                f"{below} of rows)."
            )
        case UseLevel(level=level):
            names = quoted([label for label, _ in change.labels], most=_SHOWN)
            words = f"Coarsen {column} to level {level} of its hierarchy"
            to_do = f"Write '{column}' by level {level} of its hierarchy: {names}."
    return ChangeDone(column=column, kind=kind, words=words, instruction=to_do)


def remedy_words(changes: Remedy) -> str:
    """Describe changes briefly, equal ones of several columns together.

    Examples
    --------
    >>> remedy_words((DropColumn(column="zip"), SwapColumn(column="job", share=0.2)))
    'Drop zip; swap 20% of job'
    >>> remedy_words(tuple(SwapColumn(column=each, share=0.2) for each in "abc"))
    'Swap 20% of each of 3 columns (a, b and c)'
    """
    swapped = [each for each in changes if isinstance(each, SwapColumn)]
    coarse = [each for each in changes if isinstance(each, Coarsen)]
    if len(changes) > 1 and len(swapped) == len(changes):
        shares = {each.share for each in swapped}
        if len(shares) == 1:
            return f"Swap {percent(shares.pop())} of each of {_named(changes)}"
    if len(changes) > _MOST_SPELLED and len(coarse) == len(changes):
        values = sum(
            each.kept + 1 if isinstance(each, MergeRare) else len(each.labels) for each in coarse
        )
        return f"Coarsen {_named(changes)} to {values} values in all"
    first, *others = (in_words(each).words for each in changes)
    return "; ".join([first, *(f"{each[0].lower()}{each[1:]}" for each in others)])


def _named(changes: Remedy) -> str:
    most = _SHOWN if len(changes) > _SHOWN + 1 else None
    return f"{len(changes)} columns ({listed([each.column for each in changes], most=most)})"


T = TypeVar("T")


def changed_release(
    original: Table, release: Release, changes: Remedy, *, seed: int = 0
) -> Release:
    """Return a release with all of its tables changed."""
    tables = []
    for number in tables_left(release, changes):
        table = release.tables[number]
        for change in changes:
            if change.column in table.columns:
                table = _changed_table(original, table, change, seed=[seed, number])
        tables.append(table)
    if not tables:
        dropped = quoted([change.column for change in changes])
        raise InputError(f"Nothing of '{release.name}' is left without {dropped}.")
    return with_tables(original, release, tables)


def tables_left(release: Release, changes: Remedy) -> list[int]:
    """Return the tables that still have a column after some changes."""
    dropped = {change.column for change in changes if isinstance(change, DropColumn)}
    return [
        place for place, table in enumerate(release.tables) if not dropped >= set(table.columns)
    ]


def _changed_table(original: Table, table: Table, change: Change, *, seed: list[int]) -> Table:
    column = change.column
    if isinstance(change, DropColumn):

        def rest(of: Mapping[str, T]) -> Mapping[str, T]:
            return MappingProxyType({name: each for name, each in of.items() if name != column})

        return replace(
            table,
            frame=table.frame.drop(columns=column),
            guesses=rest(table.guesses),
            overrides=rest(table.overrides),
            value_sets=rest(table.value_sets),
            maybe_thousands=rest(table.maybe_thousands),
            fingerprint="",
        )
    if isinstance(change, SwapColumn):
        rng = np.random.default_rng([*seed, zlib.crc32(column.encode())])
        swapped = swap_columns(table.frame[[column]], change.share, seed=int(rng.integers(2**31)))
        return _with_column(table, column, swapped[column].set_axis(table.frame.index))
    before = ReleasedColumn.of(original, table, column)
    new, covers = _coarser(change, before)
    known = {*before.labels, *before.sets, *covers, *before.domain.labels.index}
    new = [label if label in known else None for label in new]  # what covers nothing is no value
    kept = {label for label in new if label is not None} | {SUPPRESSED_CELL}
    sets = {label: each for label, each in {**before.sets, **covers}.items() if label in kept}
    coarse = _with_column(table, column, _series(before.codes, new, table.frame.index))
    return coarse.with_value_sets(column, sets) if sets else coarse


def _with_column(table: Table, column: str, series: pd.Series) -> Table:
    return replace(table, frame=table.frame.assign(**{column: series}), fingerprint="")


def _series(codes: NDArray[np.int32], labels: list[str | None], index: pd.Index) -> pd.Series:
    distinct = list(dict.fromkeys(label for label in labels if label is not None))
    place = {label: number for number, label in enumerate(distinct)}
    mapped = np.array([-1 if label is None else place[label] for label in labels] + [-1])
    values = pd.Categorical.from_codes(mapped[codes], categories=pd.Index(distinct, dtype=object))
    return pd.Series(values, index=index)


def _coarser(
    change: Coarsen, before: ReleasedColumn
) -> tuple[list[str | None], Mapping[str, ValueSet]]:
    if isinstance(change, CoarsenNumbers):
        return _in_intervals(change, before)
    if isinstance(change, MergeRare):
        single = set(before.single)
        values = frozenset(value for value in change.rare if value in single)
        new: list[str | None] = [
            change.label if label in values else label for label in before.labels
        ]
        covered = frozenset(value for value in values if before.domain.has(value))
        return new, {change.label: covered} if covered else {}
    label_of = {value: label for label, values in change.labels for value in values}
    return [label_of.get(label, label) for label in before.labels], {}


def _in_intervals(
    change: CoarsenNumbers, before: ReleasedColumn
) -> tuple[list[str | None], Mapping[str, ValueSet]]:
    """Put numbers, and intervals within one, into intervals; codes stay."""
    bounds = np.array(change.bounds)
    new: list[str | None] = []
    for label, place in zip(before.labels, to_ranges(before.numbers, bounds), strict=True):
        if place >= 0:
            new.append(change.labels[place])
        elif isinstance(covered := before.sets.get(label), Interval):
            low, high = covered.closed_bounds
            around = (
                name
                for name, interval in zip(change.labels, change.covers, strict=True)
                if low in interval and high in interval
            )
            new.append(next(around, label))
        else:
            new.append(label if covered is not None or before.domain.has(label) else None)
    covers: dict[str, ValueSet] = {
        label: interval if before.domain.numeric else labels_inside(before.domain, interval)
        for label, interval in zip(change.labels, change.covers, strict=True)
        if interval.low < interval.high
    }
    return new, {label: each for label, each in covers.items() if each}
