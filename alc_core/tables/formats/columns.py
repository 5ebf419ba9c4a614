"""Usable names, numbers, booleans and labels from columns as read."""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from alc_core.errors import TableReadError
from alc_core.phrasing import count, numbered, quoted
from alc_core.tables.formats.marked import looks_marked, marked_numbers
from alc_core.tables.formats.source import Content, Source
from alc_core.tables.values.texts import (
    LARGEST_EXACT,
    MOST_DISTINCT,
    PADDED,
    Codes,
    are_grouped,
    canonical_labels,
    distinct_codes,
    grouped_numbers,
    parse_numbers,
)

_SHOWN_DUPLICATES = 3

BLANKS = ("", " ")  # Texts that are no value


def check_width(source: Source, n_columns: int) -> None:
    """Refuse a table with too many columns."""
    if n_columns > MAX_COLUMNS:
        raise source.error(
            f"has {count(n_columns)} columns, more than the limit of {count(MAX_COLUMNS)}",
            "Save those to review as a separate file.",
        )


def clean_names(source: Source, names: Sequence[object]) -> tuple[list[str], tuple[str, ...]]:
    """Return usable column names, and notes on changes."""
    check_width(source, len(names))
    stripped = ["" if name is None else str(name).strip() for name in names]
    if not any(stripped):
        raise source.error("has no column names in its first line", "Add a line with column names.")
    notes: tuple[str, ...] = ()
    numeric = not np.isnan(parse_numbers([name for name in stripped if name])).any()
    if numeric:  # as in a file without header
        notes = ("The first line, only numbers, was read as names. If wrong, add names.",)
    if repeated := _duplicates(stripped):
        raise _duplicate_error(source, repeated, hide_names=bool(numeric))
    empty = [position for position, name in enumerate(stripped, start=1) if not name]
    if empty:
        filled = _filled(stripped)
        notes = (*notes, _named_note(filled, empty))
        stripped = filled
    return stripped, notes


def _named_note(filled: Sequence[str], empty: Sequence[int]) -> str:
    first = "" if empty[0] > 1 else f"The first column, without a name, is called '{filled[0]}'."
    others = [filled[position - 1] for position in empty if position > 1]
    rest = "Columns named by position:"
    return " ".join(filter(None, (first, f"{rest} {quoted(others)}." if others else "")))


def _filled(names: Sequence[str]) -> list[str]:
    taken = set(names)
    filled = []
    for position, name in enumerate(names, start=1):
        candidate = name or f"column_{position}"
        while not name and candidate in taken:
            candidate += "_"
        filled.append(candidate)
    return filled


def _duplicates(names: Iterable[str]) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = {}
    for position, name in enumerate(names, start=1):
        if name:
            positions.setdefault(name, []).append(position)
    return {name: places for name, places in positions.items() if len(places) > 1}


def _duplicate_error(
    source: Source, repeated: dict[str, list[int]], *, hide_names: bool
) -> TableReadError:
    shown = []
    for name, places in list(repeated.items())[:_SHOWN_DUPLICATES]:
        where = " and ".join(str(place) for place in places[:4])
        shown.append(f"{'the same entry' if hide_names else repr(name)} in columns {where}")
    more = f", and {len(repeated) - len(shown)} more" if len(repeated) > len(shown) else ""
    action = (
        "Add a line with column names."
        if hide_names
        else "Rename them, or choose the row with names (--header-row)."
    )
    return source.error(f"repeats column names: {', '.join(shown)}{more}", action)


def finished(
    source: Source, frame: pd.DataFrame, notes: tuple[str, ...], *, is_plain: bool = False
) -> Content:
    """Return a frame with usable names, plain columns and blanks missing."""
    names, name_notes = clean_names(source, list(frame.columns))
    if frame.empty:
        raise source.error("has columns but no rows", "Use a file with one row per record.")
    frame = frame.set_axis(names, axis="columns").reset_index(drop=True)
    frame = frame if is_plain else plain_columns(source, frame)
    for name in frame.columns:  # Stata and SAS write missing text as empty
        if frame[name].dtype == object or isinstance(frame[name].dtype, pd.StringDtype):
            blank = frame[name].isin(BLANKS)
            if blank.any():
                frame[name] = frame[name].mask(blank, None)
    return Content(frame=frame, notes=(*notes, *name_notes))


