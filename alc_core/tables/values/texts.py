"""Shared conversions of a column's values.

The same value gets the same label, number or date whatever type stored it. All work is on distinct
values.
"""

from __future__ import annotations

import datetime as dt
import decimal
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

# Positions among distinct values, in few bytes
Codes = NDArray[np.int8 | np.int16 | np.int32 | np.int64]
# Starts of codes with leading zeros, and hexadecimal numbers
PADDED = re.compile(r"^[+-]?0[0-9xX]")
# Largest share of distinct values of text kept as codes
MOST_DISTINCT = 0.1
_PLAIN_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)\Z")
_COMMA_NUMBER = re.compile(r"[+-]?(?:[0-9]+,[0-9]+|,[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
# By thousands, or as in India: 12,34,567
_GROUPED = re.compile(
    r"[+-]?(?:[1-9][0-9]{0,2}|[1-9][0-9]?(?:,[0-9]{2})+)(?:,[0-9]{3})+(?:\.[0-9]*)?\Z"
)
_UNGROUPED = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?\Z")
_CHUNK = 500_000

LARGEST_EXACT = 2.0**53  # Floats have every whole number below
# Larger numbers are missing: models use single precision, and differences near the largest double
# are infinite
LARGEST_NUMBER = 1e38


def is_text(series: pd.Series) -> bool:
    """Return whether all values present are text."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        return is_text(pd.Series(series.cat.categories))
    if isinstance(series.dtype, pd.StringDtype):
        return True
    if series.dtype != object:
        return False
    return pd.api.types.infer_dtype(series, skipna=True) == "string"


def blank_texts(texts: pd.Series) -> NDArray[np.bool_]:
    """Return which present values are blank."""
    if isinstance(texts.dtype, pd.StringDtype):
        return np.asarray(texts.str.strip() == "", dtype=bool)
    return np.fromiter((isinstance(t, str) and not t.strip() for t in texts), bool, len(texts))


def distinct_codes(series: pd.Series) -> tuple[Codes, pd.Series]:
    """Factorize a column."""
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
    """Keep text of few distinct values as codes.

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
    """Factorize mixed types; pandas would merge True and 1."""
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


def canonical_labels(series: pd.Series) -> pd.Series:
    """Spell values as labels, the same for all stored types.

    Whole numbers, in floats and text too, share one spelling; leading zeros stay; dates are ISO;
    text is stripped.

    Examples
    --------
    >>> import pandas as pd
    >>> canonical_labels(pd.Series([1, 2.0, "1.0", " x ", "007", True, None])).tolist()
    ['1', '2', '1', 'x', '007', 'True', None]
    """
    codes, distinct = distinct_codes(series)
    labels = np.empty(len(distinct) + 1, dtype=object)
    labels[:-1] = _spell(distinct)
    return pd.Series(labels[codes], index=series.index, name=series.name, dtype=object)


def bare_text(text: str) -> str:
    """Return lower-case letters and digits, to compare spellings."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def label_codes(series: pd.Series) -> tuple[NDArray[np.int32], list[str]]:
    """Factorize a column by its canonical labels."""
    codes, distinct = distinct_codes(series)
    occurs = np.ones(len(distinct), dtype=bool)
    if isinstance(series.dtype, pd.CategoricalDtype):
        occurs = np.bincount(codes[codes >= 0], minlength=len(distinct)) > 0
    positions: dict[str, int] = {}
    of_distinct = np.full(len(distinct) + 1, -1, dtype=np.int32)
    for number, label in enumerate(_spell(distinct)):
        if label is not None and occurs[number]:
            of_distinct[number] = positions.setdefault(label, len(positions))
    return of_distinct[codes], list(positions)


def label_counts(series: pd.Series) -> pd.Series:
    """Count rows per canonical label, most frequent first."""
    counts, distinct = distinct_counts(series)
    rows: dict[str, int] = {}
    n_labels = 0
    for label, count in zip(_spell(distinct), counts.tolist(), strict=True):
        if label is not None:
            rows[label] = rows.get(label, 0) + count
            n_labels += 1
    if len(rows) < n_labels:
        rows = dict(sorted(rows.items()))
    order = np.argsort([-count for count in rows.values()], kind="stable")
    labels = np.asarray([*rows], dtype=object)[order]
    totals = np.asarray([*rows.values()], dtype=np.int64)[order]
    return pd.Series(totals, index=pd.Index(labels, name="label"), name="count")


def numeric_values(series: pd.Series) -> NDArray[np.float64]:
    """Read a column as numbers.

    Single-precision floats become the decimal number they print as.

    Examples
    --------
    >>> import pandas as pd
    >>> numeric_values(pd.Series(["1", "2.5", "3,5", "x", None])).tolist()
    [1.0, 2.5, 3.5, nan, nan]
    """
    if pd.api.types.is_bool_dtype(series.dtype) or pd.api.types.is_numeric_dtype(series.dtype):
        numbers = _plain_numbers(series)
    elif pd.api.types.is_timedelta64_dtype(series.dtype):
        numbers = np.asarray(series.dt.total_seconds(), dtype=np.float64) / 86_400
    elif isinstance(series.dtype, (pd.DatetimeTZDtype, pd.PeriodDtype, pd.IntervalDtype)) or (
        pd.api.types.is_datetime64_any_dtype(series.dtype)
    ):
        return np.full(len(series), np.nan)
    else:
        codes, distinct = distinct_codes(series)
        numbers = np.append(_distinct_numbers(distinct), np.nan)[codes]
    numbers[~(np.abs(numbers) <= LARGEST_NUMBER)] = np.nan
    return numbers


def parse_numbers(texts: Sequence[str]) -> NDArray[np.float64]:
    """Parse texts as numbers with decimal point or comma; NaN for others.

    Examples
    --------
    >>> parse_numbers(["1e3", " 2 ", "1,25", "1_000", "n/a"]).tolist()
    [1000.0, 2.0, 1.25, nan, nan]
    """
    array = np.asarray(texts, dtype=object)
    if not any("_" in text or not text.isascii() for text in texts):
        try:
            return array.astype(np.float64)
        except ValueError:
            pass
    return np.fromiter((_parse_number(text) for text in texts), np.float64, len(texts))


def are_grouped(texts: Sequence[str]) -> bool:
    """Return whether commas in numbers may separate thousands or decimals."""
    return any("," in text for text in texts) and len(grouped_numbers(texts)) == len(texts)


def grouped_numbers(texts: Sequence[str]) -> list[str]:
    """Return numbers whose commas may separate thousands."""
    return [text for text in texts if _GROUPED.match(text) or _UNGROUPED.match(text)]


def _parse_number(text: str) -> float:
    text = text.strip()
    if "_" in text or not text.isascii():
        return np.nan
    try:
        return float(text)
    except ValueError:
        return float(text.replace(",", ".")) if _COMMA_NUMBER.match(text) else np.nan


def _plain_numbers(series: pd.Series) -> NDArray[np.float64]:
    if series.dtype in (np.dtype(np.float32), np.dtype(np.float16)):
        codes, distinct = distinct_codes(series)
        return np.append(_shortest(distinct), np.nan)[codes]
    if pd.api.types.is_complex_dtype(series.dtype):
        return np.full(len(series), np.nan)
    if isinstance(series.dtype, np.dtype):
        return np.array(series.to_numpy(), dtype=np.float64)
    return np.array(series.to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)


def _shortest(distinct: pd.Series) -> NDArray[np.float64]:
    values = distinct.to_numpy()
    numbers = np.empty(len(values), dtype=np.float64)
    for start in range(0, len(values), _CHUNK):
        numbers[start : start + _CHUNK] = values[start : start + _CHUNK].astype(str)
    return numbers


def _distinct_numbers(distinct: pd.Series) -> NDArray[np.float64]:
    if is_text(distinct):
        return parse_numbers(distinct.tolist())
    if distinct.dtype != object:
        return numeric_values(distinct)
    return np.fromiter((_object_number(value) for value in distinct), np.float64, len(distinct))


def _object_number(value: object) -> float:
    if isinstance(value, str):
        return _parse_number(value)
    if isinstance(value, (bool, int, float, np.number, np.bool_, decimal.Decimal)):
        try:
            return float(value)
        except (OverflowError, TypeError):
            return np.nan
    return np.nan


def _spell(distinct: pd.Series) -> list[str | None]:
    if distinct.dtype == object:
        return [_object_label(value) for value in distinct]
    if isinstance(distinct.dtype, pd.StringDtype):
        return [_text_label(value) for value in distinct.tolist()]
    if pd.api.types.is_integer_dtype(distinct.dtype):
        return [str(value) for value in distinct.tolist()]
    if pd.api.types.is_float_dtype(distinct.dtype):
        if distinct.dtype in (np.dtype(np.float32), np.dtype(np.float16)):
            distinct = pd.Series(_shortest(distinct))
        return [_float_label(value) for value in distinct.tolist()]
    return [_object_label(value) for value in distinct]


def _float_label(value: float) -> str:
    if value.is_integer() and abs(value) < LARGEST_EXACT:
        return str(int(value))
    return repr(value)


def _text_label(value: str) -> str | None:
    text = value.strip()
    if not text:
        return None
    if text[-1] in "0123456789" and _PLAIN_NUMBER.match(text):
        if "." in text:
            return _float_label(float(text))
        unsigned = text.removeprefix("+")
        return "0" if unsigned == "-0" else unsigned
    return text


def _object_label(value: object) -> str | None:
    if isinstance(value, str):
        return _text_label(value)
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating, decimal.Decimal)):
        return _float_label(float(str(value)))
    if isinstance(value, dt.datetime):
        return _moment_label(value)
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, bytes):
        return _text_label(value.decode("utf-8", errors="replace"))
    return None if value is None or value is pd.NaT or value is pd.NA else _text_label(str(value))


def _moment_label(value: dt.datetime) -> str:
    if value.tzinfo is not None:
        value = value.astimezone(dt.UTC).replace(tzinfo=None)
    if value.time() == dt.time():
        return value.date().isoformat()
    return value.isoformat()
