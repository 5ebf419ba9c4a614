"""One or two facts that lead to a person's row, and what it reveals.

A number that only one person has is as good as a name; trees and copies release such numbers
unchanged.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from alc_core.arrays import BoolArray, FloatArray, RowArray, mid_ranks, some_rows
from alc_core.runtime.kernels import mixed
from alc_core.tables.own_together import (
    Keys,
    Returning,
    once_and_strangers,
    some_alike,
)
from alc_core.tables.same_rows import random_numbers
from alc_core.tables.table import ColumnKind, Table, once_of_both
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.texts import numeric_values

# Limits, measured by benchmarks/few_facts.py (docs/methods.md, Numbers that one person has)
_FEWEST = 30  # People led to a row, beyond chance
_LEAST = 0.02  # Their share of all people
_SURE = 5.0  # Standard errors beyond chance
_TIMES_CHANCE = 2.0  # Times chance
_MOST_ROWS = 20_000  # Rows examined
_WIDEST = 10  # Columns of most values tried in pairs
_MOST_ASKED = 2_000  # People linked to the nearest row
_MOST_NEAR = 4  # Numbers that link them
_FINEST = 4  # Numbers tried in long tables
_WITH_EACH = 3  # The first of them are tried with each other column
_NEAR = 0.02  # Share of people between equal numbers
_LEAST_TOLD = 0.25  # Share of linked people whose row reveals more than neighbours'
_CLEARLY_MORE = 1.25  # Factor of people a second fact must add


class _Linked(NamedTuple):
    people: RowArray
    rows: RowArray
    neighbours: RowArray  # Another person each, with nearly the same facts
    found: Returning | None = None  # If linked by equal facts
    is_rare: bool = False  # Whether far fewer would return by chance


class _Rows:
    """Rows of both tables, linked by few columns."""

    def __init__(self, original: Table, release: Table, *, by: str | None) -> None:
        """Take all rows; if long, those with some values of a column, if given."""
        self._original = original
        self._frames = original.frame, release.frame
        if by is not None:
            self._frames = some_alike(*self._frames, by=by, most=_MOST_ROWS)
        self._keys: dict[str, tuple[Keys, Keys]] = {}
        self._ranks: dict[str, tuple[FloatArray, FloatArray]] = {}

    def keys(self, column: str) -> tuple[Keys, Keys]:
        if column not in self._keys:
            both = random_numbers(*(frame[[column]] for frame in self._frames))
            place = np.uint64(self._original.columns.index(column))
            own, released = (
                (mixed(each + place) >> np.uint64(32)).astype(np.uint32) for (each,) in both
            )
            self._keys[column] = own, released
        return self._keys[column]

    def ranks(self, column: str) -> tuple[FloatArray, FloatArray] | None:
        if not _is_number(self._original, column):
            return None
        if column not in self._ranks:
            dates = self._original.kind(column) is ColumnKind.DATETIME
            read = datetime_values if dates else numeric_values
            own, released = (read(frame[column]) for frame in self._frames)
            self._ranks[column] = mid_ranks(own, own), mid_ranks(released, own)
        return self._ranks[column]

    def linked(self, facts: Sequence[str]) -> _Linked | None:
        """Link people by facts; None if no more than by chance.

        In a dense range most numbers return by chance, too; a copy then shows in other columns.
        """
        own, released = (
            np.asarray(np.add.reduce([self.keys(c)[table] for c in facts]), dtype=np.uint32)
            for table in (0, 1)
        )
        people, least = len(own), max(_FEWEST, _LEAST * len(own))
        if min(len(own), len(released)) < least:
            return None
        once, expected = once_and_strangers(own, len(released))
        if len(once) < least:
            return None
        values, first = np.unique(released, return_index=True)
        at = np.minimum(np.searchsorted(values, own), len(values) - 1)
        found = np.flatnonzero(np.isin(own, once) & (values[at] == own))
        beyond = len(found) - expected * len(once)
        if beyond < max(least, _SURE * math.sqrt(max(len(found), 1))):
            return None
        return _Linked(
            people=found,
            rows=first[at[found]],
            neighbours=self._neighbours(facts)[found],
            found=Returning(
                columns=tuple(facts),
                singled_out=len(once) / people,
                share=len(found) / len(once),
                expected=expected,
            ),
            is_rare=len(found) >= _TIMES_CHANCE * expected * len(once),
        )

    def nearest(self, facts: Sequence[str]) -> _Linked | None:
        """Link some people to the row of nearest numbers; None if numbers are missing."""
        from scipy.spatial import cKDTree

        ranks = [each for each in map(self.ranks, facts) if each is not None]
        both = (np.column_stack(each) for each in zip(*ranks, strict=True))
        (own, mine), (released, theirs) = ((each, _without_nan(each)) for each in both)
        if min(len(mine), len(theirs)) < _FEWEST:
            return None
        asked = some_rows(mine, _MOST_ASKED, np.random.default_rng(0))
        rows = cKDTree(released[theirs]).query(own[asked])[1]
        two = mine[cKDTree(own[mine]).query(own[asked], k=2)[1]]
        others = np.where(two[:, 0] == asked, two[:, 1], two[:, 0])
        return _Linked(people=asked, rows=theirs[rows], neighbours=others)

    def revealed(
        self, facts: Sequence[str], hidden: Mapping[str, Collection[str]]
    ) -> Iterator[tuple[str, float]]:
        """Yield columns that rows of nearest numbers reveal, and of how many people asked."""
        if (linked := self.nearest(facts)) is None:
            return
        for column, same in hidden.items():
            if {column, *same}.isdisjoint(facts) and (told := self.told(linked, column)):
                yield column, told

    def _neighbours(self, facts: Sequence[str]) -> RowArray:
        """Return another person each: same last fact, nearly the same first."""
        values = [self.keys(c)[0] if (r := self.ranks(c)) is None else r[0] for c in facts]
        rows = np.lexsort(values)
        following = np.empty_like(rows)
        following[rows] = np.roll(rows, -1)
        return following

    def told(self, linked: _Linked, unknown: str) -> float:
        """Return people whose column their row reveals, beyond neighbours'."""
        person = self._same(unknown, linked.people, linked.rows)
        neighbour = (
            self._same(unknown, linked.people, linked.neighbours, of_people=True)
            if linked.found is None  # The nearest person in place of the row
            else self._same(unknown, linked.neighbours, linked.rows)
        )
        people, right = len(person), float(person.mean())
        chance = max(float(neighbour.mean()), self._most_frequent(unknown))
        variance = right * (1 - right) + chance * (1 - chance)
        sure = _SURE * math.sqrt(max(variance, 1 / people) / people)
        beyond = right - chance
        return 0.0 if beyond < max(sure, _LEAST_TOLD * (1 - chance)) else beyond * people

    def _same(
        self, column: str, people: RowArray, rows: RowArray, *, of_people: bool = False
    ) -> BoolArray:
        if (ranks := self.ranks(column)) is not None:
            other = ranks[not of_people]
            return np.asarray(np.abs(ranks[0][people] - other[rows]) <= _NEAR)
        keys = self.keys(column)
        return np.asarray(keys[0][people] == keys[not of_people][rows])

    def _most_frequent(self, column: str) -> float:
        if self.ranks(column) is not None:
            return 0.0
        own, _ = self.keys(column)
        return float(np.unique(own, return_counts=True)[1].max() / len(own))


