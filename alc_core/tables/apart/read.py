"""Reading a file in a separate process: a table, labels, or one line of error."""

from __future__ import annotations

import logging
import math
import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath
from typing import Any, BinaryIO, TypeVar

from alc_core.errors import ParameterError, TableReadError
from alc_core.phrasing import count, printable
from alc_core.plain_values import from_plain
from alc_core.tables import read as here
from alc_core.tables.apart.child import (
    FAULT,
    MEMORY,
    PROCESS,
    READY,
    REFUSED,
    TABLES,
    TOGETHER,
    paths_of,
)
from alc_core.tables.apart.process import Reader, Waiting, Watch, start
from alc_core.tables.apart.wire import BROKEN, VALUE, receive_table, receive_word
from alc_core.tables.formats.recognise import EXTENSIONS
from alc_core.tables.formats.source import PART, Purpose, readable_size
from alc_core.tables.labels.find import column_domain, with_sets
from alc_core.tables.labels.hierarchies import sets_of_hierarchy
from alc_core.tables.labels.language import PlainSets
from alc_core.tables.metadata import Metadata
from alc_core.tables.names import Names, codebook
from alc_core.tables.read import FrameLike, table_from_frame
from alc_core.tables.table import Table
from alc_core.tables.value_sets import Domain, ValueSet

TableLike = Table | FrameLike | str | os.PathLike[str]

# Environment variables that set the limits
SECONDS_VARIABLE, MEMORY_VARIABLE = "ALC_READ_SECONDS", "ALC_READ_GIB"
_LEAST_SECONDS, _SECONDS_PER_MIB = 20.0, 10.0  # Four times what workbooks take, the slowest
_LEAST_BYTES, _BYTES_PER_BYTE, _SHARE_OF_MACHINE = 2**30, 200, 0.8
_NARROW_SECONDS, _NARROW_SECONDS_PER_MIB = 5.0, 2.0
_NARROW_BYTES, _NARROW_BYTES_PER_BYTE = 2**30, 20
_MIB, _GIB = 2**20, 2**30

logger = logging.getLogger(__name__)

Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """Limits on the process that reads a file.

    Attributes
    ----------
    seconds : float or None
        Of processor time, or a quarter of the clock's. By default ``ALC_READ_SECONDS``, or ten
        seconds per MiB, at least 20.
    memory_bytes : int or None
        Additional memory, on Linux only. By default ``ALC_READ_GIB``, or 200 times the file, at
        least 1 GiB, at most four fifths of the machine's.

    Raises
    ------
    ParameterError
        If a limit is not positive.

    Examples
    --------
    >>> ReadingLimits(seconds=30).seconds_for(2**20)
    30.0
    """

    seconds: float | None = None
    memory_bytes: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("seconds", self.seconds), ("memory_bytes", self.memory_bytes)):
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise ParameterError(f"{name} must be a positive number, but is {value!r}.")

    def seconds_for(self, size: int) -> float:
        """Return the time limit for a file of this many bytes."""
        if self.seconds is not None:
            return float(self.seconds)
        given = _from_environment(SECONDS_VARIABLE)
        return given or max(_LEAST_SECONDS, _SECONDS_PER_MIB * size / _MIB)

    def memory_for(self, size: int) -> int:
        """Return the memory limit for a file of this many bytes."""
        if self.memory_bytes is not None:
            return int(self.memory_bytes)
        if given := _from_environment(MEMORY_VARIABLE):
            return int(given * _GIB)
        usual = max(_LEAST_BYTES, _BYTES_PER_BYTE * size)
        return int(min(usual, _SHARE_OF_MACHINE * _machine()))


def narrow_limits(size: int) -> ReadingLimits:
    """Return limits for a file that is not a table."""
    memory = min(_NARROW_BYTES + _NARROW_BYTES_PER_BYTE * size, _SHARE_OF_MACHINE * _machine())
    return ReadingLimits(
        seconds=_NARROW_SECONDS + _NARROW_SECONDS_PER_MIB * size / _MIB, memory_bytes=int(memory)
    )


def _from_environment(name: str) -> float | None:
    text = os.environ.get(name, "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (value > 0 and math.isfinite(value)):
        raise ParameterError(f"{name} must be a positive number, but is {text!r}.")
    return value


def _machine() -> float:
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):  # Windows
        return math.inf


