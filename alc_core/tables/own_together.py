"""Sets of columns that are people's own together, unlike a release's others.

Pairs that single people out are tried, or larger sets. A set counts if its combinations return far
more often than strangers', and than with a column permuted. Linked rows show which columns belong
to it: they agree with the person clearly more than with a decoy, who has nearly the same values in
the set.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import BoolArray, FloatArray, RowArray, mid_ranks, some_rows
from alc_core.runtime.kernels import mixed
from alc_core.tables.persons import value_hashes
from alc_core.tables.same_rows import once_in_both, random_numbers
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.texts import numeric_values

# Limits, measured by benchmarks/own_together.py
_FEWEST_ROWS = 100  # Rows of a table that is examined
_MOST_ROWS = 5_000  # Rows examined
_ROWS_IN_COMMON = 500  # Rows expected in both samples of long tables
_MOST_COUNTED = 100_000  # Rows in which combinations are counted
# By size of a set: columns of most values combined, and sets tried
_TRIED = {1: (400, 400), 2: (40, 300), 3: (24, 200), 4: (16, 150), 5: (12, 100), 6: (10, 100)}
_MOSTLY_ALONE = 0.5  # Share of people a column alone must single out
_MOST_ALIKE = 300.0  # People per combination of independent columns, to try a set
_FEWEST_SINGLED = 30  # People a set must single out
_LEAST_SINGLED = 0.02  # Their share
# Share of returning combinations; 0.63 when drawn with replacement
_LEAST_RETURNING = 0.7
_TIMES_CHANCE = 2.0  # Times the share of strangers
_SURE = 5.0  # Standard errors of a column's contribution
_LEAST_OWN = 0.5  # Share of linked people whose value a column has, beyond chance
_SURELY = 0.9  # If decoys agree as often
_MOST_APART = 0.25  # Share of linked people, with error, up to which a column is apart
_STANDARD_ERRORS = 2.0  # Of that share
_SAME_VALUE = 0.95  # Share of strangers who agree in an uninformative column
_FEWEST_LINKED = 30  # Linked rows
_MOST_TURNS = 6  # Columns that come first in choosing decoys
_SHIFTS = (1, 7, 23)  # Places by which people become strangers
_FEWEST_REPEATS = 10  # Combinations of two people, and of three, to learn how these differ
_NEAR = np.uint32(14)  # Last bits ignored in the first lookup

Keys = NDArray[np.uint32]
Seed = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Returning:
    """Columns that single people out, and return in a release."""

    columns: tuple[str, ...]  # In the order passed
    singled_out: float  # Share of people with a unique combination
    share: float  # Share of them whose combination is released
    expected: float  # By strangers' rows, or with columns permuted


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTogether:
    """Columns that are people's own together in a release."""

    together: Returning
    alone: tuple[Returning, ...]  # Columns of which most people have a unique value
    others: tuple[str, ...]  # Columns that do not belong to them


def own_together(
    original: Table, release: Table, columns: Sequence[str]
) -> tuple[OwnTogether, ...]:
    """Return sets of columns that are people's own together.

    A set of plain `columns` counts if others do not belong to it, or one column alone leads to
    rows.
    """
    if len(columns) < 2 or min(len(original), len(release)) < _FEWEST_ROWS:
        return ()
    rows = _Rows.some(original, release, columns)
    found, left, seeds = [], {*range(len(columns))}, rows.returning()

    def counted(part: Iterable[int]) -> Returning:
        names = [columns[k] for k in sorted(part)]
        return _counted(
            original, release, names, by=columns[min(part, key=rows.evenness.__getitem__)]
        )

    for seed in seeds:
        if not left.issuperset(seed):
            continue
        own, others = rows.grown(seed)
        left -= own
        alone = [(column,) for column in sorted(own) if (column,) in seeds]
        # A sample hides that many rows are of the same people
        if len(own) > 1 and (others or alone) and _is_enough(original, release, counted(seed)):
            found.append(
                OwnTogether(
                    together=counted(own),
                    alone=tuple(map(counted, alone)),
                    others=tuple(columns[k] for k in sorted(others)),
                )
            )
    return tuple(found)