def _without_nan(values: FloatArray) -> RowArray:
    return np.flatnonzero(np.isfinite(values).all(axis=1))


def _is_number(original: Table, column: str) -> bool:
    kind = original.kind(column)
    return kind.is_numeric or kind is ColumnKind.DATETIME


@once_of_both
def copied_numbers(original: Table, release: Table) -> tuple[Returning, ...]:
    """Return columns of released numbers that only one person has.

    Most returning first.
    """
    shared = (column for column in release.columns if column in original.own_compared)
    numbers = filter(partial(_is_number, original), shared)
    linked = (_Rows(original, release, by=c).linked([c]) for c in numbers)
    found = [each.found for each in linked if each and each.found and each.is_rare]
    return tuple(sorted(found, key=lambda each: -each.share * each.singled_out))


def telling_facts(
    original: Table,
    release: Table,
    columns: Sequence[str],
    hidden: Mapping[str, Collection[str]],
) -> dict[str, tuple[str, ...]]:
    """Return by column one or two others that reveal it for most people.

    Single columns, and pairs with those of most values. `hidden` has columns with the same content.
    """
    counts = {c: original.frame[c].nunique() for c in columns}
    finest = sorted(columns, key=counts.__getitem__, reverse=True)
    alone = ((c,) for c in finest if counts[c] >= _LEAST * len(original))
    pairs = (
        (column, other)
        for place, column in enumerate(finest[:_WIDEST])
        for other in finest[place + 1 : None if place < _WITH_EACH else _WIDEST]
    )
    best: dict[str, tuple[bool, float, tuple[str, ...]]] = {}
    long = max(len(original), len(release)) > _MOST_ROWS
    facts, by = None, ""
    for known in itertools.chain(alone, pairs):
        if facts is None or (long and by != known[0]):
            facts, by = _Rows(original, release, by=known[0]), known[0]
        if (linked := facts.linked(known)) is None:
            continue
        for column, same in hidden.items():
            if column in known or not {*same}.isdisjoint(known):
                continue
            rare, most, before = best.get(column, (False, 0.0, ()))
            if rare and not linked.is_rare:
                continue
            told = facts.told(linked, column)
            more = _CLEARLY_MORE if len(known) > len(before) > 0 else 1.0
            if told and (linked.is_rare, told) > (rare, more * most):
                best[column] = linked.is_rare, told, known
    exact = {column: known for column, (_, _, known) in best.items()}
    numbers = [column for column in finest if _is_number(original, column)]
    numbers = numbers[: _FINEST if long else _WIDEST]
    near = _near_facts(_Rows(original, release, by=None), numbers, hidden)
    return near | exact


def _near_facts(
    rows: _Rows, numbers: Sequence[str], hidden: Mapping[str, Collection[str]]
) -> dict[str, tuple[str, ...]]:
    """Return by column few numbers whose nearest row reveals it more than that by all numbers.

    Noise hides a person's row from equal numbers, and others' numbers hide it among all.
    """
    best: dict[str, tuple[float, tuple[str, ...]]] = {}
    tried: list[tuple[str, ...]] = [*itertools.combinations(numbers, 2)]
    for _ in range(_MOST_NEAR - 1):
        revealed: dict[tuple[str, ...], float] = {}
        for known in tried:
            for column, told in rows.revealed(known, hidden):
                revealed[known] = revealed.get(known, 0.0) + told
                if told > _CLEARLY_MORE * best.get(column, (0.0, ()))[0]:
                    best[column] = told, known
        if not revealed:
            break
        lead = max(revealed, key=revealed.__getitem__)
        tried = [(*lead, column) for column in numbers if column not in lead]
    for column, (told, _) in [*best.items()]:
        others = [each for each in numbers if each not in {column, *hidden[column]}]
        by_all = dict(rows.revealed(others, {column: hidden[column]})).get(column, 0.0)
        if told <= _CLEARLY_MORE * by_all:
            del best[column]
    return {column: known for column, (_, known) in best.items()}
