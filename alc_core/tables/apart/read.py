"""Reading a file in a process of its own: a table, or one line that says why there is none."""

from __future__ import annotations

import logging
import os
import signal
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from alc_core.errors import TableReadError
from alc_core.phrasing import printable
from alc_core.tables import read as here
from alc_core.tables.apart.child import FAULT, MEMORY, REFUSED
from alc_core.tables.apart.limits import MEMORY_VARIABLE, SECONDS_VARIABLE, ReadingLimits
from alc_core.tables.apart.process import Reader, Waiting, Watch, start
from alc_core.tables.apart.wire import BROKEN, receive_table, receive_word
from alc_core.tables.formats.source import readable_size
from alc_core.tables.table import Table

logger = logging.getLogger(__name__)

_STANDARD = ReadingLimits()
_EXPORT = "Export it again, or as CSV."


class ReaderFailedError(TableReadError):
    """The process that read a file broke off, or ran into one of its limits.

    Attributes
    ----------
    cause : {"time", "memory", "crash", "fault"}
        What happened: a limit, the end of the process, or an exception that no reader foresaw.
    """

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
    sheet: str | int | None = None,
    max_uncompressed_bytes: int = here.MAX_UNCOMPRESSED_BYTES,
    limits: ReadingLimits | None = _STANDARD,
    waiting: Waiting | None = None,
) -> Table:
    r"""Read a file as a table, in a process of its own; what is not given is detected.

    Readers of binary formats are compiled code, which a damaged file can take down. So a file is
    read apart, within limits on time and memory, and only its columns come back.

    Parameters
    ----------
    source : str, path, bytes or binary file
        CSV, TSV, Parquet, Excel (.xlsx, .xls, .xlsb), OpenDocument (.ods), Stata, SAS or
        SPSS; also packed as .gz or .zip. A str is a path.
    name : str, optional
        What messages call the table; its extension helps to recognise the format. By default the
        file's name.
    delimiter, encoding : str, optional
        Of a text file.
    decimal : {".", ","}, optional
        Decimal mark of a text file.
    sheet : str or int, optional
        Of a workbook: name, or position from 0. By default the first.
    max_uncompressed_bytes : int, default 4 GiB
        Larger files, or packed files that unpack to more, are refused.
    limits : ReadingLimits or None
        On time and memory. With None the file is read in this process, without limits.
    waiting : callable, optional
        Told about once a second, from another thread, for how many seconds the file has been read
        and how many it may take.

    Returns
    -------
    Table
        With inferred kinds, and notes on everything that was detected or decided. Text
        with few distinct values is a categorical column, which takes a byte or two per row and is
        never factorised again. Pass the path of a large Parquet file rather than its bytes: it is
        then read in pieces.

    Raises
    ------
    TableReadError
        With one line that names the file, what is wrong and what to do. It never quotes a cell.

    Examples
    --------
    >>> table = read_table(b"age;job\n31;clerk\n45;smith\n", name="people.csv")
    >>> table.columns, len(table), table.notes[0]
    (('age', 'job'), 2, 'Delimiter: semicolon.')
    """
    options: dict[str, Any] = {
        "delimiter": delimiter,
        "encoding": encoding,
        "decimal": decimal,
        "sheet": sheet,
        "max_uncompressed_bytes": max_uncompressed_bytes,
    }
    if limits is None:
        return here.read_table(source, name=name, **options)
    label, path, data = _opened(source, name)
    size = _size(path) if data is None else len(data)
    request = {
        "path": path,
        "folder": _folder(),
        "size": size,
        "name": label,
        "options": options,
        "seconds": limits.seconds_for(size),
        "memory": limits.memory_for(size),
    }
    return _read(request, data, waiting)


def _read(request: dict[str, Any], data: bytes | None, waiting: Waiting | None) -> Table:
    reader = start(request, data)
    try:
        with Watch(reader, request["seconds"], waiting) as watch:
            answer = _answer(reader)
            status = reader.status() if answer is None else 0
    except BaseException:
        reader.kill()
        reader.status()
        raise
    if isinstance(answer, Table):
        reader.done()
        return answer
    if answer is None:
        raise _broken_off(request, status, too_late=watch.too_late)
    reader.done()
    if REFUSED in answer:
        raise TableReadError(str(answer[REFUSED]))
    if MEMORY in answer:
        raise _too_large(request)
    logger.error("A reader failed: %s at %s", answer.get(FAULT), answer.get("place"))
    raise ReaderFailedError(
        f"'{printable(request['name'])}' is damaged, or holds something that its reader does not"
        f" know ({answer.get(FAULT)}). {_EXPORT}",
        "fault",
    )


def _answer(reader: Reader) -> Table | dict[str, Any] | None:
    """Return the table, or the word that says why there is none; None where it broke off."""
    try:
        word = receive_word(reader.output)
        return receive_table(reader.output, word) if "columns" in word else word
    except BROKEN:
        return None


def _broken_off(request: dict[str, Any], status: int, *, too_late: bool) -> ReaderFailedError:
    name = printable(request["name"])
    if too_late:
        return ReaderFailedError(
            f"'{name}' was not read within {request['seconds']:,.0f} seconds, the limit for a file"
            " of its size. Save it as CSV or Parquet, keep fewer rows or columns, or raise the"
            f" limit ({SECONDS_VARIABLE}).",
            "time",
        )
    if status == -signal.SIGABRT:
        return ReaderFailedError(
            f"'{name}' is damaged, or its cells lie so far apart that reading it takes more than"
            f" the limit of {readable_size(request['memory'])} of memory. Delete stray cells far"
            " from the table, export it as CSV, or raise the limit"
            f" ({MEMORY_VARIABLE}).",
            "crash",
        )
    if hasattr(signal, "SIGKILL") and status == -signal.SIGKILL:
        return ReaderFailedError(
            f"The system stopped the reading of '{name}', most likely for lack of memory. Close"
            " other programs, keep fewer rows or columns, or save the file as Parquet.",
            "crash",
        )
    return ReaderFailedError(
        f"'{name}' is damaged: the reader of its format broke off. {_EXPORT}", "crash"
    )


def _too_large(request: dict[str, Any]) -> ReaderFailedError:
    name, limit = printable(request["name"]), readable_size(request["memory"])
    return ReaderFailedError(
        f"'{name}' takes more than the limit of {limit} of memory to read, or is damaged. Keep"
        f" fewer rows or columns, save it as Parquet, or raise the limit ({MEMORY_VARIABLE}).",
        "memory",
    )


def _opened(
    source: str | os.PathLike[str] | bytes | BinaryIO, name: str | None
) -> tuple[str, str | None, bytes | None]:
    """Return what the file is called, and its path or its bytes."""
    if isinstance(source, (bytes, bytearray)):
        return name or "table", None, bytes(source)
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return name or PurePath(path).name, path, None
    given = getattr(source, "name", None)
    label = name or (PurePath(given).name if isinstance(given, str) else "table")
    return label, None, source.read()


def _folder() -> str | None:
    try:
        return str(Path.cwd())
    except OSError:
        return None


def _size(path: str | None) -> int:
    try:
        return Path(path).stat().st_size if path is not None else 0
    except (OSError, ValueError):
        return 0
