"""Numbers that are codes of intervals: 1, 2, 3, ... in place of ages or amounts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.phrasing import percent
from alc_core.tables.sets.domain import Domain
from alc_core.tables.sets.linked import FEWEST_LINKED
from alc_core.tables.sets.value_sets import Interval

FloatArray = NDArray[np.float64]
Linked = tuple[FloatArray, FloatArray]
"""Original and released numbers of linked rows."""

_MOST_CODES = 30
_FEWEST_VALUES = 20
_VALUES_PER_CODE = 3
_GENUINE = 0.5
_WORST_FIT = 0.05
_MOST_MISFITS = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedInterval:
    """What a code stands for."""

    code: float  # The released number
    interval: Interval  # The numbers of the original
    doubt: str  # Empty if the linked rows or the shares of the codes fit


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
) -> tuple[CodedInterval, ...]:
    """Work out what codes stand for, from linked rows or else from the shares of the codes."""
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
            return ()
        if wrong.mean() > _WORST_FIT:
            doubt = f"{percent(float(wrong.mean()))} of the linked rows do not fit."
    elif (misfit := float(np.abs(at_most[cuts] - below).max())) > _WORST_FIT:
        doubt = f"The shares of the codes fit only to {percent(misfit)}."
    cuts = np.maximum.accumulate(cuts)
    lows = [0, *(cut + 1 for cut in cuts)]
    highs = [*cuts, len(domain.numbers) - 1]
    return tuple(
        CodedInterval(
            code=float(code),
            interval=Interval(float(domain.numbers[min(low, high)]), float(domain.numbers[high])),
            doubt=doubt,
        )
        for code, low, high in zip(codes, lows, highs, strict=True)
    )


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
