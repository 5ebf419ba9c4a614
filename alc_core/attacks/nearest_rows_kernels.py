"""The compiled part of the scan by Gower distance; `nearest_rows` says how it goes."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled

TIE = 1e-9  # Sums of per-column distances that differ by less are equal
BLOCK = 2048  # Rows of which the smallest distance is kept


@compiled(fastmath={"nnan", "ninf", "nsz"})
def _add_up(  # type: ignore[no-untyped-def]
    codes, scaled, labels, target_codes, target_scaled, distances, absent, start, target, sums
):
    """Fill `sums` with the approximate distances between a target and a block of rows."""
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
def block_minima(  # type: ignore[no-untyped-def]
    codes, scaled, labels, target_codes, target_scaled, distances, absent
):
    """Return the smallest approximate distance of each target in each block of a chunk."""
    n_rows = codes.shape[1]
    n_targets = target_codes.shape[0]
    n_blocks = (n_rows + BLOCK - 1) // BLOCK
    minima = np.empty((n_targets, n_blocks), dtype=np.float32)
    scratch = np.empty(BLOCK, dtype=np.float32)
    for block in range(n_blocks):
        start = block * BLOCK
        sums = scratch[: min(BLOCK, n_rows - start)]
        for target in range(n_targets):
            _add_up(
                codes, scaled, labels, target_codes, target_scaled, distances, absent, start,
                target, sums,
            )  # fmt: skip
            least = sums[0]
            for row in range(1, len(sums)):
                least = min(least, sums[row])
            minima[target, block] = least
    return minima


@compiled(inline="always")
def _distance(  # type: ignore[no-untyped-def]
    codes, exact, labels, target_codes, target_exact, distances, ranges, absent, row, target
):
    """Return the exact sum of per-column distances between a row and a target."""
    total = absent
    for column in range(codes.shape[0]):
        if codes[column, row] != target_codes[target, column]:
            total += 1.0
    for column in range(exact.shape[0]):
        a = exact[column, row]
        b = target_exact[target, column]
        if np.isnan(a) or np.isnan(b):
            if np.float64(a).view(np.int64) != np.float64(b).view(np.int64):  # of another sort
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
    minima,
    limit,
    nearest,
    unknown,
    weights,
    counts,
):
    """Take the rows of a chunk that are as near as the limit in double precision, in place.

    Where `counts` has no columns each target's nearest distance is lowered by them; else the
    unknown values of those within :data:`TIE` of it are counted, each row by its weight.
    """
    n_rows = codes.shape[1]
    counting = counts.shape[1] > 0
    single = np.float32(absent)
    scratch = np.empty(BLOCK, dtype=np.float32)
    for block in range(minima.shape[1]):
        start = block * BLOCK
        sums = scratch[: min(BLOCK, n_rows - start)]
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
