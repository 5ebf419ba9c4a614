"""Labels without a notation: codes of intervals, numbers for all beyond, words for groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.phrasing import percent
from alc_core.tables.labels.linked import FEWEST_LINKED
from alc_core.tables.value_sets import Domain, Interval
from alc_core.tables.values.no_value import number_markers

Linked = tuple[FloatArray, FloatArray]
"""Original and released numbers of linked rows."""

_MOST_CODES = 30
_FEWEST_VALUES = 20
_VALUES_PER_CODE = 3
_GENUINE = 0.5
_WORST_FIT = 0.05
_MOST_MISFITS = 0.2

_FEWEST_ROWS = 10
_MOST_ROWS = 0.5
_BEYOND = 0.5
_NOISE = 3.0
_FEWEST_TO_TELL = 30
_MOVED = 2.0
_CHANCE = 1.36
"""Of the Kolmogorov-Smirnov distance of two samples, in 95 % of them."""

MOST_LABELS = 500
"""With more new labels than this they are not groups but other values."""

_CONSISTENT = 0.95
_FEWEST_REPEATED = 10
_FEWEST_PER_LABEL = 3
_LEAST_SHARE = 0.5
_LEAST_RATE = 0.25
_FEW_ROWS = 2
_ENOUGH_ROWS = 3


def may_be_codes(domain: Domain, released: FloatArray) -> bool:
    """Return whether released numbers look like codes of intervals of the original's.

    They do if they are all of 0 or 1 to some small number, the original has many times as many
    values, and not the same shares at the same numbers, as a column of small counts would have.
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
    """Work out what codes stand for, from linked rows or else from the shares of the codes.

    Yields each code, its interval, and a doubt where the rows or the shares fit badly.
    """
    codes, counts = _codes(released)
    below = np.cumsum(counts)[:-1] / counts.sum()
    at_most = np.cumsum(domain.number_counts) / domain.number_counts.sum()
    cuts = np.abs(at_most[None, :] - below[:, None]).argmin(axis=1)
    doubt = ""
    numbers, of_rows = linked
    usable = ~np.isnan(numbers) & ~np.isnan(of_rows)
    if usable.sum() >= FEWEST_LINKED:
        places = np.searchsorted(domain.numbers, numbers[usable])
        cuts = _best_cuts(places, of_rows[usable], codes, cuts, len(domain.numbers))
        wrong = np.searchsorted(cuts, places, side="left") + codes[0] != of_rows[usable]
        if wrong.mean() > _MOST_MISFITS:
            return
        if wrong.mean() > _WORST_FIT:
            doubt = f"{percent(float(wrong.mean()))} of the linked rows do not fit."
    elif (misfit := float(np.abs(at_most[cuts] - below).max())) > _WORST_FIT:
        doubt = f"The shares of the codes fit only to {percent(misfit)}."
    cuts = np.maximum.accumulate(cuts)
    lows = [0, *(cut + 1 for cut in cuts)]
    highs = [*cuts, len(domain.numbers) - 1]
    for code, low, high in zip(codes, lows, highs, strict=True):
        least, most = domain.numbers[min(low, high)], domain.numbers[high]
        yield float(code), Interval(float(least), float(most)), doubt


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
    """Return where to cut so that the fewest linked rows misfit; of equals the guess's nearest."""
    cuts = []
    for code, guess in zip(codes[:-1], guessed, strict=True):
        lower = np.bincount(places[of_rows <= code], minlength=n_values)
        higher = np.bincount(places[of_rows > code], minlength=n_values)
        misfits = lower.sum() - np.cumsum(lower) + np.cumsum(higher)
        best = np.flatnonzero(misfits == misfits.min())
        cuts.append(best[np.abs(best - guess).argmin()])
    return np.array(cuts, dtype=np.intp)


def end_codes(domain: Domain, released: FloatArray) -> Iterator[tuple[float, Interval]]:
    """Find a greatest or least released number that stands for all beyond it, too.

    It is at the end of the release, the original has values beyond it, and the rows that it has in
    excess of the original's are about those. Where most rows are at an end, something else
    was done.
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
        yield end, Interval(low=end) if sign > 0 else Interval(high=end), share


def _most_moved(domain: Domain, present: FloatArray) -> float:
    """Return how far the shares below numbers between the ends changed at most, beyond chance.

    Where they did, the values were made up, and one at an end may be more frequent by that.
    """
    numbers, total = domain.numbers, domain.number_counts.sum()
    inside = (numbers >= present.min()) & (numbers < present.max())
    before = np.cumsum(domain.number_counts)[inside] / total
    after = np.searchsorted(np.sort(present), numbers[inside], side="right") / len(present)
    chance = _CHANCE * np.sqrt(1 / len(present) + 1 / total)
    return max(0.0, float(np.abs(after - before).max(initial=0.0)) - float(chance))


def suppressed_numbers(domain: Domain, released: FloatArray) -> tuple[float, ...]:
    """Return released numbers such as -1 and 999 that the original lacks: "suppressed"."""
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
    """Return whether a release's missing values were taken out rather than missing before.

    They were if the original has none, or if there are so many more that most of the release's
    must have had a value, beyond what chance explains. Small tables do not tell.
    """
    if not without or min(rows, original_rows) < _FEWEST_TO_TELL:
        return False
    share, before = without / rows, original_without / original_rows
    noise = _NOISE * np.sqrt(before * (1 - before) * (1 / rows + 1 / original_rows))
    return bool(share > 2 * before and share - before > noise)


def grouped_values(
    before: NDArray[np.object_], after: NDArray[np.object_], new: Sequence[str]
) -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    """Return which values of the original new labels cover.

    Only where the recoding is plain: nearly every row of a value that got a new label got the same
    one, about as many as of the label's other values, and labels that the release has, too, stayed
    what they were. Labels that were only renamed, one for one, are no groups.
    """
    unknown: tuple[Mapping[str, frozenset[str]], frozenset[str]] = ({}, frozenset())
    pairs = pd.DataFrame({"before": before, "after": after}).dropna()
    if len(pairs) < FEWEST_LINKED or not new or len(set(pairs["after"])) == 1:
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
    if not own["after"].duplicated().any():
        return unknown
    rows = counts.groupby(level="after").sum()
    found = {
        str(label): frozenset(map(str, values))
        for label, values in own.groupby("after")["before"]
        if rows[label] >= _FEWEST_PER_LABEL
    }
    settled = people.index[people * usual.min() >= _ENOUGH_ROWS]
    return found, frozenset(map(str, settled)).union(*found.values())
