"""Tables, formats and statements of a campaign's file."""

from __future__ import annotations

import sqlite3

import msgspec

from alc_core.campaign.columns import ResultRow
from alc_core.campaign.file.seals import SEALS, seal

# Marks a SQLite file as a campaign ("ALCc"), also for ``file`` and SQLite
APPLICATION_ID = 0x414C4363
FORMAT_VERSION = 8  # Format written and read

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE attack (
    number INTEGER PRIMARY KEY, identity BLOB NOT NULL UNIQUE, plan TEXT NOT NULL
);
CREATE TABLE result (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    number INTEGER NOT NULL UNIQUE REFERENCES attack (number),
    seconds REAL NOT NULL,
    row BLOB NOT NULL,
    record BLOB NOT NULL
);
CREATE TABLE failure (
    number INTEGER PRIMARY KEY REFERENCES attack (number),
    reason TEXT NOT NULL,
    seconds REAL NOT NULL
);
"""

# What a review adds to the results
_ANNOTATIONS = """
CREATE TABLE annotation (
    kind TEXT NOT NULL, key TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (kind, key)
)
"""

_INSERT_FAILURE = (
    "INSERT INTO failure SELECT ?1, ?2, ?3 "
    "WHERE NOT EXISTS (SELECT 1 FROM result WHERE number = ?1) "
    "ON CONFLICT (number) DO UPDATE SET reason = excluded.reason, seconds = excluded.seconds"
)


def insert_result(
    connection: sqlite3.Connection, number: int, row: ResultRow, record: bytes, seconds: float
) -> None:
    """Insert a result unless present, replacing a failure."""
    inserted = connection.execute(
        "INSERT INTO result (number, seconds, row, record) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (number) DO NOTHING",
        (number, seconds, msgspec.msgpack.encode(row), record),
    )
    if inserted.rowcount:
        connection.execute("DELETE FROM failure WHERE number = ?", (number,))
        seal(connection, "result", str(number))
        seal(connection, "failure", str(number))


def insert_failure(
    connection: sqlite3.Connection, number: int, reason: str, seconds: float
) -> None:
    """Insert a failure, replacing an earlier one; a result stays."""
    connection.execute(_INSERT_FAILURE, (number, reason, seconds))
    seal(connection, "failure", str(number))


def insert_annotation(
    connection: sqlite3.Connection, kind: str, key: str, content: str | None
) -> None:
    """Insert an annotation, replacing that of its kind and key; None removes it."""
    connection.execute("DELETE FROM annotation WHERE kind = ? AND key = ?", (kind, key))
    if content is not None:
        connection.execute("INSERT INTO annotation VALUES (?, ?, ?)", (kind, key, content))
    ((record,),) = connection.execute("SELECT json_array(?, ?)", (kind, key))
    seal(connection, "annotation", record)


def create_tables(connection: sqlite3.Connection) -> None:
    """Create all tables, and mark the file as a campaign."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
    for statement in (*_TABLES.split(";")[:-1], _ANNOTATIONS, SEALS):
        connection.execute(statement)
