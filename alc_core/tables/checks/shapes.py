"""Released columns that are the original's coarsened or calculated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from alc_core.arrays import BoolArray, FloatArray, IntArray
from alc_core.tables.checks.finding import Offer
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.labels.find import linked_pairs
from alc_core.tables.labels.notation import read_label
from alc_core.tables.labels.worked_out import LinkedPairs, may_be_codes, word_ranges
from alc_core.tables.recode import YEAR, Recoded, read_ages
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.value_sets import AnyValue, Domain
from alc_core.tables.values.dates import iso_day
from alc_core.tables.values.no_value import says_no_value
from alc_core.tables.values.texts import bare_text, label_codes

# Limits, measured by benchmarks/shapes.py
_FEWEST_LINKED = 100  # Linked rows
_MOST_LINKED = 20_000  # Linked rows compared
_MOST_LABELS = 300  # Labels of a coarser column
_READ = 0.9  # Share of rows whose labels cover original values
_COVERED = 0.8  # Share of the original's rows covered
_APART = 0.5  # Distance of labels' shares from what they cover, if names begin alike
_APART_UNNAMED = 0.1  # The same for other names
_DETERMINED = 0.6  # Cohen's kappa of values another column predicts
UNRELATED = 0.3  # Kappa of unrelated columns
_TRIED = 7  # Columns by which links are tested
_AGREEING = 0.5  # Their agreement
_FINE = 100  # Ranges of predicting numbers
_COARSE = 20  # Ranges of predicted numbers
_FEW = 30  # Distinct numbers that may be ranges
_EXACT = 0.7  # Least share of linked rows that fit a formula
_TOLERANCE = 0.05  # Standard deviations of a fitting value
_OLDEST = 130  # Age
_YEARS = 1900, 2100  # In which people have their age
_MOST_COLUMNS = 25  # Columns of a formula
_LINKED = "whose values go with its values in linked rows"
_GROUPS = re.compile(
    r"gr(ou)?p|band|cat|class|kat|klas|kl(?![a-z])|brack|bin|range|interval|level|stuf|tranche"
    r"|tile|code|[0-9]\Z",
    re.IGNORECASE,
)
_AGE_WORDS = re.compile(
    r"age|alter|alder|ålder|leeftijd|edad|idade|eta|età|âge|wiek|ikä|jahre|years?|ans"
    r"|born|birth|dob|geb|naissance|nasc|nacim|nasci|urodz|geboorte",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelyColumn:
    """A released column that may be an original one under another name."""

    column: str  # What the release calls it
    of: str  # The original's column
    why: str = ""  # Evidence, such as "with the same values"; empty for the name
    source: str = ""  # Its source in the release, if derived
    sure: bool = True  # Whether evidence suffices to ask

    @property
    def offer(self) -> Offer:
        """The answer that takes it as that column."""
        return Offer("same", f"{self.source or self.column}={self.of}")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedOut:
    """A released number determined by several original columns."""

    column: str
    of: tuple[str, ...]  # Columns of the original
    how: str  # "sum" of multiples, or "product" of powers
    share: float  # Share of linked rows that fit


def names_begin_alike(one: str, other: str) -> bool:
    """Return whether names share a beginning, or the shorter's words.

    >>> [names_begin_alike("age", name) for name in ("AgeCat", "age5", "income_band", "stage")]
    [True, True, False, False]
    """
    words, others = _words(one), _words(other)
    if not words or not others:
        return False
    shorter, longer = sorted((bare_text(one), bare_text(other)), key=len)
    begins = len(shorter) >= 3 and longer.startswith(shorter)
    return begins or words[0] == others[0] or {*words} <= {*others} or {*others} <= {*words}


def one_name_holds(one: str, other: str) -> bool:
    """Return whether one name has the other's words (three letters) and number."""
    fewer, more = sorted(({*_words(one)}, {*_words(other)}), key=len)
    held = fewer <= more and len("".join(fewer)) >= 3
    return held and not other_number(one, other)


def other_number(one: str, other: str) -> bool:
    """Return whether names have different numbers: income_2019, income_2020."""
    digits = [re.findall(r"\d+", name) for name in (one, other)]
    return all(digits) and digits[0] != digits[1]


