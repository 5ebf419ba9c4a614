"""Reading of tables in .rds and .RData files; nothing is evaluated."""

from __future__ import annotations

import string
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.phrasing import listed, numbered, quoted
from alc_core.tables.formats.binary import without_user_missing
from alc_core.tables.formats.columns import clean_names, finished, plain_columns, typed_columns
from alc_core.tables.formats.r_objects import (
    RTable,
    RTables,
    frame_table,
    is_frame,
    object_tables,
)
from alc_core.tables.formats.r_values import PLAIN, RValue, r_pairs, r_value
from alc_core.tables.formats.source import (
    Content,
    Options,
    Project,
    Source,
    chosen_table,
    further_table,
    refused,
)
from alc_core.tables.values.texts import LARGEST_EXACT

if TYPE_CHECKING:
    from rdata.parser import RData, RObject, RObjectInfo

Column: TypeAlias = "pd.Series | pa.ChunkedArray"  # Texts are still to be typed
ROW_NAMES = "row_names"  # Name of a column of row names
_LABELLED = {"haven_labelled", "haven_labelled_spss", "labelled", "labelled_spss"}
_TAGS = frozenset(string.ascii_letters)  # Of haven's tagged missing values
_DEEPEST = 20_000  # Recursion of the parser
_NO_INTEGER64 = np.iinfo(np.int64).min
_LAST_SECOND = 2.5e11  # Of the year 9999
_PARTS = ("year", "mon", "mday", "hour", "min", "sec")
_MOST_SHOWN = 5


def read_r_data(source: Source, options: Options) -> Content:
    """Read one table of an R file."""
    from rdata.parser import parse_data

    damaged = source.damaged("R data", "Save it by saveRDS or write.csv.")
    unknown = source.error(
        "holds unreadable R objects, such as raw bytes",
        "Save the data frame without them.",
    )
    with refused(damaged, Exception), refused(unknown, NotImplementedError), _deep():
        parsed = parse_data(source.data, extension=".rds", altrep_constructor_dict=_sequences())
        found = _tables(source, parsed)
        tables = found.tables
        if options.purpose == found.lacks:
            raise source.error(f"holds no {found.lacks} table", "Use the data it was made of.")
        name = chosen_table(source, [*tables], options, together=found.together)
        columns, labels, left_out = _columns(source, tables[name])
    named = (ROW_NAMES,) if next(iter(columns)) is ROW_NAMES else ()
    project = tables[name].project
    notes = [f"Format: R data{_told(project)}."]
    if others := [other for other in tables if other != name]:
        notes.append(f"Table: '{name}'; not read: {quoted(others)}.")
    if left_out:
        notes.append(f"Left out (no single values): {listed(left_out)}.")
    texts = [(name, each) for name, each in columns.items() if isinstance(each, pa.ChunkedArray)]
    typed = typed_columns(texts, decimal=options.decimal or ".", thousands=options.thousands)
    values = {name: each for name, each in columns.items() if isinstance(each, pd.Series)}
    plain = {**plain_columns(source, pd.DataFrame(values)), **typed.columns}
    frame = pd.DataFrame({name: plain[name] for name in [*columns, *typed.flags]}, copy=False)
    return replace(
        finished(source, frame, (*notes, *typed.notes), is_plain=True),
        labels=labels,
        maybe_thousands=typed.maybe_thousands,
        flags=typed.flags,
        identifiers=named,
        project=project,
        called=name if name == options.purpose and options.sheet is None else "",
        part=further_table(name, [*tables]),
    )


def _told(project: Project | None) -> str:
    if project is None or not project.roles:
        return ""
    told = f"; roles from {project.tool}"
    told += f", household '{project.household}'" if project.household else ""
    for role, columns in project.unclear.items():
        either = listed([f"'{column}'" for column in columns], last="or")
        told += f"; its {role} may be {either}, as it deleted columns"
    return told


@contextmanager
def _deep() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEPEST))
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        sys.setrecursionlimit(limit)


def _sequences() -> Mapping[bytes, Callable[[RObject], tuple[RObjectInfo, Any]]]:
    """Return expanders of vectors that R abbreviates.

    The library's make lists of all numbers, and refuse missing texts.
    """
    from rdata.parser import DEFAULT_ALTREP_MAP, RObjectInfo, RObjectType

    def info(kind: RObjectType) -> RObjectInfo:
        return RObjectInfo(kind, object=False, attributes=False, tag=False, gp=0, reference=0)

    def numbers(state: RObject) -> tuple[RObjectInfo, Any]:
        length, first, step = state.value
        return info(RObjectType.REAL), first + step * np.arange(int(length))

    def integers(state: RObject) -> tuple[RObjectInfo, Any]:
        return info(RObjectType.INT), numbers(state)[1].astype(np.int64)

    def texts(state: RObject) -> tuple[RObjectInfo, Any]:
        of, _ = state.value
        if np.ma.isMaskedArray(of.value) or of.value.dtype != np.float64:
            values = np.ma.asarray(of.value).tolist()
            return info(RObjectType.STR), [None if v is None else str(v) for v in values]
        return info(RObjectType.STR), [None if np.isnan(v) else f"{v:.15g}" for v in of.value]

    own = {b"compact_intseq": integers, b"compact_realseq": numbers, b"deferred_string": texts}
    return {**DEFAULT_ALTREP_MAP, **own}


