"""Best threshold of each curve of a campaign, compiled.

The definition is :func:`best_measure`. Each curve is walked from the highest recall down. The
factor of recall on precision never rises on the way; a table of it at 256 recalls per octave bounds
it without a logarithm. Only points these bounds leave open are measured, in the steps of the
definition, so that rounding cannot change the choice.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from alc_core.runtime.kernels import compiled
from alc_core.scoring.curves import LEAST_SEEN
from alc_core.scoring.formulas import recall_weight

# Bits dropped from a recall to find its cell: 52 - 44 = 8 are left, 256 per octave
_SHIFT = 44
_ONE = int(np.float64(1.0).view(np.int64)) >> _SHIFT

_SLACK = 1e-9  # Far above rounding errors, far below differences that matter


def weight_table(lowest: float, *, alpha: float, r_min: float) -> NDArray[np.float64]:
    """Return the factor of recall at each cell's lower edge, from recall 1 down."""
    last = _ONE - (int(np.float64(lowest).view(np.int64)) >> _SHIFT)
    edges = (np.arange(_ONE, _ONE - last - 1, -1, dtype=np.int64) << _SHIFT).view(np.float64)
    return recall_weight(edges, alpha, r_min)


@compiled()
def _measured(n, t, recall, z, cap, alpha, r_min):  # type: ignore[no-untyped-def]
    if n == 0.0:
        return 0.0
    share = t / n
    denominator = 1.0 + z * z / n
    center = (share + z * z / (2.0 * n)) / denominator
    half = z * math.sqrt(share * (1.0 - share) / n + z * z / (4.0 * (n * n))) / denominator
    lower = min(min(max(center - half, 0.0), 1.0), cap) if t > 0.0 else 0.0
    clipped = min(recall, 1.0)
    if clipped <= r_min:
        return clipped
    weight = 1.0 - (math.log10(clipped) / math.log10(r_min)) ** alpha
    return weight * lower


@compiled()
def best_points(  # type: ignore[no-untyped-def]
    predictions, true_predictions, starts, attempts, recall_scale, z, cap, alpha, r_min, table, best
):
    """Return the index of each curve's best point.

    Parameters
    ----------
    predictions, true_predictions : ndarray of int32 of shape (n_points,)
        Counts, ascending within a curve.
    starts : ndarray of int64 of shape (n_curves + 1,)
        Where each curve begins.
    attempts : ndarray of int64 of shape (n_curves,)
        Targets attacked.
    recall_scale : ndarray of float64 of shape (n_curves,)
        From predictions / attempts to recall.
    z, cap, alpha, r_min : float
        Normal quantile, precision cap, parameters of the PRC.
    table : ndarray of float64
        From :func:`weight_table`.
    best : ndarray of int64 of shape (n_curves,)
        Indices into `predictions`; -1 is filled in.

    Returns
    -------
    ndarray of int64 of shape (n_curves,)
        `best`.
    """
    n_curves = len(starts) - 1
    longest = 0
    for curve in range(n_curves):
        longest = max(longest, starts[curve + 1] - starts[curve])
    candidates = np.empty(longest, dtype=np.int64)
    bounds = np.empty(longest, dtype=np.float64)
    for curve in range(n_curves):
        if best[curve] >= 0:
            continue
        scale, made = recall_scale[curve], attempts[curve]
        count, floor = _candidates(
            predictions, true_predictions, starts[curve], starts[curve + 1], made, scale,
            z, cap, r_min, table, candidates, bounds,
        )  # fmt: skip
        highest = -1.0
        for candidate in range(count):
            if bounds[candidate] < max(floor, highest) * (1.0 - _SLACK):
                continue
            point = candidates[candidate]
            n = np.float64(predictions[point])
            recall = n / made * scale
            value = _measured(n, np.float64(true_predictions[point]), recall, z, cap, alpha, r_min)
            if value > highest:
                highest = value
                best[curve] = point
    return best


@compiled()
def _candidates(  # type: ignore[no-untyped-def]
    predictions, true_predictions, start, stop, attempts, scale,
    z, cap, r_min, table, candidates, bounds,
):  # fmt: skip
    """Collect points that may be best, with upper bounds; return their number and a floor.

    The best point's PRC is surely at least the floor.
    """
    square = z * z
    count = 0
    floor = 0.0
    weight = 1.0
    for point in range(stop - 1, start - 1, -1):
        n = np.float64(predictions[point])
        t = np.float64(true_predictions[point])
        total = n + square
        if n == 0.0:
            candidates[count] = point
            bounds[count] = 0.0
            count += 1
            continue
        # The lower bound is below the true share
        if floor > r_min and t * weight < floor * n * (1.0 - _SLACK):
            continue
        spread = math.sqrt(t * (n - t) / n + square / 4.0)
        lower = min(max((t + square / 2.0 - z * spread) / total, 0.0), cap) if t > 0.0 else 0.0
        recall = min(n / attempts * scale, 1.0)
        if recall <= r_min:
            low = high = recall
        else:
            cell = _ONE - (np.float64(recall).view(np.int64) >> _SHIFT)
            weight = table[max(cell - 1, 0)]
            low, high = lower * table[cell], lower * weight
        if high < floor * (1.0 - _SLACK):
            continue
        floor = max(floor, low)
        candidates[count] = point
        bounds[count] = high
        count += 1
    return count, floor