_STANDARD = ReadingLimits()


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do if a file exceeds its limits."""

    slow: str  # If it takes too long, too much memory, or ends its reader
    large: str
    broken: str


def _table_advice(name: str) -> Advice:
    kind = EXTENSIONS.get(PurePath(name.partition(PART)[0]).suffix.lower())
    smaller = (
        "Delete stray cells, or export the sheet as CSV"
        if kind == "excel"
        else f"Keep fewer rows or columns{'' if kind == 'parquet' else ', or save it as Parquet'}"
    )
    return Advice(
        slow=f"{smaller}. If you trust the file, raise {SECONDS_VARIABLE}.",
        large=f"{smaller}. If you trust the file, raise {MEMORY_VARIABLE}.",
        broken="Export it again, or as CSV.",
    )


class ReaderFailedError(TableReadError):
    """The reading process ended, or exceeded a limit."""

    def __init__(self, message: str, cause: str) -> None:
        super().__init__(message)
        self.cause = cause


def read_table(
    source: str | os.PathLike[str] | bytes | BinaryIO,
    *,
    name: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    sheet: str | int | None = None,
    header_row: str | None = None,
    skip_rows: str | None = None,
    purpose: Purpose | None = None,
    max_uncompressed_bytes: int = here.MAX_UNCOMPRESSED_BYTES,
    limits: ReadingLimits | None = _STANDARD,
    waiting: Waiting | None = None,
) -> Table:
    r"""Read a file as a table in a separate process; options are detected.

    Damaged files can crash readers of binary formats; only columns come back.

    Parameters
    ----------
    source : str, path, bytes or binary file
        CSV, TSV, Parquet, Excel (.xlsx, .xls, .xlsb), OpenDocument (.ods), Stata, SAS, SPSS, R
        (.rds, .RData), Arrow, JSON records or lines, SQLite or DuckDB; also packed as .gz, .bz2,
        .xz, .zst or .zip. A str is a path, a folder or a pattern ("parts/*.csv") of CSV or Parquet
        files with the same columns; "::" precedes a table or sheet ("shop.sqlite::people").
    name : str, optional
        For messages; its extension helps to recognise the format. By default the file's.
    delimiter, encoding : str, optional
        Of a text file.
    decimal : {".", ","}, optional
        Decimal mark of a text file.
    thousands : {".", ","}, optional
        Thousands mark of a text file, besides spaces and apostrophes.
    sheet : str or int, optional
        Name, or position from 0, of a sheet, or table of a database or R file; by default the only
        one.
    header_row : str, optional
        Of a text file, workbook or web page: rows with column names ("3", "1-2"), counted from 1
        with blank ones.
    skip_rows : str, optional
        Rows below the header that are not records, such as "2,3,-1" (-1 is the last), or "none". By
        default those with words in columns of numbers, and final notes.
    purpose : {"original", "release"}, optional
        Table of an object with both, such as sdcMicro's.
    max_uncompressed_bytes : int, default 4 GiB
        Largest file, unpacked.
    limits : ReadingLimits or None
        None reads in this process, without limits.
    waiting : callable, optional
        Called about once a second, from another thread, with seconds spent and allowed.

    Returns
    -------
    Table
        With inferred kinds, and notes on decisions. Text with few distinct values is categorical. A
        large Parquet file is read in pieces if given by path.

    Raises
    ------
    TableReadError
        One line with file, problem and advice, never quoting a cell.

    Examples
    --------
    >>> table = read_table(b"age;job\n31;clerk\n45;smith\n", name="people.csv")
    >>> table.columns, len(table), table.notes[0]
    (('age', 'job'), 2, 'Delimiter: semicolon.')
    """
    options: dict[str, Any] = {
        "delimiter": delimiter, "encoding": encoding, "decimal": decimal, "thousands": thousands,
        "sheet": sheet, "header_row": header_row, "skip_rows": skip_rows,
        "purpose": purpose, "max_uncompressed_bytes": max_uncompressed_bytes,
    }  # fmt: skip
    if limits is None:
        return here.read_table(source, name=name, **options)
    label, content, part = here.opened(source, name)
    if part is not None:  # said of this file alone
        options["sheet"] = part
    return read_apart(
        "alc_core.tables.read:read_table",
        content,
        Table,
        name=label,
        options={"name": label, **options},
        limits=limits,
        advice=_table_advice(label),
        waiting=waiting,
    )


def first_rows(
    source: bytes, *, name: str, most: int, options: Mapping[str, Any]
) -> list[list[str]]:
    """Return the first rows of a text, sheet or web page unchanged.

    Raises
    ------
    TableReadError
        As :func:`read_table`.
    """
    return read_apart(
        "alc_core.tables.read:first_rows",
        source,
        list[list[str]],
        name=name,
        options={"name": name, "most": most, **options},
        limits=_STANDARD,
        advice=_table_advice(name),
    )


def read_apart(
    job: str,
    source: str | bytes | list[str],
    gives: type[Kind],
    *,
    name: str,
    advice: Advice,
    options: Mapping[str, Any] | None = None,
    limits: ReadingLimits | None = None,
    waiting: Waiting | None = None,
) -> Kind:
    """Run a reading function in a separate process within limits."""
    path, data = (None, source) if isinstance(source, bytes) else (source, None)
    size = len(source) if isinstance(source, bytes) else sum(map(_size, paths_of(source)))
    limits = limits or narrow_limits(size)
    request: dict[str, Any] = {
        "job": job, "path": path, "folder": _folder(), "size": size,
        "options": dict(options or {}),
        "seconds": limits.seconds_for(size), "memory": limits.memory_for(size),
    }  # fmt: skip
    reader = start(request, data)
    try:
        word = _received(reader, gives)
        with Watch(reader, int(word.get(PROCESS, 0)), request["seconds"], waiting) as watch:
            if READY in word:
                _tell(tuple(word[READY]))
                request["allowed"] = word[MEMORY]
                reader.give()
                word = _received(reader, gives)
            status = 0
            if word:
                reader.done()
            else:
                status = reader.status()
    except BaseException:
        reader.kill()
        reader.status()
        raise
    if VALUE in word:
        found: Kind = word[VALUE]
        return found
    if REFUSED in word:
        tables = [str(each) for each in word[TABLES]]
        raise TableReadError(str(word[REFUSED]), tables, together=bool(word[TOGETHER]))
    raise ReaderFailedError(
        *_broken_off(printable(name), request, word, status, advice, too_late=watch.too_late)
    )


def _received(reader: Reader, gives: type[Kind]) -> dict[str, Any]:
    """Return the reader's answer or last word; empty if it ended."""
    try:
        word = receive_word(reader.output)
        if "columns" in word and gives is Table:
            return {VALUE: receive_table(reader.output, word)}
        return {VALUE: from_plain(word[VALUE], gives)} if VALUE in word else word
    except BROKEN:
        return {}