def parts_return(original: Table, release: Table, columns: Sequence[str]) -> bool:
    """Return whether few columns' combinations return more than strangers'."""
    if len(columns) < 2 or min(len(original), len(release)) < _FEWEST_ROWS:
        return False
    rows = _Rows.some(original, release, columns)
    for seed, people in rows._seeds():
        found, expected = rows.returning_share(seed, people), people.strangers
        # Strangers vary, and twice as much the pairs behind their share
        error = math.sqrt((3 * expected + 1 / len(people.once)) / len(people.once))
        if found - expected >= _SURE * error:
            return True
    return False


def returns_alone(original: Table, release: Table, column: str) -> bool:
    """Return whether most people have a unique value, and most return."""
    found = _counted(original, release, [column], by=column)
    clear = found.share >= _TIMES_CHANCE * found.expected
    return clear and found.singled_out >= _MOSTLY_ALONE and _is_enough(original, release, found)


def _is_enough(original: Table, release: Table, found: Returning) -> bool:
    return found.share >= _LEAST_RETURNING * min(1.0, len(release) / len(original))


def _counted(original: Table, release: Table, columns: Sequence[str], *, by: str) -> Returning:
    """Count people singled out, and whose combination returns.

    In long tables, in rows with some values of a column.
    """
    frames = some_alike(
        *(table.frame[list(columns)] for table in (original, release)), by=by, most=_MOST_COUNTED
    )
    rows, seed = _Rows.of_frames(*frames), (*range(len(columns)),)
    people = rows.people(seed)
    permuted = rows.returning_share(seed, people, permuted=seed) if len(seed) > 1 else 0.0
    return Returning(
        columns=tuple(columns),
        singled_out=len(people.once) / max(1, len(frames[0])),
        share=rows.returning_share(seed, people),
        expected=max(people.strangers, permuted),
    )


