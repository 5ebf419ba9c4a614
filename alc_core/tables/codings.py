"""Released columns coded unlike the original's, by linked rows.

A coding is learned from half of the linked rows and tried on the other. It counts if own rows then
agree clearly more than equally similar strangers', and unchanged values hardly do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, spread_out
from alc_core.plain_values import read_only
from alc_core.tables.persons import LikelyPersons, PersonFinder
from alc_core.tables.recode import Form, Recoded, Step, decoded, of_equal_rank, read_numbers
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.texts import canonical_labels, label_counts, numeric_values

# Limits, measured by benchmarks/codings.py; half and twice each find the same in tables with
# exchanged labels, another currency and codes
_FEWEST_LINKED = 40  # Linked rows
_LINKING = 3  # Columns that link rows
_FEWEST_TRIED = 15  # Rows changed by a map of labels, in the half it is tried on
_LEAST_CHANGED = 0.01  # Share of linked rows whose labels a map must change
_LEAST_MOVED = 0.05  # Share of linked rows whose numbers steps must change
_MOST_MERGED = 0.15  # Share of people with merged labels
_DETERMINED = 0.6  # Cohen's kappa of labels other columns determine
_LEAST_MORE = 0.2  # Surplus of persons among rows agreeing with one of both
_LEAST_BETTER = 0.15  # Share of rows by which a coding must beat unchanged values
_MOST_PLAIN = 0.25  # Share of that surplus unchanged values may reach
_MOST_LABELS = 400  # Labels of a map
_SHORT_MAP = 12  # Labels up to which a map is simpler than steps
_FEW_NUMBERS = 60  # Distinct numbers up to which each is first tried as a label
_WIDE = 0.04  # Tolerance of noisy numbers, in standard deviations
_COARSEST = 0.4  # For released numbers with steps
_LEAST_SHARE = 0.2  # Share of linked rows that agree by numbers
_ROUGHLY = 8.0  # Times the tolerance for noisy numbers
_HYPOTHESES = 200  # Lines tried through two rows
_SAMPLED = 2_000  # Rows whose distinct values are counted
_AS_GOOD = 0.95  # Share of the best agreement a simpler coding must reach
_NEARLY = 0.98  # For a number with fewer digits
_DIGITS = 8  # Digits of a step
_MOST_CODES = 10_000  # Codes of a column
_LARGEST_LOG = 50.0  # Logarithm whose number is still calculated
_ROUNDS = 6  # Rounds of further codings
_ALONGSIDE = 0.5  # Share of the clearest coding's rows that others of its round need


@dataclass(frozen=True, slots=True, kw_only=True)
class Coding:
    """A released column's coding, and its fit."""

    source: Recoded
    share: float  # Linked rows that agree by it
    plain: float  # That agree unchanged
    linked: int  # Rows that it was tried on

    @property
    def rows(self) -> float:
        """Rows gained over unchanged values."""
        return self.linked * (self.share - self.plain)


class _Agreement(NamedTuple):
    share: float  # Of rows that agree with the person
    person: int  # Rows that agree only with the person
    stranger: int  # Rows that agree only with the stranger

    @property
    def more(self) -> int:
        return self.person - self.stranger

    def is_clear(self, standard_errors: float) -> bool:
        """Return whether persons agree more than strangers (McNemar's test)."""
        either = self.person + self.stranger
        return self.more >= max(_LEAST_MORE * either, standard_errors * math.sqrt(either), 1)


def likely_codings(original: Table, release: Table, columns: Sequence[str]) -> dict[str, Coding]:
    """Return codings of columns, if unlike the original's.

    Each is examined by all others.
    """
    found: dict[str, Coding] = {}
    if len(columns) < 2 or not len(release) or not len(original):
        return found
    # Few rows hint, which is rare; more decide
    hints = _codings(original, release, columns, columns, _First)
    for _ in range(_ROUNDS if hints else 0):
        asked = [column for column in columns if column not in found]
        fresh = _codings(original, release, columns, asked, _Second)
        if not fresh:
            break
        # A coded column leads to wrong persons, who make others seem coded
        most = max(coding.rows for coding in fresh.values())
        fresh = {c: coding for c, coding in fresh.items() if coding.rows >= _ALONGSIDE * most}
        found |= fresh
        read = {
            column: decoded(coding.source, release.frame, original, column)
            for column, coding in fresh.items()
        }
        release = replace(release, frame=release.frame.assign(**read))  # links more rows now
    return found