def _tables(source: Source, parsed: RData) -> RTables:
    encoding = parsed.extra.encoding or "utf-8"
    is_workspace = source.data.startswith(b"RD")
    objects = (
        [(name, r_value(each, encoding)) for name, each in r_pairs(parsed.object)]
        if is_workspace
        else [("table", r_value(parsed.object, encoding))]
    )
    found = _tables_in(objects)
    if not found.tables and not is_workspace:
        found = _tables_in(_elements(objects[0][1]))
    if not found.tables:
        named = [f"'{name}' ({each.kind})" for name, each in objects[:_MOST_SHOWN]]
        what = listed(named) if is_workspace else _what(objects[0][1])
        raise source.error(f"holds no table but {what or 'nothing'}", "Save a data frame.")
    return found


def _tables_in(objects: Sequence[tuple[str, RValue]]) -> RTables:
    """Return data frames, and tables that objects of packages hold."""
    found = {name: frame_table(each) for name, each in objects if is_frame(each)}
    held = {name: of for name, each in objects if (of := object_tables(each)).tables}
    if len(held) == 1 and not found:
        return next(iter(held.values()))
    for name, of in held.items():
        found |= {f"{name}.{each}": table for each, table in of.tables.items()}
    return RTables(found)


def _elements(value: RValue) -> list[tuple[str, RValue]]:
    """Return the elements of a list by name; by place if they have none, or share it."""
    elements = value.items()
    times = Counter(name for name, _ in elements)
    return [
        (name if name and times[name] == 1 else str(place), each)
        for place, (name, each) in enumerate(elements, 1)
    ]


def _what(value: RValue) -> str:
    if value.type == "S4":
        return f"an object of class {value.kind}"
    what = f"{'an' if value.kind[0] in 'aeiou' else 'a'} {value.kind}"
    if value.type not in ("VEC", *PLAIN):
        return what
    kinds = [each.kind for _, each in value.items()[:_MOST_SHOWN]]
    held = f" ({', '.join(kinds)})" if kinds else ""
    return f"{what} with {numbered(len(value.value), 'element')}{held}"


def _columns(source: Source, table: RTable) -> tuple[dict[str, Column], dict[str, str], list[str]]:
    """Return columns, texts to be typed, names, and omissions."""
    kept: list[tuple[str, RValue, Column]] = []
    left_out = []
    for name, each in table.columns:
        column = _column(each)
        if column is None:
            left_out.append(f"'{name}' ({each.kind})")
        else:
            kept.append((name, each, column))
    if not kept:
        raise source.error("has no column with one value per row", "Use another table.")
    names, _ = clean_names(source, [name for name, _, _ in kept])
    columns = {name: column for name, (_, _, column) in zip(names, kept, strict=True)}
    labels = {name: _label(each) for name, (_, each, _) in zip(names, kept, strict=True)}
    n_rows = len(kept[0][2])
    if any(len(column) != n_rows for column in columns.values()):
        raise ValueError("columns of different lengths")
    called = None if table.row_names is None else _row_names(table.row_names, n_rows)
    if not n_rows:
        raise source.error("has columns but no rows", "Use a file with one row per record.")
    if called is not None and ROW_NAMES not in columns:
        columns = {ROW_NAMES: called, **columns}
    return columns, {name: label for name, label in labels.items() if label}, left_out


def _label(value: RValue) -> str:
    label = value.attribute("label")
    return "" if label is None or label.type != "STR" else (label.texts()[0] or "").strip()


def _row_names(names: RValue, n_rows: int) -> Column | None:
    if names.type == "STR":
        texts = names.texts()
        numbered_only = texts == [str(number + 1) for number in range(n_rows)]
        return None if numbered_only or len(texts) != n_rows else _arrow(texts)
    numbers = names.numbers()
    if len(numbers) != n_rows or np.isnan(numbers).any():  # NA and the number of rows
        return None
    in_order = np.array_equal(numbers, np.arange(1, n_rows + 1))
    return None if in_order else pd.Series(numbers.astype(np.int64))


def _column(value: RValue) -> Column | None:
    """Return a column of one value per row, if it is."""
    classes = {*value.classes}
    if "POSIXlt" in classes:
        return _calendar(value)
    if value.type not in PLAIN or value.attribute("dim") is not None:
        return None
    if classes & _LABELLED:
        return _labelled(value)
    if "factor" in classes:
        return _factor(value)
    return _arrow(value.texts()) if value.type == "STR" else _numbers(value, classes)


