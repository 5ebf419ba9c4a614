"""The compiled part of :mod:`definetti`."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled


@compiled()
def count_cells(codes, values, counts):  # type: ignore[no-untyped-def]
    """Count known codes against rows' values, in place."""
    counts[:] = 0.0
    for row in range(codes.shape[0]):
        value = values[row]
        for column in range(codes.shape[1]):
            counts[codes[row, column], value] += 1.0


@compiled()
def swap_values(codes, starts, logs, values, chances):  # type: ignore[no-untyped-def]
    """Propose per group as many swaps of two rows' values as it has rows, in place.

    Accepted by the likelihood ratio.

    Parameters
    ----------
    codes : ndarray of int32 of shape (n_rows, n_columns)
        Rows of `logs`, group after group.
    starts : ndarray of int64 of shape (n_groups + 1,)
        First row of each group, and the number of rows.
    logs : ndarray of shape (n_codes, n_values)
        Logarithm of Pr[t | s] of all codes of all columns.
    values : ndarray of int32 of shape (n_rows,)
        Current value of each row.
    chances : ndarray of shape (n_rows, 3)
        Numbers drawn from [0, 1).
    """
    for group in range(len(starts) - 1):
        start = starts[group]
        size = starts[group + 1] - start
        if size < 2:
            continue
        for proposal in range(start, start + size):
            first = int(chances[proposal, 0] * size)
            second = int(chances[proposal, 1] * (size - 1))
            second += second >= first
            a, b = start + first, start + second
            x, y = values[a], values[b]
            if x == y:
                continue
            gain = 0.0
            for column in range(codes.shape[1]):
                here, there = codes[a, column], codes[b, column]
                gain += logs[here, y] - logs[here, x] + logs[there, x] - logs[there, y]
            if gain >= 0.0 or chances[proposal, 2] < np.exp(gain):
                values[a], values[b] = y, x


@compiled()
def count_held(starts, values, first_option, options, first_cell, held):  # type: ignore[no-untyped-def]
    """Count each row's current value, in place.

    Parameters
    ----------
    starts, values
        As above.
    first_option : ndarray of int64 of shape (n_groups + 1,)
        First distinct value of each group in `options`.
    options : ndarray of int32
        Distinct values.
    first_cell : ndarray of int64 of shape (n_groups,)
        First count in `held` of each group; its rows follow.
    held : ndarray of int32
        Rounds in which each row had each of its group's values.
    """
    for group in range(len(starts) - 1):
        first = first_option[group]
        n_options = first_option[group + 1] - first
        cell = first_cell[group]
        for row in range(starts[group], starts[group + 1]):
            place = 0
            while options[first + place] != values[row]:
                place += 1
            held[cell + place] += 1
            cell += n_options