def are_linked(original: Table, release: Table, columns: Sequence[str]) -> bool:
    """Return whether rows are people's own, by two columns others predict."""
    if len(columns) < _LINKING or not len(release) or not len(original):
        return False
    finder, clear = PersonFinder(original, release, columns, cells=_First.cells), 0
    for column in columns:
        rows = finder.without(column)
        if len(rows.released) < _FEWEST_LINKED:
            continue
        own, theirs = original.frame[column], release.frame[column]
        linked = own.iloc[rows.own], own.iloc[rows.stranger], theirs.iloc[rows.released]
        person, stranger, released = (canonical_labels(each).to_numpy() for each in linked)
        found = _agreement(person == released, stranger == released)
        clear += found.is_clear(_Second.standard_errors)
        if clear == 2:
            return True
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    cells: float
    standard_errors: float


_First, _Second = (
    _Look(cells=2e7, standard_errors=2.5),
    _Look(cells=2.5e8, standard_errors=5.0),
)


def _codings(
    original: Table, release: Table, columns: Sequence[str], asked: Sequence[str], look: _Look
) -> dict[str, Coding]:
    finder = PersonFinder(original, release, columns, cells=look.cells)
    found = ((c, _coding(original, release, c, finder.without(c), look)) for c in asked)
    return {column: coding for column, coding in found if coding is not None}


def _coding(
    original: Table, release: Table, column: str, rows: LikelyPersons, look: _Look
) -> Coding | None:
    if len(rows.released) < _FEWEST_LINKED:
        return None
    linked = [
        original.frame[column].iloc[rows.own],
        original.frame[column].iloc[rows.stranger],
        release.frame[column].iloc[rows.released],
    ]
    numbers = _numbers(original, column, linked, look)
    by_steps = None
    many = numbers is not None and _has_many_values(original.frame[column])
    if numbers is not None and many:
        by_steps = numbers.coding()
        if by_steps is None and original.kind(column).is_numeric:
            return None
        # The release's own codes slip: labels say more
        if by_steps is not None and by_steps.source.form != "codes":
            return by_steps
    elif numbers is not None and _has_many_values(release.frame[column]):
        return numbers.coding(("steps",))
    found = _of_labels(column, [canonical_labels(each) for each in linked], look)
    if found is None:
        return by_steps
    if numbers is not None and not many and len(found.source.labels) > _SHORT_MAP:
        by_steps = numbers.coding(("steps", "codes"))
    if by_steps is not None and by_steps.share >= _AS_GOOD * found.share:
        return by_steps
    whole = _completed(original.frame[column], release.frame[column], found.source.labels)
    return replace(found, source=replace(found.source, labels=read_only(whole)))


def _has_many_values(series: pd.Series) -> bool:
    return series.iloc[spread_out(len(series), _SAMPLED)].nunique() > _FEW_NUMBERS


def _numbers(
    original: Table, column: str, linked: Sequence[pd.Series], look: _Look
) -> _Numbers | None:
    every = _Linked(*(_as_numbers(original, column, each) for each in linked))
    usable = np.all([np.isfinite(each) for each in every], axis=0)
    if usable.sum() < max(_FEWEST_LINKED, len(usable) / 2):
        return None
    return _Numbers(original, column, _Linked(*(each[usable] for each in every)), look)


def _agreement(person: NDArray[np.bool_], stranger: NDArray[np.bool_]) -> _Agreement:
    alone = int(np.count_nonzero(person & ~stranger)), int(np.count_nonzero(stranger & ~person))
    return _Agreement(float(person.mean()), *alone)


def _beats(found: _Agreement, plain: _Agreement, look: _Look) -> bool:
    better = plain.more < _MOST_PLAIN * found.more and found.share >= plain.share + _LEAST_BETTER
    return better and found.is_clear(look.standard_errors)


# Labels ------------------------------------------------------------------------------------------