@cache
def _tell(kept_from: tuple[str, ...]) -> None:
    logger.info("Readers are kept from: %s", ", ".join(kept_from) or "-")


def _broken_off(
    name: str,
    request: Mapping[str, Any],
    word: Mapping[str, Any],
    status: int,
    advice: Advice,
    *,
    too_late: bool,
) -> tuple[str, str]:
    """Say why a file was not read, and in one word."""
    if FAULT in word:
        logger.error("A reader failed: %s at %s", word[FAULT], word.get("place"))
        return (f"'{name}' is damaged, or cannot be read ({word[FAULT]}). {advice.broken}"), FAULT
    if MEMORY in word or status == -signal.SIGABRT:
        asked = request["memory"]
        allowed = request.get("allowed", asked)
        limit = (
            f"limit of {readable_size(asked)} of memory"
            if allowed == asked
            else f"{readable_size(allowed)} of memory left (ulimit -v)"
        )
        return (
            f"'{name}' takes more than the {limit} to read, or is damaged. {advice.large}"
        ), MEMORY if word else "crash"
    # The reader's own alarm, if nobody watches it
    if too_late or status == -getattr(signal, "SIGALRM", 0) < 0:
        return (
            f"'{name}' was not read within {count(round(request['seconds']))} seconds. "
            f"{advice.slow}"
        ), "time"
    if hasattr(signal, "SIGKILL") and status == -signal.SIGKILL:
        return (
            f"The system stopped reading '{name}', probably out of memory. {advice.large}"
        ), "crash"
    return f"'{name}' is damaged: its reader crashed. {advice.broken}", "crash"


