"""Choosing known columns for each unknown one."""

from __future__ import annotations

import bisect
import hashlib
import itertools
import math
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray
from alc_core.campaign.model import KnownSet, KnownSetKind
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.linked.events import MOST_EVENTS, Event, knowable_events
from alc_core.phrasing import numbered, percent, quoted, sentence_case
from alc_core.runtime.kernels import mixed
from alc_core.tables.codes.encode import EncodedTable
from alc_core.tables.values.generalized import distinct_keys

KeyArray = NDArray[np.uint64]

_PERSON_COST = 3  # Cost factor of counting if people have several records


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Uniqueness:
    """How well columns identify a person; larger is better."""

    # Share of people with a unique combination. A person with several records counts by the share
    # of unique ones: the chance that a random one singles the person out.
    singled_out: float
    combinations: int  # Different combinations of values


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HashedRows:
    """Rows to count by any set of columns; answers are cached.

    Examples
    --------
    >>> table = EncodedTable(name="t", n_rows=3, columns={"a": np.array([0, 0, 1], np.int32)})
    >>> HashedRows.of(table, ["a"]).uniqueness(["a"])
    Uniqueness(singled_out=0.3333333333333333, combinations=2)
    """

    # Each column's values as random-looking numbers, equal for equal values. Missing is a value;
    # numbers must be exactly equal.
    keys: Mapping[str, KeyArray]
    n_rows: int
    person: KeyArray | None = None  # By default each row is a person
    records: NDArray[np.int64] | None = None  # Rows of each person
    _known: dict[frozenset[str], Uniqueness] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, table: EncodedTable, columns: Sequence[str], *, person: NDArray[np.int64] | None = None
    ) -> HashedRows:
        """Read columns of an encoded table."""
        keys = {column: _keys(table.columns[column], n) for n, column in enumerate(columns, 1)}
        if person is None:
            return cls(keys=keys, n_rows=len(table))
        _, number, records = np.unique(person, return_inverse=True, return_counts=True)
        return cls(keys=keys, n_rows=len(table), person=number.astype(np.uint64), records=records)

    @property
    def cost(self) -> int:
        """What one count costs, in rows sorted."""
        return max(1, self.n_rows) * (1 if self.person is None else _PERSON_COST)

    def uniqueness(self, columns: Collection[str]) -> Uniqueness:
        """Count the people a set of columns singles out."""
        asked = frozenset(columns)
        if asked not in self._known:
            total = np.zeros(self.n_rows, dtype=np.uint64)
            for column in asked:
                total += self.keys[column]
            self._known[asked] = _count(total, self.person, self.records)
        return self._known[asked]


def _keys(values: CodeArray | FloatArray, number: int) -> KeyArray:
    """Return a column's values as random-looking numbers, different for each column."""
    offset = mixed(np.array([number], dtype=np.uint64))
    return mixed(distinct_keys(values).view(np.uint64) + offset)


def _count(
    keys: KeyArray, person: KeyArray | None, records: NDArray[np.int64] | None
) -> Uniqueness:
    if len(keys) == 0:
        return Uniqueness(singled_out=0.0, combinations=0)
    if person is None or records is None:
        starts = _starts(np.sort(keys))
        sizes = np.diff(starts, append=len(keys))
        return Uniqueness(singled_out=int(np.sum(sizes == 1)) / len(keys), combinations=len(starts))
    # In one number: the key, cut to the remaining bits, then the person
    bits = np.uint64(len(records).bit_length())
    packed = np.sort((keys >> bits << bits) | person)
    starts = _starts(packed >> bits)
    sizes = np.diff(starts, append=len(packed))
    within = (np.uint64(1) << bits) - np.uint64(1)
    owner = packed[starts] & within
    alone = owner == packed[starts + sizes - 1] & within
    if alone.all():
        return Uniqueness(singled_out=1.0, combinations=len(starts))
    share = float(np.sum(sizes[alone] / records[owner[alone]])) / len(records)
    return Uniqueness(singled_out=share, combinations=len(starts))


def _starts(ordered: KeyArray) -> NDArray[np.intp]:
    return np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))


MOST = 0.5  # Columns single out most people if at most this share shares its values
# Largest sets compared with each other; beyond, columns are added by how much each alone singles
# out
LARGEST_SEARCHED = 6
# Try all sets of a size if that sorts at most this many rows, else some
_LEVEL_COST = 600_000_000
_FEWEST_TRIED, _MOST_TRIED = 100, 10_000
_MOST_PARENTS = 8
# If all columns do not single out most, a small set with this share of theirs suffices
_NEARLY = 0.95
_NEGLIGIBLE = 0.001