@compiled()
def highest_prcs(  # type: ignore[no-untyped-def]
    predictions,
    true_predictions,
    starts,
    attempts,
    recall_scale,
    z,
    cap,
    alpha,
    r_min,
    table,
    z_few,
):
    """Return upper bounds of each curve's PRC, and with the cap; see :func:`highest_prc`.

    Parameters as in :func:`best_points`; `z_few` is for few predictions.

    Returns
    -------
    ndarray of shape (2, n_curves)
    """
    n_curves = len(starts) - 1
    highest = np.zeros((2, n_curves))
    longest = 0
    for curve in range(n_curves):
        longest = max(longest, starts[curve + 1] - starts[curve])
    # Points that may be highest: recall and its upper bound, precision's middle and half interval;
    # then the PRC's upper bound, and with the cap
    points = np.empty((longest, 4))
    bounds = np.empty((longest, 2))
    for curve in range(n_curves):
        made, scale = np.float64(attempts[curve]), recall_scale[curve]
        first, last = starts[curve], starts[curve + 1] - 1
        count, floor, floor_capped = 0, 0.0, 0.0
        if first == last or predictions[last - 1] < LEAST_SEEN:
            floor = floor_capped = cap * _weight(min(scale / (made + 1.0), 1.0), alpha, r_min)
        one_more = floor
        for point in range(last, first - 1, -1):
            n, t = np.float64(predictions[point]), np.float64(true_predictions[point])
            quantile = z if n >= LEAST_SEEN or point == last else z_few
            square = quantile * quantile
            total = n + square
            middle = (t + square / 2.0) / total if n > 0.0 else 0.5
            half = quantile * math.sqrt(t * (n - t) / n + square / 4.0) / total if n > 0.0 else 0.5
            # As in Wilson's interval, bounds without failure or success are exact
            if t == 0.0:
                middle = half = (middle + half) / 2.0
            elif t == n:
                half = (1.0 - middle + half) / 2.0
                middle = 1.0 - half
            spread = math.sqrt(n * (made - n) / made + square / 4.0)
            share = (n + square / 2.0 + quantile * spread) / (made + square)
            recall = min(n / made * scale, 1.0)
            wide = min(share * scale, 1.0) if n < made else min(scale, 1.0)
            low, high = _weights(recall, r_min, table)
            wider_low, wider_high = _weights(wide, r_min, table)
            most = _at_most(high, max(wider_high - low, 0.0), middle, half)
            capped = min(most, cap * wider_high)
            if most < floor * (1.0 - _SLACK) and capped < floor_capped * (1.0 - _SLACK):
                continue
            least = _at_most(low, max(wider_low - high, 0.0), middle, half)
            floor, floor_capped = max(floor, least), max(floor_capped, min(least, cap * wider_low))
            points[count] = recall, wide, middle, half
            bounds[count] = most, capped
            count += 1
        most = capped = one_more
        for place in range(count):
            if bounds[place, 0] < max(floor, most) * (1.0 - _SLACK) and (
                bounds[place, 1] < max(floor_capped, capped) * (1.0 - _SLACK)
            ):
                continue
            recall, wide, middle, half = points[place]
            weight, wider = _weight(recall, alpha, r_min), _weight(wide, alpha, r_min)
            value = _at_most(weight, wider - weight, middle, half)
            most, capped = max(most, value), max(capped, min(value, cap * wider))
        highest[0, curve], highest[1, curve] = most, capped
    return highest


@compiled()
def _at_most(weight, error, middle, half):  # type: ignore[no-untyped-def]
    """Return the PRC's upper bound with errors of precision and recall."""
    return weight * middle + math.sqrt((weight * half) ** 2 + (error * middle) ** 2)


@compiled()
def _weights(recall, r_min, table):  # type: ignore[no-untyped-def]
    if recall <= r_min:
        return 0.0, 0.0
    cell = _ONE - (np.float64(recall).view(np.int64) >> _SHIFT)
    return table[cell], table[max(cell - 1, 0)]


@compiled()
def _weight(recall, alpha, r_min):  # type: ignore[no-untyped-def]
    if recall <= r_min:
        return 0.0
    return 1.0 - (math.log10(recall) / math.log10(r_min)) ** alpha