def some_alike(
    original: pd.DataFrame, release: pd.DataFrame, *, by: str, most: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return both tables; if long, about `most` rows with some values of `by`."""
    if (share := most / max(len(original), len(release))) >= 1:
        return original, release
    own, released = map(mixed, value_hashes(original[by], release[by]))
    limit = np.uint64(share * 2**64)
    return original[own < limit], release[released < limit]


class _People(NamedTuple):
    once: Keys  # Their combinations, sorted
    near: BoolArray  # By first bits, whether a combination has them
    strangers: float  # Share of these that equally many strangers' rows would have


class _Agreement(NamedTuple):
    """Agreement of linked rows in a column with person and others."""

    person: float
    decoy: float
    stranger: float
    rows: int
    apart: bool  # Whether they agree with the person hardly more than with a stranger

    @property
    def own(self) -> bool:
        beyond, more = _beyond(self.person, self.stranger), self.person - self.decoy
        if self.stranger > _SAME_VALUE or beyond < _LEAST_OWN:
            return False
        if min(self.person, beyond) >= _SURELY:
            return True  # Though they may follow from the set's
        sure = more >= _SURE * math.sqrt(self.person / self.rows)
        return sure and _beyond(self.person, self.decoy) >= _LEAST_OWN


def _beyond(share: float, chance: float) -> float:
    return (share - chance) / (1 - chance) if chance < 1 else 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class _Rows:
    own: Keys  # By column and row of the original: random numbers, equal for equal values
    released: Keys
    coverage: float = 1.0  # Share of people whose row is here if all are released
    # Of columns in which values can be near
    ranks: Mapping[int, tuple[FloatArray, FloatArray]] = field(default_factory=dict)

    @classmethod
    def some(cls, original: Table, release: Table, columns: Sequence[str]) -> _Rows:
        """Read columns of both tables, sampled if long."""
        rng, longest = np.random.default_rng(0), max(len(original), len(release))
        most = max(_MOST_ROWS, math.isqrt(_ROWS_IN_COMMON * longest))
        before, after = (
            table.frame[list(columns)].iloc[some_rows(np.arange(len(table)), most, rng)]
            for table in (original, release)
        )
        ranks = {}
        for place, column in enumerate(columns):
            kind, stored = original.kind(column), (before[column].dtype, after[column].dtype)
            if kind.is_numeric or all(map(pd.api.types.is_any_real_numeric_dtype, stored)):
                read = datetime_values if kind is ColumnKind.DATETIME else numeric_values
                own, its = read(before[column]), read(after[column])
                ranks[place] = mid_ranks(own, own), mid_ranks(its, its)
        return replace(cls.of_frames(before, after), coverage=len(after) / longest, ranks=ranks)

    @classmethod
    def of_frames(cls, original: pd.DataFrame, release: pd.DataFrame) -> _Rows:
        own, released = (
            (np.array(keys) >> np.uint64(32)).astype(np.uint32)
            for keys in random_numbers(original, release)
        )
        return cls(own=own, released=released)

    def returning(self) -> list[Seed]:
        """Return sets that return as people's own, most people first."""
        found = []
        for seed, people in self._seeds():
            share, size = self.returning_share(seed, people), len(people.once)
            if share < max(_LEAST_RETURNING * self.coverage, _TIMES_CHANCE * people.strangers):
                continue
            apart = (self.returning_share(seed, people, permuted=(column,)) for column in seed)
            if len(seed) == 1 or all(self._is_clear(size, share, chance) for chance in apart):
                found.append((size * share, seed))
        return [seed for _, seed in sorted(found, key=lambda each: -each[0])]

    def _is_clear(self, people: int, share: float, chance: float) -> bool:
        """Return whether a set returns clearly more than with a column permuted."""
        sure = (share - chance) * people >= _SURE * math.sqrt(share * people)
        return sure and share - chance >= _LEAST_OWN * (self.coverage - chance)

    def _seeds(self) -> Iterator[tuple[Seed, _People]]:
        """Yield the smallest sets that single people out and strangers lack."""
        finest = sorted(range(len(self.own)), key=self.evenness.__getitem__)
        least = math.log(_MOST_ALIKE / self.own.shape[1])
        usable: list[frozenset[int]] = []
        for size, (columns, most) in _TRIED.items():
            alike = {
                seed: sum(self.evenness[k] for k in seed)
                for seed in itertools.combinations(finest[:columns], size)
            }
            tried = 0
            for seed in sorted(alike, key=alike.__getitem__):
                if tried == most or alike[seed] > least:
                    break
                if any(smaller.issubset(seed) for smaller in usable):
                    continue
                tried += 1
                people = self.people(seed)
                if self._are_enough(people, _MOSTLY_ALONE if size == 1 else _LEAST_SINGLED):
                    usable.append(frozenset(seed))
                    yield seed, people

    @cached_property
    def evenness(self) -> list[float]:
        """By column, log probability that two people share a value."""
        shares = (np.unique(keys, return_counts=True)[1] / len(keys) for keys in self.own)
        return [math.log(float(np.sum(each**2))) for each in shares]

    def _are_enough(self, people: _People, share: float) -> bool:
        least = max(_FEWEST_SINGLED / self.coverage, share * self.own.shape[1])
        return len(people.once) >= least and self.coverage >= _TIMES_CHANCE * people.strangers

    def people(self, seed: Seed) -> _People:
        once, strangers = once_and_strangers(_together(self.own, seed), self.released.shape[1])
        near = np.zeros(2 ** (32 - int(_NEAR)), dtype=np.bool_)
        near[once >> _NEAR] = True
        return _People(once, near, strangers)

    def returning_share(self, seed: Seed, people: _People, *, permuted: Seed = ()) -> float:
        """Return the share of people singled out whose combination returns."""
        released = _together(self.released, seed)
        for column in permuted:
            released = released - self.released[column] + self._permuted[column]
        if not len(people.once) or not len(released):
            return 0.0
        released = released[people.near[released >> _NEAR]]
        at = np.minimum(np.searchsorted(people.once, released), len(people.once) - 1)
        return len(np.unique(at[people.once[at] == released])) / len(people.once)

    @cached_property
    def _permuted(self) -> Keys:
        each = enumerate(self.released)
        return np.array([np.random.default_rng(n).permutation(keys) for n, keys in each])

    def grown(self, seed: Seed) -> tuple[set[int], set[int]]:
        """Return a set with all columns belonging to it, and those that do not."""
        own, found = {*seed}, self._agreement(seed)
        apart = {column for column, each in found.items() if each.apart}
        while more := {column for column, each in found.items() if each.own}:
            own |= more
            found = self._agreement((*sorted(own),))
        return own, apart - own

    def _agreement(self, seed: Seed) -> dict[int, _Agreement]:
        """Compare linked rows in other columns; empty if few."""
        people, rows = once_in_both(_together(self.own, seed), _together(self.released, seed))
        if len(rows) < _FEWEST_LINKED:
            return {}
        decoys = [following[people] for following in self._decoys(seed)]
        strangers = np.array([np.roll(people, shift) for shift in _SHIFTS])
        found = {}
        for column in {*range(len(self.own))} - {*seed}:
            own, released = self.own[column], self.released[column][rows]
            person, others = own[people] == released, own[strangers] == released
            same = float(others.mean())
            if not (person | others).any():
                apart = column in self.ranks  # New labels are uninformative
            else:
                apart = same <= _SAME_VALUE and _is_apart(
                    person & ~others, others & ~person, (1 - same) * others.size
                )
            apart = apart and not _go_together(own[people], released)
            if apart and column in self.ranks:
                before, after = self.ranks[column]
                person, others = (np.abs(before[of] - after[rows]) for of in (people, strangers))
                nearer = person < others, others < person
                apart = _is_apart(*nearer, float(np.count_nonzero(nearer)))
            found[column] = _Agreement(
                person=float((own[people] == released).mean()),
                decoy=max(float((own[each] == released).mean()) for each in decoys),
                stranger=same,
                rows=len(rows),
                apart=apart,
            )
        return found

    def _decoys(self, seed: Seed) -> Iterator[RowArray]:
        """Yield another person each, with nearly the same values in a set.

        Each column comes first once.
        """
        order = sorted(seed, key=self.evenness.__getitem__)  # lexsort goes by the last first
        values = [self.ranks[k][0] if k in self.ranks else self.own[k] for k in order]
        for first in range(min(len(order), _MOST_TURNS)):
            rows = np.lexsort([*values[:first], *values[first + 1 :], values[first]])
            following = np.empty_like(rows)
            following[rows] = np.roll(rows, -1)
            yield following


def _together(keys: Keys, seed: Seed) -> Keys:
    return np.asarray(keys[list(seed)].sum(axis=0, dtype=np.uint32))


def once_and_strangers(keys: Keys, rows: int) -> tuple[Keys, float]:
    """Return keys that occur once, and their share that strangers' rows would have.

    By Good and Turing, keys that occur twice tell how often one that occurs once does among others.
    Those that occur three times tell how much keys differ in this, as gamma variates.
    """
    ordered = np.sort(keys)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1], [True]]))
    times = np.diff(starts)
    once, twice, thrice = (int(np.count_nonzero(times == number)) for number in (1, 2, 3))
    mean, multiple = 2 * twice / max(once, 1), rows / max(len(keys), 1)
    spread = 3 * thrice / twice - mean if min(twice, thrice) >= _FEWEST_REPEATS else 0.0
    expected = mean * multiple
    if spread > 0:
        expected = mean / spread * math.log1p(spread * multiple)
    return ordered[starts[:-1][times == 1]], -math.expm1(-expected)


def _is_apart(person: BoolArray, stranger: BoolArray, most: float) -> bool:
    """Return whether only the person agrees as often as only the stranger.

    `most` is how often the person could agree more.
    """
    alone, other = np.count_nonzero(person), np.count_nonzero(stranger)
    apart = abs(float(alone - other)) + _STANDARD_ERRORS * math.sqrt(alone + other + 1)
    return apart <= _MOST_APART * most


def _go_together(own: Keys, released: Keys) -> bool:
    order = np.argsort(own, kind="stable")
    own, released = own[order], released[order]
    shared = own[1:] == own[:-1]
    pairs = int(np.count_nonzero(shared))
    if pairs < _FEWEST_LINKED:
        return False
    together = float((released[1:] == released[:-1])[shared].mean())
    chance = float((np.unique(released, return_counts=True)[1] ** 2).sum()) / len(released) ** 2
    error = _STANDARD_ERRORS * math.sqrt((chance * (1 - chance) + 1 / pairs) / pairs)
    return together - chance + error > _MOST_APART * (1 - chance)
