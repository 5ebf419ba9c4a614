"""The kinds of columns: inferred, with a reason that the user can check."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.phrasing import count, numbered
from alc_core.tables.table import ColumnKind, KindGuess
from alc_core.tables.text_pieces import words_in
from alc_core.tables.values.date_numbers import are_day_numbers
from alc_core.tables.values.dates import date_format
from alc_core.tables.values.generalized import is_generalized, texts_among_numbers
from alc_core.tables.values.no_value import no_value_words
from alc_core.tables.values.texts import (
    PADDED,
    are_grouped,
    blank_texts,
    canonical_labels,
    distinct_counts,
    is_text,
    numeric_values,
    parse_numbers,
)

# Limits; see tests/unit/tables/test_values.py
MOST_CODES = 5  # Texts among numbers that may be codes, such as N for "not applicable"
MOST_CATEGORIES = 20  # Distinct numbers that may be categories
_MOST_FRACTIONS = 10  # The same of numbers with decimals
IDENTIFIER_ROWS = 50  # Least rows for distinct values to suggest an identifier
IDENTIFIER_SHARE = 0.9  # Share of distinct texts of an identifier
_NAMED_SHARE = 0.2  # If the name says so
# By words of most texts: the share of rows with their own
_TEXTS = {4: 0.3, 8: 0.1}
_LOOKED_AT = 200  # Texts whose words are counted
_SEQUENCE_SLACK = 1.2  # Range of a sequence per number
_PREFIX = 5_000  # Numbers counted first
_TRIED = 50  # Texts tried first
_WIDEST_COUNT = 4_000_000  # Range of whole numbers counted by place
_NAMED_SO = "named like an identifier"
_IDENTIFIER_NAME = re.compile(
    r"(?:^|_)(?:id|ids|uid|pid|hid|hhid|uuid|guid|key|ssn|sin|nino|passport|e_?mail|mail|phone|telephone|tel|mobile|fax"
    r"|iban|account|kontonummer|steuernummer|versichertennummer|personalnummer|record|rowid|index|nr|no"
    r"|matricule|dni|nif|name|surname|lastname|firstname|full_?name|vorname|nachname|nom|prenom|nombre"
    r"|apellido|licen[cs]e|plate|ip|url|username)(?:$|_(?:nr|no|number|address|hash)?$)"
)
_CODE_NAME = re.compile(
    r"(?:^|_)(?:zip|zip_?code|postal|post_?code|postal_?code|plz|postleitzahl|code_?postal|fips|nuts"
    r"|isco|isic|nace|icd|icd_?10|puma|tract|code)(?:$|_)"
)
_WEAK_NAME = re.compile(r"(?:^|_)(?:key|nr|no|index|record|account|name|nom|nombre|ip)$")


def infer_kinds(frame: pd.DataFrame) -> dict[str, KindGuess]:
    """Infer the kind of every column."""
    return {str(name): infer_kind(frame[name]) for name in frame.columns}


def infer_kind(series: pd.Series) -> KindGuess:
    """Infer a column's kind from type, values and name.

    Examples
    --------
    >>> import pandas as pd
    >>> infer_kind(pd.Series([1, 2, 2, 1], name="sex")).reason
    '2 distinct whole numbers'
    >>> infer_kind(pd.Series(["2020-01-31", "2020-02-01"], name="visit")).reason
    'text with dates (year-month-day)'
    """
    if len(series) == 0 or series.isna().all():
        return KindGuess(ColumnKind.IGNORE, "all values are missing")
    kinds, dtype = pd.api.types, series.dtype
    of_objects = kinds.infer_dtype(series, skipna=True) if kinds.is_object_dtype(dtype) else ""
    if kinds.is_bool_dtype(dtype) or of_objects == "boolean":
        return KindGuess(ColumnKind.CATEGORICAL, "true or false")
    if kinds.is_datetime64_any_dtype(dtype) or isinstance(dtype, pd.PeriodDtype):
        return _of_dates(series)
    if kinds.is_numeric_dtype(dtype) or kinds.is_timedelta64_dtype(dtype):
        return _number_kind(numeric_values(series), str(series.name))
    return _label_kind(series)


def looks_like_identifier(name: str) -> bool:
    """Return whether a column is named like an identifier."""
    return _IDENTIFIER_NAME.search(_snake(name)) is not None


def _snake(name: str) -> str:
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[^a-z0-9]+", "_", split.lower()).strip("_")


def _constant(what: str) -> KindGuess:
    return KindGuess(ColumnKind.CATEGORICAL, f"constant: {what}", constant=True)


def _of_dates(series: pd.Series) -> KindGuess:
    present = series.dropna()
    if (present == present.iloc[0]).all():
        return _constant("a single value in all rows")
    return KindGuess(ColumnKind.DATETIME, "dates or times")


def _number_kind(values: NDArray[np.float64], name: str, *, stored: str = "") -> KindGuess:
    numbers = values[np.isfinite(values)]
    if not len(numbers):
        return KindGuess(ColumnKind.IGNORE, "no finite number")
    whole = bool((numbers == np.floor(numbers)).all())
    noun = f"distinct {'whole ' if whole else ''}numbers{stored}"
    different = _distinct_count(numbers, whole=whole)
    if different == 1:
        return _constant(f"a single number{stored}")
    if whole and not stored and are_day_numbers(numbers):
        return KindGuess(ColumnKind.DATETIME, "whole numbers with dates (yearmonthday)")
    if whole and (reason := _identifier_reason(numbers, different, name)):
        return KindGuess(ColumnKind.IDENTIFIER, reason)
    if whole and _CODE_NAME.search(_snake(name)):
        return KindGuess(ColumnKind.CATEGORICAL, f"whole numbers{stored}, but named like a code")
    if different is None:
        return KindGuess(ColumnKind.CONTINUOUS, f"more than {MOST_CATEGORIES} {noun}")
    few = different <= (MOST_CATEGORIES if whole else _MOST_FRACTIONS)
    kind = ColumnKind.CATEGORICAL if few else ColumnKind.CONTINUOUS
    return KindGuess(kind, f"{count(different)} {noun}")


def _distinct_count(numbers: NDArray[np.float64], *, whole: bool) -> int | None:
    """Count distinct numbers; None for many fractions."""
    if whole:
        low, high = numbers.min(), numbers.max()
        if high - low < min(_WIDEST_COUNT, 50 * len(numbers) + 1000):
            counts = np.bincount((numbers - low).astype(np.int64))
            return int(np.count_nonzero(counts))
    elif len(numbers) > _PREFIX and len(np.unique(numbers[:_PREFIX])) > MOST_CATEGORIES:
        return None
    return len(pd.unique(numbers))


def _identifier_reason(
    numbers: NDArray[np.float64], different: int | None, name: str
) -> str | None:
    n_values = len(numbers)
    if different is None or n_values < IDENTIFIER_ROWS:
        return None
    if different == n_values:
        if numbers.max() - numbers.min() + 1 <= _SEQUENCE_SLACK * n_values:
            return f"{count(different)} whole numbers in sequence, each once"
        if looks_like_identifier(name):
            return f"{_NAMED_SO}, {count(different)} whole numbers, each once"
    if _repeats_like_identifier(different, n_values, name):
        numbers_in_rows = f"{count(different)} distinct whole numbers in {count(n_values)} rows"
        return f"{_NAMED_SO}, {numbers_in_rows}"
    return None


def _repeats_like_identifier(different: int, n_values: int, name: str) -> bool:
    """Return whether it identifies people with several records."""
    return (
        different >= IDENTIFIER_ROWS
        and different >= _NAMED_SHARE * n_values
        and looks_like_identifier(name)
        and _WEAK_NAME.search(_snake(name)) is None
    )


def _label_kind(series: pd.Series) -> KindGuess:
    counts, distinct = distinct_counts(series)
    if not is_text(distinct):
        written = [text for text in distinct if not isinstance(text, str) or text.strip()]
        if not written:
            return KindGuess(ColumnKind.IGNORE, "all values are missing or blank")
        return _object_kind(series, distinct)
    texts = distinct[~np.asarray(blank_texts(distinct))]
    if texts.empty:
        return KindGuess(ColumnKind.IGNORE, "all values are missing or blank")
    name = str(series.name)
    values = _without_markers(texts)
    if _is_numeric_text(values):
        return _number_kind(numeric_values(series), name, stored=", stored as text")
    if len(texts) == 1:
        return _constant("a single label")
    if (found := _text_date_format(values)) is not None:
        return KindGuess(ColumnKind.DATETIME, f"text with dates ({_spoken(found)})")
    if (coded := _coded_kind(values.tolist(), series)) is not None:
        return coded
    own = texts[counts[texts.index] == 1]
    if reason := _text_reason(own, int(counts.sum()), name):
        return KindGuess(ColumnKind.TEXT, reason)
    return _text_kind(len(texts), int(counts.sum()), name)


def _text_reason(own: pd.Series, n_values: int, name: str) -> str | None:
    if n_values < IDENTIFIER_ROWS or len(own) < min(_TEXTS.values()) * n_values:
        return None
    words = np.median([words_in(text) for text in own.iloc[:: -(-len(own) // _LOOKED_AT)]])
    least = max((each for each in _TEXTS if each <= words), default=None)
    if least is None or len(own) < _TEXTS[least] * n_values:
        return None
    if least == min(_TEXTS) and looks_like_identifier(name):  # as full names are
        return None
    return f"texts of about {count(round(words))} words"


def _without_markers(texts: pd.Series) -> pd.Series:
    """Return texts without words for missing, unless all are."""
    words = no_value_words(texts.tolist())
    rest = texts[~texts.isin(words)]
    return rest if words and len(rest) else texts


def _coded_kind(texts: list[str], series: pd.Series) -> KindGuess | None:
    some = texts_among_numbers(texts[:: max(1, len(texts) // _TRIED)])
    codes = texts_among_numbers(texts) if len(some) <= MOST_CODES else some
    if not 0 < len(codes) <= MOST_CODES or any(map(is_generalized, codes)):
        return None
    if any(PADDED.match(text.strip()) for text in texts):
        return None
    if are_grouped([text.strip() for text in texts if text not in codes]):
        return None  # decimals or thousands
    found = _number_kind(numeric_values(series), str(series.name))
    if found.kind is not ColumnKind.CONTINUOUS:
        return None
    return KindGuess(found.kind, f"{found.reason}, and {numbered(len(codes), 'text')} among them")


def _text_date_format(texts: pd.Series) -> str | None:
    few = texts.iloc[:: max(1, len(texts) // _TRIED)].tolist()
    return date_format(texts.tolist()) if date_format(few) is not None else None


def _object_kind(series: pd.Series, distinct: pd.Series) -> KindGuess:
    inferred = pd.api.types.infer_dtype(distinct, skipna=True)
    if inferred in ("integer", "floating", "decimal", "mixed-integer-float"):
        return _number_kind(numeric_values(series), str(series.name))
    if inferred in ("date", "datetime", "datetime64"):
        return _of_dates(series)
    if len(distinct) == 1:
        return _constant("a single label")
    labels = [label for label in canonical_labels(distinct) if label is not None]
    if (coded := _coded_kind(labels, series)) is not None:
        return coded
    return _text_kind(len(distinct), int(series.notna().sum()), str(series.name))


def _text_kind(different: int, n_values: int, name: str) -> KindGuess:
    labels = f"{count(different)} distinct labels"
    if n_values >= IDENTIFIER_ROWS:
        if different >= IDENTIFIER_SHARE * n_values:
            return KindGuess(
                ColumnKind.IDENTIFIER, f"{labels} in {count(n_values)} rows: nearly one per row"
            )
        if _repeats_like_identifier(different, n_values, name):
            return KindGuess(
                ColumnKind.IDENTIFIER,
                f"{_NAMED_SO}, {labels} in {count(n_values)} rows",
            )
    return KindGuess(ColumnKind.CATEGORICAL, labels)


def _is_numeric_text(texts: pd.Series) -> bool:
    if not np.isfinite(parse_numbers(texts.iloc[:_TRIED].tolist())).all():
        return False
    every = texts.tolist()
    if any(PADDED.match(text.strip()) for text in every):
        return False
    if are_grouped([text.strip() for text in every]):  # decimals or thousands
        return False
    return bool(np.isfinite(parse_numbers(every)).all())


def _spoken(date_format_text: str) -> str:
    words = {
        "%Y": "year",
        "%y": "two-digit year",
        "%m": "month",
        "%d": "day",
        "%b": "month name",
        "%B": "month name",
        "%I:%M:%S %p": "time",
        "%I:%M %p": "time",
        "%H:%M:%S": "time",
        "%H:%M": "time",
        ".%f": "",
        "%z": " with time zone",
    }
    spoken = date_format_text.replace("T%H", " %H")
    for directive, word in words.items():
        spoken = spoken.replace(directive, word)
    return spoken
