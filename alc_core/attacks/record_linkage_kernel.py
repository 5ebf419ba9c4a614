"""What released records say of targets, compiled."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled

_PORTION = 4_096  # Records whose sums stay in the processor's cache
_VOTES = 40.0  # A record whose sum is less than the greatest by more than this has no vote
_COUNTS = 14.0  # The same where it is learned how values were changed
_LIKELIEST = 10  # Records of each target that are told


@compiled()
def voted(  # type: ignore[no-untyped-def]
    codes, places, weights, own, rows, speaks, tables, starts, widths, unknown, n_values
):
    """Sum the votes of all records for each target; see :class:`RecordLinkage`.

    Parameters
    ----------
    codes, places : ndarray of int32 of shape (n_columns, n_records)
        Codes of the known values, negative where there is none; columns of the tables.
    weights : ndarray of float64 of shape (n_records,)
        What each record's values say by themselves.
    own, rows : ndarray of int32 of shape (n_columns, n_targets)
        Codes of the targets' values, negative where there is none; rows of the tables.
    speaks : ndarray of float64 of shape (n_columns, n_targets)
        What agreement in the target's value says.
    tables : ndarray of float64
        What it says where codes differ, row after row, column after column.
    starts, widths : ndarray of int64 of shape (n_columns,)
        Where a column's rows begin, and how long they are.
    unknown : ndarray of int64 of shape (n_records,)
    n_values : int

    Returns
    -------
    shares : ndarray of float64 of shape (n_targets, n_values)
        Of all votes.
    values : ndarray of int64 of shape (n_targets, 10)
        What the records with the most votes say, the first at first; -1 where there are fewer.
    chances : ndarray of float64 of shape (n_targets, 10)
        Their shares of the votes.
    """
    n_targets = own.shape[1]
    shares = np.zeros((n_targets, n_values))
    values = np.full((n_targets, _LIKELIEST), -1)
    chances = np.zeros((n_targets, _LIKELIEST))
    sums = np.zeros(len(weights))
    for target in range(n_targets):
        _speak(codes, places, weights, own, rows, speaks, tables, starts, widths, target, sums)
        most = sums.max()
        first = chances[target]
        for record in range(len(weights)):
            if sums[record] > most - _VOTES:
                vote = np.exp(sums[record] - most)
                shares[target, unknown[record]] += vote
                if vote > first[_LIKELIEST - 1]:
                    at = _LIKELIEST - 1
                    while at > 0 and vote > first[at - 1]:
                        first[at], values[target, at] = first[at - 1], values[target, at - 1]
                        at -= 1
                    first[at], values[target, at] = vote, unknown[record]
        total = shares[target].sum()
        shares[target] /= total
        first /= total
    return shares, values, chances


@compiled()
def counted(  # type: ignore[no-untyped-def]
    codes, places, weights, own, rows, speaks, tables, starts, widths, none
):
    """Sum the chances that each target's own record has a code or a place.

    Parameters are those of :func:`voted`; `none` is the logarithm of the votes for there being no
    record of the target.

    Returns
    -------
    linked : ndarray of float64 of shape (n_targets,)
        The chance that one of the records is the target's own.
    agreed : ndarray of float64 of shape (n_columns, n_targets)
        The chance that one is, and has the target's code.
    moved : ndarray of float64, as `tables`
        The chances that one is, and has another code in a place, summed over targets.
    """
    n_targets, n_records = own.shape[1], len(weights)
    linked, agreed = np.zeros(n_targets), np.zeros(own.shape)
    moved, sums = np.zeros(len(tables)), np.zeros(n_records)
    for target in range(n_targets):
        _speak(codes, places, weights, own, rows, speaks, tables, starts, widths, target, sums)
        most = sums.max()
        chance = 0.0
        for record in range(n_records):
            if sums[record] > most - _COUNTS:
                chance += np.exp(sums[record] - most)
        total = chance + np.exp(none - most)
        linked[target] = chance / total
        for record in range(n_records):
            if sums[record] > most - _COUNTS:
                vote = np.exp(sums[record] - most) / total
                for column in range(len(codes)):
                    code = own[column, target]
                    if code >= 0 and codes[column, record] == code:
                        agreed[column, target] += vote
                    else:
                        row = starts[column] + rows[column, target] * widths[column]
                        moved[row + places[column, record]] += vote
    return linked, agreed, moved


@compiled()
def _speak(  # type: ignore[no-untyped-def]
    codes, places, weights, own, rows, speaks, tables, starts, widths, target, sums
):
    """Sum for each record what its columns say of one target."""
    n_records = len(sums)
    for begin in range(0, n_records, _PORTION):
        end = min(begin + _PORTION, n_records)
        for record in range(begin, end):
            sums[record] = weights[record]
        for column in range(len(codes)):
            row = starts[column] + rows[column, target] * widths[column]
            code, agrees = own[column, target], speaks[column, target]
            if code < 0:
                code = -2
            for record in range(begin, end):
                if codes[column, record] == code:
                    sums[record] += agrees
                else:
                    sums[record] += tables[row + places[column, record]]
