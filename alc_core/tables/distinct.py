"""The distinct values of a column, which all conversions work on."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray


def is_text(series: pd.Series) -> bool:
    """Return whether all values of a column that are not missing are text."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        return is_text(pd.Series(series.cat.categories))
    if isinstance(series.dtype, pd.StringDtype):
        return True
    if series.dtype != object:
        return False
    return pd.api.types.infer_dtype(series, skipna=True) == "string"


def distinct_codes(series: pd.Series) -> tuple[NDArray[np.intp], pd.Series]:
    """Factorise a column.

    Parameters
    ----------
    series : pandas.Series of shape (n_rows,)
        Any column.

    Returns
    -------
    codes : ndarray of int, shape (n_rows,)
        Position in `distinct` of each row's value; -1 where it is missing.
    distinct : pandas.Series of shape (n_distinct,)
        The values that occur, without missing ones.
    """
    if isinstance(series.dtype, pd.CategoricalDtype):
        return np.asarray(series.cat.codes, dtype=np.intp), pd.Series(series.cat.categories)
    if series.dtype == object:
        inferred = pd.api.types.infer_dtype(series, skipna=True)
        if inferred not in ("string", "boolean", "integer", "floating", "decimal", "empty"):
            return _mixed_codes(series)
    codes, distinct = pd.factorize(series, use_na_sentinel=True)
    return np.asarray(codes, dtype=np.intp), pd.Series(distinct)


def _mixed_codes(series: pd.Series) -> tuple[NDArray[np.intp], pd.Series]:
    """Factorise values of several types; True and 1 stay apart, which pandas would merge."""
    missing = np.asarray(series.isna())
    codes = np.full(len(series), -1, dtype=np.intp)
    positions: dict[tuple[type, object], int] = {}
    distinct: list[object] = []
    values = series.to_numpy()
    for row in np.flatnonzero(~missing):
        value = values[row]
        plain = value if getattr(value, "__hash__", None) else str(value)
        key = (type(value), plain)
        if key not in positions:
            positions[key] = len(distinct)
            distinct.append(value)
        codes[row] = positions[key]
    return codes, pd.Series(distinct, dtype=object)