def _numbers(value: RValue, classes: Collection[str]) -> pd.Series:
    if "integer64" in classes:
        whole = value.value.view(np.int64)
        return _with_gaps(whole, whole == _NO_INTEGER64)
    if "Date" in classes:
        return _moments(np.floor(value.numbers()) * 86_400)
    if "POSIXct" in classes:
        return _moments(value.numbers(), _zone(value))
    if value.type == "LGL":
        missing = np.ma.getmaskarray(value.value)
        return _with_gaps(np.ma.getdata(value.value).astype(bool), missing)
    numbers = value.numbers()
    if (np.abs(numbers) < LARGEST_EXACT).all() and (numbers == np.floor(numbers)).all():
        return pd.Series(numbers.astype(np.int64))
    return pd.Series(_as_written(numbers))


def _as_written(numbers: FloatArray) -> FloatArray:
    """Return numbers with R's 15 digits: 0.1 + 0.2 is 0.3."""
    found = numbers.copy()
    fractions = np.isfinite(numbers) & (numbers != np.floor(numbers))
    found[fractions] = [float(f"{number:.15g}") for number in numbers[fractions]]
    return found


def _arrow(texts: Sequence[str | None]) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(texts, pa.string())])


def _with_gaps(values: NDArray[Any], missing: NDArray[np.bool_]) -> pd.Series:
    if not missing.any():
        return pd.Series(values)
    return pd.Series(values.astype(object)).mask(missing, None)


def _factor(value: RValue) -> pa.ChunkedArray:
    levels = value.attribute("levels")
    codes = value.numbers()
    named = np.array([*(levels.texts() if levels else ()), None], dtype=object)
    places = np.where(np.isnan(codes), len(named), codes).astype(np.int64) - 1
    if (places < 0).any():
        raise ValueError("codes below the first level")
    return _arrow(named[places].tolist())


def _labelled(value: RValue) -> Column:
    """Return a haven column with labels for codes."""
    codes = value.attribute("labels")
    names = codes.attribute("names") if codes else None
    called = [] if names is None else names.texts()
    if value.type == "STR":
        missing = value.attribute("na_values")
        label_of = dict.fromkeys(missing.texts() if missing else [])
        label_of |= dict(zip(codes.texts() if codes else [], called, strict=True))
        return _arrow([label_of.get(text, text) for text in value.texts()])
    ranges = [(number, number) for number in _numbers_of(value, "na_values")]
    if between := _numbers_of(value, "na_range"):
        low, high = between
        ranges.append((low, high))
    numbers = value.numbers()
    coded = _coded(codes.numbers()) if codes else []
    labels = dict(zip(coded, called, strict=True)) | {None: None}  # Files as text lose tags
    found = [labels.get(code, None if code in _TAGS else code) for code in _coded(numbers)]
    return without_user_missing(pd.Series(found, dtype=object), ranges)


def _coded(numbers: FloatArray) -> list[float | str | None]:
    """Return codes, missing values as haven's tag such as "a", or None."""
    tags = np.ascontiguousarray(numbers).view(np.uint64) >> np.uint64(32) & np.uint64(0xFF)
    return [
        (chr(tag) if chr(tag) in _TAGS else None) if number != number else number
        for number, tag in zip(numbers.tolist(), tags.tolist(), strict=True)
    ]


def _numbers_of(value: RValue, attribute: str) -> list[float]:
    found = value.attribute(attribute)
    return [] if found is None else found.numbers().tolist()


def _zone(value: RValue) -> ZoneInfo | None:
    """Return the time zone of moments; None for UTC or unknown."""
    zone = value.attribute("tzone")
    name = "" if zone is None else zone.texts()[0] or ""
    try:
        return ZoneInfo(name) if name not in ("", "UTC", "GMT") else None
    except (OSError, ValueError):
        return None


def _moments(seconds: FloatArray, zone: ZoneInfo | None = None) -> pd.Series:
    """Return seconds since 1970 as dates in a time zone."""
    present = np.isfinite(seconds) & (np.abs(seconds) < _LAST_SECOND)
    microseconds = np.floor(np.where(present, seconds, 0) * 1_000_000)
    dates = pd.Series(microseconds.astype("M8[us]")).mask(~present)
    if zone is None:
        return dates
    return pd.Series(dates.dt.tz_localize("UTC").dt.tz_convert(zone).dt.tz_localize(None))


def _calendar(value: RValue) -> pd.Series:
    parts = {name: each.numbers() for name, each in value.items() if name in _PARTS}
    n_rows = max(map(len, parts.values()))
    year, month, day, hour, minute, second = (np.resize(parts[name], n_rows) for name in _PARTS)
    present = np.isfinite(year + month + day + hour + minute + second)
    months = np.where(present, (year - 70) * 12 + month, 0).astype(np.int64).astype("M8[M]")
    seconds = (day - 1) * 86_400 + hour * 3_600 + minute * 60 + second
    start = months.astype("M8[s]").astype(np.float64)
    return _moments(np.where(present, start + seconds, np.nan))
