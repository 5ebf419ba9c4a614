"""Votes of released records for the unknown values of targets, compiled."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled


@compiled()
def voted(  # type: ignore[no-untyped-def]
    codes, own, speaks, against, unknown, n_values, none
):
    """Sum the votes of all records for each target; see :class:`RecordLinkage`.

    Parameters
    ----------
    codes, own : ndarray of int64 of shape (n_records or n_targets, n_columns)
        Codes of the known values; negative where there is none, which says nothing.
    speaks : ndarray of float64 of shape (n_targets, n_columns)
        What agreement in the target's value says.
    against : ndarray of float64 of shape (n_columns,)
        What it says if they do not agree.
    unknown : ndarray of int64 of shape (n_records,)
    n_values : int
    none : float
        What speaks for there being no record of the target, as the logarithm of a sum of votes.

    Returns
    -------
    shares : ndarray of float64 of shape (n_targets, n_values)
        Of all votes.
    linked : ndarray of float64 of shape (n_targets,)
        The chance that one of the records is the target's own.
    compared, agreed : ndarray of float64 of shape (n_targets, n_columns)
        The chance that one of them is, and that both have a value in the column; and that they
        agree in it.
    """
    shares = np.zeros((len(own), n_values))
    linked = np.zeros(len(own))
    compared, agreed = np.zeros(own.shape), np.zeros(own.shape)
    sums = np.zeros(len(codes))
    for target in range(len(own)):
        _speak(codes, own[target], speaks[target], against, sums)
        most = sums.max()
        for record in range(len(codes)):
            if sums[record] > most - 40:
                vote = np.exp(sums[record] - most)
                shares[target, unknown[record]] += vote
                if sums[record] > most - 14:  # the others' votes do not count
                    _compare(codes[record], own[target], vote, compared[target], agreed[target])
        total = shares[target].sum()
        linked[target] = total / (total + np.exp(none - most))
        shares[target] /= total
        compared[target] *= linked[target] / total
        agreed[target] *= linked[target] / total
    return shares, linked, compared, agreed


@compiled()
def _speak(codes, own, speaks, against, sums):  # type: ignore[no-untyped-def]
    """Sum for each record what its columns say of one target."""
    for record in range(len(codes)):
        sums[record] = 0.0
        for column in range(codes.shape[1]):
            if own[column] < 0 or codes[record, column] < 0:
                continue
            if codes[record, column] == own[column]:
                sums[record] += speaks[column]
            else:
                sums[record] += against[column]


@compiled()
def _compare(codes, own, vote, compared, agreed):  # type: ignore[no-untyped-def]
    """Add the vote of a record to the columns that it has with a target, and agrees in."""
    for column in range(len(codes)):
        if own[column] < 0 or codes[column] < 0:
            continue
        compared[column] += vote
        if codes[column] == own[column]:
            agreed[column] += vote
