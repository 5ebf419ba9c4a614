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
        Codes of the known values; negative where there is none.
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
    agreed : ndarray of float64 of shape (n_targets, n_columns)
        The chance that one of them is, and agrees in the column; NaN where the target has no value.
    """
    shares = np.zeros((len(own), n_values))
    linked = np.zeros(len(own))
    agreed = np.zeros(own.shape)
    sums = np.zeros(len(codes))
    for target in range(len(own)):
        _speak(codes, own[target], speaks[target], against, sums)
        most = sums.max()
        for record in range(len(codes)):
            if sums[record] > most - 40:
                vote = np.exp(sums[record] - most)
                shares[target, unknown[record]] += vote
                if sums[record] > most - 14:  # the others' votes do not count
                    _agree(codes[record], own[target], vote, agreed[target])
        total = shares[target].sum()
        linked[target] = total / (total + np.exp(none - most))
        shares[target] /= total
        agreed[target] = np.where(own[target] < 0, np.nan, agreed[target] * linked[target] / total)
    return shares, linked, agreed


@compiled()
def _speak(codes, own, speaks, against, sums):  # type: ignore[no-untyped-def]
    """Sum for each record what its columns say of one target."""
    for record in range(len(codes)):
        sums[record] = 0.0
        for column in range(codes.shape[1]):
            if own[column] < 0:
                continue
            if codes[record, column] == own[column]:
                sums[record] += speaks[column]
            else:
                sums[record] += against[column]


@compiled()
def _agree(codes, own, vote, agreed):  # type: ignore[no-untyped-def]
    """Add the vote of a record to the columns in which it agrees with a target."""
    for column in range(len(codes)):
        if codes[column] == own[column]:
            agreed[column] += vote
