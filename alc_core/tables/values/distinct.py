"""The distinct values of a column, which all conversions work on."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Codes = NDArray[np.int8 | np.int16 | np.int32 | np.int64]
"""Positions among distinct values, in as few bytes as suffice."""


MOST_DISTINCT = 0.1
"""Text with at most this share of distinct values is kept as codes, all else as strings."""


def is_text(series: pd.Series) -> bool:
    """Return whether all values of a column that are not missing are text."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        return is_text(pd.Series(series.cat.categories))
    if isinstance(series.dtype, pd.StringDtype):
        return True
    if series.dtype != object:
        return False
    return pd.api.types.infer_dtype(series, skipna=True) == "string"


def blank_texts(texts: pd.Series) -> NDArray[np.bool_]:
    """Return which of some values, none missing, are texts with nothing but space."""
    if isinstance(texts.dtype, pd.StringDtype):
        return np.asarray(texts.str.strip() == "", dtype=bool)
    return np.fromiter((isinstance(t, str) and not t.strip() for t in texts), bool, len(texts))


def distinct_codes(series: pd.Series) -> tuple[Codes, pd.Series]:
    """Factorise a column."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        return np.asarray(series.cat.codes), pd.Series(series.cat.categories)
    if series.dtype == object:
        inferred = pd.api.types.infer_dtype(series, skipna=True)
        if inferred not in ("string", "boolean", "integer", "floating", "decimal", "empty"):
            return _mixed_codes(series)
    codes, distinct = pd.factorize(series, use_na_sentinel=True)
    return np.asarray(codes, dtype=np.intp), pd.Series(distinct)


def distinct_counts(series: pd.Series) -> tuple[NDArray[np.int64], pd.Series]:
    """Count the rows of each distinct value."""
    codes, distinct = distinct_codes(series)
    counts = np.bincount(codes[codes >= 0], minlength=len(distinct)).astype(np.int64)
    if counts.all():
        return counts, distinct
    return counts[counts > 0], distinct[counts > 0].reset_index(drop=True)


def coded_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Keep text of few distinct values as codes, which everything that follows then shares.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = coded_texts(pd.DataFrame({"job": ["clerk", "smith"] * 20, "age": range(40)}))
    >>> frame["job"].cat.categories.tolist(), frame["job"].cat.codes.dtype
    (['clerk', 'smith'], dtype('int8'))
    """
    texts = [name for name in frame.columns if isinstance(frame[name].dtype, pd.StringDtype)]
    return frame.assign(**{str(name): _coded(frame[name]) for name in texts}) if texts else frame


def _coded(series: pd.Series) -> pd.Series:
    codes, distinct = distinct_codes(series)
    if len(distinct) > MOST_DISTINCT * len(series):
        return series
    return pd.Series(
        pd.Categorical.from_codes(codes, categories=pd.Index(distinct), validate=False),
        index=series.index,
    )


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