def _of_labels(column: str, linked: Sequence[pd.Series], look: _Look) -> Coding | None:
    """Find a one-to-one map of labels, tried on rows it changes."""
    codes, labels = pd.factorize(pd.concat(linked), use_na_sentinel=True)
    if not 1 < len(labels) <= _MOST_LABELS:
        return None
    theirs, strangers, after = codes.reshape(3, -1)
    rows = np.bincount(after[after >= 0], minlength=len(labels))
    if (rows >= _LEAST_CHANGED * len(after)).sum() > len({*theirs, *strangers} - {-1}):
        return None  # More labels than the original's: noise
    # Beyond strangers; else, of columns others determine, by persons
    found = _mapped(theirs, strangers, after, look) or _mapped(theirs, None, after, look)
    if found is None:
        return None
    moved, by_map, plain, tried = found
    told = {labels[k]: labels[code] for k, code in enumerate(moved) if code >= 0}
    source = Recoded(columns=(column,), form="labels", labels=read_only(told))
    return Coding(source=source, share=by_map.share, plain=plain.share, linked=tried)


def _mapped(
    own: NDArray[np.intp],
    strangers: NDArray[np.intp] | None,
    after: NDArray[np.intp],
    look: _Look,
) -> tuple[NDArray[np.int64], _Agreement, _Agreement, int] | None:
    """Return map, agreement, that of unchanged labels, and rows tried."""
    size = int(max(own.max(), after.max(), -1 if strangers is None else strangers.max())) + 1
    learned = np.arange(len(after)) % 2 == 0
    others = strangers if strangers is None else strangers[learned]
    moved = _assigned(_surplus(own[learned], others, after[learned], size))
    same = np.arange(size)
    changed = (moved >= 0) & (moved != same)
    tried = np.flatnonzero(~learned & (after >= 0) & changed[after])
    if len(tried) < max(_FEWEST_TRIED, _LEAST_CHANGED * len(after)):
        return None
    beside = np.full(len(after), -2) if strangers is None else strangers

    def agreement(by: NDArray[np.int64]) -> _Agreement:
        read = by[after[tried]]
        return _agreement(read == own[tried], read == beside[tried])

    by_map, plain = agreement(moved), agreement(same)
    people = np.bincount(own[own >= 0], minlength=size)
    if strangers is None:
        chance = float(people[moved[after[tried]]].mean() / people.sum())
        if by_map.share - chance < _DETERMINED * (1 - chance):
            return None
    if not _beats(by_map, plain, look):
        return None
    more = _surplus(own, strangers, after, size)
    moved = _assigned(more)
    merged = (moved[more.argmax(axis=0)] != same) & (more.max(axis=0) > 0)
    if people[merged].sum() > _MOST_MERGED * people.sum():
        return None  # Several labels became one: coarser values
    return moved, by_map, plain, len(tried)


def _surplus(
    own: NDArray[np.intp], strangers: NDArray[np.intp] | None, after: NDArray[np.intp], size: int
) -> FloatArray:
    """Return persons minus strangers by released and own label."""
    more = np.zeros((size, size))
    for codes, sign in ((own, 1.0), (strangers, -0.999)):
        if codes is not None:
            usable = (after >= 0) & (codes >= 0)
            np.add.at(more, (after[usable], codes[usable]), sign)
    return more


def _assigned(more: FloatArray) -> NDArray[np.int64]:
    """Return each released label's most excessive own label; -1 if none."""
    moved = np.full(len(more), -1, dtype=np.int64)
    places, chosen = np.nonzero(more > 0)
    for k in np.argsort(-more[places, chosen], kind="stable"):
        place, code = places[k], chosen[k]
        if moved[place] < 0 and code not in moved:
            moved[place] = code
    return moved


def _completed(own: pd.Series, released: pd.Series, seen: Mapping[str, str]) -> dict[str, str]:
    """Return all changed labels; unlinked ones stay, or go by frequency."""
    told = dict(seen)
    labels, its = (list(map(str, label_counts(each).index)) for each in (own, released))
    for label in its:
        if label not in told and label in labels and label not in told.values():
            told[label] = label
    left = [label for label in its if label not in told]
    free = [label for label in labels if label not in told.values()]
    whole = told | dict(zip(left, free, strict=False))
    return {label: meant for label, meant in whole.items() if label != meant}


# Numbers -----------------------------------------------------------------------------------------


