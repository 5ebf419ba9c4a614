"""Reading a table of an SQLite or DuckDB file, never written to."""

from __future__ import annotations

import io
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow.parquet as pq

from alc_core.errors import TableReadError
from alc_core.phrasing import quoted
from alc_core.tables.formats.columns import BLANKS
from alc_core.tables.formats.excel import typed_rows
from alc_core.tables.formats.parquet import read_parquet
from alc_core.tables.formats.source import (
    Content,
    Options,
    Source,
    chosen_table,
    further_table,
    readable_size,
    refused,
)

_EXPORT = "Export the table as Parquet or CSV."

# Byte of an SQLite file, 2 if writers keep a log beside it; impossible in memory
_WRITES_A_LOG = slice(18, 20)
# What a table or view may have or take; honest ones have about a cell per byte of the file
_LEAST_CELLS, _CELLS_PER_BYTE, _LONGEST_VALUE, _LEAST_TEXT = 5_000_000, 16, 2**20, 2**27
_SECONDS, _SECONDS_PER_MIB = 10.0, 1.0  # SQLite's are of processor time
_LOOK_EVERY = 2_000  # Steps of SQLite's machine
_ROWS_AT_ONCE = 100_000  # Of DuckDB
_SHUT_IN: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "threads": 1,
    "memory_limit": "512MB",
}


def read_sqlite(source: Source, options: Options) -> Content:
    """Read one table or view of an SQLite file."""
    _refuse_log(source, "-wal")
    with refused(_damaged(source), sqlite3.Error), closing(_sqlite(source)) as base:
        base.execute("PRAGMA trusted_schema = OFF")
        base.execute("PRAGMA temp_store = MEMORY")
        base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
        found = base.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            " AND name NOT GLOB 'sqlite_*' ORDER BY name"
        )
        tables = [str(name) for (name,) in found]
        table = _chosen(source, tables, options)
        end = time.process_time() + _most_seconds(source)
        base.set_progress_handler(lambda: time.process_time() > end, _LOOK_EVERY)
        try:
            cursor = base.execute(f"SELECT * FROM {_quoted(table)}")  # noqa: S608 - it is quoted
            header = [each[0] for each in cursor.description]
            most, rows, size = _most_rows(source, len(header)), [], 0
            while more := cursor.fetchmany(1_000):
                rows += more
                size += sum(len(c) for row in more for c in row if isinstance(c, str | bytes))
                if len(rows) > most or size > max(_LEAST_TEXT, _CELLS_PER_BYTE * source.size()):
                    raise _endless(source, table)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
            raise _endless(source, table) from None
        except sqlite3.DataError:
            raise source.error(
                f"has a value of more than {readable_size(_LONGEST_VALUE)} in '{table}'",
                _EXPORT,
            ) from None
    _refuse_empty(source, table, len(rows))
    values = [[None if cell in BLANKS else cell for cell in row] for row in rows]
    read = typed_rows(source, [header, *values], options, [_told(table, tables)])
    return replace(read, part=further_table(table, tables))


def _sqlite(source: Source) -> sqlite3.Connection:
    if source.path is not None:
        place = quote(str(Path(source.path).absolute()))
        return sqlite3.connect(f"file:{place}?mode=ro&immutable=1", uri=True)
    data = bytearray(source.data)
    data[_WRITES_A_LOG] = b"\1\1"
    base = sqlite3.connect(":memory:")
    base.deserialize(bytes(data))
    return base


def read_duckdb(source: Source, options: Options) -> Content:
    """Read one table or view of a DuckDB file, through Parquet."""
    if source.path is None:
        raise source.error(
            "is a DuckDB database, opened only by path",
            "Export the table as Parquet, or use the command line.",
        )
    try:
        import duckdb
    except ImportError:
        raise source.error(
            "needs the package 'duckdb'",
            "Install it (pip install duckdb), or export the table as Parquet.",
        ) from None
    _refuse_log(source, ".wal")
    file = io.BytesIO()
    with refused(_damaged(source), duckdb.Error, OSError, ValueError):
        with duckdb.connect(source.path, read_only=True, config=_SHUT_IN) as base:
            found = base.execute(
                "SELECT schema_name, table_name FROM duckdb_tables() UNION ALL "
                "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL"
            ).fetchall()
            tables = {name if of == "main" else f"{of}.{name}": (of, name) for of, name in found}
            table = _chosen(source, list(tables), options)
            place = ".".join(map(_quoted, tables[table]))
            n_rows = _copy(source, base, f"SELECT * FROM {place}", table, file)  # noqa: S608 - quoted
        _refuse_empty(source, table, n_rows)
    content = read_parquet(Source(name=source.name, data=file.getvalue(), extension=""), options)
    return Content(
        frame=content.frame,
        notes=(_told(table, list(tables)), *content.notes[1:]),
        part=further_table(table, list(tables)),
    )


def _copy(source: Source, base: Any, query: str, table: str, file: io.BytesIO) -> int:
    """Write what a query gives as Parquet, within limits; return the number of rows."""
    import duckdb

    n_rows = 0
    timer = threading.Timer(_most_seconds(source), base.interrupt)
    timer.start()
    try:
        rows = base.sql(query).to_arrow_reader(_ROWS_AT_ONCE)
        most = _most_rows(source, len(rows.schema))
        with pq.ParquetWriter(file, rows.schema) as out:
            for batch in rows:
                n_rows += len(batch)
                if n_rows > most:
                    raise _endless(source, table)
                out.write_batch(batch)
    except (duckdb.Error, OSError) as error:  # the latter from Arrow, with the former's words
        if not timer.is_alive():
            raise _endless(source, table) from None
        if "Out of Memory" in str(error):
            raise MemoryError from None
        raise
    finally:
        timer.cancel()
    return n_rows


def _most_seconds(source: Source) -> float:
    return _SECONDS + _SECONDS_PER_MIB * source.size() / 2**20


def _most_rows(source: Source, n_columns: int) -> int:
    return max(_LEAST_CELLS, _CELLS_PER_BYTE * source.size()) // n_columns


def _endless(source: Source, table: str) -> TableReadError:
    return source.error(
        f"computes too many rows for '{table}': an endless view or join",
        _EXPORT,
    )


def _chosen(source: Source, tables: Sequence[str], options: Options) -> str:
    if not tables:
        raise source.error("is a database without a table", "Use another file.")
    return chosen_table(source, tables, options)


def _refuse_empty(source: Source, table: str, n_rows: int) -> None:
    if not n_rows:
        raise source.error(f"has no rows in table '{table}'", "Choose a table with rows.")


def _refuse_log(source: Source, ending: str) -> None:
    log = Path(f"{source.path}{ending}")
    if source.path is not None and log.exists() and (log.stat().st_size or not log.is_file()):
        raise source.error(
            f"is being written: '{log.name}' holds newer data",
            "Close that program, or read a copy.",
        )


def _damaged(source: Source) -> TableReadError:
    return source.error(
        "is damaged, locked, or of an unknown version",
        _EXPORT,
    )


def _told(table: str, tables: Sequence[str]) -> str:
    others = [other for other in tables if other != table]
    return f"Table: '{table}'" + (f"; not read: {quoted(others)}." if others else ".")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
