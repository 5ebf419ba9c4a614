"""The compiled part of `nearest_rows`."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled

TIE = 1e-9  # Smaller differences of sums of distances are ties
_FEW_LABELS = 8  # Most labels of a block to look up the nearest


@compiled()
def block_ranges(values, size):  # type: ignore[no-untyped-def]
    """Return the range of each column in each block of `size` rows."""
    n_columns, n_rows = values.shape
    n_blocks = (n_rows + size - 1) // size
    least = np.empty((n_columns, n_blocks), dtype=values.dtype)
    most = np.empty((n_columns, n_blocks), dtype=values.dtype)
    for column in range(n_columns):
        for block in range(n_blocks):
            of_block = values[column, block * size : (block + 1) * size]
            low = high = of_block[0]
            for value in of_block:
                low = min(low, value)
                high = max(high, value)
            least[column, block] = low
            most[column, block] = high
    return least, most


@compiled(fastmath={"nnan", "ninf", "nsz"})
def least_distances(  # type: ignore[no-untyped-def]
    codes, scaled, labels, singles, target_codes, target_scaled, distances, absent
):
    """Return a lower bound of each target's distance to each block.

    `singles` locates label columns' single values: among the codes, then the numbers, or nowhere
    (-1).
    """
    n_targets, n_blocks = len(target_codes), codes[0].shape[1]
    bounds = np.empty((n_targets, n_blocks), dtype=np.float32)
    apart = np.zeros((len(codes[0]) + len(scaled[0]) + 1, n_blocks), dtype=np.float32)
    for target in range(n_targets):
        sums = bounds[target]
        sums[:] = absent
        for column in range(len(codes[0])):
            code, own = target_codes[target, column], apart[column]
            least, most = codes[0][column], codes[1][column]
            for block in range(n_blocks):
                own[block] = np.float32(code < least[block] or code > most[block])
                sums[block] += own[block]
        for column in range(len(scaled[0])):
            number, own = target_scaled[target, column], apart[len(codes[0]) + column]
            low, high = scaled[0][column], scaled[1][column]
            for block in range(n_blocks):
                gap = max(low[block] - number, number - high[block], np.float32(0.0))
                own[block] = min(gap, np.float32(1.0))
                sums[block] += own[block]
        for column in range(len(labels[0])):
            added, own = distances[column, target], apart[singles[column]]
            nearest = added.min()
            first, last = labels[0][column], labels[1][column]
            for block in range(n_blocks):
                more = nearest
                if last[block] - first[block] < _FEW_LABELS:
                    more = added[first[block] : last[block] + 1].min()
                sums[block] += max(more, -own[block])
    return bounds


@compiled(fastmath={"nnan", "ninf", "nsz"})
def _add_up(  # type: ignore[no-untyped-def]
    codes, scaled, labels, target_codes, target_scaled, distances, absent, start, target, sums
):
    size = len(sums)
    one = np.float32(1.0)
    zero = np.float32(0.0)
    sums[:] = absent
    for column in range(codes.shape[0]):
        values = codes[column, start : start + size]
        code = target_codes[target, column]
        for row in range(size):
            sums[row] += one if values[row] != code else zero
    for column in range(scaled.shape[0]):
        numbers = scaled[column, start : start + size]
        number = target_scaled[target, column]
        for row in range(size):
            sums[row] += min(abs(numbers[row] - number), one)
    for column in range(labels.shape[0]):
        values = labels[column, start : start + size]
        known = distances[column, target]
        for row in range(size):
            sums[row] += known[np.uint32(values[row])]


@compiled(fastmath={"nnan", "ninf", "nsz"})
def scan_blocks(  # type: ignore[no-untyped-def]
    codes,
    scaled,
    labels,
    target_codes,
    target_scaled,
    distances,
    absent,
    margin,
    size,
    minima,
    nearest,
    first,
    beginning,
):
    """Replace bounds of blocks that may be nearest by approximate minima.

    Scans each target's `first` block, or all others; lowers `nearest` in place.
    """
    n_rows = codes.shape[1]
    scratch = np.empty(size, dtype=np.float32)
    for block in range(minima.shape[1]):
        start = block * size
        sums = scratch[: min(size, n_rows - start)]
        for target in range(target_codes.shape[0]):
            if beginning != (first[target] == block):
                continue
            if minima[target, block] > nearest[target] + margin:
                continue
            _add_up(
                codes, scaled, labels, target_codes, target_scaled, distances, absent, start,
                target, sums,
            )  # fmt: skip
            least = sums[0]
            for row in range(1, len(sums)):
                least = min(least, sums[row])
            minima[target, block] = least
            nearest[target] = min(nearest[target], least)


@compiled(inline="always")
def _distance(  # type: ignore[no-untyped-def]
    codes, exact, labels, target_codes, target_exact, distances, ranges, absent, row, target
):
    total = absent
    for column in range(codes.shape[0]):
        if codes[column, row] != target_codes[target, column]:
            total += 1.0
    for column in range(exact.shape[0]):
        a = exact[column, row]
        b = target_exact[target, column]
        if np.isnan(a) or np.isnan(b):
            if np.float64(a).view(np.int64) != np.float64(b).view(np.int64):  # of another kind
                total += 1.0
        elif ranges[column] > 0.0:
            total += abs(a - b) / ranges[column]
    for column in range(labels.shape[0]):
        total += distances[column, target, labels[column, row]]
    return total


@compiled()
def visit_near(  # type: ignore[no-untyped-def]
    codes,
    scaled,
    exact,
    labels,
    target_codes,
    target_scaled,
    target_exact,
    single_distances,
    distances,
    ranges,
    absent,
    size,
    minima,
    limit,
    nearest,
    unknown,
    weights,
    counts,
):
    """Take rows within the limit in double precision, in place.

    Without columns in `counts`, lower the nearest distances; else count unknown values within
    :data:`TIE`, by weight.
    """
    n_rows = codes.shape[1]
    counting = counts.shape[1] > 0
    single = np.float32(absent)
    scratch = np.empty(size, dtype=np.float32)
    for block in range(minima.shape[1]):
        start = block * size
        sums = scratch[: min(size, n_rows - start)]
        for target in range(target_codes.shape[0]):
            if minima[target, block] > limit[target]:
                continue
            _add_up(
                codes, scaled, labels, target_codes, target_scaled, single_distances, single, start,
                target, sums,
            )  # fmt: skip
            for place in range(len(sums)):
                if sums[place] > limit[target]:
                    continue
                row = start + place
                distance = _distance(
                    codes, exact, labels, target_codes, target_exact, distances, ranges, absent,
                    row, target,
                )  # fmt: skip
                if not counting:
                    nearest[target] = min(nearest[target], distance)
                elif distance <= nearest[target] + TIE:
                    counts[target, unknown[row]] += weights[row]