def _as_numbers(original: Table, column: str, series: pd.Series) -> FloatArray:
    if original.kind(column) is ColumnKind.DATETIME:
        return datetime_values(series)
    return numeric_values(series)


class _Linked(NamedTuple):
    """Numbers of likely persons, strangers, and released rows."""

    own: FloatArray
    stranger: FloatArray
    released: FloatArray

    def agreement(self, read: FloatArray, tolerance: float) -> _Agreement:
        with np.errstate(invalid="ignore"):
            return _agreement(
                np.abs(read - self.own) <= tolerance, np.abs(read - self.stranger) <= tolerance
            )

    def half(self, start: int) -> _Linked:
        return _Linked(*(each[start::2] for each in self))

    def densest(self, own: FloatArray, stranger: FloatArray, width: float) -> float:
        """Return where own differences are denser than strangers'."""
        (places, others) = (np.sort(each[np.isfinite(each)]) for each in (own, stranger))
        if not len(places):
            return np.nan
        more = _within(places, places, width) - _within(others, places, width)
        best = places[more.argmax()]
        return float(np.median(places[np.abs(places - best) <= width]))


def _within(ordered: FloatArray, places: FloatArray, width: float) -> NDArray[np.intp]:
    last = np.searchsorted(ordered, places + width, side="right")
    return last - np.searchsorted(ordered, places - width, side="left")