def _words(name: str) -> list[str]:
    apart = re.sub(r"(?<=[a-zß-ÿ])(?=[A-Z])", "_", name)
    return [word.lower() for word in re.findall(r"[^\W\d_]+", apart)]


def coarser(before: ColumnProfile, after: ColumnProfile) -> float | None:
    """Return how well released labels cover a column's values, 1 at best, if they do."""
    named = names_begin_alike(before.column, after.column)
    domain = before.domain
    if after.is_stored_as_number and before.kind is ColumnKind.CONTINUOUS:
        apart = _of_numbers(domain, after, named=named)
    else:
        apart = _of_labels(domain, after.labels)
    if apart is None or apart > (_APART if named else _APART_UNNAMED):
        return None
    return 1 - apart / 2 if named else (1 - apart) / 2


def _of_labels(domain: Domain, labels: pd.Series) -> float | None:
    """Return the distance of labels' shares from what they cover."""
    if not 2 <= len(labels) <= _MOST_LABELS:
        return None
    rows, expected, several, left = [], [], 0, 0
    covered = np.zeros(len(domain.numbers if domain.numeric else domain.labels), dtype=bool)
    counts = domain.number_counts if domain.numeric else domain.labels.to_numpy()
    for label, count in labels.items():
        chosen = _chosen(str(label), domain)
        if chosen is None:
            left += 0 if says_no_value(str(label)) else int(count)
        elif not chosen.all():
            several += int(chosen.sum() > 1)
            covered |= chosen
            rows.append(int(count))
            expected.append(int(counts[chosen].sum()))
    known = sum(rows)
    if several < min(2, len(labels)) or known < _READ * (known + left):
        return None
    if counts[covered].sum() < _COVERED * counts.sum():
        return None
    return _total_variation(np.array(rows, dtype=float), np.array(expected, dtype=float))


def _chosen(label: str, domain: Domain) -> BoolArray | None:
    if domain.has(label) and not domain.of_dates:
        is_it = domain.numbers == float(label) if domain.numeric else domain.labels.index == label
        return np.asarray(is_it, dtype=bool)
    reading = read_label(label, domain)
    if reading is not None:
        found = domain.chosen(reading.value_set)
        return found if found.any() and not isinstance(reading.value_set, AnyValue) else None
    begins = [] if domain.numeric else domain.labels_from(label.rstrip(".-x*"))
    return np.asarray(domain.labels.index.isin(begins), dtype=bool) if begins else None


def _total_variation(one: FloatArray, other: FloatArray) -> float:
    return float(0.5 * np.abs(one / max(1.0, one.sum()) - other / max(1.0, other.sum())).sum())


def _of_numbers(domain: Domain, after: ColumnProfile, *, named: bool) -> float | None:
    """Return the distance of rounded numbers from the original's rounded ones."""
    numbers = np.sort(after.numbers)
    numbers = numbers[np.isfinite(numbers)]
    grid, counts = np.unique(numbers, return_counts=True)
    if named and _GROUPS.search(after.column) and may_be_codes(domain, numbers):
        return _APART
    if not 3 <= len(grid) <= len(domain.numbers) / 2 or not len(domain.numbers):
        return None
    middle = (grid[1:] + grid[:-1]) / 2
    found = []
    for cuts, side in ((grid[1:], "right"), (middle, "left"), (grid[:-1], "left")):
        places = np.searchsorted(cuts, domain.numbers, side=side)  # type: ignore[call-overload]
        if np.bincount(places, minlength=len(grid))[1:-1].max() < 2:
            continue  # As fine as the original's between the ends: other numbers
        shares = np.bincount(places, weights=domain.number_counts, minlength=len(grid))
        found.append(_total_variation(counts.astype(np.float64), shares.astype(np.float64)))
    return min(found, default=None)


