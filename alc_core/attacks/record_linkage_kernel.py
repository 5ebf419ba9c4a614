"""Votes of released records for the unknown values of targets, compiled."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled


@compiled()
def voted(  # type: ignore[no-untyped-def]
    codes, own, speaks, against, unknown, n_values
):
    """Sum the votes of all records for each target, as shares of all; see :class:`RecordLinkage`.

    Parameters
    ----------
    codes, own : ndarray of int64 of shape (n_records or n_targets, n_columns)
        Codes of the known values; negative where there is none.
    speaks : ndarray of float64 of shape (n_targets, n_columns)
        What agreement in the target's value says.
    against : float
        What it says if they do not agree.
    unknown : ndarray of int64 of shape (n_records,)
    n_values : int

    Returns
    -------
    ndarray of float64 of shape (n_targets, n_values)
    """
    shares = np.zeros((len(own), n_values))
    sums = np.zeros(len(codes))
    for target in range(len(own)):
        for record in range(len(codes)):
            sums[record] = 0.0
            for column in range(codes.shape[1]):
                if own[target, column] < 0:
                    continue
                if codes[record, column] == own[target, column]:
                    sums[record] += speaks[target, column]
                else:
                    sums[record] += against
        most = sums.max()
        for record in range(len(codes)):
            if sums[record] > most - 40:
                shares[target, unknown[record]] += np.exp(sums[record] - most)
        shares[target] /= shares[target].sum()
    return shares