Columns = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Sets of one size that are tried."""

    sets: tuple[Columns, ...]  # Each in the candidates' order
    exhaustive: bool  # Whether these are all sets of the size


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallestSets:
    """Result of :func:`smallest_sets`."""

    sets: tuple[Columns, ...]  # What was chosen
    most: bool  # Whether they single out most people; if not, the one best set
    # Whether all smaller sets, and unless `most` all of this size, were tried
    exhaustive: bool


def levels(
    rows: HashedRows, candidates: Sequence[str], *, at_most: int, seed: int = 0
) -> Iterator[Level]:
    """Yield the sets to try by size."""
    limit = min(max(_LEVEL_COST // rows.cost, _FEWEST_TRIED), _MOST_TRIED)
    position = {column: number for number, column in enumerate(candidates)}
    sets: list[Columns] = []
    for size in range(1, min(at_most, LARGEST_SEARCHED, len(candidates)) + 1):
        exhaustive = size == 1 or math.comb(len(candidates), size) <= limit
        if exhaustive:
            sets = list(itertools.combinations(candidates, size))
        else:
            parents = _parents(rows, sets, limit // len(candidates) // 2, seed)
            grown = {frozenset((*p, c)) for p in parents for c in candidates if c not in p}
            sets = [tuple(sorted(columns, key=position.__getitem__)) for columns in grown]
            sets.sort(key=lambda columns: [position[column] for column in columns])
        yield Level(sets=tuple(sets), exhaustive=exhaustive)


def _parents(rows: HashedRows, sets: Sequence[Columns], number: int, seed: int) -> list[Columns]:
    """Return the sets that single out most, and as many at random."""
    half = min(max(number, 4), _MOST_PARENTS) // 2
    best = sorted(sets, key=rows.uniqueness, reverse=True)

    def random_order(columns: Columns) -> bytes:
        return hashlib.blake2b(repr((seed, columns)).encode(), digest_size=8).digest()

    return best[:half] + sorted(best[half:], key=random_order)[:half]


def smallest_sets(
    rows: HashedRows,
    candidates: Sequence[str],
    *,
    wanted: int,
    at_most: int,
    rng: np.random.Generator,
    seed: int = 0,
) -> SmallestSets:
    """Find the smallest sets that single out most people.

    References
    ----------
    Francis and Wagner (2025), section 6.
    """
    everything = rows.uniqueness(candidates).singled_out

    def enough(columns: Columns) -> bool:
        share = rows.uniqueness(columns).singled_out
        return share > MOST if everything > MOST else share >= _NEARLY * everything

    exhaustive, best = True, tuple(candidates[:1])
    for level in levels(rows, candidates, at_most=at_most, seed=seed):
        found = [columns for columns in level.sets if enough(columns)]
        if found and everything > MOST:
            chosen = _different(found, wanted, rng)
            return SmallestSets(sets=chosen, most=True, exhaustive=exhaustive)
        best = max((best, *level.sets), key=rows.uniqueness)
        if found:
            break
        exhaustive &= level.exhaustive
    if not enough(best) and len(best) < min(at_most, len(candidates)):
        best, exhaustive = _widened(rows, candidates, best, at_most, enough), False
    most = rows.uniqueness(best).singled_out > MOST
    return SmallestSets(sets=(best,), most=most, exhaustive=exhaustive)


def _widened(
    rows: HashedRows,
    candidates: Sequence[str],
    columns: Columns,
    at_most: int,
    enough: Callable[[Columns], bool],
) -> Columns:
    """Add columns until they single out enough, and drop unneeded ones.

    Returns `at_most` columns if no set does.
    """
    sizes = range(len(columns), min(at_most, len(candidates)) + 1)
    filled = partial(_filled, rows, candidates, columns)
    first = bisect.bisect_left(sizes, True, key=lambda size: enough(filled(size)))
    if first == len(sizes):
        return filled(sizes[-1])
    chosen = filled(sizes[first])
    for column in reversed(chosen):
        fewer = tuple(other for other in chosen if other != column)
        chosen = fewer if enough(fewer) else chosen
    return chosen


def _filled(rows: HashedRows, candidates: Sequence[str], columns: Columns, size: int) -> Columns:
    others = sorted(
        (column for column in candidates if column not in columns),
        key=lambda column: rows.uniqueness([column]),
        reverse=True,
    )
    known = {*columns, *others[: size - len(columns)]}
    return tuple(column for column in candidates if column in known)


def _different(
    sets: Sequence[Columns], wanted: int, rng: np.random.Generator
) -> tuple[Columns, ...]:
    """Choose at random, each next set among those sharing fewest columns."""
    left = [sets[number] for number in rng.permutation(len(sets))]
    chosen = [left.pop(0)]
    while left and len(chosen) < wanted:
        shared = [sum(len(set(s) & set(other)) for other in chosen) for s in left]
        chosen.append(left.pop(shared.index(min(shared))))
    return tuple(chosen)


def budget_set(
    rows: HashedRows, candidates: Sequence[str], *, size: int, seed: int = 0
) -> tuple[Columns, bool]:
    """Find the columns of a given number that single out most people."""
    if len(candidates) <= size:
        return tuple(candidates), True
    everything = rows.uniqueness(candidates).singled_out
    best: Columns = ()
    exhaustive = False
    for level in levels(rows, candidates, at_most=size, seed=seed):
        best = max(level.sets, key=rows.uniqueness)
        exhaustive = level.exhaustive
        if rows.uniqueness(best).singled_out >= everything - _NEGLIGIBLE:
            break
    exhaustive &= len(best) == size
    columns = _filled(rows, candidates, best, size)
    return columns, exhaustive or rows.uniqueness(columns).singled_out >= everything


def choose_known_sets(
    rows: HashedRows,
    candidates: Sequence[str],
    settings: PlanSettings,
    *,
    unknown: str,
    knowable: Sequence[str] | None = None,
    hidden: Collection[str] = (),
    survey: Collection[str] = (),
    facts: Collection[Columns] = (),
) -> tuple[KnownSet, ...]:
    """Choose the sets an attacker knows, without `hidden` columns.

    `survey` columns are only in another file of the same survey; `facts` lead to rows of a release
    that reveal the column.
    """
    few = tuple(candidates if knowable is None else knowable)
    other_file = frozenset(survey) - {*hidden, unknown}
    choice = _Choice(
        rows, settings, unknown, tuple(candidates), few, {*hidden, unknown}, other_file, facts
    )
    found: dict[frozenset[str], KnownSet] = {}
    made: list[Iterable[KnownSet]] = [choice.named()]
    if unknown not in settings.job_list:
        made += [choice.whole(), choice.same_survey(), choice.singling_out(), choice.budget()]
        made += [choice.few_facts()]
    for known in itertools.chain(*made):
        found.setdefault(frozenset(known.columns), known)
    return tuple(found.values())


def known_row_sets(
    rows: HashedRows, events: Mapping[str, Event], *, unknown: str, others: Sequence[str],
    thorough: bool,
) -> Iterator[KnownSet]:  # fmt: skip
    """Yield some of a person's rows, known in part, alone and with other columns.

    An unknown column of a row is asked with the rest of that row.
    """
    asked, knowable = events.get(unknown), knowable_events(events)
    few = (1, 2) if asked else (2, MOST_EVENTS)
    for child in dict.fromkeys(event.child for event in events.values()):
        if asked and asked.child != child:
            continue
        end = f" of {child}"
        beside = tuple(c for c in others if not c.endswith(end))
        for number in range(1, MOST_EVENTS + 1) if thorough else few:
            told = tuple(
                name
                for name, event in knowable.items()
                if event.child == child
                and event.number <= number
                and name != unknown
                and not unknown.endswith(f" {event.column}{end}")
            )
            columns = quoted(list(dict.fromkeys(events[name].column for name in told)))
            for known in dict.fromkeys(((*beside, *told), told)) if told else ():
                more = f", beside {quoted(beside)}" if known != told else ""
                yield KnownSet(
                    columns=known,
                    kind=KnownSetKind.KNOWN_ROWS,
                    singled_out=rows.uniqueness(known).singled_out,
                    reason=f"Someone who knows {columns} of {numbered(number, 'row')} of a person "
                    f"in '{child}'{more}.",
                )


@dataclass(frozen=True, slots=True)
class _Choice:
    rows: HashedRows
    settings: PlanSettings
    unknown: str
    candidates: Columns
    few: Columns  # Candidates that may be known
    hidden: Collection[str]  # The unknown column, and those sharing a part with it
    survey: frozenset[str]  # Only in another file of the same survey
    facts: Collection[Columns]  # Lead to rows of a release that reveal the column

    def named(self) -> Iterator[KnownSet]:
        for named in self.settings.job_list.get(self.unknown, self.settings.named):
            columns = tuple(c for c in self.rows.keys if c in named and c not in self.hidden)
            if not columns:
                continue
            reason = f"Named by you. {self._start(columns)}."
            if self.unknown in named:
                reason += f" It leaves out '{self.unknown}', which is attacked."
            yield self._known(KnownSetKind.NAMED, columns, reason)

    def whole(self) -> Iterator[KnownSet]:
        """Yield all other columns, and all that may be known."""
        every, few = self.candidates, self.few
        if self.settings.all_others and len(every) <= self._at_most:
            how = "It singles out" if len(every) == 1 else "They single out"
            who = f"{sentence_case(_all(len(every)))}."
            yield self._known(KnownSetKind.ALL_OTHERS, every, f"{who} {how} {self._whom(every)}.")
            if len(few) == len(every):
                return
        if self.settings.asks_for_knowable and few and len(few) <= self._at_most:
            who = "All columns that may be known."
            yield self._known(KnownSetKind.KNOWABLE, few, f"{who} {self._start(few)}.")

    def same_survey(self) -> Iterator[KnownSet]:
        """Yield knowable columns with those of another file of the survey."""
        columns = tuple(c for c in self.rows.keys if c in self.few or c in self.survey)
        asked = self.settings.asks_for_knowable and self.survey and self.few
        if asked and len(columns) <= (self.settings.max_known or len(columns)):
            own = quoted([c for c in columns if c in self.survey])
            who = f"Another file of the survey reveals {own}."
            reason = f"{who} {self._start(columns)}."
            yield self._known(KnownSetKind.SAME_SURVEY, columns, reason)

    def singling_out(self) -> Iterator[KnownSet]:
        few, seed = self.few, self.settings.seed
        if not self.settings.known_sets or not few:
            return
        those = "" if len(few) == len(self.candidates) else " that may be known"
        smallest = smallest_sets(
            self.rows,
            few,
            wanted=self.settings.known_sets,
            at_most=self._at_most,
            rng=np.random.default_rng([seed, zlib.crc32(self.unknown.encode())]),
            seed=seed,
        )
        for columns in smallest.sets:
            reason, size = self._start(columns), len(columns)
            if smallest.most:
                reason += f"{_no_smaller(size, exhaustive=smallest.exhaustive, those=those)}."
            elif self.rows.uniqueness(few).singled_out <= MOST:
                reason += ". Most people cannot be singled out"
                if size < len(few):
                    reason += f": {_all(len(few), those)} together single out {self._whom(few)}"
                reason += "."
            else:
                reason += f", {_the_most(size, proven=smallest.exhaustive)}. No more may be known."
            yield self._known(KnownSetKind.SINGLES_OUT, columns, reason)

    def few_facts(self) -> Iterator[KnownSet]:
        """Yield facts that lead to rows revealing the column."""
        for columns in self.facts if self.settings.known_sets else ():
            if len(columns) <= self._at_most:
                lead = "leads" if len(columns) == 1 else "lead"
                reason = f"{quoted(columns)} {lead} to rows that reveal it. {self._start(columns)}."
                yield self._known(KnownSetKind.FEW_FACTS, columns, reason)

    def budget(self) -> Iterator[KnownSet]:
        most = self.settings.max_known
        if most is None or not self.few:
            return
        columns, proven = budget_set(self.rows, self.few, size=most, seed=self.settings.seed)
        end = _the_most(most, proven=proven) if len(self.few) > most else ("the only ones")
        may = f"At most {numbered(most, 'column')} may be known"
        reason = f"{may}. {self._start(columns)}, {end}."
        yield self._known(KnownSetKind.BUDGET, columns, reason)

    @property
    def _at_most(self) -> int:
        most = self.settings.max_known
        return len(self.candidates) if most is None else most

    def _known(self, kind: KnownSetKind, columns: Columns, reason: str) -> KnownSet:
        share = self.rows.uniqueness(columns).singled_out
        return KnownSet(columns=columns, kind=kind, singled_out=share, reason=reason)

    def _start(self, columns: Columns) -> str:
        if len(columns) == 1:
            return f"This column singles out {self._whom(columns)}"
        return f"These {len(columns)} columns single out {self._whom(columns)}"

    def _whom(self, columns: Columns) -> str:
        share = self.rows.uniqueness(columns).singled_out
        if share == 0:
            return "nobody"
        return "everybody" if share == 1 else f"{percent(share)} of the people"


def _all(others: int, those: str = "") -> str:
    if those:
        return f"all {others} columns{those}" if others > 2 else f"both columns{those}"
    if others < 3:
        return "the only other column" if others == 1 else "both other columns"
    return f"all {others} other columns"


def _no_smaller(size: int, *, exhaustive: bool, those: str) -> str:
    if size == 1:
        return ""
    if not exhaustive:
        return "; no smaller set tried singles out most"
    if size == 2:
        return f"; no single column{those} singles out most"
    return f"; no {size - 1} columns{those} single out most"


def _the_most(size: int, *, proven: bool) -> str:
    sets = "columns" if size == 1 else f"sets of {size}"
    return f"the most of all {sets}{'' if proven else ' tried'}"