def as_ages(before: ColumnProfile, after: ColumnProfile) -> LikelyColumn | None:
    """Match ages with dates or years of birth."""
    dates = [each.kind is ColumnKind.DATETIME for each in (before, after)]
    named = _AGE_WORDS.search(before.column) and _AGE_WORDS.search(after.column)
    if not named or all(dates):
        return None
    if not any(dates):
        return _as_years(before, after)
    born, aged = (before, after) if dates[0] else (after, before)
    ages, days = _ages(aged), born.days
    known = np.isfinite(days)
    if ages is None or not np.isfinite(ages).any() or not known.any():
        return None
    if not dates[0] and not aged.is_stored_as_number:
        return None
    pairs = linked_pairs(before.table, after.table, before.column)
    rows = pairs if dates[0] else pairs[::-1]
    day = _day_of(days[rows[0]], ages[rows[1]])
    if day is None:
        day = float(np.mean(days[known]) + (np.nanmean(ages) + 0.5) * YEAR)
        if distance((day - days[known]) / YEAR, ages[np.isfinite(ages)] + 0.5) > _APART_UNNAMED:
            return None
    source = Recoded(columns=(after.column,), form="age", day=iso_day(day))
    what = "with the ages of" if dates[0] else "with the dates of birth of"
    return LikelyColumn(
        column=after.column, of=before.column, source=source.text,
        why=f"{what} these people, it seems",
    )  # fmt: skip


def _as_years(before: ColumnProfile, after: ColumnProfile) -> LikelyColumn | None:
    if not (before.kind.is_numeric and before.is_stored_as_number and after.is_stored_as_number):
        return None
    own, released = (each.numbers[np.isfinite(each.numbers)] for each in (before, after))
    if not (len(own) and len(released)) or (own.max() > _OLDEST) == (released.max() > _OLDEST):
        return None
    if min(own.min(), released.min()) < 0:
        return None
    pairs = linked_pairs(before.table, after.table, before.column)
    sums = before.numbers[pairs[0]] + after.numbers[pairs[1]]
    sums = sums[np.isfinite(sums)]
    year = np.round(
        np.median(sums) if len(sums) >= _FEWEST_LINKED else own.mean() + released.mean()
    )
    near = [(distance(year + step - released, own), abs(step), step) for step in range(-3, 4)]
    apart, _, step = min(near)
    if apart > _APART_UNNAMED or not _YEARS[0] < year < _YEARS[1]:
        return None
    steps = (("*", -1.0), ("+", float(year + step)))
    source = Recoded(columns=(after.column,), form="steps", steps=steps)
    what = "with the years of birth" if released.max() > _OLDEST else "with the ages"
    return LikelyColumn(
        column=after.column, of=before.column, source=source.text,
        why=f"{what} of these people, it seems",
    )  # fmt: skip


def _ages(aged: ColumnProfile) -> FloatArray | None:
    """Return ages, or bands' middles; None if mostly others."""
    codes, labels = label_codes(aged.series)
    if len(labels) > _MOST_LABELS:
        return None
    read = [read_ages(label) for label in labels]
    middles = [np.nan if r is None else float(np.mean(np.clip(r.closed_bounds, 0, _OLDEST)))
               for r in read]  # fmt: skip
    ages = np.append(middles, np.nan)[codes]
    fits = (ages >= 0) & (ages <= _OLDEST)
    return np.where(fits, ages, np.nan) if fits.sum() >= _READ * (codes >= 0).sum() else None


def _day_of(days: FloatArray, ages: FloatArray) -> float | None:
    """Return the day on which most linked people have their age, if any."""
    usable = np.isfinite(days) & np.isfinite(ages)
    if usable.sum() < _FEWEST_LINKED:
        return None
    width = 1.0 if np.array_equal(ages[usable], np.floor(ages[usable])) else 5.0
    first = days[usable] + np.floor(ages[usable]) * YEAR
    places = np.concatenate([first, first + width * YEAR])
    order = np.argsort(places, kind="stable")
    inside = np.cumsum(np.repeat([1, -1], len(first))[order])
    best = np.flatnonzero(inside == inside.max())
    if inside.max() < _EXACT * len(first):
        return None
    return float((places[order][best[0]] + places[order][min(best[-1] + 1, len(order) - 1)]) / 2)