class _Numbers:
    def __init__(self, original: Table, column: str, linked: _Linked, look: _Look) -> None:
        self._original, self._column, self._look = original, column, look
        present = np.concatenate([linked.own, linked.stranger])
        self._present = np.sort(present)
        self._learned, self._tried = linked.half(0), linked.half(1)
        self._released = linked.released
        spread = float(present.std())
        exact, step = _exact(present), _half_step(self._released) * spread
        self._wide = _WIDE * spread
        stepped = exact < step <= _COARSEST * spread
        self._tolerances = [exact, *([step] if stepped else []), max(self._wide, step * stepped)]

    def coding(self, forms: Sequence[str] = ("steps", "codes", "log", "ranks")) -> Coding | None:
        """Return the simplest coding nearly as good as the best."""
        for tolerance in self._tolerances:
            fitting = [
                (source, self._agreement(source, self._tried, tolerance))
                for source in self._sources(tolerance)
                if source.form in forms and self._fits(source, tolerance)
            ]
            most = max((found.more for _, found in fitting), default=0.0)
            for source, found in fitting:
                if found.more >= _AS_GOOD * most and found.share >= _LEAST_SHARE:
                    plain = self._tried.agreement(self._tried.released, tolerance)
                    return Coding(
                        source=source, share=found.share, plain=plain.share,
                        linked=len(self._tried.own),
                    )  # fmt: skip
        return None

    def _fits(self, source: Recoded, tolerance: float) -> bool:
        linked, read = self._tried, self._read(source, self._tried.released)
        if source.form == "ranks":  # They mend noise, too
            tolerance_of_plain = _ROUGHLY * max(tolerance, self._wide)
        else:
            moved = ~(np.abs(read - linked.released) <= tolerance)
            if np.count_nonzero(moved) < max(_FEWEST_TRIED, _LEAST_MOVED * len(moved)):
                return False
            linked, read = _Linked(*(each[moved] for each in linked)), read[moved]
            tolerance_of_plain = tolerance
        found = linked.agreement(read, tolerance)
        return _beats(found, linked.agreement(linked.released, tolerance_of_plain), self._look)

    @cached_property
    def _distinct(self) -> FloatArray:
        every = _as_numbers(self._original, self._column, self._original.frame[self._column])
        return np.unique(every[np.isfinite(every)])

    def _agreement(self, source: Recoded, linked: _Linked, tolerance: float) -> _Agreement:
        return linked.agreement(self._read(source, linked.released), tolerance)

    def _read(self, source: Recoded, numbers: FloatArray) -> FloatArray:
        if source.form == "ranks":
            return of_equal_rank(numbers, self._present, among=self._released, down=source.down)
        return read_numbers(source, numbers, self._distinct if source.form == "codes" else numbers)

    def _sources(self, tolerance: float) -> Iterator[Recoded]:
        """Yield codings from the learned half, simpler first."""
        own, stranger, released = self._learned
        find = self._learned.densest
        shift = find(released - own, released - stranger, tolerance)
        yield from self._rounded(tolerance, lambda by: (_minus(by),), shift)
        with np.errstate(divide="ignore", invalid="ignore"):
            width = np.log1p(min(0.05, tolerance / max(1e-300, np.median(np.abs(own)))))
            ratio = find(np.log(released / own), np.log(released / stranger), width)
            yield from self._rounded(tolerance, lambda by: (("/", by),), float(np.exp(ratio)))
            around = find(released + own, released + stranger, tolerance)
            yield from self._rounded(tolerance, lambda by: (("*", -1.0), ("+", by)), around)
            if _are_codes(released):
                places, others = (np.searchsorted(self._distinct, each) for each in (own, stranger))
                first = find(released - places, released - others, 0.0)
                if first in (0.0, 1.0):
                    yield self._source("codes", first=int(first))
            if np.abs(released).max() < _LARGEST_LOG:
                factor = find(released - np.log(own), released - np.log(stranger), width)
                yield from self._rounded(
                    tolerance, lambda by: (("/", by),), float(np.exp(factor)), form="log"
                )
        yield from self._line(tolerance)
        yield self._source("ranks")
        yield self._source("ranks", down=True)

    def _source(self, form: Form, **more: Any) -> Recoded:
        return Recoded(columns=(self._column,), form=form, **more)

    def _rounded(
        self,
        tolerance: float,
        steps: Callable[[float], tuple[Step, ...]],
        number: float,
        *,
        form: Form = "steps",
    ) -> Iterator[Recoded]:
        """Yield steps with as few digits as still fit."""
        if not np.isfinite(number):
            return
        whole = self._agreement(self._source(form, steps=steps(number)), self._learned, tolerance)
        for digits in range(1, _DIGITS + 1):
            short = float(f"{number:.{digits}g}")
            if short == 0:
                return
            one = form == "log" and short == 1  # The logarithm of the very numbers
            source = self._source(form, steps=() if one else steps(short))
            found = self._agreement(source, self._learned, tolerance)
            if found.more >= _NEARLY * whole.more or digits == _DIGITS:
                yield source
                return

    def _line(self, tolerance: float) -> Iterator[Recoded]:
        own, _, released = self._learned
        rng = np.random.default_rng(0)
        one, other = rng.integers(0, len(own), (2, _HYPOTHESES))
        usable = (own[one] != own[other]) & (released[one] != released[other])
        slopes = (released[one] - released[other])[usable] / (own[one] - own[other])[usable]
        levels = released[one][usable] - slopes * own[one][usable]
        read = (released - levels[:, None]) / slopes[:, None]
        person, stranger = (np.abs(read - each) <= tolerance for each in self._learned[:2])
        more = person.sum(axis=1) - stranger.sum(axis=1)
        if not len(more) or (most := more.max()) <= 0:
            return
        best = slopes[more.argmax()], levels[more.argmax()]
        near = np.abs((released - best[1]) / best[0] - own) <= tolerance
        slope, level = np.polyfit(own[near], released[near], 1) if near.sum() > 2 else best
        for digits in range(1, _DIGITS + 1):
            source = self._on_line(float(f"{slope:.{digits}g}"), float(f"{level:.{digits}g}"))
            if self._agreement(source, self._learned, tolerance).more >= _NEARLY * most:
                yield source
                return

    def _on_line(self, slope: float, level: float) -> Recoded:
        return self._source("steps", steps=(_minus(level), ("/", slope)))


def _minus(number: float) -> Step:
    return ("-", number) if number > 0 else ("+", -number)


def _are_codes(released: FloatArray) -> bool:
    whole = np.array_equal(released, np.round(released))
    return bool(whole and released.min() >= 0 and released.max() < _MOST_CODES)


def _half_step(released: FloatArray) -> float:
    """Return half the least distance of numbers, in standard deviations."""
    steps = np.diff(np.unique(released))
    return 0.500001 * float(steps.min() / released.std()) if len(steps) else 0.0


def _exact(present: FloatArray) -> float:
    """Return the tolerance for numbers that differ by rounding."""
    for decimals in range(7):
        if np.array_equal(np.round(present, decimals), present):
            return 0.500001 * 10.0**-decimals
    return 1e-6 * float(present.std())
