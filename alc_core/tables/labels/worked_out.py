"""What labels cover, by linked rows or shares.

They identify codes of intervals, top codes, words for groups, and closed bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.phrasing import percent
from alc_core.tables.labels.notation import LabelReading
from alc_core.tables.value_sets import Domain, Interval
from alc_core.tables.values.no_value import number_markers
from alc_core.tables.values.texts import canonical_labels, label_codes, numeric_values

IndexArray = NDArray[np.intp]
# Common codes in original and release
Codes = tuple[IntArray, IntArray]
# Rows of the original, and their released rows
LinkedPairs = tuple[IndexArray, IndexArray]
# Returns linked rows, at a cost
Pairs = Callable[[], LinkedPairs]
# Limits, each tried at half and twice its value on releases of anjana and sdcMicro and on seven
# tables of people with recoded columns: the same is read
_FEWEST_LINKED = 30  # Linked rows for any conclusion
_ROWS_LINKED = 50_000  # Rows that are linked, at most
_MOST_KINDS = 32  # Kinds of rows by unchanged columns, the most frequent
_AGREEING = 0.9  # Share of rows that agree in a column if ordered

_BETTER = 0.005  # Better fit of the other bounds
_FITTING = 0.9  # Share of linked rows they must fit

# By label: as written, and closed at the other end
Ends = Mapping[str, tuple[Interval, Interval]]


class LinkedRows:
    """Pairs of rows that agree in all original values.

    A released row is paired if all people with its values share the excluded column's value; with
    kept order, all rows are.
    """

    def __init__(
        self, original: pd.DataFrame, release: pd.DataFrame, columns: Sequence[str]
    ) -> None:
        self._original = original
        self._release = release
        self._columns = tuple(columns)

    def pairs(self, column: str) -> LinkedPairs:
        """Return rows of the original, and their released rows."""
        if self._in_order:
            rows = np.arange(len(self._original))[:: max(1, len(self._original) // _ROWS_LINKED)]
            return rows, rows
        own = self._codes.get(column)
        values = own[0] if own else pd.factorize(self._original[column], use_na_sentinel=False)[0]
        others = [codes for name, codes in self._codes.items() if name != column]
        parts = [_linked(values, part, rows) for part, rows in _kinds_of_rows(others)]
        nobody = np.array([], dtype=np.intp)
        found = [np.concatenate(each) for each in zip(*parts, strict=True)] or [nobody, nobody]
        return found[0], found[1]

    @cached_property
    def _codes(self) -> Mapping[str, Codes]:
        if not len(self._original) or not len(self._release):
            return {}
        return {
            name: _together(self._original[name], self._release[name]) for name in self._columns
        }

    @cached_property
    def _in_order(self) -> bool:
        """Whether most columns agree row by row, beyond chance."""
        if len(self._original) != len(self._release):
            return False
        rows = len(self._original)
        varied = [
            codes
            for codes in self._codes.values()
            if float(np.bincount(codes[0]).max()) / rows < _AGREEING / 2
        ]
        agreeing = 0
        for before, after in varied:
            kept = after <= before.max()
            agreeing += bool(kept.sum() >= _FEWEST_LINKED) and bool(
                np.mean((before == after)[kept]) >= _AGREEING
            )
        return bool(varied) and agreeing > len(varied) / 2


def _together(before: pd.Series, after: pd.Series) -> Codes:
    """Return common codes of two columns; new values come last."""
    if all(pd.api.types.is_numeric_dtype(part.dtype) for part in (before, after)):
        numbers = np.concatenate([numeric_values(before), numeric_values(after)])
        codes = pd.factorize(numbers, use_na_sentinel=False)[0].astype(np.int64)
        return codes[: len(before)], codes[len(before) :]
    own, labels = label_codes(before)
    other, found = label_codes(after)
    position = {label: code for code, label in enumerate(labels)}
    missing = len(labels)
    places = [position.setdefault(label, len(position) + 1) for label in found]
    own = np.where(own < 0, missing, own)
    return own.astype(np.int64), np.array([*places, missing], dtype=np.int64)[other]


def _kinds_of_rows(coded: Sequence[Codes]) -> Iterator[tuple[Sequence[Codes], IndexArray]]:
    """Yield released rows with original values in the same columns."""
    if not coded:
        return
    kept = np.column_stack([after <= before.max() for before, after in coded])
    _, first, kind, rows = np.unique(
        np.packbits(kept, axis=1), axis=0, return_index=True, return_inverse=True,
        return_counts=True,
    )  # fmt: skip
    for number in np.argsort(-rows, kind="stable")[:_MOST_KINDS]:
        columns = [codes for codes, has in zip(coded, kept[first[number]], strict=True) if has]
        if columns:
            yield columns, np.flatnonzero(kind.ravel() == number)


def _linked(values: IntArray, coded: Sequence[Codes], released: IndexArray) -> LinkedPairs:
    """Pair released rows with people who agree in all columns."""
    ordered = sorted(coded, key=lambda pair: -int(pair[0].max()))
    n_rows = len(values)
    groups = np.zeros(n_rows + len(released), dtype=np.int64)
    rows = np.arange(len(groups))
    for number, (before, after) in enumerate(ordered):
        codes = np.concatenate([before, after[released]])[rows]
        groups = pd.factorize(groups * (int(codes.max(initial=0)) + 1) + codes)[0].astype(np.int64)
        if number == 0 and len(rows) > 2 * _ROWS_LINKED:
            kept = groups % -(-len(rows) // (2 * _ROWS_LINKED)) == 0
            rows, groups = rows[kept], groups[kept]
    of_original = rows < n_rows
    size = int(groups.max(initial=0)) + 1
    people = np.bincount(groups[of_original], minlength=size)
    places = np.zeros(size, dtype=np.intp)
    places[groups[of_original]] = rows[of_original]
    own = values[places[groups]]
    mixed = np.bincount(groups[of_original & (own != values[rows % n_rows])], minlength=size) > 0
    few = np.bincount(groups[~of_original], minlength=size) <= people
    chosen = ~of_original & ((people > 0) & ~mixed & few)[groups]
    return places[groups[chosen]], released[rows[chosen] - n_rows]


def swapped_bounds(
    domain: Domain,
    released: pd.Series,
    readings: Mapping[str, LabelReading | None],
    pairs: Pairs,
) -> tuple[Mapping[str, Interval], str]:
    """Find whether half-open intervals are closed at the other end, and why.

    By linked rows.
    """
    ends = _either_way(readings)
    if all(domain.share(written) == domain.share(other) for written, other in ends.values()):
        return {}, ""
    of_original, of_release = pairs()
    labels = canonical_labels(released.iloc[of_release]).to_numpy(dtype=object)
    numbers, fitting, linked = domain.rows[of_original], np.zeros(2), 0
    for label, intervals in ends.items():
        own = numbers[labels == label]
        own = own[~np.isnan(own)]
        linked += len(own)
        for side, interval in enumerate(intervals):
            low, high = interval.closed_bounds
            fitting[side] += np.count_nonzero((own >= low) & (own <= high))
    written, other = fitting / max(linked, 1)
    if linked < _FEWEST_LINKED or other < _FITTING or other <= written + _BETTER:
        return {}, ""
    return {label: other for label, (_, other) in ends.items()}, (
        f"The bounds are reversed: {percent(float(other))} of linked rows fit, "
        f"{percent(float(written))} as written."
    )


def _either_way(readings: Mapping[str, LabelReading | None]) -> Ends:
    """Return intervals as written, and closed at the other inner ends."""
    ends = {
        label: (reading.value_set, reading.other)
        for label, reading in readings.items()
        if reading is not None
        and reading.other is not None
        and isinstance(reading.value_set, Interval)
    }
    least = min((other.low for _, other in ends.values()), default=0.0)
    most = max((other.high for _, other in ends.values()), default=0.0)
    return {
        label: (
            written,
            replace(
                other,
                low_open=other.low_open and other.low > least,
                high_open=other.high_open and other.high < most,
            ),
        )
        for label, (written, other) in ends.items()
    }


def apart(rows: Sequence[float], shares: Sequence[float]) -> float:
    """Return the total variation of labels' and the original's rows."""
    own, expected = np.array(rows, dtype=np.float64), np.array(shares)
    return 0.5 * float(np.abs(expected / max(expected.sum(), 1e-12) - own / own.sum()).sum())


Linked = tuple[FloatArray, FloatArray]  # Original and released numbers of linked rows
_MOST_CODES = 30  # Codes of intervals
_FEWEST_VALUES = 20  # Least numbers to be cut into intervals
_VALUES_PER_CODE = 3  # Numbers of the original per code
_GENUINE = 0.5  # Overlap of shares of genuine small numbers
_DETERMINED = 0.6  # Fit of words' ranges beyond chance
_WORST_FIT = 0.05  # Share of linked rows that may misfit without doubt
_MOST_MISFITS = 0.2  # Share of linked rows that may misfit

_FEWEST_ROWS = 10  # Rows of a top code, or of a number for suppressed values
_MOST_ROWS = 0.5  # Share of rows of top and bottom codes
_BEYOND = 0.5  # Least share of people beyond a top code among its excess rows
_NOISE = 3.0  # Standard errors beyond chance
_FEWEST_TO_TELL = 30  # Rows of tables whose missing cells are compared
_MOVED = 2.0  # Ratio of excess at an end to changes elsewhere
_CHANCE = 1.36  # Kolmogorov-Smirnov distance of two samples, in 95 % of them
MOST_LABELS = 500  # New labels that may be groups
_CONSISTENT = 0.95  # Share of linked rows a plain recoding explains
_FEWEST_REPEATED = 10  # Rows beyond one per value that show it
_FEWEST_PER_LABEL = 3  # Linked rows of a group
_LEAST_SHARE = 0.5  # Share of a value's rows in its group
_LEAST_RATE = 0.25  # Least rows of a value relative to its group's usual
_FEW_ROWS = 2  # Rows by which a value may be below that
_ENOUGH_ROWS = 3  # Expected linked rows for a value to count as seen


def may_be_codes(domain: Domain, released: FloatArray) -> bool:
    """Return whether released numbers look like codes of intervals.

    From 0 or 1 to a small number, with many more original values, and shares unlike small counts.
    """
    head = released[~np.isnan(released)][:1000]
    if not len(head) or len(np.unique(head)) > _MOST_CODES:
        return False
    codes, counts = _codes(released)
    n_codes = len(codes)
    consecutive = np.array_equal(codes, codes[0] + np.arange(n_codes))
    if not consecutive or codes[0] not in (0, 1) or not 2 <= n_codes <= _MOST_CODES:
        return False
    if len(domain.numbers) < max(_FEWEST_VALUES, _VALUES_PER_CODE * n_codes):
        return False
    own = domain.number_counts / domain.number_counts.sum()
    at = dict(zip(domain.numbers.tolist(), own.tolist(), strict=True))
    shares = counts / counts.sum()
    alike = sum(
        min(at.get(code, 0.0), share)
        for code, share in zip(codes.tolist(), shares.tolist(), strict=True)
    )
    return bool(alike < _GENUINE)


def interval_codes(
    domain: Domain, released: FloatArray, linked: Linked
) -> Iterator[tuple[float, Interval, str]]:
    """Infer what codes cover, from linked rows or shares.

    Yields code, interval, and a doubt if rows fit badly.
    """
    codes, counts = _codes(released)
    below = np.cumsum(counts)[:-1] / counts.sum()
    at_most = np.cumsum(domain.number_counts) / domain.number_counts.sum()
    cuts = np.abs(at_most[None, :] - below[:, None]).argmin(axis=1)
    doubt = ""
    numbers, of_rows = linked
    usable = ~np.isnan(numbers) & ~np.isnan(of_rows)
    if usable.sum() >= _FEWEST_LINKED:
        places = np.searchsorted(domain.numbers, numbers[usable])
        cuts = _best_cuts(places, of_rows[usable], codes, cuts, len(domain.numbers))
        wrong = np.searchsorted(cuts, places, side="left") + codes[0] != of_rows[usable]
        if wrong.mean() > _MOST_MISFITS:
            return
        if wrong.mean() > _WORST_FIT:
            doubt = f"{percent(float(wrong.mean()))} of linked rows do not fit."
    cuts = np.maximum.accumulate(cuts)
    lows = [0, *(cut + 1 for cut in cuts)]
    highs = [*cuts, len(domain.numbers) - 1]
    for code, low, high in zip(codes, lows, highs, strict=True):
        least, most = domain.numbers[min(low, high)], domain.numbers[high]
        yield float(code), Interval(float(least), float(most)), doubt


def word_ranges(
    domain: Domain, released: pd.Series, words: Sequence[str], pairs: Pairs
) -> Iterator[tuple[str, Interval, str]]:
    """Infer words' ranges, such as Q1 to Q5, from linked rows.

    Yields word, interval and doubt, if clear.
    """
    if not 2 <= len(words) <= _MOST_CODES:
        return
    of_original, of_release = pairs()
    codes = pd.Index(words).get_indexer(pd.Index(canonical_labels(released)))
    numbers, of_rows = domain.rows[of_original], codes[of_release]
    usable = ~np.isnan(numbers) & (of_rows >= 0)
    numbers, of_rows = numbers[usable], of_rows[usable]
    often = np.bincount(of_rows, minlength=len(words))
    if len(numbers) < _FEWEST_LINKED or often.min() < _FEWEST_PER_LABEL:
        return
    middles = [np.median(numbers[of_rows == code]) for code in range(len(words))]
    order = np.argsort(middles, kind="stable")
    ranks = np.append(np.argsort(order).astype(np.float64), np.nan)  # last, of other labels
    found = list(interval_codes(domain, ranks[codes], (numbers, ranks[of_rows])))
    lows, highs = (np.array([getattr(i, end) for _, i, _ in found]) for end in ("low", "high"))
    if not found:
        return
    place = ranks[of_rows].astype(np.intp)
    fitting = float(np.mean((numbers >= lows[place]) & (numbers <= highs[place])))
    chance = float(often.max() / often.sum())
    if fitting - chance >= _DETERMINED * (1 - chance):
        for rank, interval, doubt in found:
            yield words[order[int(rank)]], interval, doubt


def _codes(released: FloatArray) -> tuple[FloatArray, NDArray[np.int64]]:
    codes, counts = np.unique(released[~np.isnan(released)], return_counts=True)
    return codes.astype(np.float64), counts.astype(np.int64)


def _best_cuts(
    places: NDArray[np.intp],
    of_rows: FloatArray,
    codes: FloatArray,
    guessed: NDArray[np.intp],
    n_values: int,
) -> NDArray[np.intp]:
    """Return cuts with fewest misfits in linked rows, nearest the guess."""
    cuts = []
    for code, guess in zip(codes[:-1], guessed, strict=True):
        lower = np.bincount(places[of_rows <= code], minlength=n_values)
        higher = np.bincount(places[of_rows > code], minlength=n_values)
        misfits = lower.sum() - np.cumsum(lower) + np.cumsum(higher)
        best = np.flatnonzero(misfits == misfits.min())
        cuts.append(best[np.abs(best - guess).argmin()])
    return np.array(cuts, dtype=np.intp)


def end_codes(domain: Domain, released: FloatArray) -> Iterator[tuple[float, Interval]]:
    """Find an extreme released number that covers all beyond it.

    Its excess rows are about as many as the original's beyond; not most rows.
    """
    found = tuple(_end_codes(domain, released[~np.isnan(released)]))
    if sum(share for _, _, share in found) <= _MOST_ROWS:
        yield from ((number, interval) for number, interval, _ in found)


def _end_codes(domain: Domain, present: FloatArray) -> Iterator[tuple[float, Interval, float]]:
    if not len(present) or not len(domain.numbers):
        return
    moved = _MOVED * _most_moved(domain, present)
    for sign in (1.0, -1.0):
        end = float(sign * (sign * present).max())
        beyond = sign * domain.numbers > sign * end
        if not beyond.any():
            continue
        total = float(domain.number_counts.sum())
        past = float(domain.number_counts[beyond].sum()) / total
        itself = float(domain.number_counts[domain.numbers == end].sum()) / total
        rows = int(np.count_nonzero(present == end))
        share = rows / len(present)
        noise = _NOISE * np.sqrt((past + itself) * (1 / len(present) + 1 / total))
        excess = share - itself
        if rows < _FEWEST_ROWS or excess < max(_BEYOND * past, noise, moved):
            continue
        if excess > past / _BEYOND + noise:
            continue
        if share - _rounded_to(domain, end, present) < noise:
            continue
        yield end, Interval(low=end) if sign > 0 else Interval(high=end), share


def _rounded_to(domain: Domain, end: float, present: FloatArray) -> float:
    """Return the original's share nearer to the end than to its neighbour.

    0 if nothing was rounded.
    """
    distinct = np.unique(present)
    if len(distinct) < 2:
        return 0.0
    beside = float(distinct[1] if end == distinct[0] else distinct[-2])
    numbers, counts = domain.numbers, domain.number_counts
    if not ((numbers > min(end, beside)) & (numbers < max(end, beside))).any():
        return 0.0
    return float(counts[np.abs(numbers - end) <= abs(end - beside) / 2].sum() / counts.sum())


def _most_moved(domain: Domain, present: FloatArray) -> float:
    """Return the distribution's change between the ends, beyond chance.

    Synthetic values may also make an end more frequent.
    """
    numbers, total = domain.numbers, domain.number_counts.sum()
    inside = (numbers >= present.min()) & (numbers < present.max())
    before = np.cumsum(domain.number_counts)[inside] / total
    after = np.searchsorted(np.sort(present), numbers[inside], side="right") / len(present)
    chance = _CHANCE * np.sqrt(1 / len(present) + 1 / total)
    return max(0.0, float(np.abs(after - before).max(initial=0.0)) - float(chance))


def suppressed_numbers(domain: Domain, released: FloatArray) -> tuple[float, ...]:
    """Return new released numbers such as -1 and 999: "suppressed"."""
    if domain.of_dates or not len(domain.numbers):
        return ()
    numbers, counts = np.unique(released[np.isfinite(released)], return_counts=True)
    if (
        len(numbers) < 3
        or domain.numbers.min() <= numbers[0] <= numbers[-1] <= domain.numbers.max()
    ):
        return ()
    markers = number_markers(numbers, counts, few=False)
    outside = (markers < domain.numbers.min()) | (markers > domain.numbers.max())
    often = np.array([counts[numbers == marker].sum() >= _FEWEST_ROWS for marker in markers], bool)
    return tuple(map(float, markers[outside & often]))


def is_suppressed(without: int, rows: int, original_without: int, original_rows: int) -> bool:
    """Return whether missing values were suppressed.

    If the original has none, or most of the excess must have had a value, beyond chance.
    """
    if not without or min(rows, original_rows) < _FEWEST_TO_TELL:
        return False
    share, before = without / rows, original_without / original_rows
    noise = _NOISE * np.sqrt(before * (1 - before) * (1 / rows + 1 / original_rows))
    return bool(share > 2 * before and share - before > noise)


def grouped_values(
    before: NDArray[np.object_],
    after: NDArray[np.object_],
    new: Sequence[str],
    *,
    renamed: bool = False,
) -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    """Return original values covered by new labels.

    The recoding must be plain: nearly all rows of a value have the same new label, about as many as
    the label's other values. One-to-one renaming counts only if `renamed`.
    """
    unknown: tuple[Mapping[str, frozenset[str]], frozenset[str]] = ({}, frozenset())
    pairs = pd.DataFrame({"before": before, "after": after}).dropna()
    if len(pairs) < _FEWEST_LINKED or not new or len(set(pairs["after"])) == 1:
        return unknown
    is_new = pairs["after"].isin(list(new))
    same = pairs.loc[~is_new & pairs["after"].isin(pairs["before"])]
    if len(same) and float((same["before"] == same["after"]).mean()) < _CONSISTENT:
        return unknown
    counts = pairs[is_new].groupby(["before", "after"], sort=True).size()
    of_values = counts.groupby(level="before")
    repeated = float((of_values.sum() - 1).sum())
    agreeing = float((of_values.max() - 1).sum())
    if repeated < _FEWEST_REPEATED or agreeing < _CONSISTENT * repeated:
        return unknown
    own = counts[counts >= _LEAST_SHARE * of_values.transform("sum")].rename("rows").reset_index()
    people = pairs["before"].value_counts()
    own["people"] = own["before"].map(people)
    of_labels = own.groupby("after")[["rows", "people"]].transform("sum")
    usual = of_labels["rows"] / of_labels["people"]
    own = own[own["rows"] >= _LEAST_RATE * usual * own["people"] - _FEW_ROWS]
    if not renamed and not own["after"].duplicated().any():
        return unknown
    rows = counts.groupby(level="after").sum()
    found = {
        str(label): frozenset(map(str, values))
        for label, values in own.groupby("after")["before"]
        if rows[label] >= _FEWEST_PER_LABEL
    }
    settled = people.index[people * usual.min() >= _ENOUGH_ROWS]
    return found, frozenset(map(str, settled)).union(*found.values())