def distance(one: FloatArray, other: FloatArray) -> float:
    """Return the Kolmogorov-Smirnov distance of two samples."""
    one, other = np.sort(one), np.sort(other)
    places = np.concatenate([one, other])
    below = [np.searchsorted(each, places, side="right") / len(each) for each in (one, other)]
    return float(np.abs(below[0] - below[1]).max())


class Linked:
    """Columns of both tables in linked rows."""

    def __init__(self, original: Table, release: Table, profiles: Profiles) -> None:
        self._original, self._release, self._profiles = original, release, profiles
        self._seen: dict[tuple[bool, str, int], IntArray] = {}

    def rows(self, of: str) -> LinkedPairs:
        """Return linked rows, a sample if many."""
        rows = linked_pairs(self._original, self._release, of)
        step = max(1, len(rows[0]) // _MOST_LINKED)
        return rows[0][::step], rows[1][::step]

    @cached_property
    def credible(self) -> bool:
        """Whether columns that linked nothing agree."""
        shared = [c for c in self._original.compared if c in self._release.columns]
        agreeing = []
        for column in shared[:: max(1, len(shared) // _TRIED)]:
            own, theirs = self.rows(column)
            if len(own) >= _FEWEST_LINKED:
                codes = self._codes(column, _FINE)[own], self._codes(column, _COARSE, new=True)
                agreeing.append(_kappa(codes[0], codes[1][theirs]) or 0.0)
        return bool(agreeing) and float(np.median(agreeing)) >= _AGREEING

    def related(self, of: str, column: str) -> float | None:
        """Return how well a column predicts the released one, 0 by chance to 1.

        None if too few rows are linked.
        """
        own, _ = self.rows(of)
        if len(own) < _FEWEST_LINKED or not self.credible:
            return None
        return self._agreement(of, column) or 0.0

    def contradict(self, of: str, column: str) -> bool:
        """Return whether linked rows contradict a column as source."""
        agreement = self._agreement(of, column)
        return agreement is not None and agreement < UNRELATED and self.credible

    def _agreement(self, of: str, column: str) -> float | None:
        own, theirs = self.rows(of)
        return _kappa(self._codes(of, _FINE)[own], self._codes(column, _COARSE, new=True)[theirs])

    def likely(self, of: str, column: str) -> LikelyColumn | None:
        """Return the released column as suggestion if either predicts the other."""
        related = self.related(of, column)
        if related is None:
            return None
        if related < _DETERMINED and self._finer(of, column) < _DETERMINED:
            return None
        if not self._readable(of, column):
            return None
        return LikelyColumn(column=column, of=of, source=self._source(of, column), why=_LINKED)

    def _readable(self, of: str, column: str) -> bool:
        before, after = self._both(of, column)
        if before.kind is not ColumnKind.CONTINUOUS or after.is_stored_as_number:
            return True
        if self._read_share(of, column) >= _EXACT:
            return True
        domain, words = before.domain, [str(each) for each in after.labels.index]
        return any(word_ranges(domain, after.series, words, lambda: self.rows(of)))

    def _read_share(self, of: str, column: str) -> float:
        before, after = self._both(of, column)
        domain = before.domain
        read = [_chosen(str(label), domain) is not None for label in after.labels.index]
        return float(after.labels[read].sum() / after.labels.sum())

    def _finer(self, of: str, column: str) -> float:
        """Return how well released values predict a column with few."""
        before, after = self._both(of, column)
        if not before.has_few_values or len(after.labels) > _MOST_LABELS:
            return 0.0
        own, theirs = self.rows(of)
        codes = self._codes(column, _FINE, new=True)[theirs], self._codes(of, _COARSE)[own]
        return _kappa(*codes) or 0.0

    def _both(self, of: str, column: str) -> tuple[ColumnProfile, ColumnProfile]:
        return self._profiles.of(self._original, of), self._profiles.of(self._release, column)

    def _codes(self, column: str, most: int, *, new: bool = False) -> IntArray:
        key = new, column, most
        if key not in self._seen:
            table = self._release if new else self._original
            self._seen[key] = _codes(self._profiles.of(table, column), most)
        return self._seen[key]

    def _source(self, of: str, column: str) -> str:
        (before, after), (own, theirs) = self._both(of, column), self.rows(of)
        numeric = before.kind is ColumnKind.CONTINUOUS and after.is_stored_as_number
        if numeric:
            return _formula(column, before.numbers[own], after.numbers[theirs])
        kept = self._read_share(of, column) >= _EXACT
        if kept or before.kind.is_numeric or self._finer(of, column) < _DETERMINED:
            return column
        codes, labels = label_codes(before.series.iloc[own])
        released, found = label_codes(after.series.iloc[theirs])
        table = _crossed(released, codes, len(found), len(labels))
        meant = {
            label: labels[row.argmax()]
            for label, row in zip(found, table, strict=True)
            if row.any() and labels[row.argmax()] != label
        }
        return Recoded(columns=(column,), form="labels", labels=meant).text if meant else column


def _crossed(rows: np.ndarray, columns: np.ndarray, n_rows: int, n_columns: int) -> IntArray:
    known = (rows >= 0) & (columns >= 0)
    places = rows[known].astype(np.int64) * n_columns + columns[known]
    return np.bincount(places, minlength=n_rows * n_columns).reshape(n_rows, n_columns)


def _codes(profile: ColumnProfile, most: int) -> IntArray:
    """Return codes, many numbers in equal-size ranges; -1 if missing."""
    if profile.kind.is_numeric and not profile.has_few_values:
        numbers = profile.comparable(profile.kind)
        known = np.isfinite(numbers)
        edges = np.unique(np.quantile(numbers[known], np.linspace(0, 1, most + 1)[1:-1]))
        return np.where(known, np.searchsorted(edges, numbers, side="right"), -1)
    return label_codes(profile.series)[0].astype(np.int64)


def _kappa(of: IntArray, codes: IntArray) -> float | None:
    """Return how well values predict others (Cohen's kappa), from half of the rows.

    None if too few or too similar.
    """
    known = (of >= 0) & (codes >= 0)
    of, codes = of[known], codes[known]
    if len(of) < _FEWEST_LINKED:
        return None
    table = _crossed(of[::2], codes[::2], int(of.max()) + 1, int(codes.max()) + 1)
    tried, seen = codes[1::2], table.sum(axis=1)[of[1::2]] > 0
    share = float(np.mean((table.argmax(axis=1)[of[1::2]] == tried)[seen])) if seen.any() else 0.0
    base = float(np.bincount(tried).max() / len(tried))
    misses = (1 - base) * len(tried)
    if seen.mean() < 0.5 or misses < _FEW / 2:
        return None
    return (share - base) / (1 - base)


def _formula(column: str, own: FloatArray, released: FloatArray) -> str:
    """Return steps that undo a linear change or logarithm, else ranks.

    Few numbers may be ranges.
    """
    known = np.isfinite(own) & np.isfinite(released)
    own, released = own[known], released[known]
    if len(np.unique(released)) <= _FEW or _fits(own, released):
        return column
    with np.errstate(over="ignore"):
        if _fits(own, np.exp(released)):
            return Recoded(columns=(column,), form="log").text
    slope, start = _line(own, released)
    if slope and _fits(own, (released - start) / slope):
        shift = ("-", start) if start > 0 else ("+", -start)
        steps = [step for step in (shift, ("/", slope)) if step[1] != (step[0] == "/")]
        return Recoded(columns=(column,), form="steps", steps=tuple(steps)).text
    down = bool(np.corrcoef(_ranks(own), _ranks(released))[0, 1] < 0)
    return Recoded(columns=(column,), form="ranks", down=down).text


def _fits(own: FloatArray, other: FloatArray) -> bool:
    near = np.abs(own - other) <= _TOLERANCE * max(_spread(own), 1e-12)
    return bool(np.mean(near) >= _EXACT)


def _spread(numbers: FloatArray) -> float:
    """Return a robust standard deviation."""
    low, high = np.quantile(numbers, (0.1, 0.9))
    return float(high - low) / 2.56 if high > low else float(np.std(numbers))


def _ranks(numbers: FloatArray) -> FloatArray:
    return np.argsort(np.argsort(numbers)).astype(np.float64)


def _line(own: FloatArray, released: FloatArray) -> tuple[float, float]:
    fitted, _ = _least_deviations(own[:, None], released)
    slope, start = float(fitted[0]), float(fitted[1])
    for digits in (1, 2, 3, 4, 5):
        rounded = float(f"{slope:.{digits}g}")
        if abs(rounded - slope) <= 2e-4 * abs(slope):
            start = float(np.median(released - rounded * own))
            return rounded, float(f"{start:.{digits + 3}g}")
    return slope, start


def _least_deviations(columns: FloatArray, wanted: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return least-absolute-deviation weights, constant and residuals."""
    scales = np.where(columns.std(axis=0) > 0, columns.std(axis=0), 1.0)
    middle = np.median(columns, axis=0)
    design = np.column_stack([(columns - middle) / scales, np.ones(len(columns))])
    weights = np.ones(len(wanted))
    least = 1e-4 * max(float(np.std(wanted)), 1e-12)
    for _ in range(20):
        root = np.sqrt(weights)
        found = np.linalg.lstsq(design * root[:, None], wanted * root, rcond=None)[0]
        rest = wanted - design @ found
        weights = 1 / np.maximum(np.abs(rest), least)
    found[:-1] /= scales
    found[-1] -= float(found[:-1] @ middle)
    return found, rest


def worked_out(
    own: Mapping[str, ColumnProfile], missing: Sequence[str], after: ColumnProfile
) -> WorkedOut | None:
    """Return columns that determine a released number, one of them missing.

    By a sum of multiples, or a product of powers, in nearly all linked rows.
    """
    numeric = [c for c in missing if c in own and own[c].kind.is_numeric][:_MOST_COLUMNS]
    if not numeric or after.has_few_values or not after.is_stored_as_number:
        return None
    columns = [*numeric, *(c for c in own if c not in numeric)][:_MOST_COLUMNS]
    rows = linked_pairs(own[numeric[0]].table, after.table, numeric[0])
    step = max(1, len(rows[0]) // 2_000)
    before = np.column_stack([own[c].comparable(own[c].kind)[rows[0][::step]] for c in columns])
    released = after.numbers[rows[1][::step]]
    known = np.isfinite(before).all(axis=1) & np.isfinite(released)
    if known.sum() < _FEWEST_LINKED:
        return None
    for how, columns_, x, y in _forms(columns, before[known], released[known]):
        used, share = _used(x, y)
        of = tuple(columns_[number] for number in used)
        if share >= _EXACT and {*of} & {*missing} and len(of) >= 1:
            return WorkedOut(column=after.column, of=of, how=how, share=share)
    return None


def _forms(
    columns: Sequence[str], before: FloatArray, released: FloatArray
) -> Iterator[tuple[str, list[str], FloatArray, FloatArray]]:
    varied = [n for n in range(len(columns)) if before[:, n].std() > 0]
    yield "sum", [columns[n] for n in varied], before[:, varied], released
    some = released > 0
    positive = [n for n in varied if (before[:, n] > 0).mean() > _READ]
    some &= (before[:, positive] > 0).all(axis=1)
    if positive and some.sum() >= _EXACT * len(released):
        logs = np.log(before[some][:, positive])
        yield "product", [columns[n] for n in positive], logs, np.log(released[some])


def _used(columns: FloatArray, wanted: FloatArray) -> tuple[list[int], float]:
    used = list(range(columns.shape[1]))
    tolerance = _TOLERANCE * max(_spread(wanted), 1e-12)
    share = 0.0
    for _ in range(2):
        if not used:
            return [], 0.0
        found, rest = _least_deviations(columns[:, used], wanted)
        share = float(np.mean(np.abs(rest) <= tolerance))
        if share < _EXACT:
            return used, share
        effects = [abs(w) * _spread(columns[:, n]) for w, n in zip(found[:-1], used, strict=True)]
        used = [n for n, effect in zip(used, effects, strict=True) if effect > tolerance]
    return used, share
