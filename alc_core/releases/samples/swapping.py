"""Swapping, the paper's test anonymization."""

from __future__ import annotations

import numpy as np
import pandas as pd

from alc_core.errors import ParameterError


def swap_columns(frame: pd.DataFrame, share: float, *, seed: int = 0) -> pd.DataFrame:
    """Permute a share of the values of every column at random, each column on its own.

    Parameters
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
        Rows to anonymize.
    share : float
        Share of the rows of each column whose values are permuted among each other, in [0, 1].
        The paper takes 0.2 for weak and 0.8 for strong anonymization; 1 makes the columns
        independent.
    seed : int, default 0
        Same input and seed, same release.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
        Every column has the values that it had, in another order. The index is renumbered.

    Raises
    ------
    ParameterError
        If the share is out of bounds.

    References
    ----------
    Francis and Wagner (2025), section 6.1.
    """
    if not 0 <= share <= 1:
        raise ParameterError(f"share must lie in [0, 1], but is {share}.")
    rng = np.random.default_rng(seed)
    swapped = frame.reset_index(drop=True).copy()
    count = round(share * len(frame))
    for position in range(frame.shape[1]):
        rows = rng.choice(len(frame), size=count, replace=False)
        order = np.arange(len(frame))
        order[rows] = rng.permutation(rows)
        column = frame.columns[position]
        swapped[column] = frame[column].take(order).set_axis(swapped.index)
    return swapped