def without_empty_rows(
    frame: pd.DataFrame,
) -> tuple[pd.DataFrame, tuple[str, ...], tuple[int, ...]]:
    """Return rows with a value, a note, and kept places.

    R writes rows past the end as NA but for row names; other tools number them. With two columns
    only final rows are left out.
    """
    columns = [name for name in frame.columns if name not in _ROW_NAMES]
    if columns == [*frame.columns] and _counts_rows(frame.iloc[:, 0]):
        columns = columns[1:]
    empty = np.arange(len(frame) if len(columns) > 1 else 0)
    for name in sorted(columns, key=lambda name: not _is_plain(frame[name].dtype)):
        if not len(empty):
            break
        series = frame[name]
        values = series if len(empty) == len(series) else series.iloc[empty]
        empty = empty[_lacks_value(values)]
    at_end = len(empty) > 0 and empty[0] == len(frame) - len(empty)
    if len(empty) in (0, len(frame)) or (len(columns) == _PAIR and not at_end):
        return frame, (), ()
    kept = np.delete(np.arange(len(frame)), empty)
    between = tuple(empty[empty < kept[-1]].tolist())
    return frame.iloc[kept].reset_index(drop=True), (empty_rows_note(len(empty)),), between


def empty_rows_note(number: int) -> str:
    """Say that rows without a value were left out."""
    verb = "is" if number == 1 else "are"
    return f"Left out: {numbered(number, 'row')} that {verb} empty."


_PAIR = 2
_ROW_NAMES = ("column_1", "Unnamed: 0")  # A first column without name, here and in pandas


def _counts_rows(series: pd.Series) -> bool:
    if not _is_plain(series.dtype) or series.dtype.kind not in "iuf":
        return False
    with np.errstate(invalid="ignore"):  # Infinity beside infinity
        return bool((np.diff(series.to_numpy()) == 1).all())


def _is_plain(dtype: object) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind != "O"


def _lacks_value(series: pd.Series) -> NDArray[np.bool_]:
    if isinstance(series.dtype, pd.CategoricalDtype):
        lacks = np.append(series.cat.categories.isin(_NO_VALUES), True)
        return np.asarray(lacks[series.cat.codes.to_numpy()], dtype=bool)
    missing = series.isna().to_numpy(dtype=bool)
    if _is_plain(series.dtype):
        return missing
    return np.asarray(missing | series.isin(_NO_VALUES).to_numpy(dtype=bool), dtype=bool)


def plain_columns(source: Source, frame: pd.DataFrame) -> pd.DataFrame:
    """Reduce types of binary formats to numbers, text, booleans and dates.

    Value labels, dictionaries and whole numbers floats would round become text.
    """
    columns = {}
    nested = []
    for name in frame.columns:
        series = frame[name]
        if isinstance(series.dtype, pd.CategoricalDtype):
            series = canonical_labels(series)
        elif series.dtype == object:
            series, is_nested = _plain_objects(series)
            if is_nested:
                nested.append(str(name))
        columns[name] = series
    if nested:
        raise source.error(
            f"has lists or structures in {quoted(nested)}", "Keep columns with one value per row."
        )
    return pd.DataFrame(columns, index=frame.index)


def _plain_objects(series: pd.Series) -> tuple[pd.Series, bool]:
    inferred = pd.api.types.infer_dtype(series, skipna=True)
    if inferred in ("string", "boolean", "empty"):
        return series, False
    if inferred == "integer" and (series.dropna().abs() >= LARGEST_EXACT).any():
        return canonical_labels(series), False
    if inferred in ("integer", "floating", "decimal", "mixed-integer-float"):
        return series.map(float, na_action="ignore").astype(np.float64), False
    if inferred in ("date", "datetime", "datetime64"):
        return _dates(series), False
    head = series.dropna().head(1000)
    nested = any(isinstance(value, (list, dict, set, tuple, np.ndarray)) for value in head)
    return (series if nested else canonical_labels(series)), nested


def _dates(series: pd.Series) -> pd.Series:
    """Return date objects as dates; mixed time zones become text."""
    try:
        return pd.to_datetime(series)
    except (ValueError, TypeError, OverflowError):
        return canonical_labels(series)