def _folder() -> str | None:
    try:
        return str(Path.cwd())
    except OSError:
        return None


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):
        return 0


_SHORTER = "Keep only the labels of this release."
_ADVICE = Advice(slow=_SHORTER, large=_SHORTER, broken="Save it again.")


def read_plain_sets(source: str | Path | bytes, *, name: str | None = None) -> PlainSets:
    """Read what labels cover from a JSON file."""
    job = "alc_core.tables.labels.language:parse_plain_sets"
    return _read(job, source, dict[str, dict[str, Any]], name)


def read_hierarchy(
    source: str | Path | bytes, domain: Domain, *, column: str, name: str | None = None
) -> Mapping[str, ValueSet]:
    """Read the original's values covered by a hierarchy's labels."""
    rows = _read("alc_core.tables.labels.language:hierarchy_rows", source, list[list[str]], name)
    return sets_of_hierarchy(rows, domain, column=column, name=name or str(source))


def read_codebook(source: str | Path | bytes, *, name: str | None = None) -> Names:
    """Read a codebook from any table."""
    table = read_table(source, name=name)
    rows = [table.columns, *table.frame.astype(object).itertuples(index=False, name=None)]
    return codebook(rows, name=table.name)


def read_metadata(source: str | Path | bytes, *, name: str | None = None) -> Metadata:
    """Read SDV metadata."""
    told = _read("alc_core.tables.metadata:parse_metadata", source, dict[str, Any], name)
    return from_plain(told, Metadata)


def with_metadata(
    table: Table, source: str | Path | bytes, *, name: str | None = None, of: str | None = None
) -> Table:
    """Return a table with kinds from SDV metadata.

    Keys and ``pii`` columns are identifiers. Of several tables, the one with most columns is used.

    Parameters
    ----------
    table : Table
        The original.
    source : path or bytes
        JSON of version V1 or SINGLE_TABLE_V1.
    name : str, optional
        For messages.
    of : str, optional
        The table's name, if linked to others.

    Raises
    ------
    InputError
        If unreadable, without columns of the table, or linking a single table.

    Examples
    --------
    >>> from pathlib import Path
    >>> import alc_core as alc
    >>> _ = Path("sdv.json").write_text('{"columns": {"age": {"sdtype": "categorical"}}}')
    >>> with_metadata(alc.load_demo("fair").original, "sdv.json").kind("age").value
    'categorical'
    """
    return read_metadata(source, name=name).described(table, of=of)


def with_hierarchy(original: Table, release: Table, column: str, path: str | Path) -> Table:
    r"""Return a released table with a hierarchy file's label meanings.

    Raises
    ------
    ColumnError
        If a table lacks the column.
    InputError
        See :func:`read_hierarchy`.

    Examples
    --------
    >>> from pathlib import Path
    >>> import pandas as pd
    >>> original = table_from_frame(pd.DataFrame({"age": [17, 22, 52]}), name="original")
    >>> release = table_from_frame(pd.DataFrame({"age": ["young", "old"]}), name="release")
    >>> _ = Path("age.csv").write_text("17;young\n22;young\n52;old\n")
    >>> sorted(with_hierarchy(original, release, "age", "age.csv").value_sets["age"])
    ['old', 'young']
    """
    covers = read_hierarchy(path, column_domain(original, column), column=column)
    return with_sets(original, release, {column: covers})


def _read(job: str, source: str | Path | bytes, gives: type[Kind], name: str | None) -> Kind:
    place = source if isinstance(source, bytes) else os.fspath(source)
    called = name or str(source)
    return read_apart(job, place, gives, name=called, advice=_ADVICE, options={"name": called})


def as_table(source: TableLike, *, name: str) -> Table:
    """Return a table, or read a path or frame under the given name."""
    if isinstance(source, Table):
        return source
    if isinstance(source, str | os.PathLike):
        return read_table(source, purpose="original" if name == "original" else "release")
    return table_from_frame(source, name=name)
