"""Reading a table of an SQLite or DuckDB file, never written to."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
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
    refused,
)

# Byte of an SQLite file, 2 if writers keep a log beside it; impossible in memory
_WRITES_A_LOG = slice(18, 20)
_SHUT_IN: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "threads": 1,
}


def read_sqlite(source: Source, options: Options) -> Content:
    """Read one table or view of an SQLite file."""
    _refuse_log(source, "-wal")
    with refused(_damaged(source), sqlite3.Error), closing(_sqlite(source)) as base:
        base.execute("PRAGMA trusted_schema = OFF")
        base.execute("PRAGMA temp_store = MEMORY")
        found = base.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            " AND name NOT GLOB 'sqlite_*' ORDER BY name"
        )
        tables = [str(name) for (name,) in found]
        table = _chosen(source, tables, options)
        cursor = base.execute(f"SELECT * FROM {_quoted(table)}")  # noqa: S608 - it is quoted
        header = [each[0] for each in cursor.description]
        rows = cursor.fetchall()
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
            "is a DuckDB database, which only its path can open",
            "Export the table as Parquet (COPY people TO 'people.parquet'), or use the command "
            "line.",
        )
    try:
        import duckdb
    except ImportError:
        raise source.error(
            "is a DuckDB database, which needs the package 'duckdb'",
            "Install it (pip install duckdb), or export the table as Parquet.",
        ) from None
    _refuse_log(source, ".wal")
    file = io.BytesIO()
    with refused(_damaged(source), duckdb.Error, ValueError):
        with duckdb.connect(source.path, read_only=True, config=_SHUT_IN) as base:
            found = base.execute(
                "SELECT schema_name, table_name FROM duckdb_tables() UNION ALL "
                "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL"
            ).fetchall()
            tables = {name if of == "main" else f"{of}.{name}": (of, name) for of, name in found}
            table = _chosen(source, list(tables), options)
            place = ".".join(map(_quoted, tables[table]))
            rows = base.sql(f"SELECT * FROM {place}").to_arrow_table()  # noqa: S608 - quoted
        _refuse_empty(source, table, rows.num_rows)
        pq.write_table(rows, file)
    del rows
    content = read_parquet(Source(name=source.name, data=file.getvalue(), extension=""), options)
    return Content(
        frame=content.frame,
        notes=(_told(table, list(tables)), *content.notes[1:]),
        part=further_table(table, list(tables)),
    )


def _chosen(source: Source, tables: Sequence[str], options: Options) -> str:
    if not tables:
        raise source.error("is a database without a table", "Use another file.")
    return chosen_table(source, tables, options)


def _refuse_empty(source: Source, table: str, n_rows: int) -> None:
    if not n_rows:
        raise source.error(f"has no rows in table '{table}'", "Choose a table with rows.")


def _refuse_log(source: Source, ending: str) -> None:
    """Refuse a database with rows only in its log."""
    log = Path(f"{source.path}{ending}")
    if source.path is not None and log.exists() and log.stat().st_size:
        raise source.error(
            f"is being written: '{log.name}' holds newer data",
            "Close the program that writes it, or read its copy.",
        )


def _damaged(source: Source) -> TableReadError:
    return source.error(
        "is damaged, locked, or of an unknown version",
        "Export the table as Parquet or CSV.",
    )


def _told(table: str, tables: Sequence[str]) -> str:
    others = [other for other in tables if other != table]
    return f"Table: '{table}'" + (f"; not read: {quoted(others)}." if others else ".")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