# Mean missing only in columns otherwise of numbers
MISSING_TOKENS = frozenset([
    "NA", "N/A", "#N/A", "#DIV/0!", "#NUM!", "#VALUE!", "#REF!", "nan", "NaN", "NAN", "-nan",
    "NULL", "null", "None", "<NA>", ".",
])  # fmt: skip
# In a row with nothing else
_NO_VALUES = [*MISSING_TOKENS, *BLANKS, "-", "--", "n/a", "NaT"]
MAX_COLUMNS = 5_000  # Most columns read, more than a review needs
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_COMMA_NUMBER = re.compile(r"[+-]?(?:[0-9]+,?[0-9]*|,[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?\Z", re.IGNORECASE)
_POINTED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]*)?\Z")
_SPACED = re.compile(
    r"[+-]?[1-9][0-9]{0,2}(?:[ \u00a0\u2009\u202f'\u2019][0-9]{3})+(?:[.,][0-9]*)?\Z"
)
_SPACES = re.compile(r"[ \u00a0\u2009\u202f'\u2019]")
_WHOLE = re.compile(r"[+-]?(?:0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:\.[0-9]{3})+)\Z")
_SAMPLE = 200
_MOST_TEXTS = 5  # Texts among numbers, such as N


# On columns of text that became numbers
_NOTES = {
    "comma": "Decimal comma found in {names}.",
    "grouped": "Commas in {names} are ambiguous, so text. Choose '.' or ',' as the decimal mark.",
    "thousands": "Commas in {names} separate thousands.",
    "spaced": "Spaces or apostrophes in {names} separate thousands.",
    "pointed": "Points in {names} separate thousands. If wrong, choose '.' as the decimal mark.",
    "maybe": "Points in {names} are ambiguous. Choose '.' as decimal or thousands mark.",
    "unit": "The unit beside the numbers of {names} was removed.",
    "flag": "Marks beside the numbers of {names} are in unused columns, such as '{first}_flag'.",
    "tokens": "NA, NaN, NULL or '.' are treated as missing beside numbers, true and false in the "
    "{columns} {names}.",
}
_Noticed = dict[str, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Columns typed by values, and notes."""

    columns: dict[str, pd.Series]
    notes: list[str]
    # Whose marks may separate thousands, and whether all numbers have one
    maybe_thousands: dict[str, bool]
    flags: dict[str, str]  # Columns of marks, by their numbers' column


def typed_columns(
    columns: Sequence[tuple[str, pa.ChunkedArray]],
    *,
    decimal: str | None,
    thousands: str | None = None,
) -> Typed:
    """Type columns of text by their values, with notes."""
    noticed: _Noticed = {what: [] for what in _NOTES}
    typed: dict[str, pd.Series] = {}
    undecided: list[str] = []
    points: dict[str, _Points] = {}
    bare: dict[str, pa.ChunkedArray] = {}
    marks: dict[str, pd.Series] = {}
    comma = "." if thousands == "," else decimal  # The decimal mark of numbers with commas
    for name, cells in columns:
        present = _present(cells)
        series = _numbers_at_once(name, present, noticed) if decimal != "," else None
        if series is None and (marked := _without_marks(present)) is not None:
            present, marks[name] = marked
            bare[name] = present
            series = _numbers_at_once(name, present, noticed) if decimal != "," else None
        if series is None:
            series = _other(name, present, comma, noticed, undecided)
        typed[name] = series
        if decimal is None and series.dtype != np.int64:
            points[name] = _points(present, is_number=series.dtype == np.float64)
    for name, beside in marks.items():
        noticed["flag" if beside.notna().any() else "unit"].append(name)
    noticed["pointed"] += _pointed(points, noticed, thousands)
    for name in noticed["pointed"]:
        whole = _with_points(bare[name] if name in bare else _present(dict(columns)[name]))
        typed[name] = typed[name] if whole is None else whole
    has_points = _Points.DECIMALS in points.values() and not noticed["pointed"]
    are_decimals = bool(noticed["comma"])
    sure = not are_decimals and (
        has_points
        or bool(noticed["thousands"])
        or any(_separate_thousands(_values(typed[name])) for name in undecided)
    )
    maybe = {
        name: found is _Points.ALL
        for name, found in points.items()
        if found in _MAYBE and name not in noticed["pointed"] and not (has_points or thousands)
    }
    noticed["maybe"] += maybe
    for name in undecided:
        found = _with_commas(typed[name], are_decimals=are_decimals, sure=sure)
        if found is None:
            noticed["grouped"].append(name)
            maybe[name] = True
            continue
        typed[name], has_tokens = found
        noticed["comma" if are_decimals else "thousands"].append(name)
        noticed["tokens"] += [name] * has_tokens
    notes = [
        note.format(
            names=quoted(names), first=names[0], columns="column" if len(names) == 1 else "columns"
        )
        for note, names in zip(_NOTES.values(), noticed.values(), strict=True)
        if names
    ]
    of = _flag_names(noticed["flag"], typed)
    typed |= {flag: marks[column] for flag, column in of.items()}
    return Typed(columns=typed, notes=notes, maybe_thousands=maybe, flags=of)


def _without_marks(cells: pa.ChunkedArray) -> tuple[pa.ChunkedArray, pd.Series] | None:
    """Return a column's numbers and marks, if it has marks."""
    head = pc.unique(cells.slice(0, _SAMPLE)).to_pylist()
    if not looks_marked([text for text in head if text is not None and text not in MISSING_TOKENS]):
        return None
    codes, distinct = distinct_codes(_texts(cells))
    texts = [str(text) for text in distinct]
    told = [text for text in texts if text not in MISSING_TOKENS]
    counts = dict(zip(texts, np.bincount(codes[codes >= 0], minlength=len(texts)), strict=True))
    found = marked_numbers(told, np.array([counts[text] for text in told]))
    if found is None:
        return None
    of_number, of_mark = (
        np.asarray([*(dict(zip(told, each, strict=True)).get(t) for t in texts), None], object)
        for each in (found.bare, found.flags)
    )
    numbers = pa.chunked_array([pa.array(of_number[codes], pa.string())])
    return numbers, pd.Series(pd.Categorical(of_mark[codes]))


def _flag_names(columns: Sequence[str], taken: Collection[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for column in columns:
        name = f"{column}_flag"
        while name in taken or name in names:
            name += "_"
        names[name] = column
    return names


def _with_commas(
    series: pd.Series, *, are_decimals: bool, sure: bool
) -> tuple[pd.Series, bool] | None:
    """Return texts with commas as numbers if clear.

    Also whether some are missing.
    """
    if not (are_decimals or sure):
        return None
    codes, distinct = distinct_codes(series)
    texts, values = [str(text) for text in distinct], _values(series)
    numbers = _floats(values, grouped=not are_decimals, comma=are_decimals)
    if numbers is None:
        return None
    found = _of_texts(texts, dict(zip(values, numbers, strict=True)), codes)
    return found, len(values) < len(texts)


def _values(series: pd.Series) -> list[str]:
    return [str(text) for text in distinct_codes(series)[1] if text not in MISSING_TOKENS]


class _Points(enum.Enum):
    NONE = "nothing"
    DECIMALS = "decimals"
    THOUSANDS = "thousands"
    ALL = "either fits every number"
    SOME = "either, and numbers below 1000 have none"


_MAYBE = (_Points.ALL, _Points.SOME)


def _points(cells: pa.ChunkedArray, *, is_number: bool) -> _Points:
    """Return what points separate; thousands need three digits.

    Decimals never end in zero, or all have a point.
    """
    if not _starts_numeric(cells, _WHOLE):
        return _Points.DECIMALS if is_number and _any(cells, r"\.") else _Points.NONE
    is_token = pc.is_in(cells, value_set=pa.array([*MISSING_TOKENS]))
    numbers = cells.filter(pc.invert(is_token)).drop_null()
    if not _any(numbers, r"\."):
        return _Points.NONE
    if not pc.all(pc.match_substring_regex(numbers, f"^{_WHOLE.pattern[:-2]}$")).as_py():
        return _Points.DECIMALS if is_number else _Points.NONE
    every = bool(pc.all(pc.match_substring(numbers, ".")).as_py())
    if not is_number:  # Several groups; if all have as many, codes
        groups = pc.unique(pc.count_substring(numbers, "."))
        return _Points.THOUSANDS if len(groups) > 1 else _Points.NONE
    if every:
        return _Points.ALL
    return _Points.THOUSANDS if _any(numbers, r"\.[0-9]{2}0$") else _Points.SOME


def _any(cells: pa.ChunkedArray, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(cells, pattern)).as_py())


def _pointed(points: Mapping[str, _Points], noticed: _Noticed, mark: str | None) -> list[str]:
    """Return columns whose points separate thousands, by the whole file."""
    surely = [name for name, found in points.items() if found is _Points.THOUSANDS]
    others = [name for name, found in points.items() if found in _MAYBE]
    decimals = _Points.DECIMALS in points.values()
    if noticed["comma"] or mark == "." or (surely and not decimals):
        return [name for name in points if name in surely or name in others]
    return surely


def _present(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    trimmed = pc.utf8_trim_whitespace(cells)
    return pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, pa.string()), trimmed)


def _numbers_at_once(name: str, cells: pa.ChunkedArray, noticed: _Noticed) -> pd.Series | None:
    """Parse a whole column as numbers, if it is.

    Leading zeros mark codes.
    """
    if not _starts_numeric(cells, _NUMBER) or _any_padded(cells):
        return None
    try:
        numbers = pc.cast(cells, pa.int64())
    except pa.ArrowInvalid:
        try:
            numbers = pc.cast(cells, pa.float64())
        except pa.ArrowInvalid:
            return None
    if pa.types.is_integer(numbers.type) and not numbers.null_count:
        return pd.Series(numbers.to_numpy())
    values = np.asarray(numbers.to_numpy(), dtype=np.float64)
    if np.count_nonzero(np.isnan(values)) > cells.null_count:
        noticed["tokens"].append(name)
    return None if _loses_digits(cells, values) else pd.Series(values)


def _other(
    name: str,
    cells: pa.ChunkedArray,
    decimal_mark: str | None,
    noticed: _Noticed,
    undecided: list[str],
) -> pd.Series:
    """Type another column by its distinct values."""
    series = _texts(cells)
    if not _any_numeric(cells) and not _any_boolean(cells):
        return series if decimal_mark == "," else _among_texts(name, series, decimal_mark, noticed)
    codes, distinct = distinct_codes(series)
    texts = [str(value) for value in distinct]
    told = {text.lower() for text in texts if text not in MISSING_TOKENS}
    if told and told <= {"true", "false"}:
        truth = np.array([text.lower() == "true" for text in texts] + [False], dtype=bool)
        lacks = np.array([text in MISSING_TOKENS for text in texts] + [True], dtype=bool)
        noticed["tokens"] += [name] * bool(lacks[:-1].any())
        found, missing = pd.Series(truth[codes]), pd.Series(lacks[codes])
        return found.astype(object).mask(missing, None) if missing.any() else found
    spaced = any(_SPACED.match(text) for text in texts)
    if spaced:
        texts = [_SPACES.sub("", text) if _SPACED.match(text) else text for text in texts]
    values = [text for text in texts if text not in MISSING_TOKENS]
    if not values or any(PADDED.match(text) for text in values):
        return series
    grouped = not spaced and decimal_mark != "," and are_grouped(values)
    if grouped and decimal_mark is None and not _surely_grouped(values):
        undecided.append(name)
        return series
    comma = not grouped and decimal_mark != "." and any("," in text for text in values)
    numbers = _floats(values, grouped=grouped, comma=comma or decimal_mark == ",")
    if numbers is None:
        return series
    for are_there, names in (
        (grouped, noticed["thousands"]),
        (spaced, noticed["spaced"]),
        (comma, noticed["comma"]),
        (len(values) < len(texts), noticed["tokens"]),
    ):
        names += [name] * are_there
    return _of_texts(texts, dict(zip(values, numbers, strict=True)), codes)


def _among_texts(
    name: str, series: pd.Series, decimal_mark: str | None, noticed: _Noticed
) -> pd.Series:
    head = [str(text) for text in series.iloc[: 100 * _SAMPLE].dropna().unique()]
    if 2 * len(grouped_numbers(head)) < len(head):
        return series
    codes, distinct = distinct_codes(series)
    texts = [str(text) for text in distinct]
    numbers = grouped_numbers(texts)
    others = [text for text in set(texts).difference(numbers) if text not in MISSING_TOKENS]
    if not are_grouped(numbers) or len(others) > _MOST_TEXTS:
        return series
    if decimal_mark is None and not (_surely_grouped(numbers) or _separate_thousands(numbers)):
        noticed["grouped"].append(name)
        return series
    noticed["thousands"].append(name)
    plain = {text: text.replace(",", "") for text in numbers}
    told = [plain.get(text, text) for text in texts]
    return pd.Series(np.asarray([*told, None], dtype=object)[codes])


def _surely_grouped(numbers: Sequence[str]) -> bool:
    return any(text.count(",") > 1 or ("," in text and "." in text) for text in numbers)


def _floats(texts: Sequence[str], *, grouped: bool, comma: bool) -> list[float] | None:
    """Return texts as numbers, if none is another or too long."""
    pattern = _COMMA_NUMBER if comma else _NUMBER
    plain = [text.replace(",", "") for text in texts] if grouped else list(texts)
    if not all(
        pattern.match(text) or _INFINITE.match(text) or (comma and _POINTED.match(text))
        for text in plain
    ):
        return None
    if any(len(text) > 15 and text.lstrip("+-").isdigit() for text in plain):
        return None
    return [float(text.replace(".", "").replace(",", ".") if comma else text) for text in plain]


def _separate_thousands(numbers: Sequence[str]) -> bool:
    """Return whether commas before three digits must separate thousands.

    Decimals never end in zero, or all have a comma.
    """
    plain = [text for text in numbers if "," not in text]
    return (
        bool(plain)
        and any("," in text and text.endswith("0") for text in numbers)
        and all(re.fullmatch("[+-]?[0-9]{1,3}", text) for text in plain)
    )


def _texts(cells: pa.ChunkedArray) -> pd.Series:
    """Return text as codes, or strings if too many are distinct."""
    encoded = cells.dictionary_encode().unify_dictionaries()
    distinct = encoded.chunk(0).dictionary
    if len(distinct) > MOST_DISTINCT * len(cells):
        return pd.Series(cells.to_pandas())
    codes = [np.asarray(pc.fill_null(chunk.indices, -1)) for chunk in encoded.chunks]
    categories = pd.Index(distinct.to_pandas())
    return pd.Series(pd.Categorical.from_codes(np.concatenate(codes), categories, validate=False))


def _of_texts(texts: Sequence[str], numbers: Mapping[str, float], codes: Codes) -> pd.Series:
    return _of_codes([numbers.get(text, np.nan) for text in texts], codes)


def _of_codes(numbers: list[float], codes: Codes) -> pd.Series:
    return pd.Series(np.asarray([*numbers, np.nan], dtype=np.float64)[codes])


def _with_points(cells: pa.ChunkedArray) -> pd.Series | None:
    if not _starts_numeric(cells, _WHOLE):
        return None
    codes, distinct = distinct_codes(_texts(cells))
    plain = ["nan" if text in MISSING_TOKENS else text for text in distinct]
    if not any("." in text for text in plain) or not all(
        _WHOLE.match(text) or text == "nan" for text in plain
    ):
        return None
    return _of_codes([float(text.replace(".", "")) for text in plain], codes)


def _starts_numeric(cells: pa.ChunkedArray, pattern: re.Pattern[str]) -> bool:
    head = [text for text in cells.slice(0, _SAMPLE).to_pylist() if text is not None]
    return all(pattern.match(t) or _INFINITE.match(t) or t in MISSING_TOKENS for t in head) and (
        cells.null_count < len(cells)
    )


def _any_numeric(cells: pa.ChunkedArray) -> bool:
    head = pc.unique(cells.slice(0, 100 * _SAMPLE)).to_pylist()
    values = [text for text in head if text is not None and text not in MISSING_TOKENS]
    digits = sum(text[0] in "+-.,0123456789iI" for text in values)
    return digits == len(values) and len(cells) > cells.null_count


def _any_boolean(cells: pa.ChunkedArray) -> bool:
    head = pc.unique(cells.slice(0, _SAMPLE)).to_pylist()
    return any(text is not None and text.lower() in ("true", "false") for text in head)


def _any_padded(cells: pa.ChunkedArray) -> bool:
    zeros = pc.or_(pc.starts_with(cells, "0"), pc.starts_with(cells, "-0"))
    starting = cells.filter(pc.fill_null(zeros, False))
    return bool(pc.any(pc.match_substring_regex(starting, PADDED.pattern)).as_py())


def _loses_digits(cells: pa.ChunkedArray, values: NDArray[np.float64]) -> bool:
    with np.errstate(invalid="ignore"):
        large = np.isfinite(values) & (np.abs(values) >= LARGEST_EXACT)
    if not large.any():
        return False
    return bool(pc.any(pc.match_substring_regex(cells.filter(large), r"^[+-]?[0-9]+$")).as_py())
